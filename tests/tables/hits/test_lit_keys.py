"""A hand key pressed alone: lit in the key profile until the pit says its seats, a board hand is everybody's."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.books.models.entry import Entry
from jackpot.refusals import Refused
from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef
from tables.floor.actions.state import set_table_state
from tables.floor.models.table import TableState
from tables.hits.actions import hit, key, lit_keys
from tables.rounds.rules.round import EndRequest, PostedAnswer, Refusal
from tests.builders import a_pay_table
from tests.hands import with_cards
from tests.tables.hits.test_hit import Floor, amounts, key_floor
from tests.tables.wagers_scene import ROYAL, TwoWagers

pytestmark = pytest.mark.django_db

HAND = "five"


def light(floor: Floor, hand: str = HAND, table: int = 0) -> dict[str, Any]:
    return lit_keys.light(**floor.place(table), hand=hand, by="Test Dealer")


def put_out(floor: Floor, hand: str = HAND) -> dict[str, Any]:
    return lit_keys.put_out(**floor.place(0), hand=hand, by="Test Dealer")


def assign(floor: Floor, *seats: int, hand: str = HAND) -> dict[str, Any]:
    return lit_keys.assign(**floor.place(0), hand=hand, seats=list(seats), by="Test Supervisor")


def turn(position: str) -> dict[str, Any]:
    return key.turn(table_code="UTH-01", key_number="17", position=position)


def a_lit_round(hand: str = HAND, seats: str = "136") -> Floor:
    floor = key_floor()
    floor.coin_in(seats)
    light(floor, hand)
    return floor


def test_a_lit_key_is_one_open_hit_without_a_seat() -> None:
    floor = key_floor()
    floor.coin_in("136")
    assert light(floor) == {"marks": [{"seat": None, "hand": "five", "name": "Five percent"}], "repeat": False}
    assert light(floor)["repeat"] is True
    assert Win.objects.count() == 1
    refusal = floor.say(EndRequest(1))
    assert isinstance(refusal, Refusal)
    assert "Five percent (seats not said)" in refusal.why


def test_the_same_key_again_puts_it_out_and_both_stay_in_the_books() -> None:
    floor = a_lit_round()
    assert put_out(floor) == {"marks": [], "repeat": False}
    assert put_out(floor)["repeat"] is True
    assert list(Entry.objects.filter(win_id__isnull=False).values_list("kind", flat=True)) == ["mark", "unmark"]
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)


def test_the_pit_says_the_seats_and_they_have_the_rank_and_frozen_point_of_the_first_mark() -> None:
    floor = a_lit_round()
    lit = Win.objects.get()
    floor.coin_ins(5, 1)
    told = assign(floor, 6, 1)
    assert [(mark["seat"], mark["hand"]) for mark in told["marks"]] == [(1, "five"), (6, "five")]
    ranks = Win.objects.filter(seat__gt=0).values_list("mark_seq", "frozen_seq", "marked_at", "marked_by")
    assert set(ranks) == {(lit.mark_seq, lit.frozen_seq, lit.marked_at, "Test Dealer")}


def test_what_is_assigned_counts_from_the_meter_as_it_was_when_the_key_was_lit() -> None:
    floor = a_lit_round()
    floor.coin_ins(50, 1)
    assign(floor, 3)
    turn("JPH")
    with_cards(**floor.place(0))
    logged = key.j_pot(table_code="UTH-01")
    assert amounts(logged) == [(3, "1000.07")]  # 5 % of 20,001.40
    turn("RUN")
    assert floor.stands()[0] == "19036.33"


def test_a_later_hit_elsewhere_waits_for_a_lit_key_whose_seats_are_not_said_yet() -> None:
    floor = a_lit_round("royal")
    floor.coin_in("2", 1)
    floor.mark(2, "royal", 1)
    floor.confirm(1)
    with pytest.raises(Refused, match="Royal flush at UTH-01 came first"):
        floor.card(table=1)


def test_jph_without_seats_asks_for_them_and_j_pot_is_refused_with_the_cure() -> None:
    floor = a_lit_round()
    told = turn("JPH")
    why = "Say on the pit page which seats hold Five percent in round 1 at UTH-01."
    assert (told["position"], told["hits"]) == ("JPH", [])
    assert told["missing"].startswith(why)
    with pytest.raises(Refused) as refused:
        key.j_pot(table_code="UTH-01")
    assert refused.value.why.startswith(why)
    assert refused.value.code == "seats_missing"
    assert floor.stands()[0] == "20001.40"


def test_seats_said_with_the_key_at_jph_are_asked_for_at_once() -> None:
    floor = a_lit_round()
    turn("JPH")
    asked = assign(floor, 1, 3)
    assert [(due["seat"], due["amount"]) for due in asked["hits"]] == [(3, "1000.07"), (1, "950.07")]
    with_cards(**floor.place(0))
    assert len(key.j_pot(table_code="UTH-01")["wins"]) == 2


def test_two_keys_lit_need_both_their_seats_before_anything_is_asked_for() -> None:
    floor = a_lit_round()
    light(floor, "straight_flush")
    turn("JPH")
    assert "hits" not in assign(floor, 1)
    with pytest.raises(Refused, match="which seats hold Straight flush in"):
        key.j_pot(table_code="UTH-01")
    assert [due["seat"] for due in assign(floor, 6, hand="straight_flush")["hits"]] == [6, 1]


def test_seats_may_be_said_anew_until_they_are_asked_for() -> None:
    floor = a_lit_round()
    assign(floor, 1, 3)
    assert [mark["seat"] for mark in assign(floor, 3, 6)["marks"]] == [3, 6]
    turn("JPH")
    with pytest.raises(Refused, match="Turn the key to RUN, then say the seats anew"):
        assign(floor, 1)
    turn("RUN")
    assert [mark["seat"] for mark in assign(floor, 1)["marks"]] == [1]


def test_the_key_again_takes_the_seats_with_it_and_nothing_can_be_said_any_more() -> None:
    floor = a_lit_round()
    assign(floor, 1, 3)
    assert put_out(floor)["marks"] == []
    assert set(Win.objects.values_list("state", flat=True)) == {"assigned", "unmarked"}
    with pytest.raises(Refused, match="No key “five” is lit"):
        assign(floor, 1)
    assert isinstance(floor.say(EndRequest(1)), PostedAnswer)


@pytest.mark.parametrize(
    ("seats", "words"), [((), "Choose at least one seat"), ((2,), "Seat 2 has no coin-in in round 1 at UTH-01")]
)
def test_seats_that_cannot_be_meant_are_refused(seats: tuple[int, ...], words: str) -> None:
    floor = a_lit_round()
    with pytest.raises(Refused, match=words):
        assign(floor, *seats)
    assert Win.objects.count() == 1


def test_marks_of_a_table_with_its_key_at_jph_are_closed_both_ways() -> None:
    floor = a_lit_round()
    turn("JPH")
    for act in (lambda: light(floor, "royal"), lambda: put_out(floor), lambda: floor.mark(1, "royal")):
        with pytest.raises(Refused, match=r"Key 17 stands at JPH at UTH-01\. Turn the key to RUN\."):
            act()
    assert [win.state for win in Win.objects.all()] == ["marked"]


def test_a_board_hand_proposes_every_seat_with_coin_in() -> None:
    floor = key_floor()
    floor.coin_in("136")
    table = floor.casino.table
    assert lit_keys.proposed(table.rounds.get(), "royal_community") == [1, 3, 6]
    assert lit_keys.proposed(table.rounds.get(), "five") == []


def a_board_floor(**more: Any) -> Floor:
    floor = Floor(pay_table=a_pay_table(source="meter"), meter="18636.60", **more)
    floor.coin_in("2467")
    return floor


def test_card_profile_a_board_hand_marks_every_seat_in_one_touch_and_takes_it_back_in_one() -> None:
    floor = a_board_floor()
    assert [mark["seat"] for mark in light(floor, "royal_community")["marks"]] == [2, 4, 6, 7]
    assert light(floor, "royal_community")["repeat"] is True
    assert put_out(floor, "royal_community")["marks"] == []
    floor.mark(4, "royal_community")
    assert [mark["seat"] for mark in light(floor, "royal_community")["marks"]] == [4, 2, 6, 7]
    assert len(floor.confirm()["hits"]) == 4


def test_card_profile_any_other_hand_needs_its_seat() -> None:
    floor = a_board_floor()
    with pytest.raises(Refused, match="Say which seat holds Full house"):
        light(floor, "full_house")
    assert not Win.objects.exists()


def test_a_hand_that_nobody_pays_and_a_round_without_chips_are_refused() -> None:
    floor = key_floor()
    floor.coin_in("")
    with pytest.raises(Refused, match="No seat has coin-in in round 1 at UTH-01"):
        light(floor)
    floor.say(EndRequest(1))
    floor.coin_in("1")
    with pytest.raises(Refused, match="No jackpot of UTH-01 pays the hand “quads”"):
        light(floor, "quads")


def test_a_table_put_on_hold_keeps_its_lit_key() -> None:
    floor = a_lit_round()
    set_table_state(table=floor.casino.table, state=TableState.HELD, by="tests", why="looked at")
    assign(floor, 1)
    assert hit.marks(RoundRef("UTH-01", 1))["marks"][0]["seat"] == 1


def test_a_lit_key_that_is_corrected_to_another_wager_ranks_there_from_the_correction() -> None:
    """Its mark went out there with the first word, and marks taken back rank nobody."""
    floor = TwoWagers(profile="key")
    floor.coin_in("1", "2")
    lit = lit_keys.light(**floor.place, hand=ROYAL, by="Test Dealer")
    assert [mark["seat"] for mark in lit["marks"]] == [None]
    first = Entry.objects.filter(kind="mark", jackpot=floor.mega).latest("seq").seq

    def says(*seats: int) -> list[Win]:
        lit_keys.assign(**floor.place, hand=ROYAL, seats=list(seats), by="Test Supervisor")
        return list(Win.objects.filter(state="marked").exclude(seat=0).order_by("jackpot_id"))

    (grand,) = says(1)
    assert (grand.jackpot, grand.seat) == (floor.grand, 1)
    (mega,) = says(2)
    assert (mega.jackpot, mega.seat) == (floor.mega, 2)
    assert mega.mark_seq > first, "from the correction on"
    assert not Win.objects.filter(jackpot=floor.grand, state="marked").exists(), "nobody holds it there any more"
