"""Overrides take an executive and a second person of the pit, neither of whom marked the hit."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import pytest

from jackpot.books.models.entry import Entry
from jackpot.people.models import Operator
from jackpot.refusals import Refused
from jackpot.wins.models import Signature
from tables.hits.actions import hit
from tables.hits.actions.hand_entry import EnteredCards, enter_cards
from tables.hits.actions.hand_override import override_cards
from tests.builders import CARD_PIN, a_card, a_person
from tests.tables.hits.test_hit import EXECUTIVE, SECOND, SUPERVISOR, Floor, ref_b

pytestmark = pytest.mark.django_db

DEALER = "600000000101"
PINS = {EXECUTIVE: "274916", SECOND: "385027"}
Override = Callable[[Floor, Sequence[str]], Any]


def supervisor() -> Operator:
    return Operator.objects.get(username="supervisor")


def a_queue() -> Floor:
    """UTH-01 is first; UTH-02 waits, its royal marked by Test Supervisor."""
    floor = ref_b(2)
    for table, who in ((0, "Test Dealer"), (1, supervisor())):
        floor.coin_in("1", table)
        hit.mark(**floor.place(table), seat=1, hand="royal", by=who)
        floor.confirm(table)
    return floor


def wrong_cards() -> Floor:
    """A royal of seat 1, marked by Test Supervisor, that its cards disprove."""
    floor = Floor(2, meter="19999.30")
    for table in (0, 1):
        floor.coin_in("1", table)
    hit.mark(**floor.place(1), seat=1, hand="royal_first_5", by=supervisor())
    hit.confirm(**floor.place(1), by="Test Dealer")
    enter_cards(**floor.place(1), entered=EnteredCards("Ah Kh Qh As Kd", {1: "2c 7d"}), by="Test Dealer")
    return floor


def passes(floor: Floor, cards: Sequence[str]) -> Any:
    told = [(card, PINS.get(card, CARD_PIN)) for card in cards]
    return hit.pass_queue(**floor.place(1), cards=told, reason="the first winner left")


def overrides(floor: Floor, cards: Sequence[str]) -> Any:
    told = [(card, PINS.get(card, CARD_PIN)) for card in cards]
    return override_cards(**floor.place(1), cards=told, reason="mucked; camera 7")


SCENES = pytest.mark.parametrize(
    ("scene", "act"), [(a_queue, passes), (wrong_cards, overrides)], ids=["the order", "the cards"]
)


@SCENES
@pytest.mark.parametrize(
    ("cards", "code", "why"),
    [
        ([EXECUTIVE, DEALER], "level", "The second person needs a supervisor card; Test Dealer has a dealer card."),
        ([EXECUTIVE, SUPERVISOR], "same_person", "Test Supervisor marked this hit and cannot override for it."),
        ([EXECUTIVE, EXECUTIVE], "two_people", "only by an executive and a second, different person."),
        ([SUPERVISOR, DEALER], "two_people", "only by an executive and a second, different person."),
    ],
)
def test_whoever_may_not_is_told_why_and_nothing_is_noted(
    scene: Callable[[], Floor], act: Override, cards: list[str], code: str, why: str
) -> None:
    floor = scene()
    a_card(a_person("dealer"), number=DEALER, level="dealer", pin=CARD_PIN)
    entries = Entry.objects.count()
    with pytest.raises(Refused) as refusal:
        act(floor, cards)
    assert (refusal.value.code, why in refusal.value.why) == (code, True)
    assert (Entry.objects.count(), Signature.objects.count()) == (entries, 0)


@SCENES
def test_two_others_may_whoever_is_swiped_first(scene: Callable[[], Floor], act: Override) -> None:
    assert act(scene(), [SECOND, EXECUTIVE])


@SCENES
def test_where_the_house_lets_markers_verify_they_may_override_too(scene: Callable[[], Floor], act: Override) -> None:
    floor = scene()
    floor.casino.premises.marker_may_verify = True
    floor.casino.premises.save()
    assert act(floor, [SUPERVISOR, EXECUTIVE])
