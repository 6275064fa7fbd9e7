"""An override of the order takes the front place, until it is settled, withdrawn by the same two, or dead."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackpot.books.models.entry import Entry
from jackpot.people.models import Card
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from jackpot.wins.queries.queue import waits_for
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.actions import hit, key, lit_keys
from tables.hits.actions.park import park
from tables.hits.actions.undo import void_round
from tables.rounds.queries.prove import prove
from tests.builders import CARD_PIN
from tests.hands import with_cards
from tests.tables.hits.test_hit import EXECUTIVE, SECOND, SUPERVISOR, Floor, amounts, fixed_by_key, key_floor, ref_b
from tests.tables.hits.test_rank import PASSES, lets_pass, refused

pytestmark = pytest.mark.django_db

OTHERS = [(SECOND, "385027"), (SUPERVISOR, CARD_PIN)]


def three_in_a_chain() -> Floor:
    """UTH-01, 02 and 03 mark the royal at 20,000.00, 20,000.70 and 20,001.40."""
    floor = ref_b(3, meter="19999.30", reserve="617.20")
    for table in range(3):
        floor.coin_in("1", table)
        floor.mark(1, "royal", table)
    for table in range(3):
        floor.confirm(table)
    return floor


def who_waits(floor: Floor) -> list[str]:
    """What each table is told: nothing, or whom it waits for."""
    told = []
    for table in range(len(floor.rounds)):
        place = floor.place(table)
        jackpots = Win.objects.filter(**place, state="asked").values_list("jackpot_id", flat=True)
        first = waits_for(jackpots, RoundRef(**place))
        told.append("" if first is None else first.table_code)
    return told


def test_the_front_place_holds_everybody_up_whom_it_passed() -> None:
    floor = three_in_a_chain()
    assert who_waits(floor) == ["", "UTH-01", "UTH-01"]
    lets_pass(floor, 2)
    assert who_waits(floor) == ["UTH-03", "UTH-03", ""]
    assert "Round 1 at UTH-03 was let pass by" in refused(floor, 0)
    assert "Round 1 at UTH-03 was let pass by" in refused(floor, 1)
    assert amounts(floor.card(table=2)) == [(1, "20001.40")]
    assert refused(floor, 1).startswith("Royal flush at UTH-01 came first.")
    assert amounts(floor.card(table=0)) == [(1, "10617.35")]
    assert amounts(floor.card(table=1)) == [(1, "10000.00")]
    assert prove().holds


def test_the_last_word_is_first_in_a_chain_of_overrides() -> None:
    """UTH-02 passes UTH-01, then UTH-03 passes both: 20,001.40, then what it left, each frozen where it was passed."""
    floor = three_in_a_chain()
    lets_pass(floor, 1)
    lets_pass(floor, 2, OTHERS)
    assert who_waits(floor) == ["UTH-03", "UTH-03", ""]
    who = "Test Second and Test Supervisor"
    assert f"UTH-03 was let pass by {who}." in refused(floor, 1)
    assert amounts(floor.card(table=2)) == [(1, "20001.40")]
    assert "UTH-02 was let pass by Test Executive and Test Supervisor." in refused(floor, 0)
    assert amounts(floor.card(table=1)) == [(1, "10617.35")]
    assert amounts(floor.card(table=0)) == [(1, "10000.00")]
    assert floor.stands() == ("10000.00", "0.00")
    assert prove().holds


def test_coin_ins_after_the_passing_mark_build_the_next_meter_for_both_passed_hits() -> None:
    floor = ref_b(4, meter="19999.30", reserve="617.20")
    for table in range(3):
        floor.coin_in("1", table)
        floor.mark(1, "royal" if table else "straight_flush", table)
        floor.confirm(table)
    floor.coin_ins(10, 3)
    lets_pass(floor, 2)
    assert amounts(floor.card(table=2)) == [(1, "20001.40")]
    floor.coin_ins(10, 3)
    assert amounts(floor.card(table=0)) == [(1, "1061.74")]
    assert amounts(floor.card(table=1)) == [(1, "9555.61")]
    assert floor.stands() == ("10014.00", "1.00")


WITHDRAWS = PASSES[::-1]


def test_the_same_two_withdraw_and_everybody_stands_where_the_marks_rank_them() -> None:
    floor = three_in_a_chain()
    lets_pass(floor, 2)
    told = {**floor.place(2), "reason": "the first winner came back"}
    assert hit.rejoin_queue(**told, cards=WITHDRAWS) == {"rejoined": 1}
    assert who_waits(floor) == ["", "UTH-01", "UTH-01"]
    win = Win.objects.get(table_code="UTH-03")
    assert [(word.part, str(word.operator)) for word in win.signatures.order_by("id")] == [
        ("override", "Test Executive"), ("override", "Test Supervisor"),
        ("rejoin", "Test Executive"), ("rejoin", "Test Supervisor"),
    ]  # fmt: skip
    words = list(win.signatures.order_by("id").select_related("card"))
    assert [(word.card.operator_id, word.level) for word in words] == [
        (word.operator_id, word.card.level) for word in words
    ]
    assert {word.level for word in words} == {Card.Level.EXECUTIVE, Card.Level.SUPERVISOR}
    kinds = list(Entry.objects.filter(win_id=win.id).order_by("seq").values_list("kind", flat=True))
    assert kinds == ["mark", "ask", "pass_queue", "rejoin"]
    told_of = Trail.objects.filter(act__in=["pass_queue", "rejoin_queue"]).order_by("id")
    assert [(row.act, row.subject, row.details["second"]) for row in told_of] == [
        ("pass_queue", "UTH-03/1", "Test Supervisor"), ("rejoin_queue", "UTH-03/1", "Test Supervisor"),
    ]  # fmt: skip
    assert amounts(floor.card(table=0)) == [(1, "20000.00")]
    assert amounts(floor.card(table=1)) == [(1, "10617.95")]
    assert prove().holds


def test_whoever_withdrew_may_let_it_pass_again() -> None:
    floor = three_in_a_chain()
    for _ in range(2):
        lets_pass(floor, 2)
        hit.rejoin_queue(**floor.place(2), cards=PASSES, reason="not yet")
    lets_pass(floor, 2)
    assert amounts(floor.card(table=2)) == [(1, "20001.40")]


@pytest.mark.parametrize(
    ("cards", "reason", "code", "why"),
    [
        (
            OTHERS,
            "why not",
            "two_people",
            "Test Executive and Test Supervisor let it pass; only these two withdraw that.",
        ),
        ([PASSES[0], OTHERS[0]], "why not", "two_people", "only these two withdraw that."),
        ([PASSES[0], PASSES[0]], "why not", "two_people", "only by an executive and a second, different person."),
        ([PASSES[0], (SUPERVISOR, "1")], " ", "reason", "Say why this hit is not settled first after all."),
        ([(EXECUTIVE, "000000"), PASSES[1]], "why not", "pin_wrong", "do not fit together"),
    ],
)
def test_nobody_else_withdraws(cards: list[tuple[str, str]], reason: str, code: str, why: str) -> None:
    floor = three_in_a_chain()
    lets_pass(floor, 2)
    entries = Entry.objects.count()
    with pytest.raises(Refused, match=why) as refusal:
        hit.rejoin_queue(**floor.place(2), cards=cards, reason=reason)
    assert (refusal.value.code, Entry.objects.count(), who_waits(floor)[0]) == (code, entries, "UTH-03")


def test_there_is_nothing_to_withdraw_before_and_after() -> None:
    floor = three_in_a_chain()
    told = {"cards": PASSES, "reason": "why not"}
    for table in range(3):
        with pytest.raises(Refused, match=f"Nobody let round 1 at UTH-0{table + 1} pass"):
            hit.rejoin_queue(**floor.place(table), **told)
    lets_pass(floor, 2)
    floor.card(table=2)
    with pytest.raises(Refused, match="nothing to withdraw"):
        hit.rejoin_queue(**floor.place(2), **told)


def _fell(floor: Floor, table: int) -> None:
    void_round(**floor.place(table), reason="shuffler malfunction", by="Test Supervisor")


def _not_confirmed(floor: Floor, table: int) -> None:
    hit.reject(**floor.place(table), by="Test Supervisor", why="a pair")


def _taken_back(floor: Floor, table: int) -> None:
    hit.release(**floor.place(table), by="Test Supervisor")
    assert who_waits(floor)[0] == "UTH-03", "only marked again, it is still the one that two people put in front"
    hit.unmark(**floor.place(table), seat=1, hand="royal", by="Test Dealer")


def _parked(floor: Floor, table: int) -> None:
    park(**floor.place(table), card=EXECUTIVE, pin="274916", reason="camera 7 must be looked at")


@pytest.mark.parametrize("ends", [_fell, _not_confirmed, _taken_back, _parked])
def test_what_ends_the_passing_hit_sets_free_whom_it_had_passed(ends: Callable[[Floor, int], None]) -> None:
    """Nobody is frozen anew by a hit that was not paid; a parked one waits again where its mark ranks it."""
    floor = three_in_a_chain()
    lets_pass(floor, 2)
    ends(floor, 2)
    assert who_waits(floor)[:2] == ["", "UTH-01"]
    assert amounts(floor.card(table=0)) == [(1, "20000.00")]
    assert amounts(floor.card(table=1)) == [(1, "10617.95")]
    if ends is _parked:
        assert amounts(floor.card(table=2)) == [(1, "10000.75")], "0.05 of it reserve of UTH-02"
    assert prove().holds


def test_a_mark_made_after_the_override_of_its_dead_one_is_not_in_front() -> None:
    floor = three_in_a_chain()
    lets_pass(floor, 2)
    _not_confirmed(floor, 2)
    floor.mark(1, "royal", 2)
    floor.confirm(2)
    assert who_waits(floor) == ["", "UTH-01", "UTH-01"]


def test_between_j_pot_and_run_the_passing_hit_is_neither_passed_nor_withdrawn() -> None:
    floor = key_floor()
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    floor.confirm(1)
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    with pytest.raises(Refused, match="Royal flush at UTH-02 came first"):
        key.j_pot(table_code="UTH-01")
    lets_pass(floor, 0)
    assert "Round 1 at UTH-01 was let pass by" in refused(floor, 1)
    assert amounts(fixed_by_key(floor)) == [(1, "20000.70")]
    with pytest.raises(Refused, match="Turn the key to RUN"):
        hit.rejoin_queue(**floor.place(0), cards=PASSES, reason="why not")
    with pytest.raises(Refused, match="Turn its key to RUN first"):
        lets_pass(floor, 1, OTHERS)
    refused(floor, 1)
    key.turn(table_code="UTH-01", key_number="17", position="RUN")
    assert amounts(floor.card(table=1)) == [(1, "10617.30")]


def test_j_pot_of_a_passed_hit_is_refused_until_the_passing_one_is_settled() -> None:
    floor = key_floor()
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    floor.confirm(1)
    lets_pass(floor, 1)
    with pytest.raises(Refused, match="Round 1 at UTH-02 was let pass by Test Executive and Test Supervisor"):
        key.j_pot(table_code="UTH-01")
    assert amounts(floor.card(table=1)) == [(1, "20000.70")]
    assert amounts(fixed_by_key(floor)) == [(1, "10617.30")]


def test_a_passed_lit_key_keeps_its_new_frozen_point_when_its_seats_change() -> None:
    floor = key_floor()
    floor.coin_in("136", 0)
    lit_keys.light(**floor.place(0), hand="royal", by="Test Dealer")
    told = {**floor.place(0), "hand": "royal", "by": "Test Supervisor"}
    lit_keys.assign(**told, seats=[1])
    floor.coin_ins(5, 1)
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    floor.confirm(1)
    lets_pass(floor, 1)
    assert amounts(floor.card(table=1)) == [(1, "20005.60")]
    lit_keys.assign(**told, seats=[3])
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    assert amounts(fixed_by_key(floor)) == [(3, "10617.65")]
