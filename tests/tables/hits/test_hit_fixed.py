"""What J-POT fixed is what RUN posts, whatever meter and reserve did in between."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.adjusting.actions.back_out import back_out
from jackpot.wins.models import Win
from tables.hits.actions import key
from tables.hits.actions.undo import void_round
from tables.rounds.rules.round import EndRequest, PostedAnswer
from tests.builders import a_pay_table, a_person
from tests.hands import with_cards
from tests.tables.hits.test_hit import REF_B, Floor, amounts, fixed_by_key, key_floor, ref_b

pytestmark = pytest.mark.django_db

COMMUNITY = {"code": "community", "name": "Community royal", "for_one": 3000}


def two_royals_fixed(floor: Floor) -> list[tuple[int, str]]:
    floor.coin_in("26", 0)
    floor.mark(2, "royal")
    floor.mark(6, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    return amounts(fixed_by_key(floor))


def test_confirm_says_what_would_be_paid_where_the_amount_freezes_at_the_approval() -> None:
    floor = ref_b(meter="19999.30", reserve="617.20", policy={"freeze": "approval"})
    floor.coin_in("2")
    floor.mark(2, "royal")
    assert floor.confirm()["total"] == "20000.00"


def run() -> dict[str, Any]:
    return key.turn(table_code="UTH-01", key_number="17", position="RUN")


def test_a_fixed_award_elsewhere_that_empties_the_reserve_takes_nothing_from_what_was_fixed() -> None:
    floor = key_floor(pay_table=a_pay_table(lines=[*REF_B, COMMUNITY], source="meter"))
    fixed = two_royals_fixed(floor)
    assert fixed == [(6, "20000.70"), (2, "10617.30")]
    floor.coin_in("1234567", 1)
    for seat in range(1, 8):
        floor.mark(seat, "community", 1)
    floor.confirm(1)
    floor.card(table=1)
    assert floor.stands() == ("0.00", "0.00")
    assert amounts(run()) == fixed
    assert floor.stands() == ("10000.00", "0.00"), (
        "the house makes good what is lacking, and the new meter has its seed"
    )
    assert [str(win.record.basis) for win in Win.objects.filter(line="royal")] == ["10617.30", "20000.70"]


def test_a_round_voided_elsewhere_takes_nothing_from_what_was_fixed() -> None:
    floor = key_floor()
    floor.coin_ins(5)
    fixed = two_royals_fixed(floor)
    assert fixed == [(6, "20004.20"), (2, "10617.55")]
    void_round(table_code="UTH-02", round_number=1, reason="misdeal", by="Test Supervisor")
    assert amounts(run()) == fixed
    assert floor.stands() == ("10000.00", "0.00"), "what the void took is made good before the reset"
    assert floor.say(EndRequest(1))


def test_a_round_whose_only_win_is_backed_out_before_run_can_end() -> None:
    """Nothing is open any more when the key comes back: the table plays on."""
    floor = key_floor()
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    fixed_by_key(floor)
    people = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    back_out(win_id=Win.objects.get(line="royal").id, reason="wrong hand", evidence="camera 7", **people)
    key.turn(table_code="UTH-01", key_number="17", position="RUN")
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)
    floor.coin_in("1")
