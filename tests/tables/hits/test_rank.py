"""Rank and frozen point on real books: whatever became of earlier marks, only those that stand count."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from jackpot.refusals import Refused
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.queries.prove import prove
from tests.builders import CARD_PIN, a_pay_table
from tests.tables.hits.test_hit import EXECUTIVE, REF_B, SUPERVISOR, Floor, amounts, ref_b

pytestmark = pytest.mark.django_db

PASSES = [(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)]
WITH_TRAY = [*REF_B, {"code": "full_house", "name": "Full house", "for_one": 10, "source": "tray"}]


def lets_pass(floor: Floor, table: int, cards: list[tuple[str, str]] = PASSES) -> None:
    hit.pass_queue(**floor.place(table), cards=cards, reason="the first winner left for the hospital")


def refused(floor: Floor, table: int) -> str:
    with pytest.raises(Refused) as refusal:
        floor.card(table=table)
    assert refusal.value.code == "queue"
    return refusal.value.why


def test_v20_a_tray_hit_marked_earlier_gives_no_rank_and_no_frozen_point() -> None:
    floor = ref_b(2, meter="19998.60", reserve="617.15", pay_table=a_pay_table(lines=WITH_TRAY))
    floor.coin_in("35")
    floor.mark(3, "full_house")
    floor.coin_ins(10)
    floor.mark(5, "straight_flush")
    floor.confirm()
    assert amounts(floor.card()) == [(5, "2000.70"), (3, "10.00")]
    assert set(Win.objects.values_list("frozen_seq", flat=True)) == {Win.objects.get(part=True).mark_seq}
    assert prove().holds


def test_v20_another_part_marked_between_the_tray_hit_and_the_part_comes_first() -> None:
    """The case found: the tray hit's round took rank and basis of its tray mark, behind which others were paid."""
    floor = ref_b(2, meter="19997.90", reserve="617.10", pay_table=a_pay_table(lines=WITH_TRAY))
    floor.coin_in("35", 0)
    floor.mark(3, "full_house", 0)
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    floor.mark(5, "straight_flush", 0)
    floor.confirm(0)
    floor.confirm(1)
    assert refused(floor, 0) == "Royal flush at UTH-02 came first. Settle it before this one."
    assert amounts(floor.card(table=1)) == [(1, "20000.00")]
    assert amounts(floor.card(table=0)) == [(5, "1061.73"), (3, "10.00")]
    assert floor.stands() == ("9555.52", "0.00")


def test_a_part_marked_after_another_was_paid_counts_nothing_twice() -> None:
    """Tray mark, elsewhere a royal is marked and paid, then the part: it counts from the meter as it stood then."""
    floor = ref_b(2, meter="19997.90", reserve="617.10", pay_table=a_pay_table(lines=WITH_TRAY))
    floor.coin_in("35", 0)
    floor.mark(3, "full_house", 0)
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    floor.confirm(1)
    assert amounts(floor.card(table=1)) == [(1, "20000.00")]
    floor.mark(5, "royal", 0)
    floor.confirm(0)
    assert amounts(floor.card(table=0)) == [(5, "10617.25"), (3, "10.00")]


def v21() -> Floor:
    """B (UTH-02) marks the royal and takes it back, A (UTH-01) marks it, B is counted again and marks it once more."""
    floor = ref_b(2, meter="19998.60", reserve="617.15")
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    hit.unmark(**floor.place(1), seat=1, hand="royal", by="Test Dealer")
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    recount_round(**floor.place(1), seats="12", spots="", by="Test Supervisor")
    assert floor.stands() == ("20000.70", "617.30")
    floor.mark(1, "royal", 1)
    floor.confirm(0)
    floor.confirm(1)
    return floor


def test_v21_the_passed_hit_is_frozen_anew_whatever_became_of_earlier_marks() -> None:
    floor = v21()
    lets_pass(floor, 1)
    who = "Test Executive and Test Supervisor"
    assert refused(floor, 0) == (
        f"Round 1 at UTH-02 was let pass by {who}. Settle it before this one, or the two withdraw it."
    )
    assert amounts(floor.card(table=1)) == [(1, "20000.70")]
    assert amounts(floor.card(table=0)) == [(1, "10617.30")]
    assert floor.stands() == ("10000.00", "0.00")
    assert prove().holds


def test_v21_without_an_override_the_dead_mark_gives_no_rank_either() -> None:
    floor = v21()
    assert refused(floor, 1).startswith("Royal flush at UTH-01 came first.")
    assert amounts(floor.card(table=0)) == [(1, "20000.00")]
    assert amounts(floor.card(table=1)) == [(1, "10617.95")]


def _unmarked(floor: Floor) -> None:
    hit.unmark(**floor.place(1), seat=1, hand="royal", by="Test Dealer")


def _rejected(floor: Floor) -> None:
    floor.confirm(1)
    hit.reject(**floor.place(1), by="Test Supervisor", why="a pair")


DEAD: list[Callable[[Floor], None]] = [_unmarked, _rejected]


@pytest.mark.parametrize("dies", DEAD)
@pytest.mark.parametrize("earlier", [True, False], ids=["before the other's mark", "after it"])
@pytest.mark.parametrize("passes", [True, False], ids=["let pass", "in order"])
def test_a_dead_mark_ranks_nobody(dies: Callable[[Floor], None], *, earlier: bool, passes: bool) -> None:
    """UTH-02's first royal dies before or after UTH-01 marks one; then it marks another at once."""
    floor = ref_b(3, meter="19998.60", reserve="617.15")
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    if earlier:
        dies(floor)
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    if not earlier:
        dies(floor)
    floor.coin_ins(1, 2)
    floor.mark(1, "royal", 1)
    floor.confirm(0)
    floor.confirm(1)
    if passes:
        lets_pass(floor, 1)
        refused(floor, 0)
        assert amounts(floor.card(table=1)) == [(1, "20000.70")]
        assert amounts(floor.card(table=0)) == [(1, "10617.30")]
    else:
        refused(floor, 1)
        assert amounts(floor.card(table=0)) == [(1, "20000.00")]
        assert amounts(floor.card(table=1)) == [(1, "10617.95")]
    assert prove().holds


@pytest.mark.parametrize(("reserve", "rate", "meter"), [
    ("616.95", "5", "10613.50"), ("0.00", "0", "10000.00"),
], ids=["V18", "V23"])  # fmt: skip
def test_v23_a_shortfall_is_made_good_before_the_reset(reserve: str, rate: str, meter: str) -> None:
    floor = ref_b(2, meter="19995.80", reserve=reserve, reserve_rate=rate)
    floor.coin_in("12345", 1)
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    void_round(**floor.place(1), reason="shuffler malfunction", by="Test Supervisor")
    floor.confirm(0)
    assert amounts(floor.card(table=0)) == [(1, "20000.00")]
    assert floor.stands() == (meter, "0.00")
    drawn = Win.objects.get().record.drawn
    assert (str(drawn.from_reserve), str(drawn.from_house)) == (("3.50", "0.00") if rate == "5" else ("0.00", "3.50"))
    assert prove().holds


def test_a_hit_that_fell_with_its_round_ranks_nobody() -> None:
    floor = ref_b(2, meter="19998.60", reserve="617.15")
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    floor.confirm(0)
    refused(floor, 0)
    void_round(**floor.place(1), reason="shuffler malfunction", by="Test Supervisor")
    assert amounts(floor.card(table=0)) == [(1, "20000.00")]


def test_a_mark_that_a_higher_hand_of_its_seat_outranks_gives_it_no_rank() -> None:
    floor = ref_b(2, meter="19998.60", reserve="617.15")
    floor.coin_in("1", 1)
    floor.mark(1, "straight_flush", 1)
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    floor.mark(1, "royal", 1)
    floor.confirm(0)
    floor.confirm(1)
    refused(floor, 1)
    assert amounts(floor.card(table=0)) == [(1, "20000.00")]
    assert amounts(floor.card(table=1)) == [(1, "10617.25")]


def test_a_mark_in_a_round_that_was_paid_ranks_behind_that_payment() -> None:
    floor = ref_b(2, meter="19997.90", reserve="617.10")
    floor.casino.premises.cards_required = False
    floor.casino.premises.save()
    floor.coin_in("12", 0)
    floor.mark(1, "five", 0)
    hit.confirm(**floor.place(0), by="Test Supervisor")
    assert amounts(floor.card(table=0)) == [(1, "999.97")]
    floor.coin_in("1", 1)
    floor.mark(1, "royal", 1)
    floor.mark(2, "royal", 0)
    for table in (0, 1):
        hit.confirm(**floor.place(table), by="Test Supervisor")
    refused(floor, 0)
    assert amounts(floor.card(table=1)) == [(1, "19000.03")]
    assert amounts(floor.card(table=0)) == [(2, "10617.25")]
