"""Proof of presence: what a card's number does alone, what a guesser hears, and that a locked card does nothing."""

from __future__ import annotations

import time
from datetime import timedelta
from statistics import median
from typing import Any

import pytest
import time_machine
from django.contrib.auth.hashers import Argon2PasswordHasher, make_password
from django.utils import timezone
from hypothesis import given
from hypothesis import strategies as st

from jackpot.pacing.models import PacedTries
from jackpot.pacing.rules import TryPace, spoken_wait
from jackpot.people.actions.presence import CARD_TRIES, TYPED, CardSource, badge_of, card_with_pin
from jackpot.people.models import Card, Operator
from jackpot.people.queries import cards_tried
from jackpot.refusals import Refused
from jackpot.trail.actions.trail import beside_the_line
from jackpot.trail.models import Trail
from tests.builders import AT_BOX, CARD_PIN, a_card, a_person, a_property

pytestmark = pytest.mark.django_db
SUPERVISOR, EXECUTIVE, DEALER, UNKNOWN = "600000000201", "900000000301", "300000000101", "600000000299"
PASSWORD = "a long enough word"
SOURCES = [TYPED, AT_BOX]


def the_people() -> Operator:
    person = a_person("supervisor", password=PASSWORD)
    a_card(person, number=SUPERVISOR)
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin="274916")
    a_card(a_person("dealer"), number=DEALER, level="dealer")
    return person


def heard(swipe: str, pin: str = "", source: CardSource = TYPED, *, always: bool = False) -> tuple[str, str]:
    try:
        card = card_with_pin(swipe=swipe, pin=pin, pin_from_level=3, source=source, always=always)
    except Refused as refused:
        return refused.code, refused.why.replace(swipe[-4:], "####")
    return "accepted", str(card.pin_given)


def test_what_a_number_does_alone_depends_on_who_read_it() -> None:
    the_people()
    assert heard(SUPERVISOR, source=AT_BOX) == ("accepted", "False"), "a reader of the house read it"
    assert heard(SUPERVISOR, source=AT_BOX, always=True)[0] == "pin_needed", "a second person is shown to be there"
    assert heard(SUPERVISOR)[0] == "pin_needed", "typed, or sent by a program"
    assert heard(EXECUTIVE, source=AT_BOX)[0] == "pin_needed", "from the PIN threshold on"
    assert heard(SUPERVISOR, CARD_PIN) == ("accepted", "True")
    assert heard(EXECUTIVE, "274916", AT_BOX, always=True) == ("accepted", "True")


STOPPED: dict[str, dict[str, Any]] = {
    "blocked": {"blocked_at": timezone.now()},
    "expired": {"expires_on": "2020-01-01"},
    "locked": {"locked_at": timezone.now(), "wrong_pins": 3},
}


@pytest.mark.parametrize("source", SOURCES, ids=["typed", "read by a box"])
@pytest.mark.parametrize("pin", ["", "111111"])
def test_unknown_stopped_and_too_low_cards_answer_alike_to_a_guesser(source: CardSource, pin: str) -> None:
    """Every card that would not do answers as the one that does not exist; so does a good one without its PIN."""
    the_people()
    answers = {heard(UNKNOWN, pin, source), heard(DEALER, pin, source), heard(EXECUTIVE, pin, source)}
    for columns in STOPPED.values():
        PacedTries.objects.all().delete()
        Card.objects.update(locked_at=None, wrong_pins=0, blocked_at=None, expires_on=None)
        Card.objects.filter(last_four="0201").update(**columns)
        answers.add(heard(SUPERVISOR, pin, source))
    assert len(answers) == 1, answers
    assert next(iter(answers))[0] == ("pin_wrong" if pin else "pin_needed")


@pytest.mark.parametrize(("stop", "code"), [("blocked", "card_blocked"), ("expired", "card_expired")])
def test_its_own_person_hears_what_is_the_matter(stop: str, code: str) -> None:
    person = the_people()
    Card.objects.filter(last_four="0201").update(**STOPPED[stop])
    assert heard(SUPERVISOR, CARD_PIN)[0] == code
    assert heard(SUPERVISOR, source=CardSource(person=person, password=PASSWORD))[0] == code


def test_a_wrong_pair_takes_as_long_for_a_number_that_is_nobodys(settings: Any) -> None:
    """With the hash that the product uses: one each, and less than a fifth of the processor's time beside it."""
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.Argon2PasswordHasher"]
    the_people()
    hashed, verify = list[str](), Argon2PasswordHasher.verify
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(Argon2PasswordHasher, "verify", lambda *told: (hashed.append(told[1]), verify(*told))[1])
        patch.setattr("jackpot.people.actions.presence.CARD_TRIES", TryPace("card", 10_000, timedelta(seconds=1)))
        patch.setattr("jackpot.people.actions.presence.WRONG_PINS", 10_000)
        Card.objects.filter(last_four="0201").update(pin_hash=make_password("640318"))

        def took(number: str) -> float:
            hashed.clear()
            began = time.process_time()  # whatever a neighbour does meanwhile
            assert heard(number, "111111")[0] == "pin_wrong"
            assert len(hashed) == 1
            return time.process_time() - began

        took(UNKNOWN)
        pairs = [(took(SUPERVISOR), took(UNKNOWN)) for _ in range(9)]
    known, unknown = median(a for a, _ in pairs), median(b for _, b in pairs)
    assert abs(known - unknown) < 0.2 * max(known, unknown), pairs


@pytest.mark.parametrize("source", SOURCES, ids=["typed", "read by a box"])
@pytest.mark.usefixtures("time_stands")
def test_guesses_are_slowed_counted_and_told(source: CardSource) -> None:
    the_people()
    pin = "" if source.box else "1234"
    codes = [heard(f"6000000004{guess:02}", pin, source)[0] for guess in range(20)]
    first = codes.index("too_soon")
    assert first == CARD_TRIES.free, "so many are free"
    assert set(codes[first:]) == {"too_soon"}, "then nothing is looked at, not even a right pair"
    assert heard(SUPERVISOR, CARD_PIN, source)[0] == "too_soon"
    assert Trail.objects.filter(act="card_refused", outcome="refused").count() == CARD_TRIES.free
    assert "6000000004" not in str(list(Trail.objects.values())), "the number may be a PIN in the wrong field"
    [tried] = cards_tried(a_person("pit"), timezone.now())
    assert (tried.tried_by, tried.times) == (source.who, CARD_TRIES.free)
    with time_machine.travel(timezone.now() + timedelta(seconds=2), tick=True):
        assert heard(SUPERVISOR, CARD_PIN, source)[0] == "accepted", "the wait is over, and one may err again"


def test_one_box_that_guesses_slows_no_other() -> None:
    the_people()
    for guess in range(20):
        heard(f"6000000004{guess:02}", source=CardSource(box="UTH-09-C"))
    assert heard(SUPERVISOR, source=AT_BOX)[0] == "accepted"
    assert heard(EXECUTIVE, "274916", AT_BOX)[0] == "accepted"


def test_the_own_password_signs_with_the_own_card_and_with_no_other() -> None:
    person = the_people()
    mine = CardSource(person=person, password=PASSWORD, address="127.0.0.1")
    assert heard(SUPERVISOR, source=mine) == ("accepted", "True")
    assert heard("", source=mine) == ("accepted", "True"), "without a number: the highest card that works"
    assert heard(EXECUTIVE, source=mine)[0] == "own_card"
    assert heard(SUPERVISOR, source=CardSource(person=person, password="wrong"))[0] == "wrong_sign_in"
    Card.objects.filter(last_four="0201").update(locked_at=timezone.now())
    assert heard(SUPERVISOR, source=mine)[0] == "locked"
    assert heard("", source=mine)[0] == "own_card"


def test_a_badge_of_a_locked_card_deals_nowhere() -> None:
    the_people()
    assert badge_of(badge=DEALER, source=AT_BOX).last_four == "0101"
    answers = set()
    for columns in STOPPED.values():
        Card.objects.filter(last_four="0101").update(locked_at=None, blocked_at=None, expires_on=None)
        Card.objects.filter(last_four="0101").update(**columns)
        answers.add(_badge(DEALER))
    assert answers == {_badge(UNKNOWN)}


def _badge(number: str) -> tuple[str, str]:
    with pytest.raises(Refused) as refused:
        badge_of(badge=number, source=AT_BOX)
    return refused.value.code, refused.value.why


@given(st.integers(0, 200))
def test_waits_double_and_end(tries: int) -> None:
    wait = CARD_TRIES.wait_after(tries)
    assert wait <= CARD_TRIES.longest
    assert (wait == timedelta()) is (tries < CARD_TRIES.free)
    assert CARD_TRIES.wait_after(tries + 1) >= wait
    assert spoken_wait(wait)


def test_a_house_without_tries_has_no_alarm() -> None:
    assert cards_tried(a_person("pit", premises=a_property("OTHER")), timezone.now()) == []


def test_proving_to_be_there_is_no_act_yet() -> None:
    """A form is marked as counted with its act's line: a right PIN goes ahead of the act, which may never come."""
    the_people()
    assert heard(EXECUTIVE, "000001")[0] == "pin_wrong"
    signer, done = CardSource(person=a_person("cashier")), list[str]()
    mark = beside_the_line.set(lambda: done.append("counted"))
    try:
        assert heard(EXECUTIVE, "274916", signer)[0] == "accepted"
    finally:
        beside_the_line.reset(mark)
    assert Trail.objects.filter(act="right_pin").exists()
    assert done == []


def test_a_password_that_slipped_into_the_field_of_a_card_is_not_read_out() -> None:
    the_people()
    with pytest.raises(Refused, match="What was typed as a card does not do this alone") as refused:
        card_with_pin(swipe=PASSWORD, pin="", pin_from_level=1)
    assert PASSWORD[-4:] not in refused.value.why
