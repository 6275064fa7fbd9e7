"""One installation: its data folder, the PostgreSQL that keeps its books, and what a second start may skip."""

from __future__ import annotations

import contextlib
import hashlib
import json
import os
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psycopg

from launcher.places import Places, make_data_folder, make_key_file
from launcher.postgres import Addresses, Server, given_addresses


@dataclass(frozen=True)
class Prepared:
    """The note that the last preparation left in the data folder."""

    wanted: str = ""
    applied: str = ""
    logins: list[str] = field(default_factory=list)

    def write(self, path: Path) -> None:
        draft = path.with_suffix(".draft")
        draft.write_text(json.dumps(asdict(self)))
        draft.replace(path)

    @classmethod
    def read(cls, path: Path) -> Prepared:
        try:
            return cls(**json.loads(path.read_text()))
        except (OSError, ValueError, TypeError):
            return cls()


@dataclass(frozen=True)
class Casino:
    """What a database already holds."""

    applied: str
    properties: int = 0
    demo: bool = False


def digest(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(lines).encode()).hexdigest()


def wanted_migrations(project: Path) -> str:
    """Our migrations by their text, everyone else's by the locked list."""
    ours = sorted(project.glob("*/migrations/0*.py"))
    return digest(hashlib.sha256(path.read_bytes()).hexdigest() for path in [*ours, project / "requirements.txt"])


def casino_in(url: str) -> Casino:
    """Asked of the database itself: a restored or replaced one is never mistaken for the one of last time."""
    with psycopg.connect(url) as connection:
        try:
            rows = connection.execute("SELECT app || '.' || name FROM django_migrations ORDER BY 1").fetchall()
            held = connection.execute(
                "SELECT count(*), coalesce(bool_or(demo), false) FROM jackpot_property"
            ).fetchone()
        except psycopg.errors.UndefinedTable:
            return Casino("")
    properties, demo = held or (0, False)
    return Casino(digest(name for (name,) in rows), properties, demo)


def is_prepared(note: Prepared, casino: Casino, project: Path) -> bool:
    return bool(note.applied) and (note.wanted, note.applied) == (wanted_migrations(project), casino.applied)


@dataclass(frozen=True)
class Installation:
    """`server` is None where the user brings a PostgreSQL."""

    places: Places
    server: Server | None
    addresses: Addresses

    @classmethod
    def found(cls, places: Places, environ: Mapping[str, str]) -> Installation:
        """Ours may also be named in the environment already, by the command that started this one."""
        server = Server(places)
        given = given_addresses(environ)
        ours = server.addresses
        if given and (given.app, given.owner) != (ours.app, ours.owner):
            return cls(places, None, given)
        return cls(places, server, server.addresses)

    def make_folders(self) -> None:
        make_data_folder(self.places)
        if not os.environ.get("FAIRMETER_KEY_FILE"):
            make_key_file(self.places.data)

    def environment(self) -> dict[str, str]:
        """What a child needs in order to find the same installation."""
        return self.addresses.environment() | {"FAIRMETER_DATA": str(self.places.data)}

    @contextlib.contextmanager
    def named(self) -> Iterator[None]:
        """Settings learn where everything is; nothing is made and nothing is started."""
        os.environ.update(self.environment())
        yield

    @contextlib.contextmanager
    def running(self) -> Iterator[None]:
        """A database for the length of one command: the user's, the one that runs, or one started for it."""
        self.make_folders()
        os.environ.update(self.environment())
        try:
            if self.server:
                self.server.ensure()
            yield
        finally:
            if self.server:
                self.server.stop()
