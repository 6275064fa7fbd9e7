from __future__ import annotations

from pathlib import Path

import pytest

from launcher.cluster import (
    MEGABYTE,
    Binaries,
    ClusterProfile,
    clean_environment,
    cluster_in,
    server_account,
    settings_of,
    shared_buffers,
)
from launcher.postgres import forget_dead_server, given_addresses, url_of
from launcher.sentences import CannotStart


@pytest.mark.parametrize(("gigabytes", "expected"), [(0.25, 64), (2, 256), (4, 512), (8, 1024), (64, 1024)])
def test_postgresql_gets_an_eighth_of_the_memory_within_bounds(gigabytes: float, expected: int) -> None:
    assert shared_buffers(int(gigabytes * 1024) * MEGABYTE) == expected


def test_only_tests_may_lose_what_was_written() -> None:
    assert settings_of(ClusterProfile.DURABLE, 0)["fsync"] == "on"
    assert settings_of(ClusterProfile.FLEETING, 0)["fsync"] == "off"


def test_somebodys_own_postgresql_variables_do_not_reach_ours() -> None:
    environ = clean_environment({"PGPORT": "6000", "PGOPTIONS": "-c fsync=off", "PATH": "/bin"})
    assert environ == {"PATH": "/bin", "LC_ALL": "C"}


def test_books_of_another_postgresql_are_refused_not_touched(tmp_path: Path) -> None:
    (tmp_path / "cluster").mkdir()
    (tmp_path / "cluster" / "PG_VERSION").write_text("16\n")
    with pytest.raises(CannotStart, match="written by PostgreSQL 16; this environment brings 18"):
        cluster_in(tmp_path, Binaries(tmp_path, 18), server_account(), ClusterProfile.DURABLE)


def test_an_address_survives_spaces_and_slashes() -> None:
    from psycopg.conninfo import conninfo_to_dict

    parts = conninfo_to_dict(url_of(Path("/tmp/a b/c"), "fairmeter_app", "fairmeter", Path("/tmp/d e/f")))
    assert parts.pop("passfile") == "/tmp/d e/f"
    assert parts == {"user": "fairmeter_app", "dbname": "fairmeter", "host": "/tmp/a b/c", "port": "5432"}


def test_a_given_database_is_used_as_it_is_and_owns_itself_unless_told() -> None:
    given = given_addresses({"DATABASE_URL": "postgresql://a@db/x"})
    assert given is not None
    assert given.owner == "postgresql://a@db/x"
    assert given_addresses({"DATABASE_URL": ""}) is None


def test_a_pid_file_whose_server_is_long_gone_is_removed(tmp_path: Path) -> None:
    (tmp_path / "postmaster.pid").write_text("1\n")  # process 1 lives, but does not work in this folder
    forget_dead_server(tmp_path, tmp_path)
    assert not (tmp_path / "postmaster.pid").exists()


def test_a_pid_file_stays_while_someone_works_in_the_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    (tmp_path / "postmaster.pid").write_text("1\n")
    monkeypatch.chdir(tmp_path)
    forget_dead_server(tmp_path, tmp_path)
    assert (tmp_path / "postmaster.pid").exists()
