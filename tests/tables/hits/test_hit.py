"""Hits through the actions, on real books: the vectors of the rule sheet that need a table, a queue or a card."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.adjusting.actions.back_out import back_out, differences
from jackpot.money import Money
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card
from jackpot.refusals import Refused
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.hits.actions import hit, key
from tables.hits.actions.undo import void_round
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer, Refusal
from tables.setup.actions.enrol import enrol, invite
from tests.builders import AT_BOX, CARD_PIN, Casino, a_card, a_casino, a_pay_table, a_person
from tests.hands import with_cards

pytestmark = pytest.mark.django_db

SUPERVISOR, EXECUTIVE, SECOND = "600000000001", "900000000001", "900000000002"
REF_B = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
    {"code": "five", "name": "Five percent", "part": "1/20"},
]


class Floor:
    """A casino whose tables are played by hand."""

    def __init__(self, tables: int = 1, **of_the_jackpot: Any) -> None:
        self.casino: Casino = a_casino(tables=tables, **of_the_jackpot)
        for controller in self.casino.controllers:
            enrol(code=invite(device=controller, by="tests"))
        a_card(a_person("supervisor"), number=SUPERVISOR, level="supervisor")
        a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin="274916")
        a_card(a_person("second"), number=SECOND, level="executive", pin="385027")
        self.rounds = [0] * tables

    def coin_in(self, seats: str, table: int = 0) -> int:
        self.rounds[table] += 1
        answer = self.say(CoinInRequest(self.rounds[table], seats), table)
        assert isinstance(answer, PostedAnswer), answer
        return self.rounds[table]

    def coin_ins(self, chips: int, table: int = 1) -> None:
        """Plays this many chips at another table, whole rounds."""
        for _ in range(chips // 5):
            self.coin_in("12345", table)
            self.say(EndRequest(self.rounds[table]), table)
        if chips % 5:
            self.coin_in("12345"[: chips % 5], table)
            self.say(EndRequest(self.rounds[table]), table)

    def say(self, ask: CoinInRequest | EndRequest, table: int = 0) -> PostedAnswer | Refusal:
        code, device = self.casino.tables[table].code, self.casino.controllers[table].id
        return post_messages([DeviceRequest(code, device, 1, ask)])[0]

    def mark(self, seat: int, hand: str, table: int = 0) -> dict[str, Any]:
        return hit.mark(**self.place(table), seat=seat, hand=hand, by="Test Dealer")

    def confirm(self, table: int = 0) -> dict[str, Any]:
        """CONFIRM, and then the cards of the hits that wait, as a supervisor enters them."""
        closed = hit.confirm(**self.place(table), by="Test Supervisor")
        with_cards(**self.place(table))
        return closed

    def card(self, number: str = EXECUTIVE, pin: str = "274916", table: int = 0) -> dict[str, Any]:
        return hit.swipe(**self.place(table), card=number, pin=pin, at_table=True, source=AT_BOX)

    def place(self, table: int) -> dict[str, Any]:
        return {"table_code": self.casino.tables[table].code, "round_number": self.rounds[table]}

    def stands(self) -> tuple[str, str]:
        self.casino.jackpot.refresh_from_db()
        return str(self.casino.jackpot.meter_money), str(Money(self.casino.jackpot.balances.reserve))


def ref_b(tables: int = 1, meter: str = "20000.00", reserve: str = "617.25", **more: Any) -> Floor:
    return Floor(tables, meter=meter, reserve=reserve, **{"rate": "70", "pay_table": a_pay_table(lines=REF_B), **more})


def amounts(answer: dict[str, Any]) -> list[tuple[int, str]]:
    return [(win["seat"], win["amount"]) for win in answer["wins"]]


def test_v4_two_hits_of_one_round_are_paid_counter_clockwise() -> None:
    floor = ref_b(meter="19998.60", reserve="617.15")
    floor.coin_in("26")
    floor.mark(2, "royal")
    floor.mark(6, "straight_flush")
    closed = floor.confirm()
    assert [(due["seat"], due["amount"]) for due in closed["hits"]] == [(6, "2000.00"), (2, "18000.00")]
    assert (closed["total"], closed["card"]) == ("20000.00", "executive")
    assert amounts(floor.card()) == [(6, "2000.00"), (2, "18000.00")]
    assert floor.stands() == ("10617.25", "0.00")


def test_v5_the_amount_is_frozen_at_the_mark_and_others_play_on() -> None:
    floor = ref_b(2, meter="19999.30", reserve="617.20")
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.coin_ins(3)
    floor.confirm()
    assert amounts(floor.card()) == [(1, "20000.00")]
    assert floor.stands() == ("10619.35", "0.15")


def test_v5_a_rejected_hit_leaves_everything_to_the_meter() -> None:
    floor = ref_b(2, meter="19999.30", reserve="617.20")
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.coin_ins(3)
    floor.confirm()
    hit.reject(**floor.place(0), by="Test Supervisor", why="seat 1 held a pair")
    assert floor.stands() == ("20002.10", "617.40")
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)


def test_v5b_two_tables_are_paid_in_the_order_of_their_marks() -> None:
    floor = ref_b(3, meter="19999.30", reserve="617.20")
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    floor.coin_in("123", 1)
    floor.mark(2, "royal", 1)
    floor.coin_ins(4, 2)
    floor.confirm(0)
    floor.confirm(1)
    with pytest.raises(Refused, match="came first"):
        floor.card(table=1)
    assert amounts(floor.card(table=0)) == [(1, "20000.00")]
    assert amounts(floor.card(table=1)) == [(2, "10619.35")]
    assert floor.stands() == ("10002.95", "0.20")


def test_v5b_an_executive_and_a_second_person_let_a_later_hit_pass() -> None:
    floor = ref_b(3, meter="19999.30", reserve="617.20")
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    floor.coin_in("123", 1)
    floor.mark(2, "royal", 1)
    floor.coin_ins(4, 2)
    floor.confirm(0)
    floor.confirm(1)
    told = {**floor.place(1), "reason": "the winner of UTH-01 left for the hospital"}
    with pytest.raises(Refused, match="second, different person"):
        hit.pass_queue(**told, cards=[(EXECUTIVE, "274916"), (EXECUTIVE, "274916")])
    hit.pass_queue(**told, cards=[(EXECUTIVE, "274916"), (SUPERVISOR, CARD_PIN)])
    assert amounts(floor.card(table=1)) == [(2, "20002.10")]
    assert amounts(floor.card(table=0)) == [(1, "10617.40")]


def test_v9_a_back_out_returns_everything_and_later_coin_ins_stay() -> None:
    floor = ref_b(2, meter="19999.30", reserve="617.20")
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    floor.card()
    floor.coin_ins(500)
    win = Win.objects.get(state="owed")
    people = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    back_out(win_id=win.id, reason="misdeal seen on camera", evidence="camera 7, 02:14", **people)
    assert floor.stands() == ("20350.00", "642.25")


def test_v9b_a_later_award_is_shown_with_what_is_owed() -> None:
    floor = ref_b(3, meter="19999.30", reserve="617.20")
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    floor.confirm(0)
    floor.card(table=0)
    floor.coin_ins(95, 2)
    floor.coin_in("12345", 1)
    floor.mark(2, "five", 1)
    first = Win.objects.get(state="owed")
    people = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    told = {"win_id": first.id, "reason": "misdeal", "evidence": "camera 7", **people}
    with pytest.raises(Refused, match="still open"):
        back_out(**told)
    floor.confirm(1)
    assert amounts(floor.card(SUPERVISOR, CARD_PIN, 1)) == [(2, "534.36")]
    assert [str(each.owed) for each in differences(first)] == ["469.14"]
    with pytest.raises(Refused, match=r"469\.14"):
        back_out(**told)
    back_out(**told, differences_seen=True)


def test_v14_fixed_from_the_meter_before_the_royal_of_the_same_round() -> None:
    floor = Floor(meter="19998.60", reserve="0.00", pay_table=a_pay_table(source="meter"))
    floor.coin_in("36")
    floor.mark(3, "royal_first_5")
    floor.mark(6, "full_house")
    floor.confirm()
    assert amounts(floor.card()) == [(6, "10.00"), (3, "19990.00")]


def test_v18_a_void_elsewhere_changes_no_frozen_basis() -> None:
    floor = ref_b(2, meter="19995.80", reserve="616.95")
    floor.coin_in("12345", 1)
    floor.coin_in("1", 0)
    floor.mark(1, "royal", 0)
    assert floor.stands() == ("20000.00", "617.25")
    void_round(table_code="UTH-02", round_number=1, reason="shuffler malfunction", by="Test Supervisor")
    floor.confirm(0)
    assert amounts(floor.card(table=0)) == [(1, "20000.00")]
    assert floor.stands() == ("10613.50", "0.00")


@pytest.mark.parametrize(("meter", "accepted"), [("4999.29", True), ("4999.30", False)])
def test_v12_the_executive_threshold_is_tested_on_the_sum(meter: str, accepted: bool) -> None:
    floor = ref_b(meter=meter, reserve="0.00")
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    if accepted:
        assert amounts(floor.card(SUPERVISOR, CARD_PIN)) == [(1, "4999.99")]
    else:
        with pytest.raises(Refused, match="executive card"):
            floor.card(SUPERVISOR, CARD_PIN)
        assert amounts(floor.card()) == [(1, "5000.00")]


def test_v12_seven_fixed_awards_in_one_act_need_an_executive() -> None:
    floor = Floor(meter="18636.60", pay_table=a_pay_table(source="meter"))
    floor.coin_in("1234567")
    for seat in range(1, 8):
        floor.mark(seat, "royal_community")
    assert floor.confirm()["total"] == "21000.00"
    with pytest.raises(Refused, match="executive card"):
        floor.card(SUPERVISOR, CARD_PIN)
    assert len(floor.card()["wins"]) == 7
    assert floor.stands()[0] == "0.00"
    assert list(Win.objects.order_by("slip").values_list("slip", flat=True)) == [1, 2, 3, 4, 5, 6, 7]


def test_a_mark_needs_coin_in_and_ends_are_refused_while_it_stands() -> None:
    floor = ref_b()
    floor.coin_in("12")
    with pytest.raises(Refused, match="Seat 3 has no coin-in"):
        floor.mark(3, "royal")
    floor.mark(1, "royal")
    refusal = floor.say(EndRequest(1))
    assert isinstance(refusal, Refusal)
    assert refusal.code == "hits_open"
    assert hit.unmark(**floor.place(0), seat=1, hand="royal", by="Test Dealer") == {"marks": [], "repeat": False}
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)


def test_the_highest_row_of_a_seat_stands_and_the_other_gives_way() -> None:
    floor = ref_b()
    floor.coin_in("1")
    floor.mark(1, "straight_flush")
    floor.mark(1, "royal")
    assert [due["hand"] for due in floor.confirm()["hits"]] == ["royal"]
    assert Win.objects.get(line="straight_flush").state == "outranked"


def test_one_person_is_not_two_and_a_card_accepts_once() -> None:
    floor = ref_b()
    premises = floor.casino.premises
    premises.dual_threshold = 10_000
    premises.save()
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    assert floor.card()["missing"] == "a second person's card"
    with pytest.raises(Refused, match="already signed"):
        floor.card()
    assert amounts(floor.card(SECOND, "385027")) == [(1, "20000.70")]
    with pytest.raises(Refused, match="Nothing is asked for"):
        floor.card()


def test_three_wrong_pins_lock_the_card_even_for_the_right_one() -> None:
    floor = ref_b()
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    for _ in range(3):
        with pytest.raises(Refused, match="do not fit together"):
            floor.card(pin="000000")
    with pytest.raises(Refused, match="do not fit together"):
        floor.card()
    assert Card.objects.get(last_four="0001", level=3).locked_at is not None
    assert floor.stands() == ("20000.70", "617.30")


def test_a_slip_pays_once_and_not_by_who_approved_it() -> None:
    floor = ref_b()
    floor.coin_in("1")
    floor.mark(1, "five")
    floor.confirm()
    floor.card(SUPERVISOR, CARD_PIN)
    approver = Card.objects.get(last_four="0001", level=2).operator
    with pytest.raises(Refused, match="may not pay"):
        redeem(slip=1, payer=approver)
    cage = a_person("cage")
    assert str(redeem(slip=1, payer=cage).amount_money) == "1000.04"
    with pytest.raises(Refused, match=f"by {cage}"):
        redeem(slip=1, payer=a_person("late"))


def test_backing_out_a_paid_win_leaves_the_sum_with_the_house() -> None:
    floor = ref_b()
    floor.coin_in("1")
    floor.mark(1, "five")
    floor.confirm()
    floor.card(SUPERVISOR, CARD_PIN)
    win = redeem(slip=1, payer=a_person("cage"))
    people = {"requested_by": a_person("first"), "approved_by": a_person("other")}
    back_out(win_id=win.id, reason="wrong hand", evidence="camera 7", **people)
    floor.casino.jackpot.refresh_from_db()
    assert floor.stands()[0] == "20000.70"
    assert (floor.casino.jackpot.house, floor.casino.jackpot.winners, str(floor.casino.jackpot.paid)) == (
        Money.of("-1000.04").decimal(), 0, "1000.04000000",
    )  # fmt: skip


ON_THE_PIT_PAGE = "executive card on the pit page"


def key_floor(**more: Any) -> Floor:
    floor = ref_b(2, meter="19999.30", reserve="617.20", **more)
    table = floor.casino.table
    table.profile = "key"
    table.save()
    holder = a_person("holder")
    sign_key_out(premises=floor.casino.premises, number="17", operator=holder, by="tests", level=Card.Level.EXECUTIVE)
    return floor


def fixed_by_key(floor: Floor) -> dict[str, Any]:
    """J-POT asks for the executive, whose card on the pit page approves; the key stays at JPH."""
    assert key.j_pot(table_code="UTH-01")["missing"] == ON_THE_PIT_PAGE
    return floor.card()


def test_key_profile_j_pot_fixes_the_amount_and_run_moves_the_meter() -> None:
    floor = key_floor()
    floor.coin_in("1")
    floor.mark(1, "royal")
    assert key.turn(table_code="UTH-01", key_number="17", position="JPH")["total"] == "20000.00"
    with_cards(**floor.place(0))
    logged = fixed_by_key(floor)
    assert [(win["amount"], win["state"], win["slip"]) for win in logged["wins"]] == [("20000.00", "logged", 1)]
    assert key.j_pot(table_code="UTH-01")["repeat"] is True
    floor.coin_ins(3)
    assert floor.stands() == ("20002.10", "617.40")
    assert [win["state"] for win in key.turn(table_code="UTH-01", key_number="17", position="RUN")["wins"]] == ["owed"]
    assert floor.stands() == ("10619.35", "0.15")
    assert key.turn(table_code="UTH-01", key_number="17", position="RUN")["wins"] == []
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)


def test_jph_and_back_without_j_pot_changes_nothing_and_the_mark_still_stands() -> None:
    floor = key_floor()
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    refusal = floor.say(EndRequest(1))
    assert isinstance(refusal, Refusal)
    assert refusal.why == "Key 17 stands at JPH at UTH-01. Turn the key to RUN."
    key.turn(table_code="UTH-01", key_number="17", position="RUN")
    assert floor.stands() == ("20000.00", "617.25")
    assert [win.state for win in Win.objects.all()] == ["marked"]


def test_j_pot_needs_a_lit_hand_and_a_key_that_is_signed_out() -> None:
    floor = key_floor()
    floor.coin_in("1")
    with pytest.raises(Refused, match="not signed out"):
        key.turn(table_code="UTH-01", key_number="99", position="JPH")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with pytest.raises(Refused, match="No hand is lit"):
        key.j_pot(table_code="UTH-01")


def test_the_marks_of_a_void_round_fall_and_the_books_still_prove() -> None:
    floor = ref_b(2)
    floor.coin_in("12")
    floor.mark(1, "royal")
    floor.mark(2, "five")
    void_round(table_code="UTH-01", round_number=1, reason="shuffler malfunction", by="Test Supervisor")
    assert [win.state for win in Win.objects.all()] == ["fell", "fell"]
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)
