"""People, what they may do, and the cards they carry."""

from __future__ import annotations

import datetime
import re
from typing import Any

import pytest

from jackpot.people.actions import people, presence
from jackpot.people.models import Card
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tests import builders
from tests.builders import BY

pytestmark = pytest.mark.django_db
NUMBER = "600000000777"
NOW = datetime.datetime(2026, 11, 18, tzinfo=datetime.UTC)


def test_a_person_may_what_any_of_the_roles_allows():
    builders.a_role("count", "see", "count")
    person = builders.a_person("ada", roles=["count"], may=("pay",))
    assert person.verbs() == {"see", "count", "pay"}
    assert not person.may("approve")


def test_another_role_counts_from_this_moment():
    person = builders.a_person("ada", may=("pay",))
    builders.a_role("watch", "watch")
    people.alter_person(operator=person, name="Ada", roles=["watch"], by=BY)
    assert person.verbs() == {"watch"}
    trail = Trail.objects.get(act="alter_person")
    assert (trail.details["before"]["roles"], trail.details["after"]["roles"]) == (["ada-only"], ["watch"])


def test_a_verb_that_nobody_knows_is_refused():
    with pytest.raises(Refused, match="“fly” is no verb"):
        people.define_role(code="pilot", name="Pilot", may=["see", "fly"], by=BY)


def test_a_person_of_an_unknown_role_is_not_hired():
    builders.a_role("cage", "pay")
    with pytest.raises(Refused, match=r"There is no role king. Known: cage"):
        builders.a_person("ada", roles=["king"])


def test_a_user_name_is_given_once():
    builders.a_person("ada")
    with pytest.raises(Refused, match="There is already a person ada"):
        builders.a_person("ada")


def test_without_a_password_nobody_signs_in():
    assert not builders.a_person("ada").has_usable_password()


def test_a_card_is_known_by_its_keyed_hash_and_last_four_only():
    card = builders.a_card(builders.a_person("ada"), number=NUMBER, pin="4711")
    assert presence.card_numbered(NUMBER) == card
    assert (card.last_four, card.get_level_display()) == ("0777", "supervisor")
    kept = " ".join(str(value) for value in Card.objects.values_list()[0])
    told = " ".join(str(line.details) for line in Trail.objects.all())
    assert not re.search(f"{NUMBER}|4711", kept + told)


def test_another_file_key_knows_no_card(settings: Any):
    builders.a_card(builders.a_person("ada"), number=NUMBER)
    settings.MASTER_KEY = bytes(32)
    assert presence.card_numbered(NUMBER) is None


def test_a_pin_fits_or_does_not():
    card = builders.a_card(builders.a_person("ada"), number=NUMBER, pin="4711")
    assert presence.pin_fits(card, "4711")
    assert not presence.pin_fits(card, "4712")
    people.set_pin(card=card, pin="8888", by=BY)
    assert (presence.pin_fits(card, "4711"), presence.pin_fits(card, "8888")) == (False, True)


def test_a_card_without_a_pin_fits_no_pin_not_even_an_empty_one():
    assert not presence.pin_fits(builders.a_card(builders.a_person("ada"), number=NUMBER), "")


@pytest.mark.parametrize(
    ("asked", "why"),
    [
        ({"level": "king"}, "“king” is no card level. Choose one of: dealer, supervisor, executive."),
        ({"number": "1234567"}, "8 to 24 letters and digits"),
        ({"number": "1234 5678"}, "8 to 24 letters and digits"),
        ({"pin": "123"}, "A PIN is 4 to 8 digits."),
        ({"pin": "12a4"}, "A PIN is 4 to 8 digits."),
        ({"pin": "١٢٣٤"}, "A PIN is 4 to 8 digits."),
    ],
)
def test_a_card_is_refused_in_a_sentence(asked: dict[str, str], why: str):
    with pytest.raises(Refused, match=re.escape(why)):
        builders.a_card(builders.a_person("ada"), **asked)


def test_a_card_number_is_issued_once():
    builders.a_card(builders.a_person("ada"), number=NUMBER)
    with pytest.raises(Refused, match="Card •••• 0777 is already issued"):
        builders.a_card(builders.a_person("bob"), number=NUMBER)


def test_a_card_is_blocked_in_one_touch_and_once():
    card = builders.a_card(builders.a_person("ada"), number=NUMBER)
    people.block_card(card=card, why="lost", by="executive")
    people.block_card(card=card, why="lost", by="executive")
    card.refresh_from_db()
    assert card.blocked_at is not None
    assert [line.why for line in Trail.objects.filter(act="block_card")] == ["lost"]


def test_a_lower_level_counts_at_once():
    card = builders.a_card(builders.a_person("ada"), number=NUMBER, level="executive")
    people.alter_card(card=card, level="dealer", expires_on=datetime.date(2030, 1, 1), by=BY)
    assert Card.objects.get().level == Card.Level.DEALER
    assert Trail.objects.get(act="alter_card").details["before"]["level"] == "executive"


@pytest.mark.parametrize(
    ("meanwhile", "code"),
    [({"locked_at": NOW}, "pin_wrong"), ({"blocked_at": NOW}, "card_blocked"), ({"wrong_pins": 2}, None)],
)
def test_a_pin_that_fits_is_worth_nothing_once_the_card_was_stopped_meanwhile(
    monkeypatch: pytest.MonkeyPatch, meanwhile: dict[str, Any], code: str | None
):
    """A PIN takes its time: whoever guesses side by side locks the card for all guesses, the right one too."""
    card = builders.a_card(builders.a_person("ada"), number=NUMBER, level="executive", pin="4711")

    def slow(_: Card, pin: str) -> bool:
        Card.objects.filter(id=card.id).update(**meanwhile)
        return pin == "4711"

    monkeypatch.setattr(presence, "pin_fits", slow)
    told: dict[str, Any] = {"swipe": NUMBER, "pin": "4711", "pin_from_level": 3}
    if code is None:
        assert presence.card_with_pin(**told).id == card.id
        assert Card.objects.get().wrong_pins == 0
    else:
        with pytest.raises(Refused) as refusal:
            presence.card_with_pin(**told)
        assert refusal.value.code == code
