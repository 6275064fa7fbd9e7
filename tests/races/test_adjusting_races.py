"""Acts of two people under real threads: one decision, and no coin-in behind a suspension or a retirement."""

from __future__ import annotations

import threading
from collections.abc import Callable
from functools import partial
from typing import Any, TypeVar

import pytest

from jackpot.adjusting.models import Adjustment
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.refusals import Refused
from jackpot.signing.actions import refuse, withdraw
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import CoinInRequest, EndRequest, Refusal
from tests.builders import a_jackpot
from tests.deep import often
from tests.patience import PATIENCE
from tests.races.test_win_races import side_by_side, tried
from tests.scenes_adjusting import approved, asked, person
from tests.tables.hits.test_hit import Floor, ref_b

T = TypeVar("T")

pytestmark = pytest.mark.race
PLAYED_BEFORE = 8  # rounds of each table before somebody suspends
REFUSALS = 5  # after which the jackpot is suspended first, as the refusal advises


class Going:
    """Some tables play on and on, and one act ends that. Should the act break, so do the tables."""

    def __init__(self, tables: int) -> None:
        self.together, self.broke = threading.Barrier(tables + 1), False

    def ended_by(self, act: Callable[[], T]) -> T:
        self.together.wait(PATIENCE)
        try:
            return act()
        except BaseException:
            self.broke = True
            raise


def told_apart(answers: list[Any]) -> tuple[int, int]:
    return sum(isinstance(each, Adjustment) for each in answers), sum(isinstance(each, Refused) for each in answers)


def test_two_approve_in_the_same_instant_again_and_again_and_one_of_them_decides(fresh_database: str) -> None:
    jackpot = a_jackpot(meter="100.00")
    for name in ("first", "second"):
        person(name)
    times = often(20, deep=50)
    for _ in range(times):
        row = asked("adjust", jackpot, amount="1.00")
        answers = side_by_side(*(partial(tried, approved, row=row, by=name) for name in ("first", "second")))
        assert told_apart(answers) == (1, 1)
        assert next(each.code for each in answers if isinstance(each, Refused)) == "decided"
    jackpot.refresh_from_db()
    assert (str(jackpot.meter_money), jackpot.last_seq) == (f"{100 + times}.00", times + 1)
    assert prove().holds


def test_an_approval_and_a_refusal_in_the_same_instant_are_one_decision(fresh_database: str) -> None:
    jackpot = a_jackpot(meter="100.00")
    for name in ("first", "second"):
        person(name)
    approvals = 0
    for _ in range(often(10, deep=20)):
        row = asked("adjust", jackpot, amount="1.00")
        answers = side_by_side(
            partial(tried, approved, row=row, by="first"),
            partial(tried, refuse, request_id=row.pk, by=person("second"), reason="not on camera"),
        )
        assert told_apart(answers) == (1, 1)
        row.refresh_from_db()
        approvals += row.state == "in_force"
    jackpot.refresh_from_db()
    assert jackpot.meter_money == Money.of(100 + approvals)
    assert prove().holds


def test_money_goes_both_ways_between_two_jackpots_without_a_deadlock(fresh_database: str) -> None:
    one, other = a_jackpot("ONE", meter="100.00"), a_jackpot("OTHER", meter="100.00")
    person("signer")
    for _ in range(often(10, deep=20)):
        there, back = (
            asked("transfer", giver, other=taker, amount="7.00") for giver, taker in ((one, other), (other, one))
        )
        answers = side_by_side(*(partial(tried, approved, row=row) for row in (there, back)))
        assert told_apart(answers) == (2, 0)
    assert [str(each.meter_money) for each in Jackpot.objects.all()] == ["100.00", "100.00"]
    assert prove().holds


def played(floor: Floor, table: int, going: Going) -> list[str]:
    """Plays a table until its jackpot takes no coin-in any more; the codes of the refusals that it heard."""
    heard: list[str] = []
    while not heard:
        assert not going.broke, "whoever should have stopped the play could not"
        floor.rounds[table] += 1
        answer = floor.say(CoinInRequest(floor.rounds[table], "12345"), table)
        if isinstance(answer, Refusal):
            heard.append(answer.code)
        else:
            floor.say(EndRequest(floor.rounds[table]), table)
            if floor.rounds[table] == PLAYED_BEFORE:
                going.together.wait(PATIENCE)
    return heard


def test_behind_a_suspension_no_running_table_counts_a_coin_in_and_retiring_waits_for_the_rounds(
    fresh_database: str,
) -> None:
    floor = ref_b(3)
    jackpot, going = floor.casino.jackpot, Going(3)
    row = asked("suspend", jackpot)
    person("signer")

    suspend = partial(going.ended_by, partial(tried, approved, row=row))
    *refusals, done = side_by_side(*(partial(played, floor, table, going) for table in range(3)), suspend)
    assert refusals == [["suspended"]] * 3
    (_, _, number) = done.entry_text.partition("/")
    assert not Entry.objects.filter(kind="coin_in", seq__gt=int(number)).exists()
    assert Entry.objects.filter(kind="coin_in").count() >= 3 * PLAYED_BEFORE
    assert prove().holds


def test_a_retirement_against_running_tables_is_refused_until_it_is_exact_and_then_final(fresh_database: str) -> None:
    floor = ref_b(2)
    jackpot, going = floor.casino.jackpot, Going(2)
    for name in ("asker", "signer"):
        person(name)

    def retire() -> list[str]:
        """Reads the sign, asks, approves; whoever plays on in between makes the reading stale."""
        heard: list[str] = []
        while True:
            jackpot.refresh_from_db()
            if len(heard) == REFUSALS:
                approved(asked("suspend", jackpot))
            reading = str(jackpot.meter_money.shown())
            try:
                row = asked("retire", jackpot, reading=reading)
            except Refused as refusal:
                heard.append(refusal.code)
                continue
            answer = tried(approved, row=row)
            if isinstance(answer, Adjustment):
                return heard
            heard.append(answer.code)
            withdraw(request_id=row.pk, by=person("asker"), reason="the meter moved")

    *refusals, heard = side_by_side(
        *(partial(played, floor, table, going) for table in range(2)), partial(going.ended_by, retire)
    )
    assert all(each in (["retired"], ["suspended"]) for each in refusals)
    assert set(heard) <= {"round_open", "reading"}
    jackpot.refresh_from_db()
    last = Entry.objects.get(jackpot=jackpot, kind="retire")
    assert (jackpot.state, jackpot.last_seq) == ("retired", last.seq)
    assert prove().holds
