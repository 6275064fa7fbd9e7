"""The house of a drill: a durable server and web processes in a folder of their own, watched as `up` watches them."""

from __future__ import annotations

import contextlib
import http.client
import io
import json
import os
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import psycopg

from launcher import house as launcher
from launcher.account import HOME_OF_ROOTS_SERVER
from launcher.children import Child
from launcher.installation import Installation
from launcher.keys import make_key_file
from launcher.places import Places, make_data_folder
from launcher.ports import listen
from launcher.postgres import Server, url_of
from launcher.roles import APP, DATABASE

PROJECT: Final = Path(__file__).resolve().parent.parent.parent
NOT_OURS: Final = ("FAIRMETER_", "PG", "DATABASE_", "REDIS_", "CELERY_", "FORWARDED_")
WEB: Final = "launcher.web"
EARLY_WEB: Final = "proving.drill.early"
ANSWERS_WITHIN: Final = 60.0


class NotDrilled(Exception):
    """The drill itself could not be carried out; it says nothing about the house."""


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


class House(launcher.Stack):
    """The launcher's own supervisor, quiet, around a data folder that lives as long as the drill."""

    def __init__(self, places: Places, weakness: Weakness) -> None:
        make_data_folder(places)
        make_key_file(places.data)
        self.server = Server(places)
        self.weakness = weakness
        listener = listen("127.0.0.1", 0)
        self.listeners = [listener]
        port = listener.getsockname()[1]
        site = launcher.Site("http", "127.0.0.1", port, ("127.0.0.1",), None, None, processes=2)
        super().__init__(PROJECT, Installation(places, self.server, self.server.addresses), site, listener)
        clean = {name: value for name, value in os.environ.items() if not name.startswith(NOT_OURS)}
        told = {
            "FAIRMETER_HOSTS": "127.0.0.1", "PYTHONPATH": str(PROJECT), "DJANGO_SETTINGS_MODULE": "config.settings",
        }  # fmt: skip
        self.environ = clean | self.installation.environment() | told

    @property
    def ports(self) -> list[int]:
        return [listener.getsockname()[1] for listener in self.listeners]

    def open_books(self) -> None:
        self._start_server()
        self.run("django", "migrate", "--verbosity", "0")
        if self.weakness.loose:
            with self.connect() as connection:
                connection.execute(f"ALTER ROLE {APP} SET synchronous_commit = off".encode())

    def open_doors(self, doors: int) -> None:
        """Web processes, each on a port of its own, started and awaited as `up` does."""
        while len(self.listeners) < doors:
            self.listeners.append(listen("127.0.0.1", 0))
        ready = []
        for number, listener in enumerate(self.listeners, 1):
            self.listener = listener
            ready.append(self._start_web(number))
        self._wait_for_web(ready)
        for port in self.ports:
            answers(port)

    def _add(self, name: str, command: list[str], *, pass_fds: Sequence[int] = (), forever: bool = True) -> Child:
        if self.weakness.early:
            command[command.index(WEB)] = EARLY_WEB
        child = Mortal(name, command, self.environ, self.places.logs, self.project, pass_fds, forever)
        self.children.append(child)
        child.start()
        return child

    def look_after(self) -> None:
        """One look of the supervisor; its words are not part of the drill's report."""
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

    def kill_postgres(self) -> float:
        """kill -9 of the postmaster, as the worst crash would."""
        self.look_after()
        assert self.server.process is not None, "a look of the supervisor ends with a running server"
        return _killed(self.server.process)

    def run(self, module: str, *arguments: str) -> str:
        """Runs a Python module in this house and returns what it wrote."""
        command = [sys.executable, "-m", module, *arguments]
        done = subprocess.run(
            command, cwd=self.project, env=dict(self.environ), stdin=subprocess.DEVNULL,
            capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise NotDrilled(f"`{module}` failed: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def connect(self) -> psycopg.Connection[Any]:
        """As the superuser, apart from the product."""
        return psycopg.connect(url_of(self.server.sockets, "postgres", DATABASE), autocommit=True)

    def settings(self, *names: str) -> dict[str, str]:
        """What the working role's own sessions say of their settings."""
        with psycopg.connect(self.server.addresses.app) as connection:
            rows = {name: connection.execute(f"SHOW {name}".encode()).fetchone() for name in names}
        return {name: str(row[0]) for name, row in rows.items() if row}

    def words(self, name: str) -> str:
        path = self.places.logs / f"{name}.log"
        return path.read_text(errors="replace")[-2000:] if path.exists() else ""

    def close(self) -> None:
        self.stop()
        for listener in self.listeners:
            listener.close()


def _killed(process: subprocess.Popen[bytes]) -> float:
    moment = time.monotonic()
    process.send_signal(signal.SIGKILL)
    return moment


def answers(port: int) -> None:
    """Waits until the web process says that it lives."""
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=ANSWERS_WITHIN)
    with contextlib.closing(connection):
        connection.request("GET", "/api/v1/health")
        connection.getresponse().read()


@contextlib.contextmanager
def house(weakness: Weakness = SOUND) -> Iterator[House]:
    """A new house, and nothing left of it afterwards: no process, no socket, no folder."""
    folder = Path(tempfile.mkdtemp(prefix="fairmeter-drill-"))
    folder.chmod(0o711 if os.geteuid() == 0 else 0o700)  # root's PostgreSQL runs as another account
    ours = House(Places(folder), weakness)
    try:
        ours.open_books()
        yield ours
    finally:
        ours.close()
        _remove(ours.places)


def _remove(places: Places) -> None:
    books = places.server.resolve()
    if books.is_relative_to(HOME_OF_ROOTS_SERVER) or books.is_relative_to(places.data):
        shutil.rmtree(books, ignore_errors=True)
    shutil.rmtree(places.data, ignore_errors=True)


def scene(ours: House, tables: int, signs: int) -> dict[str, Any]:
    made: dict[str, Any] = json.loads(ours.run("proving.drill.scene", str(tables), str(signs)))
    return made
