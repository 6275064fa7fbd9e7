"""V20, V21 and V23 as boxes meet them, over HTTP and WebSocket; and who pays the next meter's seed."""

from __future__ import annotations

import pytest

from tables.hits.actions import hit
from tables.hits.actions.undo import recount_round, void_round
from tests.builders import CARD_PIN, a_pay_table
from tests.journeys.room import PINS, Room
from tests.tables.hits.test_hit import EXECUTIVE, REF_B, SUPERVISOR

TWO = [(EXECUTIVE, PINS[EXECUTIVE]), (SUPERVISOR, CARD_PIN)]
WITH_TRAY = [*REF_B, {"code": "full_house", "name": "Full house", "for_one": 10, "source": "tray"}]


def cents(amount: str) -> int:
    return int(amount.replace(".", ""))


def test_v20_a_tray_hit_marked_earlier_gives_no_rank(either: Room) -> None:
    a, b = either.ref_b(2, "19998.60", "617.15", pay_table=a_pay_table(lines=WITH_TRAY))
    a.bets(3, 5)
    a.marks(seat_3="full_house")
    b.plays(1, 2, 3, 4, 5, times=2)
    a.asks(seat_5="straight_flush")
    assert a.pays() == [(5, "2000.70"), (3, "10.00")]
    assert either.stands() == ("18006.30", "617.75")


def test_v21_a_card_at_the_passed_table_is_refused_until_the_other_is_settled(either: Room) -> None:
    a, b = either.ref_b(2, "19998.60", "617.15")
    b.bets(1)
    b.does("mark", round=1, seat=1, hand="royal")
    b.does("unmark", round=1, seat=1, hand="royal")
    a.bets(6)
    a.asks(seat_6="royal")
    recount_round(table_code="UTH-02", round_number=1, seats="12", spots="", by="Test Supervisor")
    b.asks(seat_2="royal")
    hit.pass_queue(table_code="UTH-02", round_number=1, cards=TWO, reason="the first winner left")
    refusal = a.swipes()
    who = "Test Executive and Test Supervisor"
    assert (refusal["code"], f"Round 1 at UTH-02 was let pass by {who}." in refusal["why"]) == ("queue", True)
    assert b.pays() == [(2, "20000.70")]
    assert a.pays() == [(6, "10617.30")]
    assert either.stands() == ("10000.00", "0.00")


@pytest.mark.parametrize(("reserve", "rate", "meter", "house"), [
    ("616.95", "5", "10613.50", "0.00"), ("0.00", "0", "10000.00", "3.50"),
], ids=["V18", "V23"])  # fmt: skip
def test_v23_the_shortfall_is_booked_before_the_reset(
    room: Room, reserve: str, rate: str, meter: str, house: str
) -> None:
    a, b = room.ref_b(2, "19995.80", reserve, reserve_rate=rate)
    b.bets(1, 2, 3, 4, 5)
    a.bets(6)
    a.asks(seat_6="royal")
    before = room.auditor.balances("GRAND")["house"]
    void_round(table_code="UTH-02", round_number=1, reason="shuffler malfunction", by="Test Supervisor")
    assert a.pays() == [(6, "20000.00")]
    assert room.stands() == (meter, "0.00")
    paid = cents(before) - cents(room.auditor.balances("GRAND")["house"])
    assert paid == cents("10000.00") + cents(house), "the seed, and what was lacking"
