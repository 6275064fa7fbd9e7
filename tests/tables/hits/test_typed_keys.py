"""What a key opens; and one whose number is typed shows nobody to be there: J-POT, void and recount take a PIN."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from typing import Any

import pytest
from django.utils import timezone

from jackpot.people.actions.keys import sign_key_back, sign_key_out
from jackpot.people.actions.people import block_card
from jackpot.people.actions.presence import CardSource
from jackpot.people.models import Card, KeyRegister, Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.wins.models import Signature, Win
from tables.hits.actions import key
from tables.hits.actions.taking_back import signers
from tests.builders import CARD_PIN, a_card, a_person
from tests.hands import with_cards
from tests.tables.hits.test_hit import ON_THE_PIT_PAGE, Floor, key_floor

pytestmark = pytest.mark.django_db

HOLDERS_PIN = "719246"


def lit(executive_from: int = 20_001) -> tuple[Floor, CardSource]:
    """A lit hand of 20,000.00 with key 17 at JPH; the dealer's own page is the source."""
    floor = key_floor()
    floor.casino.premises.executive_threshold = executive_from
    floor.casino.premises.save()
    a_card(Operator.objects.get(username="holder"), number="700000000017", level="executive", pin=HOLDERS_PIN)
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    with_cards(**floor.place(0))
    return floor, CardSource(person=a_person("at the console"))


def j_pot(source: CardSource, pin: str = "") -> dict[str, Any]:
    return key.j_pot(table_code="UTH-01", pin=pin, source=source)


def test_at_a_console_j_pot_takes_the_pin_of_who_signed_the_key_out() -> None:
    _, console = lit()
    with pytest.raises(Refused, match="Test Holder, who signed it out, gives the PIN of the own card") as refusal:
        j_pot(console)
    assert (refusal.value.code, Win.objects.get().state, Signature.objects.count()) == ("pin_needed", "asked", 0)
    with pytest.raises(Refused, match="do not fit together") as refusal:
        j_pot(console, CARD_PIN)
    assert (refusal.value.code, Card.objects.get(last_four="0017").wrong_pins) == ("pin_wrong", 1)
    assert j_pot(console, HOLDERS_PIN)["missing"] is None
    word = Signature.objects.select_related("card").get()
    assert word.card is not None
    assert (word.operator.username, word.card.last_four, Win.objects.get().state) == ("holder", "0017", "logged")


def test_who_only_asks_for_the_executive_need_not_show_to_be_there() -> None:
    """The approval is the executive's card on the pit page, whoever holds the key."""
    floor, console = lit(executive_from=20_000)
    assert j_pot(console)["missing"] == ON_THE_PIT_PAGE
    assert (Win.objects.get().state, Signature.objects.count()) == ("asked", 0)
    assert [win["state"] for win in floor.card()["wins"]] == ["logged"]


def test_a_key_switch_reads_its_key() -> None:
    lit()
    assert j_pot(CardSource(box="BOX-UTH-01"))["missing"] is None
    assert Signature.objects.get().card is None


def test_in_the_own_session_no_pin_is_asked_for() -> None:
    lit()
    assert j_pot(CardSource(person=Operator.objects.get(username="holder")))["missing"] is None
    assert Signature.objects.get().operator.username == "holder"


def test_a_holder_without_a_card_that_has_a_pin_shows_nothing() -> None:
    _, console = lit()
    Card.objects.filter(last_four="0017").update(pin_hash="")
    with pytest.raises(Refused, match="do not fit together"):
        j_pot(console, HOLDERS_PIN)
    assert Win.objects.get().state == "asked"


@pytest.mark.parametrize("gone", [{"expires_on": date(2020, 1, 1)}, {"locked_at": timezone.now(), "wrong_pins": 3}])
def test_a_holder_whose_best_card_does_not_count_any_more_gives_the_pin_of_the_next(gone: dict[str, Any]) -> None:
    _, console = lit()
    a_card(Operator.objects.get(username="holder"), number="700000000018", level="executive", pin="550173")
    Card.objects.filter(last_four="0017").update(level=Card.Level.SUPERVISOR)
    Card.objects.filter(last_four="0018").update(**gone)
    assert j_pot(console, HOLDERS_PIN)["missing"] is None
    assert Signature.objects.get().card == Card.objects.get(last_four="0017")


def _blocked() -> None:
    block_card(card=Card.objects.get(last_four="0017"), why="stolen", by="tests")


def _changed_hands() -> None:
    house = Property.objects.get()
    sign_key_back(premises=house, number="17", by="tests")
    sign_key_out(premises=house, number="17", operator=a_person("another"), by="tests")


@pytest.mark.parametrize(("happens", "told"), [(_blocked, "lost authority"), (_changed_hands, "changed hands")])
def test_what_happens_between_the_pin_and_the_lock_counts(
    monkeypatch: pytest.MonkeyPatch, happens: Callable[[], None], told: str
) -> None:
    _, console = lit()
    locked = key._locked_table

    def meanwhile(table_code: str) -> Any:
        happens()
        return locked(table_code)

    monkeypatch.setattr(key, "_locked_table", meanwhile)
    with pytest.raises(Refused, match=told):
        j_pot(console, HOLDERS_PIN)
    assert (Win.objects.get().state, Signature.objects.count()) == ("asked", 0)


def test_a_round_is_taken_back_by_a_typed_key_with_the_same_pin() -> None:
    _, console = lit()
    with pytest.raises(Refused, match="who signed it out, gives the PIN"):
        signers("UTH-01", first=("", ""), key="17", source=console)
    signed = signers("UTH-01", first=("", HOLDERS_PIN), key="17", source=console)
    assert (signed.by.username, [card.last_four for card in signed.cards]) == ("holder", ["0017"])
    at_the_box = signers("UTH-01", first=("", ""), key="17", source=CardSource(box="BOX-UTH-01"))
    assert (at_the_box.by.username, list(at_the_box.cards)) == ("holder", [])


@pytest.mark.parametrize("level", [Card.Level.SUPERVISOR, Card.Level.EXECUTIVE])
def test_whoever_holds_the_key_it_only_asks_above_the_executive_threshold(level: int) -> None:
    floor = key_floor()
    KeyRegister.objects.update(level=level)
    floor.coin_in("1")
    floor.mark(1, "royal")
    key.turn(table_code="UTH-01", key_number="17", position="JPH")
    asked = key.j_pot(table_code="UTH-01")
    assert (asked["missing"], asked["card"], asked["total"]) == (ON_THE_PIT_PAGE, "executive", "20000.00")
    assert (Signature.objects.count(), [win.state for win in Win.objects.all()]) == (0, ["asked"])
    with_cards(**floor.place(0))
    assert [win["state"] for win in floor.card()["wins"]] == ["logged"]
    assert [win["state"] for win in key.turn(table_code="UTH-01", key_number="17", position="RUN")["wins"]] == ["owed"]
