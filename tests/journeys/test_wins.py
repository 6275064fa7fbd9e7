"""Wins seen from outside: what boxes are told over HTTP and WebSocket, and what the auditor reads afterwards.

The vectors of the rule sheet with other seats, parts, levels and reserves than those it prints.
"""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from jackpot.adjusting.actions.back_out import back_out
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card
from jackpot.refusals import Refused
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import hit
from tests.builders import CARD_PIN, Casino, a_casino, a_controller, a_jackpot, a_pay_table, a_person, a_table
from tests.journeys.room import LINES, PINS, Paid, Room
from tests.journeys.visitor import BoxSign
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR


def test_v2_the_award_pays_the_cent_and_leaves_the_fraction(either: Room) -> None:
    [desk] = either.ref_b(1, "10000.00", "0.00", rate="17.33", reserve_rate="0")
    desk.bets(1, 4, 7)
    assert desk.asks(seat_7="royal")["total"] == "10000.51"
    assert desk.pays() == [(7, "10000.51")]
    assert either.stands() == ("10000.0099", "0.00")


@pytest.mark.parametrize(("order", "paid", "meter"), [
    ("counter_clockwise", [(5, "20000.00"), (3, "1061.73")], "9555.52"),
    ("clockwise", [(3, "2000.00"), (5, "18000.00")], "10617.25"),
])  # fmt: skip
def test_v4_with_the_royal_farther_right(room: Room, order: str, paid: Paid, meter: str) -> None:
    [desk] = room.ref_b(1, "19998.60", "617.15", policy={"order": order})
    desk.bets(3, 5)
    told = desk.asks(seat_5="royal", seat_3="straight_flush")
    assert [(due["seat"], due["amount"]) for due in told["hits"]] == paid
    assert desk.pays() == paid
    assert room.stands() == (meter, "0.00")


def test_v5_the_sign_says_what_the_next_would_win_until_it_is_not_confirmed(either: Room) -> None:
    a, b = either.ref_b(2, "19999.30", "617.20")
    sign = BoxSign(either.live, "WALL", Jackpot.objects.get())
    a.bets(6)
    a.marks(seat_6="royal")
    b.plays(2, 3, 7)
    sign.hears(GRAND="20002.10")
    assert a.does("confirm", round=1)["total"] == "20000.00"
    sign.hears(GRAND="10619.35")
    a.does("reject", round=1, reason="seat 6 held a pair")
    sign.hears(GRAND="20002.10")
    a.does("end", round=1)
    assert either.stands() == ("20002.10", "617.40")
    sign.close()


def test_v5_with_no_reserve_and_the_award(room: Room) -> None:
    a, b = room.ref_b(2, "19999.30", "0.00", reserve_rate="0")
    a.bets(2)
    a.marks(seat_2="royal")
    b.plays(1, 2, 3)
    a.does("confirm", round=1)
    assert a.pays() == [(2, "20000.00")]
    assert room.stands() == ("10002.10", "0.00")


def test_v5b_a_part_behind_a_royal_counts_from_what_the_royal_left(either: Room) -> None:
    a, b, c = either.ref_b(3, "19999.30", "617.20")
    a.bets(1)
    a.asks(seat_1="royal")
    b.bets(2, 4, 6)
    b.asks(seat_4="straight_flush")
    c.plays(1, 2, 3, 4)
    refusal = b.swipes()
    assert (refusal["code"], "UTH-01 came first" in refusal["why"]) == ("queue", True)
    assert a.pays() == [(1, "20000.00")]
    assert b.pays() == [(4, "1061.94")]
    assert either.stands() == ("9560.21", "0.35")


def test_v5b_three_in_a_queue_and_the_last_is_let_pass(room: Room) -> None:
    """The passed two count from where the passing hit counted: docs/decisions/0002."""
    a, b, c = room.ref_b(3, "19999.30", "617.20")
    for desk, seats, hand in ((a, [1], "royal"), (b, [1, 2, 3], "five"), (c, [5], "royal")):
        desk.bets(*seats)
        desk.asks(**{f"seat_{seats[0]}": hand})
    cards = [(EXECUTIVE, PINS[EXECUTIVE]), (SUPERVISOR, CARD_PIN)]
    hit.pass_queue(table_code="UTH-03", round_number=1, cards=cards, reason="the winners of 1 and 2 wait gladly")
    assert b.swipes()["code"] == "queue"
    assert c.pays() == [(5, "20002.80")]
    assert a.pays() == [(1, "10617.45")]
    assert b.pays() == [(1, "500.00")]
    assert room.stands() == ("9500.00", "0.00")


def test_v6_two_straight_flushes_at_other_seats(room: Room) -> None:
    [desk] = room.ref_b(1, "19998.60", "617.15")
    desk.bets(3, 7)
    desk.asks(seat_3="straight_flush", seat_7="straight_flush")
    assert desk.pays() == [(7, "2000.00"), (3, "1800.00")]
    assert room.stands() == ("16200.00", "617.25")


@pytest.mark.parametrize(
    ("reserve", "reserve_rate", "hit_seats", "elsewhere", "house", "meter"),
    [
        ("0.00", "0", [1, 2, 3, 4, 5, 6, 7], 0, "-2358.50", "0.00"),
        ("0.00", "0", [1, 2, 3, 4, 5, 6, 7], 10, "-2351.50", "0.00"),
        ("616.90", "5", [1, 2, 3, 4, 5, 6, 7], 0, "-1741.25", "0.00"),
        ("0.00", "0", [1, 3, 5, 7], 0, "0.00", "6641.50"),
    ],
)
def test_v7_a_community_royal_in_one_act(
    room: Room, reserve: str, reserve_rate: str, hit_seats: Sequence[int], elsewhere: int, house: str, meter: str
) -> None:
    told = {"reserve_rate": reserve_rate, "pay_table": a_pay_table(source="meter")}
    a, b = room.ref_b(2, "18636.60", reserve, **told)
    a.bets(1, 2, 3, 4, 5, 6, 7)
    a.marks(**{f"seat_{seat}": "royal_community" for seat in hit_seats})
    if elsewhere:
        b.plays(1, 2, 3, 4, 5, times=elsewhere // 5)
    a.does("confirm", round=1)
    paid = a.swipes()["wins"]
    assert [(win["seat"], win["amount"]) for win in paid] == [(seat, "3000.00") for seat in reversed(hit_seats)]
    assert [win["slip"] for win in paid] == list(range(1, len(hit_seats) + 1))
    assert room.stands() == (meter, "0.00")
    assert room.auditor.balances()["house"] == house


def test_v8_five_per_cent_rounded_half_up(room: Room) -> None:
    [desk] = room.ref_b(1, "18640.87", "0.00")
    desk.bets(5)
    desk.asks(seat_5="five")
    assert desk.pays(SUPERVISOR) == [(5, "932.08")]
    assert room.stands()[0] == "17709.49"


def test_v9_a_back_out_without_a_reserve_and_its_page_is_no_money(room: Room) -> None:
    a, b = room.ref_b(2, "19999.30", "0.00", reserve_rate="0")
    a.bets(3)
    a.asks(seat_3="royal")
    assert a.pays() == [(3, "20000.00")]
    a.does("end", round=1)
    b.plays(1, 2, 3, 4, 5, 6, 7, times=71)
    b.plays(2, 4, 6)
    people = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    back_out(win_id=Win.objects.get().id, reason="misdeal seen on camera", evidence="camera 7, 02:14", **people)
    assert room.stands() == ("20350.00", "0.00")
    with pytest.raises(Refused, match="backed out"):
        redeem(slip=1, payer=a_person("cage"))


def test_v11_the_overflow_since_the_mark_comes_back_at_the_reset(either: Room) -> None:
    a, b = either.ref_b(2, "19999.30", "617.20", limit="20001.00")
    a.bets(4)
    a.marks(seat_4="royal")
    b.plays(1, 2, 3)
    assert either.stands()[0] == "20001.00"
    a.does("confirm", round=1)
    assert a.pays() == [(4, "20000.00")]
    assert either.stands() == ("10619.35", "0.15")


def test_v11_a_hit_while_the_meter_stands_at_its_limit(room: Room) -> None:
    a, b = room.ref_b(2, "20000.65", "617.20", limit="20001.00")
    a.bets(4)
    a.marks(seat_4="royal")
    b.plays(1, 2)
    a.does("confirm", round=1)
    assert a.pays() == [(4, "20001.00")]
    assert room.stands() == ("10618.65", "0.10")  # seed, reserve as frozen, 1.40 of overflow since; 0.35 is older
    assert room.auditor.balances()["overflow"] == "0.35"


@pytest.mark.parametrize(("meter", "heard"), [("4998.59", "ok"), ("4998.60", "level")])
def test_v12_a_supervisor_up_to_a_cent_below_the_threshold(either: Room, meter: str, heard: str) -> None:
    [desk] = either.ref_b(1, meter, "0.00")
    desk.bets(1, 6)
    desk.asks(seat_6="royal")
    told = desk.swipes(SUPERVISOR)
    assert told.get("code", "ok") == heard
    assert heard == "ok" or desk.pays() == [(6, "5000.00")]


def test_v12_the_sum_over_three_jackpots_of_one_chip_counts(room: Room) -> None:
    half = [{"code": "royal", "name": "Royal flush", "part": "1/2"}]
    levels = [
        a_jackpot(code, meter=meter, rate="20", reserve_rate="0", pay_table=a_pay_table(lines=half))
        for code, meter in (("GRAND", "3999.80"), ("MIDI", "3999.80"), ("MINI", "1999.80"))
    ]
    [desk] = room.opens(Casino(levels[0].premises, levels, [], [a_controller(a_table("UTH-01", *levels))]))
    desk.bets(2)
    told = desk.asks(seat_2="royal")
    assert (told["total"], told["card"]) == ("5000.00", "executive")
    assert desk.swipes(SUPERVISOR)["code"] == "level"
    wins = desk.swipes()["wins"]
    assert [(win["jackpot"], win["amount"], win["slip"]) for win in wins] == [
        ("GRAND", "2000.00", 1), ("MIDI", "2000.00", 2), ("MINI", "1000.00", 3),
    ]  # fmt: skip
    assert [room.stands(code)[0] for code in ("GRAND", "MIDI", "MINI")] == ["2000.00", "2000.00", "1000.00"]


def test_a_royal_takes_all_three_jackpots_of_its_chip_and_each_begins_anew(room: Room) -> None:
    royal = a_pay_table(lines=[{"code": "royal", "name": "Royal flush", "part": "1"}])
    told = {"reserve_rate": "1", "pay_table": royal}
    levels = [
        a_jackpot("GRAND", meter="20000.00", reserve="100.00", rate="50", **told),
        a_jackpot("MIDI", meter="3000.00", rate="20", seed="1000.00", **told),
        a_jackpot("MINI", meter="150.00", rate="10", seed="100.00", **told),
    ]
    devices = [a_controller(a_table(code, *feeds)) for code, feeds in (("UTH-01", levels), ("UTH-02", levels[:1]))]
    a, b = room.opens(Casino(levels[0].premises, levels, [], devices))
    a.bets(1, 2)
    a.marks(seat_2="royal")
    b.plays(7)
    a.does("confirm", round=1)
    assert a.pays() == [(2, "20001.00"), (2, "3000.40"), (2, "150.20")]
    assert [room.stands(code) for code in ("GRAND", "MIDI", "MINI")] == [
        ("10100.52", "0.01"), ("1000.02", "0.00"), ("100.02", "0.00"),
    ]  # fmt: skip


def test_v14_fixed_hands_to_the_right_are_paid_before_the_royal(room: Room) -> None:
    [desk] = room.ref_b(1, "19997.90", "0.00", pay_table=a_pay_table(source="meter"))
    desk.bets(1, 5, 7)
    desk.asks(seat_1="royal_first_5", seat_5="full_house", seat_7="four_of_a_kind")
    assert desk.pays() == [(7, "100.00"), (5, "10.00"), (1, "19890.00")]


def test_v16_envy_goes_to_the_other_coin_in_seats_after_the_reset(either: Room) -> None:
    lines = [{"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"}]
    [desk] = either.ref_b(1, "19997.90", "617.10", pay_table=a_pay_table(lines=lines))
    desk.bets(2, 4, 7)
    desk.asks(seat_7="royal")
    assert desk.pays() == [(7, "20000.00"), (4, "1000.00"), (2, "1000.00")]
    assert either.stands() == ("8617.25", "0.00")


def test_v16_two_royals_of_one_round_envy_each_other(room: Room) -> None:
    lines = [{"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"}]
    [desk] = room.ref_b(1, "19997.90", "617.10", pay_table=a_pay_table(lines=lines))
    desk.bets(2, 4, 7)
    desk.asks(seat_7="royal", seat_4="royal")
    assert desk.pays() == [
        (7, "20000.00"), (4, "1000.00"), (2, "1000.00"), (4, "8617.25"), (7, "1000.00"), (2, "1000.00"),
    ]  # fmt: skip
    assert room.stands() == ("8000.00", "0.00")


def test_v18_two_rounds_elsewhere_are_voided_before_the_approval(either: Room) -> None:
    a, b = either.ref_b(2, "19992.30", "616.70")
    b.plays(1, 2, 3, 4, 5, 6, 7)
    b.plays(1, 2, 3)
    a.bets(5)
    a.asks(seat_5="royal")
    for number in (1, 2):
        b.does("void", round=number, reason="shuffler malfunction", card=SUPERVISOR, pin=CARD_PIN)
    assert a.pays() == [(5, "20000.00")]
    assert either.stands() == ("10609.75", "0.00")


def test_the_key_profile_fixes_at_j_pot_and_moves_at_run_while_others_play_and_ask(room: Room) -> None:
    casino = a_casino(tables=2, meter="19999.30", reserve="617.20", pay_table=LINES)
    casino.table.profile = "key"
    casino.table.save()
    a, b = room.opens(casino)
    sign_key_out(
        premises=casino.premises, number="17", operator=a_person("holder"), by="tests", level=Card.Level.EXECUTIVE
    )
    a.bets(1)
    a.marks(seat_1="royal")
    assert a.does("key", key="17", position="JPH")["total"] == "20000.00"
    assert a.say(do="mark", round=1, seat=1, hand="five")["ok"] is False
    assert a.does("j_pot")["missing"] == "executive card on the pit page"
    assert [win["state"] for win in a.swipes()["wins"]] == ["logged"]
    b.bets(2, 4, 6)
    b.asks(seat_4="five")
    assert b.swipes()["code"] == "queue"
    assert a.say(do="key", key="18", position="RUN")["code"] == "wrong_key"
    assert a.say(do="end", round=1)["code"] == "key_at_jph"
    assert [win["amount"] for win in a.does("key", key="17", position="RUN")["wins"]] == ["20000.00"]
    assert b.pays() == [(4, "530.97")]
    assert room.stands() == ("10088.38", "0.15")
