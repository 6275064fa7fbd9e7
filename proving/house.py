"""The house of benches and drills: a durable PostgreSQL, a key and the product's own processes in a folder of its own.

It is the launcher's own stack, quiet. It never looks at a user's data folder, and nothing of it is left afterwards.
"""

from __future__ import annotations

import contextlib
import io
import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, Protocol

import psycopg

from launcher import house as launcher
from launcher.children import Child, wait_until
from launcher.cluster import HOME_OF_ROOTS_SERVER, ClusterProfile
from launcher.installation import Installation
from launcher.places import Places, Taken, alone_in, make_data_folder, make_key_file
from launcher.ports import listen
from launcher.postgres import APP, DATABASE, OWNER, WORKER, WORKER_PROCESS, Server, words_of
from proving.bench.cpu import Usage

PROJECT: Final = Path(__file__).resolve().parent.parent
BUILD: Final = PROJECT / "proving" / "build"
PREFIX: Final = "house-"
NOT_OURS: Final = ("FAIRMETER_", "PG", "DATABASE_", "REDIS_", "CELERY_", "FORWARDED_")
DURABLE: Final = ("fsync", "synchronous_commit", "full_page_writes")
LONGEST_START: Final = 30.0
WEB: Final = "launcher.web"
HOUSE_OF_ONE: Final = "one machine, as delivered"
EARLY_WEB: Final = "proving.drill.early"


class NotCarriedOut(Exception):
    """A bench or drill could not be carried out; the sentence says why and what to do, and nothing about the house."""


class NeverAgain(NotCarriedOut):
    """Some table plays no more. Where faults are drilled that is an answer, and the books are asked all the same."""


class Stage(Protocol):
    """What load and gates need of where they play: one house, or a cluster of machines."""

    @property
    def places(self) -> Places: ...

    @property
    def project(self) -> Path: ...

    @property
    def environ(self) -> Mapping[str, str]: ...

    @property
    def ports(self) -> list[int]: ...

    @property
    def scheme(self) -> str: ...

    def connect(self) -> psycopg.Connection[Any]: ...

    def run(self, module: str, *arguments: str) -> str: ...

    def look_after(self) -> None: ...

    def words(self, name: str) -> str: ...

    def last_words(self) -> str: ...


@dataclass(frozen=True, slots=True)
class Weakness:
    """What is broken on purpose, so that the drill shows that it would notice."""

    name: str
    early: bool = False
    loose: bool = False


SOUND: Final = Weakness("as delivered")
EARLY: Final = Weakness("acknowledges before the commit", early=True)
LOOSE: Final = Weakness("synchronous_commit = off", loose=True)


class Mortal(Child):
    """Its deaths come every few seconds and are ours: none is the child's fault, so the pause never grows."""

    LONG_ENOUGH = 0.0


class ProvingHouse(launcher.Stack):
    """The launcher's own supervisor around a data folder that lives as long as the bench or drill."""

    scheme = "http"

    def __init__(self, places: Places, weakness: Weakness = SOUND) -> None:
        make_data_folder(places)
        make_key_file(places.data)
        self.server = Server(places)
        self.weakness = weakness
        self.listeners: list[socket.socket] = []
        first = listen("127.0.0.1", 0)
        site = launcher.Site("http", "127.0.0.1", first.getsockname()[1], ("127.0.0.1",), None, None, processes=2)
        super().__init__(PROJECT, Installation(places, self.server, self.server.addresses), site, first)
        self.environ = self.environment()

    def environment(self, database: str = DATABASE) -> dict[str, str]:
        """Nothing of the caller's installation: only this house's database, key and folder."""
        clean = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
        role = APP if database == DATABASE else OWNER
        return clean | self.installation.environment() | {
            "DATABASE_URL": self.server.url(role, database),
            "DATABASE_OWNER_URL": self.server.url(OWNER, database),
            "DATABASE_WORKER_URL": self.server.url(WORKER if database == DATABASE else OWNER, database),
            "DJANGO_SETTINGS_MODULE": "config.settings", "FAIRMETER_HOSTS": "127.0.0.1", "PYTHONPATH": str(PROJECT),
        }  # fmt: skip

    def open_books(self) -> None:
        self.server.ensure()
        self.durable()
        if self.weakness.loose:
            with self.connect() as connection:
                connection.execute(f"ALTER ROLE {APP} SET synchronous_commit = off".encode())
            self.server.profile = ClusterProfile.FLEETING  # the launcher would refuse to start it again; here it may

    def durable(self) -> dict[str, str]:
        """What the server itself says of its durability; anything but on, on, on ends the bench or drill."""
        with self.connect() as connection:
            said = {name: connection.execute(f"SHOW {name}".encode()).fetchone() for name in DURABLE}
        found = {name: str(row[0]) if row else "?" for name, row in said.items()}
        if set(found.values()) != {"on"}:
            raise NotCarriedOut(f"A figure without durability says nothing: {found}.")
        return found

    def open_door(self) -> int:
        """One more web process, on a port of its own, started and awaited as `up` does."""
        if self.listeners:
            self.listener = listen("127.0.0.1", 0)
        self.listeners.append(self.listener)
        self._wait_for_web([self._start_web(len(self.listeners))])
        return int(self.listener.getsockname()[1])

    def start_anew(self) -> float:
        """The newest web process dies as the worst crash would have it, and another one takes its socket; the seconds
        until that one accepts."""
        last = next(child for child in reversed(self.children) if WEB in child.command or EARLY_WEB in child.command)
        self.children.remove(last)
        assert last.process is not None
        _killed(last.process)
        began = time.monotonic()
        self._wait_for_web([self._start_web(len(self.listeners))])
        return time.monotonic() - began

    @property
    def ports(self) -> list[int]:
        return [listener.getsockname()[1] for listener in self.listeners]

    def work(self) -> None:
        """The worker with its timetable, as the launcher starts it. It takes up what waits when it is there."""
        self._add(WORKER_PROCESS, launcher.worker_command())

    def serve(self, name: str, *command: str, port: int, database: str = DATABASE) -> None:
        """Starts a peer of the product that listens on this port, and waits until it answers."""
        words = [sys.executable, "-m", *command]
        child = Child(name, words, self.environment(database), self.places.logs, self.project)
        self.children.append(child)
        child.start()
        if not wait_until(lambda: not child.alive or answers(port), LONGEST_START, 0.05) or not child.alive:
            raise NotCarriedOut(f"The server {name} did not start. Its last words:\n{self.words(name)}")

    def _add(self, name: str, command: list[str], *, pass_fds: Sequence[int] = (), forever: bool = True) -> Child:
        if self.weakness.early and WEB in command:
            command[command.index(WEB)] = EARLY_WEB
        child = Mortal(name, command, words_of(name, self.environ), self.places.logs, self.project, pass_fds, forever)
        self.children.append(child)
        child.start()
        return child

    def look_after(self) -> None:
        """One look of the supervisor; its words are not part of the report."""
        with contextlib.redirect_stdout(io.StringIO()):
            self._look_after()

    def kill_web(self, dice: float) -> float:
        """kill -9 of one web process; returns the moment."""
        while not (alive := [child for child in self.children if child.alive]):
            self.look_after()
            time.sleep(launcher.BLINK)
        process = alive[int(dice * len(alive))].process
        assert process is not None
        return _killed(process)

    def kill_beside(self, dice: float) -> float | None:
        """kill -9 of a process that works beside a web process; None where each does everything by itself already."""
        pids = [child.process.pid for child in self.children if child.alive and child.process is not None]
        beside = [each for pid in pids for each in programs_under(pid)]
        if not beside:
            return None
        moment = time.monotonic()
        with contextlib.suppress(ProcessLookupError):  # its gateway may just be ending
            os.kill(beside[int(dice * len(beside))], signal.SIGKILL)
        return moment

    def kill_postgres(self) -> float:
        """kill -9 of the postmaster, as the worst crash would."""
        self.look_after()
        assert self.server.process is not None, "a look of the supervisor ends with a running server"
        return _killed(self.server.process)

    def run(self, module: str, *arguments: str, database: str = DATABASE) -> str:
        """Runs a Python module in this house and returns what it wrote."""
        done = subprocess.run(
            [sys.executable, "-m", module, *arguments], cwd=self.project, env=self.environment(database),
            stdin=subprocess.DEVNULL, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise NotCarriedOut(f"`{module}` failed: {done.stderr.strip()[-2000:] or done.stdout.strip()[-2000:]}")
        return done.stdout

    def scene(self, **wanted: Any) -> dict[str, Any]:
        """The casino of the measurement (proving/scene.py), made by the product's own actions."""
        made: dict[str, Any] = json.loads(self.run("proving.scene", json.dumps(wanted)))
        return made

    def connect(self, database: str = DATABASE) -> psycopg.Connection[Any]:
        """As the superuser, apart from the product."""
        return psycopg.connect(self.server.url("postgres", database), autocommit=True)

    def make_database(self, name: str) -> None:
        with self.connect("postgres") as connection:
            connection.execute(f'CREATE DATABASE "{name}" OWNER {OWNER}'.encode())

    def checkpoint(self) -> None:
        with self.connect("postgres") as connection:
            connection.execute("CHECKPOINT")

    def version(self) -> str:
        with self.connect() as connection:
            return "{}.{}".format(*divmod(connection.info.server_version, 10000))

    def settings(self, *names: str) -> dict[str, str]:
        """What the working role's own sessions say of their settings."""
        with psycopg.connect(self.server.addresses.app) as connection:
            rows = {name: connection.execute(f"SHOW {name}".encode()).fetchone() for name in names}
        return {name: str(row[0]) for name, row in rows.items() if row}

    def usage(self) -> Usage:
        """The CPU of everything of ours that runs, by name, so that it can be told from everybody else's."""
        assert self.server.process is not None
        running = {child.name: [child.process.pid] for child in self.children if child.process is not None}
        return Usage.now({**running, "database": [self.server.process.pid]})

    def words(self, name: str) -> str:
        path = self.places.logs / f"{name}.log"
        return path.read_text(errors="replace")[-2000:] if path.exists() else ""

    def last_words(self) -> str:
        return " / ".join(self.words(path.stem)[-400:] for path in sorted(self.places.logs.glob("*.log")))

    def close(self) -> None:
        self.stop()
        for listener in {self.listener, *self.listeners}:
            listener.close()


def _killed(process: subprocess.Popen[bytes]) -> float:
    moment = time.monotonic()
    process.send_signal(signal.SIGKILL)
    process.wait()  # so that the next look of the supervisor finds it dead, not dying
    return moment


def programs_under(pid: int) -> list[int]:
    """Its children that live; one that has ended and was not buried yet is none."""
    with contextlib.suppress(OSError):
        found = Path(f"/proc/{pid}/task/{pid}/children").read_text().split()
        return [int(each) for each in found if Path(f"/proc/{each}/cmdline").read_bytes()]
    return []


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


@contextlib.contextmanager
def house(weakness: Weakness = SOUND, lay_out: Callable[[Places], None] | None = None) -> Iterator[ProvingHouse]:
    """A new house, and nothing left of it afterwards: no process, no socket, no folder. `lay_out` may put its books
    elsewhere before they are begun."""
    BUILD.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as held:
        with alone_in(BUILD):  # between making a folder and holding it nobody may sweep
            sweep(BUILD)
            places = Places(Path(tempfile.mkdtemp(prefix=PREFIX, dir=BUILD)))
            held.enter_context(alone_in(places.data))
        held.callback(remove, places)
        if lay_out is not None:
            lay_out(places)
        ours = ProvingHouse(places, weakness)
        held.callback(ours.close)
        ours.open_books()
        yield ours


@contextlib.contextmanager
def kept_house(folder: Path) -> Iterator[ProvingHouse]:
    """A house that stays where it lies: made there the first time, opened again later, swept by nobody."""
    folder.mkdir(parents=True, exist_ok=True)
    with alone_in(folder):
        ours = ProvingHouse(Places(folder.resolve()))
        try:
            ours.open_books()
            yield ours
        finally:
            ours.close()


def sweep(folder: Path) -> None:
    """What was killed could not clear up; nobody holds its house any more."""
    for left in folder.glob(f"{PREFIX}*"):
        with contextlib.suppress(Taken), alone_in(left, wait=False):
            remove(Places(left))


def remove(places: Places) -> None:
    """For root, PostgreSQL's folder may lie where its account can reach it; it is ours all the same."""
    books = places.server.resolve()
    if books.is_relative_to(HOME_OF_ROOTS_SERVER) or books.is_relative_to(places.data):
        shutil.rmtree(books, ignore_errors=True)
    shutil.rmtree(places.data, ignore_errors=True)
