"""Every connection has limits by its use; what the address says itself has the last word."""

from __future__ import annotations

import socket
import threading
from typing import Any
from urllib.parse import quote

import pytest
from django.db import OperationalError, connection, transaction

from config.connections import pointed_at
from config.settings import database
from jackpot.database.deadlines import BATCH, as_statements, connection_options, nearest_first
from jackpot.database.raw import refresh_query_plans
from tests.patience import PATIENCE


def test_a_line_is_given_up_by_the_kernel_and_a_lock_by_the_database() -> None:
    told = connection_options({}, "web")
    assert (told["connect_timeout"], told["tcp_user_timeout"], told["keepalives_idle"]) == (3, 8000, 5)
    assert "-c lock_timeout=5000" in told["options"]
    assert "options" not in connection_options({}, "command"), "a proof takes as long as it takes"


def test_the_address_has_the_last_word() -> None:
    told = connection_options({"tcp_user_timeout": "100", "options": "-c lock_timeout=1"}, "web")
    assert told["tcp_user_timeout"] == "100"
    assert told["options"].endswith("-c lock_timeout=1")


@pytest.mark.parametrize(
    ("good", "first"),
    [(None, ("a,b,c", "1,2,3")), (("b", "2"), ("b,a,c", "2,1,3")), (("d", "4"), ("a,b,c", "1,2,3"))],
)
def test_the_host_that_answered_last_comes_first(good: tuple[str, str] | None, first: tuple[str, str]) -> None:
    assert nearest_first("a,b,c", "1,2,3", good) == first


def test_one_port_is_the_port_of_all() -> None:
    assert nearest_first("a,b", "5432", ("b", "5432")) == ("b,a", "5432,5432")
    assert nearest_first("/run/pg", "5432", None) == ("/run/pg", "5432")


def test_a_web_connection_really_has_them(fresh_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("FAIRMETER_USE", "web")
    with pointed_at(fresh_database):
        assert [_shown(name) for name in ("lock_timeout", "statement_timeout")] == ["5s", "1min"]
        assert _shown("idle_in_transaction_session_timeout") == "1min"
        refresh_query_plans()
        assert (_shown("lock_timeout"), _shown("statement_timeout")) == ("1s", "15s"), as_statements(BATCH)


def _shown(name: str) -> str:
    with connection.cursor() as cursor:
        cursor.execute(f"SHOW {name}")
        row = cursor.fetchone()
    return str(row[0])


def test_a_lock_that_somebody_keeps_is_given_up(fresh_database: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("jackpot.database.deadlines.BY_USE", {"web": BATCH._replace(lock=100)})
    monkeypatch.setenv("FAIRMETER_USE", "web")
    held, let_go = threading.Event(), threading.Event()

    def hold() -> None:
        with transaction.atomic(), connection.cursor() as cursor:
            cursor.execute("LOCK TABLE jackpot_storedanswer IN EXCLUSIVE MODE")
            held.set()
            let_go.wait(PATIENCE)
        connection.close()

    somebody = threading.Thread(target=hold)
    with pointed_at(fresh_database):
        somebody.start()
        assert held.wait(PATIENCE)
        with pytest.raises(OperationalError, match="lock timeout"), connection.cursor() as cursor:
            cursor.execute("DELETE FROM jackpot_storedanswer")
        let_go.set()
        somebody.join()


def test_a_host_that_swallows_connections_costs_its_seconds_once(fresh_database: str, test_server: Any) -> None:
    """The first address accepts and says nothing; from the second connection on it is asked last."""
    with socket.create_server(("127.0.0.1", 0)) as mute:
        mute.setblocking(False)
        alive = database(fresh_database)
        url = (
            f"postgresql://fairmeter_app@/{alive['NAME']}?host=127.0.0.1,{alive['HOST']}"
            f"&port={mute.getsockname()[1]},{alive['PORT'] or 5432}&connect_timeout=2"
            f"&passfile={quote(alive['OPTIONS'].get('passfile', ''), safe='')}"
        )
        with pointed_at(url):
            connection.ensure_connection()
            connection.close()
            mute.accept()[0].close()
            connection.ensure_connection()
        with pytest.raises(BlockingIOError):  # nobody came a second time
            mute.accept()
