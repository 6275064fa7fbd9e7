"""Alarms of what people and their rules leave to be seen to."""

from __future__ import annotations

from datetime import datetime, timedelta

import pytest
from django.utils import timezone

from accounting.alarms.queries import finding
from jackpot.people.actions.people import block_card
from jackpot.people.actions.presence import card_with_pin
from jackpot.people.actions.sign_in import WRONG_TRIES, sign_in, unlock_name
from jackpot.people.models import Card
from jackpot.refusals import Refused
from tests.builders import a_card, a_person


def rings(now: datetime | None = None) -> list[tuple[str, str]]:
    return [(each.kind.value, each.subject) for each in finding.findings(now or timezone.now())]


@pytest.mark.django_db
def test_a_card_that_three_wrong_pins_locked_rings_until_it_is_unlocked_or_blocked() -> None:
    card = a_card(a_person("exec"), level="executive", pin="123456")
    for _ in range(2):
        with pytest.raises(Refused):
            card_with_pin(swipe="600000000001", pin="000000", pin_from_level=3)
    assert rings() == []
    with pytest.raises(Refused):
        card_with_pin(swipe="600000000001", pin="000000", pin_from_level=3)
    assert rings() == [("card locked", "exec 0001")]
    assert "Test Exec is locked after three wrong PINs" in finding.findings(timezone.now())[0].words
    Card.objects.filter(pk=card.pk).update(locked_at=None)
    assert rings() == []
    Card.objects.filter(pk=card.pk).update(locked_at=timezone.now())
    block_card(card=Card.objects.get(pk=card.pk), why="lost", by="tests")
    assert rings() == []


@pytest.mark.django_db
def test_a_name_that_waits_after_wrong_passwords_rings_until_it_is_right_or_unlocked() -> None:
    anna = a_person("anna", password="right")
    for tried in range(WRONG_TRIES):
        assert rings() == [], f"after {tried} wrong passwords nobody need come"
        with pytest.raises(Refused):
            sign_in(username="anna", password="wrong", address="10.0.0.7")
    assert rings() == [("sign-in locked", "anna")]
    assert "the last from 10.0.0.7" in finding.findings(timezone.now())[0].words
    assert rings(timezone.now() + timedelta(minutes=16)) == []
    unlock_name(person=anna, why="she is here", by=a_person("admin", may=("people",)))
    assert rings() == []
