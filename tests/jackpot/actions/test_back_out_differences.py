"""What later winners would have had without a win that is backed out, in figures."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.actions.refusals import Refused
from jackpot.actions.win.back_out import back_out, differences
from jackpot.models import Win
from tables.actions import key
from tables.rules.round import AskEnd
from tests.builders import a_person
from tests.hands import with_cards
from tests.tables.actions.test_hit import SUPERVISOR, key_floor, ref_b

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
    floor.card(SUPERVISOR, "")
    floor.say(AskEnd(1))
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
    floor.card(SUPERVISOR, "")
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
    key.j_pot(table_code="UTH-01")
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
    key.j_pot(table_code="UTH-01")
    back_out(win_id=Win.objects.get().id, **people())
    assert key.turn(**told, position="RUN")["wins"] == []
    assert floor.stands() == ("20000.00", "617.25")
    assert floor.say(AskEnd(1))
