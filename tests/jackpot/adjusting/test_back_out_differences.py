"""What later winners would have had without a win that is backed out, in figures."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.adjusting.actions.back_out import back_out, differences
from jackpot.books.models.entry import Entry
from jackpot.refusals import Refused
from jackpot.wins.models import Win
from jackpot.wins.queries.back_out_effect import BooksWithout
from tables.hits.actions import hit, key
from tables.hits.actions.undo import void_round
from tables.rounds.rules.round import EndRequest
from tests.builders import CARD_PIN, a_pay_table, a_person
from tests.hands import with_cards
from tests.scenes_adjusting import approved, asked, done
from tests.scenes_owed import OwedFloor
from tests.tables.hits.test_hit import SUPERVISOR, fixed_by_key, key_floor, ref_b

pytestmark = pytest.mark.django_db


def owed(win: Win) -> list[tuple[int, str]]:
    return [(each.win.seat, str(each.owed)) for each in differences(win)]


def people() -> dict[str, Any]:
    told = {"reason": "misdeal", "evidence": "camera 7"}
    return {**told, "requested_by": a_person("first"), "approved_by": a_person("other")}


@pytest.mark.parametrize(("order", "figures"), [
    ("counter_clockwise", [(6, "1000.00")]), ("equal_shares", [(6, "500.00"), (2, "500.00")]),
])  # fmt: skip
def test_shares_count_from_one_basis_and_other_awards_from_what_was_left(
    order: str, figures: list[tuple[int, str]]
) -> None:
    floor = ref_b(meter="19999.30", reserve="0.00", reserve_rate="0", policy={"order": order})
    floor.coin_in("1")
    floor.mark(1, "five")
    floor.confirm()
    floor.card(SUPERVISOR, CARD_PIN)
    floor.say(EndRequest(1))
    floor.coin_in("26")
    floor.mark(2, "royal")
    floor.mark(6, "royal")
    floor.confirm()
    floor.card()
    assert owed(Win.objects.get(line="five")) == figures


def test_a_hit_of_the_same_round_is_settled_before_an_earlier_award_is_backed_out() -> None:
    """It was marked after the award, so it counts from a meter that the back-out would change."""
    floor = ref_b()
    floor.coin_in("12")
    floor.mark(1, "five")
    floor.confirm()
    floor.card(SUPERVISOR, CARD_PIN)
    floor.mark(2, "five")
    with pytest.raises(Refused, match="still open"):
        back_out(win_id=Win.objects.get(state="owed").id, **people())


def test_of_hits_fixed_together_at_j_pot_none_is_backed_out_before_run() -> None:
    """RUN posts exactly what was fixed, and each of them was fixed from what the one before it left."""
    floor = key_floor()
    floor.coin_in("12")
    floor.mark(1, "royal")
    floor.mark(2, "straight_flush")
    told = {"table_code": "UTH-01", "key_number": "17"}
    key.turn(**told, position="JPH")
    with_cards("UTH-01", 1)
    fixed_by_key(floor)
    first = Win.objects.get(line="straight_flush")
    with pytest.raises(Refused, match="Turn the key to RUN first"):
        back_out(win_id=first.id, **people())
    assert [win["amount"] for win in key.turn(**told, position="RUN")["wins"]] == ["2000.07", "18000.63"]
    first.refresh_from_db()
    assert owed(first) == [(1, "2000.07")]


def test_a_single_hit_that_is_logged_but_not_moved_is_backed_out_without_a_cent() -> None:
    floor = key_floor()
    floor.coin_in("1")
    floor.mark(1, "royal")
    told = {"table_code": "UTH-01", "key_number": "17"}
    key.turn(**told, position="JPH")
    with_cards("UTH-01", 1)
    fixed_by_key(floor)
    back_out(win_id=Win.objects.get().id, **people())
    assert key.turn(**told, position="RUN")["wins"] == []
    assert floor.stands() == ("20000.00", "617.25")
    assert floor.say(EndRequest(1))


def without_first(floor: OwedFloor) -> list[tuple[int | None, str, str]]:
    """Slip, what it would have been, and what is owed, if slip 1 had not been."""
    found = differences(Win.objects.get(slip=1))
    return [(each.win.slip, str(each.would_be), str(each.owed)) for each in found]


def test_the_reserve_that_a_second_reset_would_have_released_counts_for_a_third_award() -> None:
    """Slip 1: 20,000.00, meter 10,000.00 + 617.25. 100 coin-ins: 10,687.25 / 5.00. Slip 2 takes it: 10,005.00 / 0.
    100 coin-ins: 10,075.00, of which slip 3 gets 5 %: 503.75.

    Without slip 1: slip 2 takes 20,070.00, and its reset releases 617.25 + 5.00: 10,622.25. 100 coin-ins: 10,692.25,
    of which 5 % are 534.61.
    """
    floor = OwedFloor()
    floor.won({2: "royal"})
    floor.coin_ins(95)
    floor.won({2: "royal"}, seats="12345")
    floor.coin_ins(95)
    floor.won({2: "five"}, seats="12345")
    assert without_first(floor) == [(2, "20070.00", "9382.75"), (3, "534.61", "30.86")]


def test_a_limit_would_have_held_the_higher_meter() -> None:
    """Without slip 1 the 100 coin-ins lift 20,000.00 only to 20,050.00: 5 % are 1,002.50, not 1,003.50.

    19,047.50 are left; 100 more coin-ins make 19,117.50, where there were 10,222.89.
    """
    floor = OwedFloor(limit="20050.00")
    first, _ = floor.v9b()
    floor.coin_ins(99)
    floor.won({2: "royal"})
    assert without_first(floor) == [(2, "1002.50", "468.14"), (3, "19117.50", "8894.61")]
    assert first.slip == 1


@pytest.mark.parametrize(("freeze", "was", "would_be"), [
    ("mark", "534.36", "1003.50"), ("approval", "534.71", "1003.85"),
])  # fmt: skip
def test_v9b_under_both_values_of_freeze(freeze: str, was: str, would_be: str) -> None:
    """Ten coin-ins elsewhere between mark and approval are 7.00 that only the switch `approval` counts."""
    floor = OwedFloor(2, policy={"freeze": freeze})
    floor.won({2: "royal"})
    floor.coin_ins(95)
    [later] = floor.won({2: "five"}, seats="12345", meanwhile=lambda: floor.coin_ins(10, table=1))
    assert str(later.amount_money) == was
    assert without_first(floor) == [(2, would_be, "469.14")]


def test_a_winner_of_two_back_outs_is_owed_each_time_what_was_not_told_before() -> None:
    """Slip 3 got 5 % of 10,087.75. Without slip 2 it is 5 % of 10,618.65: 26.54 more. Without slip 1 as well, 5 % of
    20,001.40: 1,000.07, which is 469.14 more than was told then.
    """
    floor = OwedFloor()
    for hand in ("royal", "five", "five"):
        floor.won({2: hand})
    first, second, third = Win.objects.order_by("slip")
    assert [str(win.amount_money) for win in (first, second, third)] == ["20000.00", "530.90", "504.39"]
    told = [floor.back_out(win).posted["differences"] for win in (second, first)]
    assert [[(each["slip"], each["was"], each["owed"]) for each in each_told] for each_told in told] == [
        [(3, "504.39", "26.54")], [(3, "530.93", "469.14")],
    ]  # fmt: skip


def test_a_difference_that_was_paid_from_the_meter_changes_nothing_for_an_earlier_back_out() -> None:
    """As before, with the 26.54 paid out of the meter in between: what slip 3 is owed does not depend on that."""
    floor = OwedFloor()
    for hand in ("royal", "five", "five"):
        floor.won({2: hand})
    first, second, third = Win.objects.order_by("slip")
    done("difference", floor.jackpot, cause=floor.back_out(second), win=third, pays=True)
    assert without_first(floor) == [(3, "1000.07", "469.14")]
    floor.back_out(first)
    assert floor.stands()["winners"] == "530.93"


def test_a_voided_round_since_then_is_voided_without_the_win_too() -> None:
    """5 chips of round 2 are voided before slip 2: its basis is 10,617.25 + 0.70, or 20,000.70."""
    floor = OwedFloor()
    floor.won({2: "royal"})
    floor.coin_ins(5, ends=False)
    void_round(table_code="UTH-01", round_number=2, reason="shuffler jam", by="supervisor")
    floor.won({2: "five"})
    assert without_first(floor) == [(2, "1000.04", "469.14")]


LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1", "envy": "100.00"},
    {"code": "five", "name": "Five percent", "part": "1/20"},
    {"code": "four", "name": "Four of a kind", "for_one": 100, "source": "meter"},
]


@pytest.mark.parametrize("policy", [
    {}, {"order": "clockwise"}, {"order": "equal_shares"}, {"freeze": "approval"}, {"shortfall": "house"},
    {"overflow_at_reset": "all"}, {"overflow": "revenue"}, {"row": "never_less"}, {"dry_meter": "restart"},
    {"dry_meter": "restart", "row": "never_less", "order": "equal_shares"},
])  # fmt: skip
def test_gone_through_with_nothing_left_out_every_award_is_what_was_paid(policy: dict[str, str]) -> None:
    """Envy, a shortfall, shares, the limit and several resets, under every switch."""
    told = {"meter": "900.00", "reserve": "40.00", "seed": "500.00", "limit": "600.00"}
    if "dry_meter" in policy:
        told["repay_rate"] = "50"
    floor = OwedFloor(2, policy=policy, pay_table=a_pay_table(lines=LINES), **told)
    for hands in ({2: "five", 6: "royal"}, {1: "royal", 3: "royal", 5: "five"}, {4: "four", 7: "five"}, {2: "royal"}):
        floor.coin_ins(30)
        floor.won(hands, seats="1234567", meanwhile=lambda: floor.coin_ins(14, table=1))
    assert Entry.objects.filter(kind="advance").exists() is ("dry_meter" in policy)
    wins = {win.award_seq: win.amount_money for win in Win.objects.all()}
    again = BooksWithout(floor.jackpot.pk, min(seq for seq in wins if seq is not None)).amounts(())
    assert {seq: would.amount for seq, would in again.items()} == wins
    assert len(wins) > 20


def test_a_back_out_is_asked_for_while_a_hit_is_open_and_decided_when_it_is_settled() -> None:
    floor = OwedFloor()
    win = floor.won({2: "royal"})[0]
    floor.mark({4: "five"})
    row = asked("back_out", floor.jackpot, win=win)
    with pytest.raises(Refused, match=r"Five percent at \S+ is still open on this jackpot\. Settle it first"):
        approved(row, seen=True)
    code = floor.casino.tables[0].code
    hit.unmark(table_code=code, round_number=floor.rounds[0], seat=4, hand="five", by="Test Dealer")
    assert approved(row, seen=True).state == "in_force"
    win.refresh_from_db()
    assert win.state == "backed_out"
