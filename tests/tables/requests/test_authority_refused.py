"""Requests for other authority that are refused, and why."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from jackpot.authority.actions import level
from jackpot.authority.models import AuthorityChange
from jackpot.people.actions.people import block_card
from jackpot.people.models import Card
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, refuse, sign, withdraw
from tests.builders import a_person, a_property
from tests.scenes_authority import (
    DAY_ONE,
    SetClock,
    a_set_clock,
    asked,
    signed,
    traveller,
    two_signers,
)
from tests.tables.hits.test_hit import ref_b
from tests.tables.requests.test_authority import house

pytestmark = pytest.mark.django_db


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Iterator[SetClock]:
    with traveller() as journey:
        set_to = a_set_clock(monkeypatch, journey)
        set_to(DAY_ONE)
        yield set_to


@pytest.mark.parametrize(
    ("wished", "why"),
    [
        ({}, "These are the settings of REF already"),
        ({"executive_threshold": "5000.00"}, "These are the settings of REF already"),
        ({"executive_threshold": "much"}, "is not an amount"),
        ({"meter": "1.00"}, "is no setting"),
    ],
)
def test_what_cannot_be_signed_is_not_asked_for(clock: SetClock, wished: dict[str, Any], why: str) -> None:
    floor = ref_b(meter="100.00")
    with pytest.raises(Refused, match=why):
        asked(house(floor), **wished)
    assert not AuthorityChange.objects.exists()


def test_the_second_person_is_another_one_who_may(clock: SetClock) -> None:
    floor = ref_b(meter="100.00")
    change = asked(house(floor), executive_threshold="7500.00")
    asker, signer = two_signers()
    for who, why in (
        (asker, "a second, different person"),
        (a_person("cage", may=("pay",)), "people who may configure"),
    ):
        with pytest.raises(Refused, match=why):
            sign(request_id=change.pk, approver=SecondPerson(who))
    with pytest.raises(Refused, match="withdraw it instead"):
        refuse(request_id=change.pk, reason="no", by=asker)
    with pytest.raises(Refused, match="asked for this"):
        withdraw(request_id=change.pk, reason="no", by=signer)
    assert house(floor).authority == []


def test_a_request_on_a_setting_that_changed_since_is_asked_for_anew(clock: SetClock) -> None:
    floor = ref_b(meter="100.00")
    stale = asked(house(floor), executive_threshold="7500.00")
    signed(house(floor), executive_threshold="4000.00")
    with pytest.raises(Refused, match=r"became 4,000.00. Ask for it anew"):
        sign(request_id=stale.pk, approver=SecondPerson(two_signers()[1]))
    waits = signed(house(floor), executive_threshold="6000.00")
    with pytest.raises(Refused, match=f"counts from 11 Mar 2027: change {waits.number}"):
        asked(house(floor), executive_threshold="6000.00")


def test_a_card_is_not_raised_by_its_owner_nor_to_what_it_is(clock: SetClock) -> None:
    ref_b(meter="100.00")
    asker, signer = two_signers()
    card = Card.objects.get(level=2)
    card.operator = signer
    card.save()
    with pytest.raises(Refused, match="Nobody raises a card of their own"):
        level.ask_level(card=card, level="executive", reason="mine", by=signer)
    change = level.ask_level(card=card, level="executive", reason="promoted", by=asker)
    with pytest.raises(Refused, match="Nobody raises a card of their own"):
        sign(request_id=change.pk, approver=SecondPerson(signer))
    for to, why in (("supervisor", "is a supervisor card already"), ("king", "is no card level")):
        with pytest.raises(Refused, match=why):
            level.ask_level(card=card, level=to, reason="a slip", by=asker)
    block_card(card=card, why="lost", by="Pit")
    with pytest.raises(Refused, match="is blocked"):
        sign(request_id=change.pk, approver=SecondPerson(a_person("third", may=("people",))))


def test_another_house_is_not_there_for_a_signer(clock: SetClock) -> None:
    floor = ref_b(meter="100.00")
    stranger = a_person("stranger", may=("configure",), premises=a_property("OTHER"))
    change = asked(house(floor), executive_threshold="7500.00")
    with pytest.raises(Refused, match="no such house"):
        sign(request_id=change.pk, approver=SecondPerson(stranger))
