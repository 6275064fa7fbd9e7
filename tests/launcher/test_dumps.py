"""A backup is read back whole, into an empty database only."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from launcher.dumps import back_up, restore, understood
from launcher.heads import heads_beside, last_entries, read_heads
from launcher.sentences import CannotStart
from tests.databases import TestServer


@pytest.fixture
def copy(test_server: TestServer) -> Iterator[str]:
    """A migrated database of the owner's."""
    name = test_server.clone(test_server.next_name())
    yield test_server.url(test_server.owner, name)
    test_server.drop(name)


@pytest.fixture
def empty(test_server: TestServer) -> Iterator[str]:
    name = test_server.next_name()
    test_server.run("CREATE DATABASE {name} OWNER {owner}", name=name, owner=test_server.owner_role)
    yield test_server.url(test_server.owner, name)
    test_server.drop(name)


def test_a_backup_comes_back_with_its_tables_and_its_guards(copy: str, empty: str, tmp_path: Path) -> None:
    written = back_up(copy, tmp_path / "books.dump")
    restore(empty, written.path)
    question = "SELECT count(*) FROM pg_tables WHERE schemaname = 'public'"
    guards = "SELECT count(*) FROM pg_trigger WHERE NOT tgisinternal"
    with psycopg.connect(copy) as before, psycopg.connect(empty) as after:
        assert after.execute(question).fetchone() == before.execute(question).fetchone()
        assert after.execute(guards).fetchone() == before.execute(guards).fetchone()
        assert last_entries(after) == read_heads(heads_beside(written.path)) == written.heads


def test_a_backup_is_closed_to_others(copy: str, tmp_path: Path) -> None:
    assert back_up(copy, tmp_path / "books.dump").path.stat().st_mode & 0o077 == 0


def test_a_full_database_is_never_restored_into(copy: str, tmp_path: Path) -> None:
    written = back_up(copy, tmp_path / "books.dump")
    with pytest.raises(CannotStart, match="already holds"):
        restore(copy, written.path)


def test_a_damaged_backup_changes_nothing(copy: str, empty: str, tmp_path: Path) -> None:
    written = back_up(copy, tmp_path / "books.dump")
    whole = written.path.read_bytes()
    written.path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(CannotStart, match="as empty as before"):
        restore(empty, written.path)
    with psycopg.connect(empty) as connection:
        assert connection.execute("SELECT count(*) FROM pg_tables WHERE schemaname = 'public'").fetchone() == (0,)


@pytest.mark.parametrize(("server", "kept"), [(15, 2), (17, 3), (18, 3)])
def test_an_older_server_is_spared_the_setting_it_does_not_know(server: int, kept: int) -> None:
    lines = [b"SET lock_timeout = 0;\n", b"SET transaction_timeout = 0;\n", b"CREATE TABLE x ();\n"]
    assert len(list(understood(lines, server))) == kept
