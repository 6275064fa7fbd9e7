"""Our PostgreSQL: attached to when it runs, started when it does not, stopped by whoever started it."""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from urllib.parse import quote

import psycopg
from psycopg import sql

from launcher.children import open_log, spawn, wait_until
from launcher.cluster import (
    SUPERUSER,
    Binaries,
    ClusterProfile,
    binaries_for,
    clean_environment,
    cluster_in,
    server_account,
)
from launcher.passwords import ask_for_passwords, give_passwords, pass_file
from launcher.places import (
    SOCKET_NAME,
    Places,
    alone_in,
    make_data_folder,
    make_server_folder,
    make_socket_folder,
    socket_folder,
)
from launcher.sentences import CannotStart, say

OWNER = "fairmeter_owner"
APP = "fairmeter_app"
WORKER = "fairmeter_worker"
WORKER_PROCESS = "worker"  # as `up` calls it, and its log
DATABASE = "fairmeter"
FURNISHING = 7_307_190_422  # the lock's number; it is let go with the connection
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "data_checksums": "on"}


def _one(connection: psycopg.Connection[Any], question: str) -> Any:
    row = connection.execute(question.encode()).fetchone()
    return row[0] if row else None


def loose_settings(connection: psycopg.Connection[Any]) -> dict[str, str]:
    """The settings with which an acknowledged coin-in could be lost, and their present values."""
    seen = {name: str(_one(connection, f"SHOW {name}")) for name in DURABLE}
    return {name: value for name, value in seen.items() if value != DURABLE[name]}


def assert_durable(connection: psycopg.Connection[Any]) -> None:
    """Refuses to go on where a power cut could take back what was acknowledged."""
    loose = loose_settings(connection)
    if loose:
        listed = ", ".join(f"{name} is {value}" for name, value in loose.items())
        raise CannotStart(
            f"PostgreSQL could lose acknowledged coin-ins: {listed}. "
            "Set each to `on` (ALTER SYSTEM SET …; data_checksums with pg_checksums --enable) and start again."
        )


def make_roles_and_database(connection: psycopg.Connection[Any]) -> None:
    """Makes what is missing: the role that owns, those of web and worker, the database. One starter at a time."""
    connection.execute("SELECT pg_advisory_lock(%s)", [FURNISHING])
    known = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles")}
    for role in (OWNER, APP, WORKER):
        if role not in known:
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
    made = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
    if not made:
        names = {"database": sql.Identifier(DATABASE), "owner": sql.Identifier(OWNER), "app": sql.Identifier(APP)}
        connection.execute(sql.SQL("CREATE DATABASE {database} OWNER {owner}").format(**names))
        # Whoever else has a role on this server stays out of the books.
        connection.execute(sql.SQL("REVOKE ALL ON DATABASE {database} FROM PUBLIC").format(**names))
        connection.execute(sql.SQL("GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {app}").format(**names))
    if WORKER not in known or not made:  # its rights on tables come with each migration
        words = sql.SQL("GRANT CONNECT ON DATABASE {} TO {}")
        connection.execute(words.format(sql.Identifier(DATABASE), sql.Identifier(WORKER)))


LONGEST_RECOVERY = 300.0  # seconds; a crash under full load replays up to max_wal_size
LONGEST_REPLAY = 4 * 3600.0  # days of an archive
MOST_KEPT_FOR_THE_ARCHIVE = "2GB"  # an archive that takes nothing must not fill the disk of the books
LONGEST_STOP = 60.0


def url_of(sockets: Path, role: str, database: str, password_in: Path) -> str:
    """The password stands in a file of its own: an address is seen in environments and process lists."""
    place, words = quote(str(sockets), safe=""), quote(str(password_in), safe="")
    return f"postgresql://{role}@/{database}?host={place}&port=5432&passfile={words}"


@dataclass(frozen=True)
class Addresses:
    """How to reach a database: as the web does, as the one that owns it, and as the worker does."""

    app: str
    owner: str
    worker: str = ""  # where a house gives only one role, the web's

    def environment(self) -> dict[str, str]:
        told = {"DATABASE_URL": self.app, "DATABASE_OWNER_URL": self.owner, "DATABASE_WORKER_URL": self.worker}
        return {name: url for name, url in told.items() if url}


def given_addresses(environ: Mapping[str, str]) -> Addresses | None:
    """A PostgreSQL that the user brings: then nothing of ours is started."""
    app = environ.get("DATABASE_URL")
    if not app:
        return None
    return Addresses(app, environ.get("DATABASE_OWNER_URL") or app, environ.get("DATABASE_WORKER_URL") or "")


# Only `up` itself and the commands that a person types speak as the owner or as the server's superuser.
ADDRESSES_OF_OTHERS = frozenset({"DATABASE_OWNER_URL", "DATABASE_ADMIN_URL", "DATABASE_WORKER_URL"})


def of_the_working_role(environ: Mapping[str, str]) -> dict[str, str]:
    """What web and simulator learn: the address of the role that may add and not change."""
    return {name: value for name, value in environ.items() if name not in ADDRESSES_OF_OTHERS}


def words_of(name: str, environ: Mapping[str, str]) -> dict[str, str]:
    """What a process learns: the worker its own address, or the web's where a house gives only one role."""
    told = of_the_working_role(environ)
    mine = environ.get("DATABASE_WORKER_URL") if name == WORKER_PROCESS else None
    return told | {"DATABASE_URL": mine} if mine else told


class Server:
    """The PostgreSQL of one data folder."""

    def __init__(self, places: Places, profile: ClusterProfile = ClusterProfile.DURABLE) -> None:
        self.places = places
        self.profile = profile
        self.account = server_account()
        self.sockets = socket_folder(places, self.account, os.environ)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def addresses(self) -> Addresses:
        return Addresses(self.url(APP), self.url(OWNER), self.url(WORKER))

    @property
    def superuser_url(self) -> str:
        return self.url(SUPERUSER, "postgres")

    def url(self, role: str, database: str = DATABASE) -> str:
        return url_of(self.sockets, role, database, pass_file(self.places, role))

    @property
    def ours(self) -> bool:
        return self.process is not None

    def answers(self) -> bool:
        if not (self.sockets / SOCKET_NAME).exists():
            return False
        try:
            psycopg.connect(self.superuser_url, connect_timeout=5).close()
        except psycopg.OperationalError:
            return False
        return True

    def ensure(self) -> None:
        """Runs when this returns, with its roles, its database and durable settings."""
        if not self.answers():
            make_data_folder(self.places)
            folder = make_server_folder(self.places, self.account)
            with alone_in(folder, on_wait=lambda: say("Another command is starting PostgreSQL; waiting for it.")):
                if not self.answers():
                    self._start(folder)
        with psycopg.connect(self.superuser_url, autocommit=True) as connection:
            make_roles_and_database(connection)
            give_passwords(self.places, connection, (OWNER, APP, WORKER), DATABASE)
        if self.profile is ClusterProfile.DURABLE:
            for address in (self.addresses.app, self.addresses.worker):  # a role can have settings of its own
                # Refused before anything is counted: afterwards nobody knows what a power cut took back.
                with psycopg.connect(address) as connection:
                    assert_durable(connection)

    def _start(self, folder: Path) -> None:
        binaries = binaries_for(self.account)
        cluster = cluster_in(folder, binaries, self.account, self.profile)
        make_socket_folder(self.sockets, self.account)
        forget_dead_server(cluster, self.sockets)
        ask_for_passwords(self.places, cluster, binaries, self.account)
        for _ in range(10):
            self.process = self._spawn(binaries, cluster)
            if self._ready():
                return
            # After a kill -9 the old server's last children hold its memory for a moment.
            time.sleep(0.3)
        self.process = None
        raise CannotStart(f"PostgreSQL did not start. Its last words are in {self.places.logs / 'postgres.log'}.")

    def recover(self, binaries: Binaries, cluster: Path, settings: Mapping[str, str]) -> bool:
        """Replays a log that lies in a folder, and stops again. Whether it came to the end that the settings name."""
        make_socket_folder(self.sockets, self.account)
        self.process = self._spawn(binaries, cluster, settings)
        try:
            return self._ready(LONGEST_REPLAY)
        finally:
            self.stop()

    def _spawn(
        self, binaries: Binaries, cluster: Path, settings: Mapping[str, str] | None = None
    ) -> subprocess.Popen[bytes]:
        command = [binaries.program("postgres"), "-D", str(cluster), "-k", str(self.sockets), "-h", "", "-p", "5432"]
        command += ["-c", f"max_slot_wal_keep_size={MOST_KEPT_FOR_THE_ARCHIVE}"]
        for name, value in (settings or {}).items():
            command += ["-c", f"{name}={value}"]
        with open_log(self.places.logs, "postgres") as log:
            return spawn(
                command,
                last_signal=signal.SIGINT,  # PostgreSQL's fast shutdown: sessions end, nothing is lost
                stdout=log,
                stderr=log,
                env=clean_environment(os.environ),
                **self.account.popen,
            )

    def _ready(self, patience: float = LONGEST_RECOVERY) -> bool:
        process = self.process
        assert process is not None
        since = time.monotonic()
        told = False

        def settled() -> bool:
            nonlocal told
            if not told and time.monotonic() - since > 3:
                told = True
                say("PostgreSQL is recovering what was written before it was cut off …")
            return process.poll() is not None or self.answers()

        return wait_until(settled, patience) and process.poll() is None

    def died(self) -> str | None:
        """How our server died, if it did."""
        if self.process is None or self.process.poll() is None:
            return None
        code = self.process.returncode
        self.process = None
        return f"signal {-code}" if code < 0 else f"code {code}"

    def stop(self) -> None:
        """Stops the server if we started it: fast shutdown, then whatever it takes."""
        if self.process is None:
            return
        for number, patience in ((signal.SIGINT, LONGEST_STOP), (signal.SIGQUIT, 10.0), (signal.SIGKILL, 10.0)):
            self.process.send_signal(number)
            with contextlib.suppress(subprocess.TimeoutExpired):
                self.process.wait(patience)
                break
        self.process = None
        with contextlib.suppress(OSError):
            self.sockets.rmdir()


def forget_dead_server(cluster: Path, sockets: Path) -> None:
    """Removes pid files whose number the system has since given to something else.

    PostgreSQL cannot tell the two apart and would refuse to start after a power cut. A process belongs to this
    cluster when it works in its folder; as long as one does, the files stay.
    """
    # Where nobody can look at processes, PostgreSQL's own judgement stands.
    if Path("/proc/self/cwd").exists() and not _working_in(cluster):
        for note in (cluster / "postmaster.pid", sockets / f"{SOCKET_NAME}.lock", sockets / SOCKET_NAME):
            note.unlink(missing_ok=True)


def _working_in(cluster: Path) -> bool:
    for place in Path("/proc").glob("[0-9]*/cwd"):
        with contextlib.suppress(OSError):
            if place.readlink() == cluster:
                return True
    return False
