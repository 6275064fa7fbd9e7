"""Databases for tests: one server per run, one template migrated once, a clone wherever one is wanted."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import shutil
import signal
import sys
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path
from urllib.parse import urlsplit, urlunsplit

import psycopg
from psycopg import sql

from config.connections import pointed_at
from launcher.cluster import memory_here
from launcher.dumps import restore
from launcher.places import alone_in
from launcher.postgres import given_addresses
from tests import kept_shapes
from tests.tampering import MADE

KEEPER = Path(__file__).with_name("keeper.py")
RUN = "FAIRMETER_TEST_RUN"  # the folder of this run; workers of a parallel run inherit it
MEMORY = Path("/dev/shm")
ROOM = 3 * 1024**3  # ten times what runs were seen to use
_numbers = itertools.count(1)


@dataclass(frozen=True)
class TestServer:
    """Where databases are made for this run, and under which names they are used."""

    __test__ = False
    admin: str
    app: str
    owner: str
    prefix: str
    worker: str = ""  # empty where a given server names none

    @property
    def template(self) -> str:
        return f"{self.prefix}_template"

    def url(self, base: str, name: str) -> str:
        return urlunsplit(urlsplit(base)._replace(path=f"/{name}"))

    def run(self, statement: str, **names: str) -> None:
        identifiers = {key: sql.Identifier(value) for key, value in names.items()}
        with psycopg.connect(self.admin, autocommit=True) as connection:
            connection.execute(sql.SQL(statement).format(**identifiers))

    def clone(self, name: str) -> str:
        """A copy of the migrated template; some 25 ms. By its files: page by page through the log costs the double."""
        self.run(
            "CREATE DATABASE {name} TEMPLATE {template} OWNER {owner} STRATEGY file_copy",
            name=name,
            template=self.template,
            owner=self.owner_role,
        )
        return name

    def drop(self, name: str) -> None:
        self.run("DROP DATABASE IF EXISTS {name} WITH (FORCE)", name=name)

    @property
    def owner_role(self) -> str:
        return str(psycopg.conninfo.conninfo_to_dict(self.owner)["user"])

    def next_name(self) -> str:
        return f"{self.prefix}_{worker()}_{next(_numbers)}"


def worker() -> str:
    return os.environ.get("PYTEST_XDIST_WORKER", "main")


def run_folder() -> Path:
    """Made by the process that leads the run; an account that PostgreSQL runs as may pass through it."""
    if RUN not in os.environ:
        folder = Path(tempfile.mkdtemp(prefix="fairmeter-tests-", dir=_in_memory()))
        folder.chmod(0o711)
        os.environ[RUN] = json.dumps({"folder": str(folder), "leader": os.getpid()})
    return Path(json.loads(os.environ[RUN])["folder"])


def _in_memory() -> Path | None:
    """Where a clone's 840 files never meet a disk, if there is room; a disk costs ten times the CPU. TMPDIR decides."""
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK | os.X_OK):
        return None
    room = os.statvfs(MEMORY)
    free = min(room.f_bavail * room.f_frsize, memory_here() // 2, _memory_free())
    return MEMORY if free >= ROOM else None


def _memory_free() -> int:
    lines = dict(line.split(":", 1) for line in Path("/proc/meminfo").read_text().splitlines())
    return int(lines["MemAvailable"].split()[0]) * 1024


def leader() -> int:
    return int(json.loads(os.environ[RUN])["leader"])


def test_server() -> TestServer:
    """The run's server with its template, made by whoever needs it first."""
    folder = run_folder()
    with alone_in(folder):
        server = _given_server() or _kept_server(folder)
        made = folder / "template-ready"
        if not made.exists():
            _make_template(server)
            made.touch()
    return server


test_server.__test__ = False  # type: ignore[attr-defined]


def _given_server() -> TestServer | None:
    given = given_addresses(os.environ)
    if given is None:
        return None
    # Tampering is tested too, and on a server of someone else's only its superuser can tamper.
    admin = os.environ.get("DATABASE_ADMIN_URL") or given.owner
    return TestServer(
        admin=admin, app=given.app, owner=given.owner, worker=given.worker, prefix=f"test_fairmeter_{leader()}"
    )


def _kept_server(folder: Path) -> TestServer:
    ready = folder / "server-ready"
    if not ready.exists():
        _start_keeper(folder, ready)
    return TestServer(**json.loads(ready.read_text()), prefix="test_fairmeter")


def _start_keeper(folder: Path, ready: Path) -> None:
    words = folder / "keeper.log"
    pid = os.posix_spawn(
        sys.executable,
        [sys.executable, str(KEEPER), str(folder), str(leader())],
        os.environ,
        file_actions=[
            (os.POSIX_SPAWN_OPEN, fd, str(words), os.O_CREAT | os.O_WRONLY | os.O_APPEND, 0o600) for fd in (1, 2)
        ],
        setsid=True,  # Ctrl-C reaches the tests; the keeper ends after them
    )
    (folder / "keeper-pid").write_text(str(pid))
    while not ready.exists():
        if os.waitpid(pid, os.WNOHANG)[0]:
            raise RuntimeError(f"The test server did not start: {words.read_text()}")
        time.sleep(0.02)


def _make_template(server: TestServer) -> None:
    from django.core.management import call_command
    from django.core.management.commands import migrate

    server.drop(server.template)
    server.run("CREATE DATABASE {name} OWNER {owner}", name=server.template, owner=server.owner_role)
    url = server.url(server.owner, server.template)
    known = kept_shapes.of_these_migrations() if _given_server() is None else None
    if known is not None and known.is_file():
        restore(url, known)
    with pointed_at(url):  # after a kept shape nothing but the rights of the working role
        call_command(migrate.Command(), verbosity=0, interactive=False)
    if known is not None and not known.is_file():
        kept_shapes.keep(url, known)
    with psycopg.connect(server.url(server.admin, server.template), autocommit=True) as admin:
        admin.execute(MADE)


def end_of_run() -> None:
    """The leader ends what the run made; a worker leaves it alone."""
    if RUN not in os.environ or leader() != os.getpid():
        return
    folder = run_folder()
    if (folder / "keeper-pid").exists():
        _end_keeper(int((folder / "keeper-pid").read_text()))
    elif (folder / "template-ready").exists():
        _drop_all_given()
    shutil.rmtree(folder, ignore_errors=True)
    del os.environ[RUN]


def _end_keeper(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError):
        os.kill(pid, signal.SIGTERM)
        while True:
            with contextlib.suppress(ChildProcessError):  # a parallel run's worker started it: not our child
                os.waitpid(pid, os.WNOHANG)
            os.kill(pid, 0)
            time.sleep(0.02)


def _drop_all_given() -> None:
    server = _given_server()
    assert server is not None
    with psycopg.connect(server.admin, autocommit=True) as connection:
        rows = connection.execute("SELECT datname FROM pg_database WHERE datname LIKE %s", [f"{server.prefix}\\_%"])
        names = [name for (name,) in rows]
    for name in names:
        server.drop(name)
