"""A machine that is halted holds its lines; they are cut as soon as another one takes writes, and not before."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from typing import Any
from urllib.parse import quote

import psycopg
import pytest
from django.db import OperationalError, connection
from psycopg.conninfo import conninfo_to_dict

from config.connections import pointed_at
from jackpot.database.engine import base
from jackpot.database.moved import SUSPICIOUS_AFTER, MovedBooks, hosts_of, takes_writes
from tests.cutting import CutWire, cut_wire
from tests.patience import PATIENCE, until

HELD = "SELECT pg_sleep(600)"


@pytest.fixture
def halting(fresh_database: str) -> Iterator[CutWire]:
    with cut_wire(fresh_database) as wire:
        yield wire


def two_hosts(wire: CutWire, other: tuple[str, str]) -> dict[str, Any]:
    """The machine behind the wire first, the other one second."""
    told = conninfo_to_dict(wire.url)
    words = {name: told[name] for name in ("dbname", "user", "passfile", "sslmode")}
    return {**words, "host": f"127.0.0.1,{other[0]}", "port": f"{told['port']},{other[1]}"}


def real(fresh_database: str) -> tuple[str, str]:
    told = conninfo_to_dict(fresh_database)
    return str(told["host"]), str(told.get("port") or 5432)


def asking(words: dict[str, Any]) -> tuple[psycopg.Connection[Any], threading.Thread, list[Exception]]:
    """A line that waits for an answer which will not come by itself."""
    line, ended = psycopg.connect(**words), list[Exception]()

    def ask() -> None:
        try:
            line.execute(HELD)
        except psycopg.Error as problem:
            ended.append(problem)

    thread = threading.Thread(target=ask, daemon=True)
    thread.start()
    until(lambda: line.pgconn.transaction_status == psycopg.pq.TransactionStatus.ACTIVE)
    return line, thread, ended


def test_a_line_is_cut_when_another_machine_takes_writes(fresh_database: str, halting: CutWire) -> None:
    words = two_hosts(halting, real(fresh_database))
    moved_to: list[tuple[str, str]] = []
    books = MovedBooks(every=3600)
    line, thread, ended = asking(words)
    books.watch(line, words, moved_to.append)
    assert [books.look() for _ in range(SUSPICIOUS_AFTER - 1)] == [None] * (SUSPICIOUS_AFTER - 1)
    assert not ended
    assert until(books.look, "the other machine answers that it takes writes") == real(fresh_database)
    thread.join(30)
    assert (len(ended), moved_to) == (1, [real(fresh_database)])
    assert books.look() is None, "what was cut is forgotten"
    line.close()


def test_a_wait_is_a_wait_while_nobody_else_takes_writes(halting: CutWire) -> None:
    with socket.create_server(("127.0.0.1", 0)) as mute:
        words = {**two_hosts(halting, ("127.0.0.1", str(mute.getsockname()[1])))}
        books = MovedBooks(every=3600, asks=lambda *_: False)
        line, thread, ended = asking(words)
        books.watch(line, words)
        assert [books.look() for _ in range(3 * SUSPICIOUS_AFTER)] == [None] * 3 * SUSPICIOUS_AFTER
        assert (thread.is_alive(), ended) == (True, [])
        books._lines[0].cut()
        thread.join(30)
    assert len(ended) == 1
    line.close()


def test_lines_that_answer_are_never_asked_for(fresh_database: str, halting: CutWire) -> None:
    asked: list[Any] = []
    words = two_hosts(halting, real(fresh_database))
    books = MovedBooks(every=3600, asks=lambda *told: bool(asked.append(told)))
    with psycopg.connect(**words) as line:
        books.watch(line, words)
        for _ in range(3 * SUSPICIOUS_AFTER):
            line.execute("SELECT 1")
            books.look()
    assert asked == []


def test_one_host_is_watched_by_nobody(fresh_database: str) -> None:
    books = MovedBooks()
    with psycopg.connect(fresh_database) as line:
        books.watch(line, conninfo_to_dict(fresh_database))
    assert books._thread is None


def test_a_standby_is_no_place_to_move_to(fresh_database: str) -> None:
    words = {**conninfo_to_dict(fresh_database)}
    assert takes_writes(words, real(fresh_database))
    assert not takes_writes({**words, "options": "-c default_transaction_read_only=on"}, real(fresh_database))
    assert not takes_writes(words, ("127.0.0.1", "1"))


def test_djangos_own_lines_are_watched_and_the_next_one_goes_where_writes_are_taken(
    fresh_database: str, halting: CutWire, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The product's thread looks by itself, once a second."""
    monkeypatch.setattr(base, "_answered_last", {})  # another test may have been answered by the second of these two
    words = two_hosts(halting, real(fresh_database))
    place, who = quote(words["host"], safe=",:"), f"{words['user']}@"
    url = f"postgresql://{who}/{words['dbname']}?host={place}&port={words['port']}&sslmode=disable"
    with pointed_at(f"{url}&passfile={quote(words['passfile'], safe='')}"):
        with connection.cursor() as cursor:
            assert connection.connection.info.host == "127.0.0.1"
            since = time.monotonic()
            with pytest.raises(OperationalError):
                cursor.execute(HELD)
        assert time.monotonic() - since < PATIENCE, "as long as the statement itself"
        connection.close()
        connection.ensure_connection()
        assert (connection.connection.info.host, str(connection.connection.info.port)) == real(fresh_database)


def test_hosts_are_read_as_libpq_reads_them() -> None:
    assert hosts_of("a,b", "1,2") == [("a", "1"), ("b", "2")]
    assert hosts_of("a,b", "7") == [("a", "7"), ("b", "7")]
    assert hosts_of("a,b", "") == [("a", "5432"), ("b", "5432")]
    assert hosts_of("", "5432") == []
