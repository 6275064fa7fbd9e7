"""Held cards are overridden: an executive, a second person, two cards, a reason; an entry of zero movement."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.books.models.entry import Entry
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.trail.models import Trail
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.award_record import OverrideRecord
from tables.hits.actions.hand_override import override_cards
from tests.builders import CARD_PIN
from tests.hands import hand_of
from tests.tables.hits.test_hands import BOTH, PIN, SECOND_PIN, asked, enter, refused, swipe
from tests.tables.hits.test_hit import EXECUTIVE, SECOND, SUPERVISOR, Floor, amounts

pytestmark = pytest.mark.django_db


def held() -> Floor:
    floor = asked((3, "royal_first_5"))
    enter(floor, seat3="2c 7d")
    return floor


def override(floor: Floor, cards: list[tuple[str, str]], reason: str = "mucked; camera 7") -> dict[str, Any]:
    return override_cards(**floor.place(0), cards=cards, reason=reason)


@pytest.mark.parametrize(
    ("cards", "code"),
    [
        ([(EXECUTIVE, PIN), (EXECUTIVE, PIN)], "two_people"),
        ([(EXECUTIVE, ""), (SUPERVISOR, CARD_PIN)], "pin_needed"),
        ([(EXECUTIVE, "000000"), (SUPERVISOR, CARD_PIN)], "pin_wrong"),
        ([(EXECUTIVE, PIN)], "two_people"),
    ],
)
def test_it_takes_an_executive_a_second_person_and_the_pin(cards: list[tuple[str, str]], code: str) -> None:
    floor = held()
    with refused(code):
        override(floor, cards)
    with refused("cards_differ"):
        swipe(floor)


def test_two_supervisors_are_not_enough() -> None:
    floor = held()
    Card.objects.update(level=Card.Level.SUPERVISOR)
    with refused("two_people"):
        override(floor, BOTH)


def test_it_needs_a_reason_and_something_that_is_held() -> None:
    with refused("reason"):
        override(held(), BOTH, " ")


def test_missing_cards_are_no_matter_for_an_override() -> None:
    floor = asked((3, "royal_first_5"))
    with refused("nothing_held"):
        override(floor, BOTH)


def test_it_is_an_entry_of_zero_movement_with_two_names_and_goes_onto_the_page() -> None:
    floor = held()
    before = floor.stands()
    override(floor, BOTH)
    assert floor.stands() == before
    assert Entry.objects.filter(kind="override").count() == 1
    words = Signature.objects.filter(part=Signature.Part.CARDS)
    assert {str(word.operator) for word in words} == {"Test Executive", "Test Supervisor"}
    assert amounts(swipe(floor)) == [(3, "20000.70")]
    win = Win.objects.get()
    assert (win.cards_checked, hand_of(win).overridden) == (False, True)
    assert win.override is not None
    assert win.record.override == OverrideRecord.of(win.override)
    assert win.record.override.why == "mucked; camera 7"


def test_other_cards_or_another_mark_need_another_override() -> None:
    floor = held()
    override(floor, BOTH)
    enter(floor, seat3="3c 8d")
    with refused("cards_differ"):
        swipe(floor)
    override(floor, BOTH)
    assert swipe(floor)["missing"] is None
    assert Entry.objects.filter(kind="override").count() == 2


def test_an_impossible_pair_is_paid_on_two_peoples_word() -> None:
    floor = asked((2, "royal_first_5"), (5, "royal_first_7"))
    assert override(floor, [(SECOND, SECOND_PIN), (SUPERVISOR, CARD_PIN)]) == {"overridden": 2}
    assert swipe(floor)["missing"] is None


@pytest.mark.parametrize("pin_from", [1, 2, 3])
@pytest.mark.parametrize("lacks", [0, 1])
def test_both_people_give_their_pin_whatever_the_threshold(pin_from: int, lacks: int) -> None:
    floor = held()
    Property.objects.update(pin_from_level=pin_from)
    cards = list(BOTH)
    cards[lacks] = (cards[lacks][0], "")
    with refused("pin_needed"):
        override(floor, cards)
    assert override(floor, BOTH) == {"overridden": 1}


def test_neither_card_nor_pin_is_kept() -> None:
    floor = held()
    override(floor, BOTH)
    assert EXECUTIVE not in str(list(Trail.objects.values())) + str(list(Win.objects.values()))
