"""Who comes first, and from which figure he counts: queues, switches and undoing as boxes and the pit meet them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest
from django.test import Client

from jackpot.people.actions.people import block_card
from jackpot.people.models import Card
from jackpot.wins.models import Win
from tests.builders import a_card, a_person
from tests.jackpot.books.api_scene import signed_in
from tests.journeys.room import PINS, Paid, Room
from tests.tables.hits.test_hit import EXECUTIVE, SECOND, SUPERVISOR

PIT = ("see", "verify", "approve")


def posts(client: Client, win: int, act: str, key: str, **words: Any) -> dict[str, Any]:
    path, headers = f"/api/v1/wins/{win}/{act}/", {"Idempotency-Key": key}
    told: dict[str, Any] = client.post(path, words, content_type="application/json", headers=headers).json()
    return told


@pytest.mark.parametrize(("freeze", "a_is_paid", "b_is_paid"), [
    ("mark", "20000.00", "10619.35"), ("approval", "20004.90", "10617.60"),
])  # fmt: skip
def test_v5b_under_both_values_of_freeze(room: Room, freeze: str, a_is_paid: str, b_is_paid: str) -> None:
    a, b, c = room.ref_b(3, "19999.30", "617.20", policy={"freeze": freeze})
    a.bets(6)
    a.asks(seat_6="royal")
    b.bets(2, 4, 7)
    b.asks(seat_7="royal")
    c.plays(1, 3, 5, 7)
    assert a.pays() == [(6, a_is_paid)]
    assert b.pays() == [(7, b_is_paid)]
    assert room.stands() == (("10002.95", "0.20") if freeze == "mark" else ("10000.00", "0.00"))


def test_with_freeze_at_approval_the_first_card_is_first_and_cards_of_one_moment_are_paid_one_after_the_other(
    room: Room,
) -> None:
    a, b, c = room.ref_b(3, "19999.30", "617.20", policy={"freeze": "approval"})
    a.bets(1)
    a.asks(seat_1="royal")
    b.bets(2)
    b.asks(seat_2="straight_flush")
    c.plays(5)
    assert b.pays() == [(2, "2000.14")]
    assert a.pays() == [(1, "18001.26")]
    assert room.stands() == ("10617.35", "0.00")


@pytest.mark.parametrize(("order", "paid", "meter"), [
    ("counter_clockwise", [(7, "1000.00"), (5, "19000.00"), (1, "10617.25")], "10000.00"),
    ("clockwise", [(1, "20000.00"), (5, "10617.25"), (7, "500.00")], "9500.00"),
    ("equal_shares", [(5, "10000.00"), (1, "10000.00"), (7, "0.00")], "10617.25"),
])  # fmt: skip
def test_v4_with_two_royals_and_a_part_under_every_order(room: Room, order: str, paid: Paid, meter: str) -> None:
    [desk] = room.ref_b(1, "19997.90", "617.10", policy={"order": order})
    desk.bets(1, 5, 7)
    desk.asks(seat_1="royal", seat_5="royal", seat_7="five")
    assert desk.pays() == paid
    assert room.stands() == (meter, "0.00")


def test_equal_shares_of_three_leave_the_odd_cents_to_the_next_meter(room: Room) -> None:
    [desk] = room.ref_b(1, "19998.60", "0.00", reserve_rate="0", policy={"order": "equal_shares"})
    desk.bets(2, 3, 4, 5)
    desk.asks(seat_2="royal", seat_3="royal", seat_4="royal")
    assert desk.pays() == [(4, "6667.13"), (3, "6667.13"), (2, "6667.13")]
    assert room.stands() == ("10000.01", "0.00")


def test_two_top_hits_at_two_tables_within_a_second(either: Room) -> None:
    a, b = either.ref_b(2, "19998.60", "617.15")
    a.bets(3)
    b.bets(5)
    marks = [(a, {"round": 1, "seat": 3, "hand": "royal"}), (b, {"round": 1, "seat": 5, "hand": "royal"})]
    with ThreadPoolExecutor(2) as pool:
        for marking in [pool.submit(desk.does, "mark", **told) for desk, told in marks]:
            marking.result()
    for desk in (a, b):
        desk.asks()
    first, second = (a, b) if Win.objects.earliest("mark_seq").table_code == "UTH-01" else (b, a)
    with ThreadPoolExecutor(2) as pool:
        swiping = [pool.submit(desk.swipes, EXECUTIVE) for desk in (second, first)]
        early, paid = (swipe.result() for swipe in swiping)
    assert [win["amount"] for win in paid["wins"]] == ["20000.00"]
    if not early["ok"]:
        assert (early["code"], "came first" in early["why"]) == ("queue", True)
        early = second.swipes()
    assert [win["amount"] for win in early["wins"]] == ["10617.25"]
    assert either.stands() == ("10000.00", "0.00")


def test_the_first_of_three_in_the_queue_is_cancelled(either: Room) -> None:
    a, b, c, d = either.ref_b(4, "19999.30", "617.20")
    a.bets(1)
    a.asks(seat_1="royal")
    b.bets(3, 6)
    b.asks(seat_6="straight_flush")
    c.bets(2)
    c.asks(seat_2="royal")
    d.plays(1, 2, 3)
    assert [desk.swipes()["code"] for desk in (c, b)] == ["queue", "queue"]
    a.does("reject", round=1, reason="seat 1 held a pair")
    assert c.swipes()["code"] == "queue"
    assert b.pays() == [(6, "2000.14")]
    assert c.pays() == [(2, "18001.96")]
    assert either.stands() == ("10619.50", "0.15")
    a.does("end", round=1)


def test_v9b_the_pit_hears_what_the_later_winner_is_owed(room: Room) -> None:
    a, b, c = room.ref_b(3, "19999.30", "617.20")
    a.bets(4)
    a.asks(seat_4="royal")
    assert a.pays() == [(4, "20000.00")]
    c.plays(1, 2, 3, 4, 5, times=19)
    b.bets(1, 2, 3, 6, 7)
    b.asks(seat_7="five")
    pit = signed_in(*PIT, username="pit")
    told = {"reason": "misdeal", "evidence": "camera 7, 02:14", "card": EXECUTIVE, "pin": PINS[EXECUTIVE]}
    first = Win.objects.get(table_code="UTH-01").id
    refused = posts(pit, first, "back-out", "key-0000001", **told)
    assert (refused["ok"], "still open" in refused["why"]) == (False, True)
    assert b.pays() == [(7, "534.36")]
    refused = posts(pit, first, "back-out", "key-0000002", **told)
    assert (refused["code"], "469.14" in refused["why"]) == ("differences", True)
    assert posts(pit, first, "back-out", "key-0000003", differences_seen=True, **told)["ok"]
    assert room.stands() == ("19535.64", "622.25")


def test_a_cloned_executive_card_without_its_pin_approves_nothing(either: Room) -> None:
    [desk] = either.ref_b(1, "19999.30", "617.20")
    a_card(a_person("third"), number="900000000009", level="executive", pin="518273")
    desk.bets(1)
    desk.asks(seat_1="royal")
    told = {"do": "card", "round": 1}
    assert desk.say(**told, card=EXECUTIVE)["code"] == "pin_needed"
    assert desk.say(**told, card=f"%B{EXECUTIVE}^DOE/J^2912?")["code"] == "pin_needed"
    assert [desk.say(**told, card=EXECUTIVE, pin=pin)["code"] for pin in ("111111", "222222", "333333")] == [
        "pin_wrong", "pin_wrong", "pin_wrong",
    ]  # fmt: skip
    assert desk.swipes()["code"] == "pin_wrong", "whoever has the PIN too: three guesses locked the card"
    block_card(card=Card.objects.get(last_four="0002"), why="left in a taxi", by="tests")
    assert desk.swipes(SECOND)["code"] == "card_blocked"
    assert desk.swipes(SUPERVISOR)["code"] == "level"
    assert either.stands() == ("20000.00", "617.25")
    assert [win["amount"] for win in desk.say(**told, card="900000000009", pin="518273")["wins"]] == ["20000.00"]
