"""After a restore nobody plays on before the floor was compared with the books, and no slip number comes twice."""

from __future__ import annotations

from datetime import UTC, datetime
from io import StringIO
from pathlib import Path

import psycopg
import pytest
from django.core.management import call_command

from config.connections import pointed_at
from jackpot.refusals import NotAllowedNow
from jackpot.trail.models import Trail
from jackpot.wins.models import SlipCounter, Win
from launcher.dumps import back_up
from tables.floor.actions.restored import held_because, hold_restored, numbers_after
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Table, TableState
from tables.rounds.actions.journal import hear_journal
from tables.rounds.actions.round import DeviceRequest, post_messages
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import CoinInRequest, Refusal
from tests.databases import TestServer
from tests.scenes_owed import OwedFloor


@pytest.mark.parametrize(("number", "goes_on"), [(1, 2001), (37, 2001), (1000, 2001), (1001, 3001), (2001, 4001)])
def test_the_series_leaves_a_thousand_numbers_and_begins_at_a_thousand(number: int, goes_on: int) -> None:
    assert numbers_after(number) == goes_on
    assert numbers_after(number) - number >= 1_000


def test_the_sentence_fits_a_table_and_says_until_when_the_books_reach() -> None:
    why = held_because(datetime(2026, 11, 19, 12, 3, 11, tzinfo=UTC))
    assert "they end on 2026-11-19 12:03:11 UTC" in why
    assert len(why) <= 200
    assert "they are empty" in held_because(None)


@pytest.mark.django_db
def test_every_table_is_held_until_a_supervisor_opens_it_and_slips_jump() -> None:
    floor = OwedFloor(3)
    floor.v9b()
    set_table_state(table=floor.casino.tables[2], state=TableState.MAINTENANCE, by="tests")
    assert hold_restored() == 2
    (refused,) = post_messages(
        [DeviceRequest("UTH-01", floor.casino.controller.id, 9, CoinInRequest(floor.rounds[0] + 1, "12"))]
    )
    assert isinstance(refused, Refusal)
    assert "Restored books: they end on" in refused.why
    assert Table.objects.get(code="UTH-03").state == TableState.MAINTENANCE
    told = Trail.objects.get(act="restore_books")
    assert (told.details["slips_to"], told.details["slips_from"], told.details["tables"]) == (2, 2001, 2)
    with pytest.raises(NotAllowedNow, match=r"UTH-01 was restored\. Its box has not said yet what it knows"):
        set_table_state(table=floor.casino.table, state=TableState.OPEN, by="supervisor")
    hear_journal(
        table_code="UTH-01", device_id=floor.casino.controller.id, last_round=floor.rounds[0], last_slip=2, rounds=[]
    )
    set_table_state(table=floor.casino.table, state=TableState.OPEN, by="supervisor")
    floor.coin_ins(2)
    assert [win.slip for win in floor.won({2: "royal"})] == [2001]
    assert (SlipCounter.objects.get().next_slip, Win.objects.filter(slip=2001).count()) == (2002, 1)
    assert prove().holds


def test_the_command_holds_what_it_restored(
    fresh_database: str, test_server: TestServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    OwedFloor().v9b()
    written = back_up(
        test_server.url(test_server.owner, fresh_database.rpartition("/")[2].partition("?")[0]), tmp_path / "b"
    )
    name = test_server.next_name()
    test_server.run("CREATE DATABASE {name} OWNER {owner}", name=name, owner=test_server.owner_role)
    where = test_server.url(test_server.owner, name)
    monkeypatch.setenv("DATABASE_OWNER_URL", where)
    said = StringIO()
    with pointed_at(where):
        call_command("restore", str(written.path), stdout=said)
    assert "1 table stands held" in said.getvalue()
    with psycopg.connect(where) as restored:
        assert restored.execute("SELECT state, held_why FROM tables_table").fetchone()[0] == "held"  # type: ignore[index]
        assert restored.execute("SELECT next_slip FROM jackpot_slipcounter").fetchone() == (2001,)
    test_server.drop(name)
