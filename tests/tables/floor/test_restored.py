"""After a restore nobody plays on before the floor was compared with the books, and no slip number comes twice."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime
from io import StringIO
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import CommandError, call_command

from config.connections import pointed_at
from jackpot.refusals import NotAllowedNow
from jackpot.trail.models import Trail
from jackpot.wins.models import SlipCounter, Win
from launcher.dumps import back_up
from launcher.heads import heads_beside, write_heads
from launcher.places import Places
from launcher.sentences import CannotStart
from launcher.unfinished import begin, is_unfinished
from launcher.up import up
from tables.floor.actions.restored import held_because, hold_restored, numbers_after
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import Table, TableState
from tables.rounds.actions.journal import hear_journal
from tables.rounds.actions.round import post_messages
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, Refusal
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


@pytest.fixture
def copy_of_a_house(fresh_database: str, test_server: TestServer, tmp_path: Path) -> Path:
    OwedFloor().v9b()
    owner = test_server.url(test_server.owner, fresh_database.rpartition("/")[2].partition("?")[0])
    return back_up(owner, tmp_path / "b").path


@pytest.fixture
def empty_house(
    fresh_database: str, test_server: TestServer, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: Any
) -> Iterator[str]:
    """An empty database, and a data folder of its own that the commands find."""
    name = test_server.next_name()
    test_server.run("CREATE DATABASE {name} OWNER {owner}", name=name, owner=test_server.owner_role)
    where, settings.DATA_DIR = test_server.url(test_server.owner, name), tmp_path
    for variable, value in (("URL", where), ("OWNER_URL", where)):
        monkeypatch.setenv(f"DATABASE_{variable}", value)
    monkeypatch.setenv("FAIRMETER_DATA", str(tmp_path))
    with pointed_at(where):
        yield where
    test_server.drop(name)


def restored(*words: str) -> str:
    said = StringIO()
    call_command("restore", *words, stdout=said)
    return said.getvalue()


def stands(where: str) -> tuple[Any, ...]:
    with psycopg.connect(where) as connection:
        row = connection.execute("SELECT state, next_slip FROM tables_table, jackpot_slipcounter").fetchone()
    assert row is not None
    return row


def test_the_command_holds_what_it_restored(copy_of_a_house: Path, empty_house: str, tmp_path: Path) -> None:
    assert "1 table stands held" in restored(str(copy_of_a_house))
    assert stands(empty_house) == ("held", 2001)
    assert not is_unfinished(Places(tmp_path))
    with pytest.raises(CommandError, match="there is nothing to finish"):
        restored("--finish")


@pytest.mark.parametrize("broke_at", ["call_command", "hold_restored"])
def test_a_restore_that_broke_off_is_not_served_until_it_is_finished(
    copy_of_a_house: Path, empty_house: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, broke_at: str
) -> None:
    def cut_off(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as broken:
        broken.setattr(f"config.management.commands.restore.{broke_at}", cut_off)
        with pytest.raises(KeyboardInterrupt):
            restored(str(copy_of_a_house))
    assert stands(empty_house) == ("open", 3)
    with pytest.raises(CannotStart, match=r"broke off before its tables were held.* restore --finish"):
        up(tmp_path, ["--data", str(tmp_path)])
    with pytest.raises(CommandError, match="broke off before its tables were held"):
        restored(str(copy_of_a_house))
    assert "1 table stands held" in restored("--finish")
    assert stands(empty_house) == ("held", 2001)
    assert not is_unfinished(Places(tmp_path))


def test_what_broke_off_before_anything_came_is_restored_again(
    copy_of_a_house: Path, empty_house: str, tmp_path: Path
) -> None:
    begin(Places(tmp_path), "a copy")
    with pytest.raises(CommandError, match="Nothing had come before it broke off"):
        restored("--finish")
    assert "1 table stands held" in restored(str(copy_of_a_house))


def test_a_file_that_is_no_copy_leaves_nothing_to_finish(empty_house: str, tmp_path: Path) -> None:
    with pytest.raises(CommandError, match="There is no file"):
        restored(str(tmp_path / "nowhere"))
    assert not is_unfinished(Places(tmp_path))


def test_books_that_differ_from_their_list_are_held_as_well(copy_of_a_house: Path, empty_house: str) -> None:
    write_heads(heads_beside(copy_of_a_house), [])
    with pytest.raises(CommandError, match="Do not use it"):
        restored(str(copy_of_a_house))
    assert stands(empty_house) == ("held", 2001)
