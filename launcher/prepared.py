"""What a second start may skip: migrations that are applied, and a casino that is loaded."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path

import psycopg


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
