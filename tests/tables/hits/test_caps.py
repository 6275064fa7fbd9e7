"""Splitting: many small hits signed without cards of the hand are, together, what needs them."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.money import Money
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card, Operator
from jackpot.property.rules.authority import Thresholds, beyond_the_cap, judging
from jackpot.property.rules.authority_change import is_stricter, read, spoken
from jackpot.refusals import Refused
from jackpot.wins.models import Win
from tables.hits.actions import hit, key
from tables.hits.actions.hand_entry import EnteredCards, enter_cards
from tables.rounds.rules.round import EndRequest
from tests.builders import CARD_PIN
from tests.tables.hits.test_hit import EXECUTIVE, SUPERVISOR, Floor
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db
BOARD = "Ah Kh Qh As Kd"


def capped(tables: int = 1, **caps: Any) -> Floor:
    floor = Floor(tables, meter="20000.00", reserve="617.25")
    for name, value in caps.items():
        setattr(floor.casino.premises, name, value)
    floor.casino.premises.save()
    return floor


def a_full_house(floor: Floor, seat: int = 3, table: int = 0) -> None:
    """A hit of 10.00 waits; nobody has entered its cards."""
    floor.coin_in(str(seat), table)
    floor.mark(seat, "full_house", table)
    hit.confirm(**floor.place(table), by="Test Dealer")


def signs(floor: Floor, card: str = SUPERVISOR, pin: str = CARD_PIN, table: int = 0) -> str:
    """What came of a card at the table itself; an approved round is ended."""
    try:
        floor.card(card, pin, table)
    except Refused as refused:
        return refused.code
    floor.say(EndRequest(floor.rounds[table]), table)
    return "approved"


@pytest.mark.parametrize("caps", [{"unseen_sum": "30.00"}, {"unseen_count": 3}])
def test_beyond_the_cap_the_cards_are_entered_or_another_person_signs(caps: dict[str, Any]) -> None:
    floor = capped(**caps)
    for _ in range(3):
        a_full_house(floor)
        assert signs(floor) == "approved"
    a_full_house(floor)
    stands, wins = floor.stands(), Win.objects.filter(state="owed").count()
    assert signs(floor) == "cap"
    assert (floor.stands(), Win.objects.filter(state="owed").count()) == (stands, wins), "nothing moved"
    with pytest.raises(Refused, match=r"signed 30\.00 in 3 hits at UTH-01 today without the cards"):
        floor.card(SUPERVISOR, CARD_PIN)
    enter_cards(**floor.place(0), entered=EnteredCards(BOARD, {3: "Ac Kc"}), by="Test Supervisor")
    assert signs(floor) == "approved", "the cards prove it"
    a_full_house(floor)
    assert (signs(floor), signs(floor, EXECUTIVE, "274916")) == ("cap", "approved")


def test_each_table_and_each_day_count_for_themselves() -> None:
    floor = capped(2, unseen_count=1)
    a_full_house(floor)
    assert signs(floor) == "approved"
    a_full_house(floor, table=1)
    assert signs(floor, table=1) == "approved"
    a_full_house(floor)
    assert signs(floor) == "cap"
    tamper_with(Win.objects.filter(state="owed"), gaming_day="2020-01-01")
    assert signs(floor) == "approved"


def test_a_round_of_many_hits_is_one_sum() -> None:
    floor = capped(unseen_sum="25.00")
    floor.coin_in("123")
    for seat in (1, 2, 3):
        floor.mark(seat, "full_house")
    hit.confirm(**floor.place(0), by="Test Dealer")
    assert signs(floor) == "cap"


def test_j_pot_by_a_key_is_its_holders_word() -> None:
    floor = capped(unseen_count=1)
    floor.casino.table.profile = "key"
    floor.casino.table.save()
    executive = Operator.objects.get(username="executive")
    sign_key_out(premises=floor.casino.premises, number="19", operator=executive, by="Pit", level=Card.Level.EXECUTIVE)
    heard = []
    for _ in range(2):
        floor.coin_in("1")
        floor.mark(1, "full_house")
        key.turn(table_code="UTH-01", key_number="19", position="JPH")
        try:
            key.j_pot(table_code="UTH-01")
            heard.append("logged")
        except Refused as refused:
            heard.append(refused.code)
        key.turn(table_code="UTH-01", key_number="19", position="RUN")
        floor.say(EndRequest(floor.rounds[0]))
    assert heard == ["logged", "cap"]


def test_a_house_without_caps_is_asked_nothing() -> None:
    floor = capped()
    for _ in range(4):
        a_full_house(floor)
        assert signs(floor) == "approved"


@pytest.mark.parametrize(
    ("total", "count", "beyond"),
    [("30.00", 3, ""), ("30.01", 3, "30.00 a day"), ("10.00", 4, "3 hits a day"), ("0.00", 0, "")],
)
def test_the_cap_itself_is_still_within(total: str, count: int, beyond: str) -> None:
    house = Thresholds(unseen_sum=Money.of(30), unseen_count=3)
    assert beyond_the_cap(house, Money.of(total), count) == beyond
    assert not beyond_the_cap(Thresholds(), Money.of(total), count)


def test_a_lower_cap_is_stricter_and_of_two_times_the_stricter_counts() -> None:
    assert is_stricter("unseen_count", None, 5)
    assert not is_stricter("unseen_count", 5, None)
    assert is_stricter("unseen_count", 5, 4)
    assert is_stricter("unseen_sum", "50.00", "40.00")
    assert (read("unseen_count", "never"), read("unseen_count", "20")) == (None, 20)
    assert (spoken("unseen_count", None), spoken("unseen_count", 1200)) == ("never", "1,200")
    both = judging(Thresholds(unseen_count=3), Thresholds(unseen_sum=Money.of(5), unseen_count=9))
    assert (both.unseen_count, both.unseen_sum) == (3, Money.of(5))
