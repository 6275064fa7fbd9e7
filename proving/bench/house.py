"""A house of the benchmark's own: a durable PostgreSQL, a key and web processes in a folder that is removed at the end.

It is made and run by the same launcher as the product's; it never looks at a user's data folder.
"""

from __future__ import annotations

import os
import select
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, Final

import psycopg

from launcher.account import HOME_OF_ROOTS_SERVER
from launcher.children import open_log, spawn, wait_until
from launcher.house import worker_command
from launcher.keys import make_key_file
from launcher.locks import Taken, alone_in
from launcher.places import Places, make_data_folder
from launcher.postgres import Server, url_of
from proving.bench.clients import BUILD, NotMeasured
from proving.bench.cpu import Usage

PROJECT: Final = Path(__file__).resolve().parent.parent.parent
PREFIX: Final = "house-"
DURABLE: Final = ("fsync", "synchronous_commit", "full_page_writes")
LONGEST_START: Final = 30.0


class House:
    """Everything of ours that runs, by name, so that its CPU can be told from everybody else's."""

    def __init__(self, places: Places, database: Server) -> None:
        self.places = places
        self.database = database
        self.running: dict[str, subprocess.Popen[bytes]] = {}

    @property
    def folder(self) -> Path:
        return self.places.data

    def url(self, database: str = "fairmeter", role: str = "fairmeter_app") -> str:
        return url_of(self.database.sockets, role, database)

    def environment(self, database: str = "fairmeter") -> dict[str, str]:
        """Nothing of the caller's installation: only this house's database, key and folder."""
        ours = {name: value for name, value in os.environ.items() if not name.startswith(("FAIRMETER_", "PG", "REDIS"))}
        role = "fairmeter_app" if database == "fairmeter" else "fairmeter_owner"
        return ours | {
            "DATABASE_URL": self.url(database, role),
            "DATABASE_OWNER_URL": self.url(database, "fairmeter_owner"),
            "FAIRMETER_DATA": str(self.folder),
            "PYTHONPATH": str(PROJECT),
        }

    def connect(self, database: str = "fairmeter") -> psycopg.Connection[Any]:
        return psycopg.connect(url_of(self.database.sockets, "postgres", database), autocommit=True)

    def durable(self) -> dict[str, str]:
        """What the server itself says of its durability; anything but on, on, on ends the benchmark."""
        with self.connect() as connection:
            said = {name: connection.execute(f"SHOW {name}".encode()).fetchone() for name in DURABLE}
        found = {name: str(row[0]) if row else "?" for name, row in said.items()}
        if set(found.values()) != {"on"}:
            raise NotMeasured(f"A figure without durability says nothing: {found}.")
        return found

    def version(self) -> str:
        with self.connect() as connection:
            return str(connection.info.server_version // 10000) + f".{connection.info.server_version % 10000}"

    def make_database(self, name: str) -> None:
        with self.connect("postgres") as connection:
            connection.execute(f'CREATE DATABASE "{name}" OWNER fairmeter_owner'.encode())

    def checkpoint(self) -> None:
        with self.connect("postgres") as connection:
            connection.execute("CHECKPOINT")

    def run(self, *command: str, database: str = "fairmeter", said: str = "") -> str:
        """Runs a Python module of the project in this house and returns what it wrote."""
        done = subprocess.run(
            [sys.executable, "-m", *command],
            cwd=PROJECT, env=self.environment(database), input=said, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode != 0:
            raise NotMeasured(f"`{' '.join(command[:2])}` failed: {done.stderr.strip()[-2000:]}")
        return done.stdout

    def serve(self, name: str, *command: str, port: int, database: str = "fairmeter") -> int:
        """Starts a server that listens on this port and waits until it answers."""
        with open_log(self.places.logs, name) as log:
            process = spawn(
                [sys.executable, "-m", *command],
                cwd=PROJECT, env=self.environment(database), stdout=log, stderr=log,
            )  # fmt: skip
        self.running[name] = process
        if not wait_until(lambda: process.poll() is not None or answers(port), LONGEST_START, 0.05) or process.poll():
            raise self._did_not_start(name)
        return port

    def serve_product(self, name: str = "web") -> int:
        """A web process, started as the launcher starts it: on a socket that it is given."""
        ready, announce = os.pipe()
        with socket.create_server(("127.0.0.1", 0)) as listener, open_log(self.places.logs, name) as log:
            port = int(listener.getsockname()[1])
            given = (listener.fileno(), announce)
            words = ("--socket", str(given[0]), "--ready", str(given[1]))
            process = spawn(
                [sys.executable, "-m", "launcher.web", *words],
                cwd=PROJECT, env=self.environment(), stdout=log, stderr=log, pass_fds=given,
            )  # fmt: skip
        os.close(announce)
        self.running[name] = process
        with os.fdopen(ready, "rb") as pipe:
            readable, _, _ = select.select([pipe], [], [], LONGEST_START)
            if not readable or pipe.read(1) != b".":
                raise self._did_not_start(name)
        return port

    def work(self, name: str = "worker") -> None:
        """The worker with its timetable, as the launcher starts it. It takes up what waits when it is there."""
        with open_log(self.places.logs, name) as log:
            self.running[name] = spawn(worker_command(), cwd=PROJECT, env=self.environment(), stdout=log, stderr=log)

    def _did_not_start(self, name: str) -> NotMeasured:
        words = (self.places.logs / f"{name}.log").read_text()[-2000:]
        return NotMeasured(f"The server {name} did not start. Its last words:\n{words}")

    def usage(self) -> Usage:
        trees: dict[str, Sequence[int]] = {name: [process.pid] for name, process in self.running.items()}
        assert self.database.process is not None
        return Usage.now(trees | {"database": [self.database.process.pid]})

    def close(self) -> None:
        for process in reversed(self.running.values()):
            stop(process)
        self.database.stop()


@contextmanager
def house() -> Iterator[House]:
    """A new house, and nothing left of it afterwards: no process, no socket, no folder."""
    BUILD.mkdir(parents=True, exist_ok=True)
    sweep(BUILD)
    places = Places(Path(tempfile.mkdtemp(prefix=PREFIX, dir=BUILD)))
    ours = House(places, Server(places))
    with alone_in(places.data):
        try:
            make_data_folder(places)
            make_key_file(places.data)
            ours.database.ensure()
            ours.durable()
            yield ours
        finally:
            ours.close()
            remove(places)


def sweep(folder: Path) -> None:
    """A benchmark that was killed could not clear up; nobody holds its house any more."""
    for left in folder.glob(f"{PREFIX}*"):
        with suppress(Taken), alone_in(left, wait=False):
            remove(Places(left))


def remove(places: Places) -> None:
    """For root, PostgreSQL's folder may lie where its account can reach it; it is ours all the same."""
    books = places.server.resolve()
    if books.is_relative_to(HOME_OF_ROOTS_SERVER) or books.is_relative_to(places.data):
        shutil.rmtree(books, ignore_errors=True)
    shutil.rmtree(places.data, ignore_errors=True)


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def answers(port: int) -> bool:
    with socket.socket() as probe:
        probe.settimeout(1)
        return probe.connect_ex(("127.0.0.1", port)) == 0


def stop(process: subprocess.Popen[bytes]) -> None:
    """Ends one server that we started, and what it started: it leads a process group of its own."""
    for number, patience in ((signal.SIGTERM, 10), (signal.SIGKILL, 10)):
        if process.poll() is not None:
            break
        process.send_signal(number)
        with suppress(subprocess.TimeoutExpired):
            process.wait(patience)
    with suppress(ProcessLookupError):
        os.killpg(process.pid, signal.SIGKILL)
