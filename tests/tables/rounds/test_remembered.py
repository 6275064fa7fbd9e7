"""A table is remembered until the database counts a change: whatever changed, the next round meets it."""

from __future__ import annotations

import sys
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Any

import pytest
from django.db import connection, transaction

from jackpot.books.actions import post
from jackpot.books.actions.post import EntryReference, open_books
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.models.went_back import WentBack
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import NOTHING
from jackpot.property.models.property import Property
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Link, Table
from tables.rounds.actions import round as round_actions
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round, RoundEntry
from tables.rounds.queries.floor_facts import RememberedTables, remembered_tables, rounds_ended
from tables.rounds.queries.prove import prove
from tables.rounds.rules.pace import Played, TablePace, why_implausible
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, Outcome, PostedAnswer, Refusal
from tables.setup.actions.enrol import enrol, invite
from tests.builders import Casino, a_casino, a_jackpot, a_pay_table, a_person, a_table, terms
from tests.races.test_books import at_once
from tests.tampering import tamper

pytestmark = pytest.mark.race


@dataclass
class KnownTable:
    """UTH-01 after some rounds; `recalled` says of each coin-in whether it was decided out of memory."""

    casino: Casino
    recalled: list[bool] = field(default_factory=list)
    number: int = 0

    @property
    def table(self) -> Table:
        return Table.objects.get(code="UTH-01")

    @property
    def jackpot(self) -> Jackpot:
        return Jackpot.objects.get(code="GRAND")

    def begins(self, seats: str = "125", **more: Any) -> Outcome:
        self.number += 1
        return self.says(CoinInRequest(self.number, seats, **more))

    def says(self, ask: CoinInRequest | EndRequest, sequence: int = 0) -> Outcome:
        """Over a line that proved itself, or with a number of its own."""
        request = DeviceRequest("UTH-01", self.casino.controller.id, sequence, ask, generation=1)
        return post_messages([request])[0]

    def plays(self, rounds: int = 1) -> None:
        for _ in range(rounds):
            assert isinstance(self.begins(), PostedAnswer)
            assert isinstance(self.says(EndRequest(self.number)), PostedAnswer)

    @property
    def last(self) -> Round:
        return Round.objects.filter(table__code="UTH-01").order_by("-number")[0]


@pytest.fixture
def known(fresh_database: str, monkeypatch: pytest.MonkeyPatch) -> Iterator[KnownTable]:
    casino = a_casino()
    enrol(code=invite(device=casino.controller, by="tests"))
    playing = KnownTable(casino)
    recall = RememberedTables.recall

    def noted(*of_the_round: Any) -> Any:
        found = recall(*of_the_round)
        playing.recalled.append(found is not None)
        return found

    monkeypatch.setattr(RememberedTables, "recall", noted)
    playing.plays(4)
    assert playing.recalled[-4:] == [False, True, True, True]
    playing.recalled.clear()
    yield playing
    verdict = prove()
    assert verdict.holds, verdict.plain()["findings"]


def test_rounds_follow_each_other_without_a_look(known: KnownTable) -> None:
    known.plays(5)
    assert known.recalled == [True] * 5
    assert str(known.jackpot.meter_money) == "10018.90"
    assert list(Entry.objects.order_by("seq").values_list("seq", flat=True)) == list(range(1, 11))


def _table(**columns: Any) -> Callable[[KnownTable], None]:
    return lambda known: Table.objects.filter(code="UTH-01").update(**columns) and None


def _device(**columns: Any) -> Callable[[KnownTable], None]:
    return lambda known: Device.objects.filter(pk=known.casino.controller.pk).update(**columns) and None


def _moved(known: KnownTable) -> None:
    Device.objects.filter(pk=known.casino.controller.pk).update(table=a_table("UTH-02", known.jackpot))


def _unlinked(known: KnownTable) -> None:
    Link.objects.all().delete()


def _went_back(known: KnownTable) -> None:
    seal = bytes(32)
    WentBack.objects.create(
        jackpot=known.jackpot, known_seq=99, known_seal=seal, found_seq=5, why="The books went back.", told_by="tests"
    )


STOPS: dict[str, tuple[Callable[[KnownTable], None], str]] = {
    "closed": (_table(state="closed"), "closed"),
    "held": (_table(state="held", held_why="dead spot"), "held"),
    "key at JPH": (_table(key_at_jph="7"), "key_at_jph"),
    "fewer seats": (_table(seats=4), "seats"),
    "another chip": (_table(wager="5.00"), "wager"),
    "blocked": (_device(state="blocked"), "blocked"),
    "moved": (_moved, "wrong_table"),
    "secret ended": (_device(generation=3), "secret_ended"),
    "linked to nothing": (_unlinked, "no_jackpot"),
    "suspended": (lambda known: tamper("UPDATE jackpot_jackpot SET state = 'suspended'"), "suspended"),
    "went back": (_went_back, "books_differ"),
}


@pytest.mark.parametrize("stopped", STOPS)
def test_what_stops_a_table_stops_the_very_next_round(known: KnownTable, stopped: str) -> None:
    change, code = STOPS[stopped]
    change(known)
    refusal = known.begins()
    assert isinstance(refusal, Refusal)
    assert (refusal.code, known.recalled) == (code, [stopped in {"suspended", "went back"}])
    assert str(known.jackpot.meter_money) == "10008.40"
    tamper("UPDATE jackpot_jackpot SET state = 'open'")


def test_a_row_changed_behind_the_books_is_never_sealed(known: KnownTable) -> None:
    tamper("UPDATE jackpot_jackpot SET meter = meter + 1, house = house - 1")
    refusal = known.begins()
    assert isinstance(refusal, Refusal)
    assert refusal.code == "books_differ"
    tamper("UPDATE jackpot_jackpot SET meter = meter - 1, house = house + 1")


def test_the_next_round_feeds_the_jackpots_that_are_linked_now(known: KnownTable) -> None:
    lines = [{"code": "straight_flush", "name": "Straight flush", "part": "1"}]
    mini = a_jackpot("MINI", rate="10", pay_table=a_pay_table(lines=lines))
    Link.objects.create(table=known.table, jackpot=mini, level=2)
    known.plays()
    assert (any(known.recalled), _fed(known)) == (False, ["GRAND", "MINI"])
    known.plays(3)
    assert (known.recalled[-1], _fed(known)) == (True, ["GRAND", "MINI"])
    Link.objects.filter(jackpot=known.jackpot).delete()
    known.plays()
    assert _fed(known) == ["MINI"]


def _fed(known: KnownTable) -> list[str]:
    rows = RoundEntry.objects.filter(table=known.table, number=known.number).order_by("level")
    return [Jackpot.objects.get(pk=row.jackpot_id).code for row in rows]


def test_the_next_round_has_the_dealer_and_the_deck_of_now(known: KnownTable) -> None:
    dealer = a_person("dealer")
    TableDuty.objects.create(table=known.table, operator=dealer, began_at=_database_now())
    Table.objects.update(deck_colours=["red", "blue"])
    known.plays()
    assert (known.last.dealer_id, known.last.deck_colour) == (dealer.pk, ["red", "blue"][known.number % 2])


def test_the_next_round_obeys_the_terms_of_now(known: KnownTable) -> None:
    other = terms(rate="60")
    version = Version.objects.create(
        jackpot=known.jackpot, number=2, terms=other.text, digest=other.digest, requested_by="one", approved_by="two"
    )
    with open_books([known.jackpot.pk]) as books:
        books.put_in_force(known.jackpot.pk, version)
        books.post(known.jackpot.pk, EntryKind.CONFIGURE, NOTHING, EntryReference("config/2", bytes(32)))
    known.plays()
    assert str(known.jackpot.meter_money) == "10010.20"


def _database_now() -> Any:
    with connection.cursor() as cursor:
        cursor.execute("SELECT clock_timestamp()")
        return cursor.fetchone()[0]


def test_a_round_that_another_process_played_meanwhile_is_met(known: KnownTable) -> None:
    """As if another web process had counted it: this one's knowledge is a round old, and its batch is refused once."""
    tables = remembered_tables()
    with connection.cursor() as cursor:  # the same line, so that its memory is not a new one
        cursor.execute("SELECT 1")
    known.number += 1
    with in_another_process():
        assert isinstance(known.says(CoinInRequest(known.number, "12")), PostedAnswer)
    assert remembered_tables() is tables
    refusal = known.says(CoinInRequest(known.number, "7"))
    assert isinstance(refusal, Refusal)
    assert (refusal.code, known.recalled) == ("clash", [False, True, False])
    again = known.says(CoinInRequest(known.number, "12"))
    assert isinstance(again, PostedAnswer)
    assert again.repeat


@contextmanager
def in_another_process() -> Iterator[None]:
    """Another line to the same database."""
    ours, connection.connection = connection.connection, None
    try:
        yield
    finally:
        connection.connection.close()
        connection.connection = ours


def test_a_number_that_was_refused_elsewhere_is_spent_here(known: KnownTable) -> None:
    Device.objects.filter(pk=known.casino.controller.pk).update(last_sequence=1_000)
    refusal = known.says(CoinInRequest(known.number + 1, "12"), sequence=1_000)
    assert isinstance(refusal, Refusal)
    assert (refusal.code, known.recalled) == ("replay", [])
    known.number += 1
    assert isinstance(known.says(CoinInRequest(known.number, "12"), sequence=1_001), PostedAnswer)


def test_nothing_is_learned_or_recalled_within_an_act_that_may_be_undone(known: KnownTable) -> None:
    with suppress(ZeroDivisionError), transaction.atomic():
        known.plays(2)
        raise ZeroDivisionError
    assert known.recalled == [False, False]
    known.number -= 2
    known.plays(2)
    assert Round.objects.count() == 6


def test_a_round_whose_commit_failed_is_counted_when_it_is_said_again(
    known: KnownTable, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    write = post.write_questions
    monkeypatch.setattr(post, "write_questions", lambda moved: [*write(moved), ("SELECT 1 / 0", ())])
    known.number += 1
    refused = known.says(CoinInRequest(known.number, "12"))
    assert isinstance(refused, Refusal)
    monkeypatch.undo()
    known.number -= 1
    known.plays(3)
    assert Round.objects.count() == 7


def test_a_forgotten_line_remembers_nothing(known: KnownTable) -> None:
    connection.close()
    known.plays(2)
    assert known.recalled == [False, True]


def test_a_repeat_and_a_round_still_open_are_answered_by_the_books(known: KnownTable) -> None:
    first = known.begins("12")
    assert isinstance(first, PostedAnswer)
    again = known.says(CoinInRequest(known.number, "12"))
    assert again == PostedAnswer(first.answer, repeat=True)
    refusal = known.begins()
    assert isinstance(refusal, Refusal)
    assert refusal.code == "round_open"


def test_the_pace_is_judged_by_remembered_times_as_by_those_of_the_books(known: KnownTable) -> None:
    """Of a house that keeps back what no table can have played: the same rounds, remembered and looked at."""
    Table.objects.update(most_a_minute=2, most_in_ten=4)
    Property.objects.update(plausible_play=True)
    begin = _database_now() - timedelta(hours=2)
    minutes = [0, 3, 6, 6.1, 6.2, 10, 13, 16, 18, 19, 40, 43, 46, 49, 52]
    for minute in minutes:
        assert isinstance(known.begins(played_at=begin + timedelta(minutes=minute)), PostedAnswer)
        known.says(EndRequest(known.number))
    rounds = {each.number: each for each in Round.objects.all()}
    played = {number: each.played_at or each.opened_at for number, each in rounds.items()}
    for number in range(5, known.number + 1):
        times = Played(played[number], played[number - 1], played.get(number - 2), played.get(number - 4))
        why = why_implausible(TablePace(2, 4, 9), times, 3, rounds[number].opened_at)
        assert (rounds[number].kept_back != "") == (why is not None), (number, why)
    assert {each.kept_back for each in rounds.values() if each.number > 5} == {"", "waiting"}
    assert known.recalled == [False] * 3 + [True] * 12


def test_lines_come_while_rounds_end(fresh_database: str) -> None:
    """A process counts coin-ins in one thread and ends in another; each makes its line anew where it broke."""
    lines, before, over = list[RememberedTables](), sys.getswitchinterval(), threading.Event()

    def comes() -> None:
        for _ in range(200):
            lines.append(remembered_tables())
            connection.close()
        over.set()

    def ends() -> None:
        while not over.is_set():
            rounds_ended([("UTH-01", 1)])

    sys.setswitchinterval(1e-6)
    try:
        assert at_once(lambda number: ends() if number else comes(), 3) == []
    finally:
        sys.setswitchinterval(before)


def _paced(a_minute: int, in_ten: int) -> Any:
    Table.objects.update(most_a_minute=a_minute, most_in_ten=in_ten)
    Property.objects.update(plausible_play=True)
    return _database_now() - timedelta(hours=1)


def test_the_time_of_a_round_that_was_not_kept_is_not_remembered(
    known: KnownTable, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    """It was refused here and counted by another process at another time, which is what the next ones are judged by."""
    began = _paced(3, 20)
    monkeypatch.setattr(round_actions, "beside", lambda *_: [("SELECT 1 / 0", ())])
    assert isinstance(known.begins(played_at=began - timedelta(hours=1)), Refusal)
    monkeypatch.undo()
    known.number -= 1
    with in_another_process():
        for seconds in (0, 25):
            assert isinstance(known.begins(played_at=began + timedelta(seconds=seconds)), PostedAnswer)
            known.says(EndRequest(known.number))
    for seconds in (50, 55):
        assert isinstance(known.begins(played_at=began + timedelta(seconds=seconds)), PostedAnswer)
        known.says(EndRequest(known.number))
    assert known.last.kept_back == "waiting"  # within a minute of the third one before it


def test_no_more_times_are_remembered_than_are_judged(known: KnownTable) -> None:
    """Also where two processes take turns at a table, so that none of them sees every round."""
    _paced(2, 4)
    for _ in range(6):
        known.plays(6)
        with in_another_process():
            known.plays(6)
    known.plays()
    (remembered,) = remembered_tables()._tables.values()
    assert len(remembered.played) <= 4
