"""A real server of our own: started, joined, killed, started again."""

from __future__ import annotations

import os
import shutil
import signal
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest
from psycopg.conninfo import conninfo_to_dict, make_conninfo

from launcher.children import wait_until
from launcher.passwords import comes_in_without, pass_file
from launcher.places import Places
from launcher.postgres import Server, assert_durable, loose_settings
from launcher.sentences import CannotStart
from tests.patience import PATIENCE

PROJECT = Path(__file__).resolve().parents[2]
ROLES = ["postgres", "fairmeter_owner", "fairmeter_app", "fairmeter_worker"]
WORKING = ["fairmeter_app", "fairmeter_worker"]


@pytest.fixture(scope="module")
def places(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Places]:
    """One cluster for this file; under /tmp itself, so that root's PostgreSQL account can reach it."""
    folder = Path(tempfile.mkdtemp(prefix="fairmeter launcher "))
    folder.chmod(0o711)
    yield Places(folder / "data")
    shutil.rmtree(Server(Places(folder / "data")).sockets, ignore_errors=True)
    shutil.rmtree((folder / "data" / "postgres").resolve(), ignore_errors=True)
    shutil.rmtree(folder, ignore_errors=True)


@pytest.fixture
def server(places: Places) -> Iterator[Server]:
    started = Server(places)
    started.ensure()
    yield started
    started.stop()


def test_a_started_server_is_durable_private_and_has_its_roles(server: Server) -> None:
    with psycopg.connect(server.addresses.app) as connection:
        assert loose_settings(connection) == {}
        assert connection.execute("SHOW listen_addresses").fetchone() == ("",)
    with psycopg.connect(server.addresses.owner) as connection:
        assert connection.execute("SELECT current_user").fetchone() == ("fairmeter_owner",)
    assert server.sockets.stat().st_mode & 0o777 == 0o700


def refused(server: Server, role: str, **changed: str) -> bool:
    """Whether this address opens nothing; a role's own file is left out or exchanged."""
    parts = conninfo_to_dict(server.url(role, "postgres" if role == "postgres" else "fairmeter"))
    with pytest.raises(psycopg.OperationalError, match="password"):
        psycopg.connect(make_conninfo("", **{**parts, **changed}))
    return True


@pytest.mark.parametrize("role", ROLES)
def test_the_socket_asks_every_role_for_its_own_password(server: Server, role: str) -> None:
    psycopg.connect(server.url(role, "fairmeter" if role in WORKING else "postgres")).close()
    assert refused(server, role, passfile="/nonexistent")
    assert refused(server, role, passfile="/nonexistent", password="guessed")
    others = set(ROLES) - {role}
    for other in others:
        assert refused(server, role, passfile=str(pass_file(server.places, other)))
    assert pass_file(server.places, role).stat().st_mode & 0o777 == 0o600
    assert not comes_in_without(server.url(role))


def test_a_cluster_of_an_older_program_is_closed_at_its_next_start(places: Places) -> None:
    server = Server(places)
    server.ensure()
    server.stop()
    (places.server.resolve() / "cluster" / "pg_hba.conf").write_text("local all all trust\n")
    server.ensure()
    assert refused(server, "postgres", passfile="/nonexistent")
    server.stop()


@pytest.mark.parametrize("role", ROLES)
def test_a_lost_file_is_drawn_anew_at_the_next_start(places: Places, role: str) -> None:
    server = Server(places)
    server.ensure()
    server.stop()
    lost = pass_file(places, role).read_text()
    pass_file(places, role).unlink()
    server.ensure()
    assert pass_file(places, role).read_text() != lost
    psycopg.connect(server.url(role)).close()
    server.stop()


@pytest.mark.parametrize("role", ROLES[1:])
def test_books_that_came_back_with_older_passwords_are_opened_by_the_files_of_today(places: Places, role: str) -> None:
    server = Server(places)
    server.ensure()
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE {role} PASSWORD 'of another time'".encode())
    kept = pass_file(places, role).read_text()
    server.ensure()
    assert pass_file(places, role).read_text() == kept
    psycopg.connect(server.url(role)).close()
    server.stop()


def test_an_address_tells_no_password(server: Server) -> None:
    for role in ROLES[1:]:
        password = pass_file(server.places, role).read_text().strip().rpartition(":")[2]
        assert len(password) == 64
        assert password not in server.url(role)


@pytest.mark.parametrize("role", WORKING)
def test_a_working_role_cannot_make_tables(server: Server, role: str) -> None:
    with psycopg.connect(server.url(role)) as connection, pytest.raises(psycopg.errors.InsufficientPrivilege):
        connection.execute("CREATE TABLE meddling (id int)")


def test_the_worker_makes_no_temporary_table_either_and_is_nobody_else(server: Server) -> None:
    for statement in ("CREATE TEMPORARY TABLE meddling (id int)", "SET ROLE fairmeter_app", "SET ROLE postgres"):
        with psycopg.connect(server.addresses.worker) as connection:
            with pytest.raises(psycopg.errors.InsufficientPrivilege):
                connection.execute(statement.encode())
            connection.rollback()


def test_a_second_user_joins_and_does_not_stop_what_it_did_not_start(server: Server) -> None:
    other = Server(server.places)
    other.ensure()
    other.stop()
    assert not other.ours
    assert server.answers()


def test_what_was_committed_survives_kill_9_of_the_server(server: Server) -> None:
    with psycopg.connect(server.addresses.owner) as connection:
        connection.execute("CREATE TABLE IF NOT EXISTS note (words text)")
        connection.execute("INSERT INTO note VALUES ('acknowledged')")
    assert server.process is not None
    os.kill(server.process.pid, signal.SIGKILL)
    assert wait_until(lambda: server.died() is not None, PATIENCE)
    server.ensure()
    with psycopg.connect(server.addresses.owner) as connection:
        assert connection.execute("SELECT DISTINCT words FROM note").fetchone() == ("acknowledged",)


def test_stopping_leaves_no_socket_no_pid_file_and_it_starts_again(places: Places) -> None:
    server = Server(places)
    server.ensure()
    server.stop()
    assert not server.sockets.exists()
    assert not (places.server.resolve() / "cluster" / "postmaster.pid").exists()
    server.ensure()
    assert server.answers()
    server.stop()


STARTER = """
import sys
from pathlib import Path
from launcher.places import Places
from launcher.postgres import Server
server = Server(Places(Path(sys.argv[1])))
server.ensure()
sys.stderr.write("started\\n" if server.ours else "joined\\n")
sys.stdin.read()
server.stop()
"""


def starter(places: Places) -> subprocess.Popen[str]:
    """A process that uses the server until its input ends; it says on its second stream how it came by it."""
    command = [sys.executable, "-c", STARTER, str(places.data)]
    quiet = subprocess.DEVNULL
    return subprocess.Popen(
        command, cwd=PROJECT, stdin=subprocess.PIPE, stdout=quiet, stderr=subprocess.PIPE, text=True
    )


def how(process: subprocess.Popen[str]) -> str:
    assert process.stderr is not None
    return process.stderr.readline().strip()


def test_starters_at_the_same_moment_furnish_a_new_database_once(places: Places) -> None:
    shutil.rmtree(places.server.resolve(), ignore_errors=True)
    places.server.unlink(missing_ok=True)
    starters = [starter(places) for _ in range(4)]
    told = [how(process) for process in starters]
    for process in starters:
        process.communicate()
    assert sorted(told) == ["joined", "joined", "joined", "started"]


def test_starters_at_the_same_moment_make_one_server(places: Places) -> None:
    starters = [starter(places) for _ in range(3)]
    told = [how(process) for process in starters]
    for process in starters:
        process.communicate()
    assert sorted(told) == ["joined", "joined", "started"]
    assert not Server(places).answers()


def test_a_server_ends_when_its_starter_is_killed(places: Places) -> None:
    with starter(places) as process:
        assert how(process) == "started"
        process.kill()
    assert wait_until(lambda: not Server(places).answers(), PATIENCE)


def test_loose_settings_are_refused_by_name(server: Server) -> None:
    with psycopg.connect(server.addresses.app) as connection:
        connection.execute("SET synchronous_commit = off")
        with pytest.raises(CannotStart, match="synchronous_commit is off"):
            assert_durable(connection)


@pytest.mark.parametrize("role", WORKING)
def test_a_role_with_loose_settings_of_its_own_is_refused(server: Server, role: str) -> None:
    with psycopg.connect(server.superuser_url, autocommit=True) as connection:
        connection.execute(f"ALTER ROLE {role} SET synchronous_commit = off".encode())
        with pytest.raises(CannotStart, match="synchronous_commit is off"):
            server.ensure()
        connection.execute(f"ALTER ROLE {role} RESET synchronous_commit".encode())
    server.ensure()
