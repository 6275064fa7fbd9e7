"""Cards at the pit: blocked in one touch, unlocked by an administrator or by two people, over the page and the API."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.test import Client

from jackpot.people.actions.presence import CardSource, card_with_pin, number_on
from jackpot.people.models import Card
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tests.builders import CARD_PIN, a_card, a_casino, a_person, a_property
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db
SUPERVISOR, EXECUTIVE, OTHER, PIN = "600000000201", "900000000301", "900000000302", "274916"
TWO: dict[str, str] = {"first-card": OTHER, "first-pin": PIN, "second-card": SUPERVISOR, "second-pin": CARD_PIN}


def swipe(number: str = EXECUTIVE, pin: str = PIN) -> Card:
    return card_with_pin(swipe=number, pin=pin, pin_from_level=3)


def a_locked_card() -> Card:
    a_casino()
    a_card(a_person("supervisor"), number=SUPERVISOR, level="supervisor")
    a_card(a_person("other"), number=OTHER, level="executive", pin=PIN)
    card = a_card(a_person("executive", password="a long enough word"), number=EXECUTIVE, level="executive", pin=PIN)
    for _ in range(3):
        with pytest.raises(Refused, match="do not fit together"):
            swipe(pin="000000")
    return card


def told(client: Client, act: str, **form: Any) -> str:
    return " ".join(client.post(f"/pit/cards/{act}/", form, follow=True).content.decode().split())


def api(client: Client, card: Card, act: str, **body: Any) -> Any:
    return client.post(f"/api/v1/cards/{card.id}/{act}/", body, content_type="application/json")


@pytest.mark.parametrize(
    "swiped",
    [EXECUTIVE, f" {EXECUTIVE} ", f";{EXECUTIVE}=29011010000012300000?", f"%B{EXECUTIVE}^TEST/EXECUTIVE^29011010000?"],
)  # fmt: skip
def test_a_number_is_read_from_track_1_track_2_or_the_keys(swiped: str) -> None:
    assert number_on(swiped) == EXECUTIVE


def test_three_wrong_pins_lock_a_card_and_its_owner_is_told_who_helps() -> None:
    """The right PIN at a locked card is answered like a wrong one: who guesses on learns nothing."""
    card = a_locked_card()
    with pytest.raises(Refused, match=r"Three wrong PINs lock a card; an administrator sees") as refused:
        swipe()
    assert refused.value.code == "pin_wrong"
    assert Trail.objects.filter(act="wrong_pin").latest("id").why == "the card is locked now"
    owner = CardSource(person=card.operator, password="a long enough word")
    with pytest.raises(Refused, match=r"An administrator unlocks it, or another executive with a second person\."):
        card_with_pin(swipe=EXECUTIVE, pin="", pin_from_level=3, source=owner)


def test_a_right_pin_in_between_starts_the_count_anew() -> None:
    a_casino()
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin=PIN)
    for _ in range(2):
        for _ in range(2):
            with pytest.raises(Refused, match="do not fit together"):
                swipe(pin="000000")
        assert swipe().wrong_pins in {0, 2}
    assert Card.objects.get().locked_at is None


def test_an_administrator_unlocks_alone_with_a_reason() -> None:
    card = a_locked_card()
    admin = signed_in("people", username="admin")
    assert "You may unlock it alone" in admin.get("/pit/cards/").content.decode()
    assert "Say why card •••• 0301 is unlocked." in told(admin, "unlock", number=card.id)
    assert "is unlocked. Its PIN is the old one." in told(admin, "unlock", number=card.id, reason="forgot it")
    assert swipe().operator.username == "executive"
    assert Trail.objects.get(act="unlock_card").why == "forgot it"
    assert "Card •••• 0301 is not locked." in told(admin, "unlock", number=card.id, reason="again")


def test_another_executive_and_a_second_person_unlock_it() -> None:
    card = a_locked_card()
    pit = signed_in("approve", username="pit")
    assert "An executive’s card and a second person’s" in pit.get("/pit/cards/").content.decode()
    assert "is unlocked" in told(pit, "unlock", number=card.id, reason="forgot it", **TWO)
    line = Trail.objects.select_related("person").get(act="unlock_card")
    assert (str(line.person), line.details["second"]) == ("Test Other", "Test Supervisor")


@pytest.mark.parametrize(
    ("changed", "words"),
    [
        ({"first-card": "", "second-card": ""}, "unlocked by an administrator, or by another executive and a second"),
        ({"second-card": OTHER, "second-pin": PIN}, "unlocked by an administrator"),
        ({"first-card": SUPERVISOR, "first-pin": CARD_PIN}, "unlocked by an administrator"),
        ({"first-pin": ""}, "Give its PIN"),
        ({"second-pin": ""}, "Give its PIN"),
        ({"first-card": EXECUTIVE}, "do not fit together"),
        ({"reason": ""}, "Say why card"),
        ({"number": "9999"}, "There is no such card in this house."),
    ],
)
def test_less_than_that_unlocks_nothing(changed: dict[str, str], words: str) -> None:
    card = a_locked_card()
    form = {"number": str(card.id), "reason": "forgot it", **TWO, **changed}
    assert words in told(signed_in("approve", username="pit"), "unlock", **form)
    assert Card.objects.get(id=card.id).locked_at is not None


def test_nobody_unlocks_a_card_of_their_own() -> None:
    a_casino()
    owner = a_person("admin", may=("people",))
    card = a_card(owner, number=EXECUTIVE, level="executive", pin=PIN)
    Card.objects.update(locked_at="2026-01-01T00:00:00Z")
    client = Client()
    client.force_login(owner)
    assert "Test Admin cannot unlock a card of their own." in told(client, "unlock", number=card.id, reason="mine")


def test_a_lost_card_is_blocked_in_one_touch_and_refused_at_once() -> None:
    a_casino()
    card = a_card(a_person("supervisor"), number=SUPERVISOR, level="supervisor")
    pit = signed_in("approve", username="pit")
    assert "Card •••• 0201 of Test Supervisor is blocked." in told(pit, "block", number=card.id)
    with pytest.raises(Refused, match="is blocked"):
        swipe(SUPERVISOR, CARD_PIN)
    assert "blocked" in pit.get("/pit/cards/").content.decode()


def test_an_expired_card_is_refused_with_its_day() -> None:
    a_casino()
    a_card(a_person("supervisor"), number=SUPERVISOR, level="supervisor")
    Card.objects.update(expires_on=date(2020, 3, 1))
    with pytest.raises(Refused, match="expired on 01 Mar 2020") as refused:
        swipe(SUPERVISOR, CARD_PIN)
    assert refused.value.code == "card_expired"


def test_the_api_blocks_and_unlocks_and_tells_the_card() -> None:
    card = a_locked_card()
    pit = signed_in("approve", username="pit")
    assert api(pit, card, "unlock", reason="forgot it").status_code == 403
    cards = [{"card": OTHER, "pin": PIN}, {"card": SUPERVISOR, "pin": CARD_PIN}]
    assert api(pit, card, "unlock", reason="forgot it", cards=cards).json()["locked_at"] is None
    assert api(pit, card, "block", reason="lost").json()["blocked_at"] is not None
    assert api(pit, card, "block").status_code == 400


def test_whoever_only_reads_and_another_house_change_nothing() -> None:
    card = a_locked_card()
    reader = signed_in("read_books", username="reader")
    assert "Unlock" not in reader.get("/pit/cards/").content.decode()
    assert api(reader, card, "block", reason="lost").status_code == 403
    stranger = signed_in("approve", username="stranger", premises=a_property("OTHER"))
    assert api(stranger, card, "block", reason="lost").status_code == 404
    assert "no such card" in told(stranger, "block", number=card.id)
    assert Card.objects.filter(blocked_at=None).count() == 3
