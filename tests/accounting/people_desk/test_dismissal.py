"""Somebody is dismissed: from that commit on nothing of theirs is accepted, and every record keeps the name."""

from __future__ import annotations

from typing import Any, Final

import pytest
from django.contrib.sessions.models import Session
from django.test import Client

from accounting.people_desk.actions.leaving import dismiss_everywhere
from jackpot.people.actions.keys import key_holder, sign_key_out
from jackpot.people.actions.presence import card_with_pin
from jackpot.people.models import Card, Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, refuse, sign, withdraw
from jackpot.trail.models import Trail
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Signature, Win
from tables.floor.models.duty import TableDuty
from tables.gateway.actions.device import badge_in_or_out
from tests.builders import AT_BOX, a_card, a_person, a_property, a_table
from tests.scenes_adjusting import asked
from tests.scenes_wins import WinFloor
from tests.tables.hits.test_hit import EXECUTIVE, SECOND, ref_b

pytestmark = pytest.mark.django_db
PASSWORD: Final = "a long right password"
NUMBER: Final = "600000000777"
WHY: Final = {"reason": "took chips from the tray"}


@pytest.fixture
def chief() -> Operator:
    return a_person("chief", may=("people", "see"))


@pytest.fixture
def ann() -> Operator:
    return a_person("ann", may=("see", "deal", "adjust", "pay"), password=PASSWORD)


def browser(person: Operator) -> Client:
    client = Client()
    client.force_login(person)
    return client


def dismissed(person: Operator, chief: Operator) -> Operator:
    dismiss_everywhere(person=person, why="left the house", by=chief)
    return person


def test_sign_ins_cards_keys_and_badges_end_with_one_press(chief: Operator, ann: Operator) -> None:
    a_table("UTH-01")
    a_card(ann, number=NUMBER, level="supervisor", pin="274916")
    badge_in_or_out(table_code="UTH-01", badge=NUMBER, comes=True, device_code="none", source=AT_BOX)
    sign_key_out(premises=ann.premises, number="K4", operator=ann, by="pit")
    first, second = browser(ann), browser(ann)
    assert first.get("/").context["works"]
    answer = browser(chief).post("/office/people/ann/dismiss/", {**WHY, "sure": "ann"}, follow=True)
    assert "Test Ann is dismissed: 2 sign-ins ended, 1 cards blocked, 1 keys dropped" in answer.content.decode()
    for page in (first, second):
        assert page.get("/stay/").status_code in (302, 405)
        assert page.get("/jackpots/").headers["Location"].startswith("/sign-in/")
    assert not any(row.get_decoded().get("_auth_user_id") == str(ann.pk) for row in Session.objects.all())
    with pytest.raises(NotAllowed, match="do not fit together") as known:
        card_with_pin(swipe=NUMBER, pin="274916", pin_from_level=2)
    with pytest.raises(NotAllowed) as unknown:
        card_with_pin(swipe="600000000778", pin="274916", pin_from_level=2)
    assert (str(known.value), known.value.code) == (str(unknown.value), unknown.value.code)
    with pytest.raises(NotAllowed, match="not signed out to anybody"):
        key_holder(premises=ann.premises, number="K4")
    assert not TableDuty.objects.filter(operator=ann, ended_at=None).exists()
    assert TableDuty.objects.get(operator=ann).operator.name == "Test Ann"
    line = Trail.objects.get(act="dismiss", subject="ann")
    assert (line.actor, line.why) == ("Test Chief", WHY["reason"])
    assert line.details == {"sessions": 2, "cards": ["0777"], "keys": ["K4"]}


def test_the_right_password_of_a_dismissed_person_is_answered_as_a_wrong_one(chief: Operator, ann: Operator) -> None:
    dismissed(ann, chief)
    for word in (PASSWORD, "guess"):
        answer = Client().post("/sign-in/", {"username": "ann", "password": word})
        assert (answer.status_code, "do not fit together" in answer.content.decode()) == (403, True)
    assert not Operator.objects.get(username="ann").has_usable_password()
    assert not Card.objects.filter(operator=ann).exclude(pin_hash="").exists()


def test_a_request_of_a_dismissed_person_is_not_signed_but_withdrawn_by_name(chief: Operator) -> None:
    floor = WinFloor()
    asker, signer = a_person("asker", may=("adjust",)), a_person("signer", may=("sign_adjustments", "adjust"))
    stranger = a_person("stranger", may=("see",))
    row = asked("suspend", floor.casino.jackpot)
    with pytest.raises(NotAllowed, match="let Test Asker withdraw it"):
        withdraw(request_id=row.pk, reason="not mine", by=signer)
    dismissed(asker, chief)
    with pytest.raises(NotAllowedNow, match=r"Test Asker, who asked for .*, is dismissed") as told:
        sign(request_id=row.pk, approver=SecondPerson(signer))
    assert told.value.code == "asker_dismissed"
    with pytest.raises(NotAllowed, match="may not withdraw this"):
        withdraw(request_id=row.pk, reason="tidy", by=stranger)
    page = browser(chief)
    assert "Nobody can sign what a dismissed person asked for" in page.get("/office/people/asker/").content.decode()
    page.post("/office/people/asker/withdraw/", {"request": row.pk})
    kept = Request.objects.get(pk=row.pk)
    assert (kept.state, kept.asked_by_name, kept.withdrawn_by_name) == ("withdrawn", "Test Asker", "Test Chief")


def test_whoever_came_in_before_the_dismissal_signs_and_pays_nothing_after_it(chief: Operator, ann: Operator) -> None:
    """The request was let in, the person read, and then the dismissal committed."""
    floor = WinFloor()
    win = floor.royal()
    row = asked("suspend", floor.casino.jackpot)
    signer = a_person("signer", may=("sign_adjustments",))
    for person in (ann, signer):
        dismissed(Operator.objects.get(pk=person.pk), chief)
    assert (ann.is_active, signer.is_active) == (True, True), "as they were read"
    with pytest.raises(NotAllowed, match="Test Ann is dismissed"):
        redeem(slip=win.slip, payer=ann, form_seen=True)
    with pytest.raises(NotAllowed, match="Test Signer is dismissed"):
        sign(request_id=row.pk, approver=SecondPerson(signer))
    with pytest.raises(NotAllowed, match="Test Signer is dismissed"):
        refuse(request_id=row.pk, reason="no", by=signer)
    assert Win.objects.get(pk=win.pk).state == "owed"


def test_the_first_of_two_words_falls_with_who_gave_it(chief: Operator) -> None:
    floor = ref_b()
    floor.casino.premises.dual_threshold = 10_000
    floor.casino.premises.save()
    third = a_card(a_person("third"), number="900000000003", level="executive", pin="116498")
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    assert floor.card(EXECUTIVE, "274916").get("slips") is None
    dismissed(Operator.objects.get(username="executive"), chief)
    with pytest.raises(Refused, match="do not fit together"):
        floor.card(EXECUTIVE, "274916")
    floor.card(SECOND, "385027")
    assert Win.objects.get().state == "asked", "one living word is one"
    floor.card("900000000003", "116498")
    assert Win.objects.get().state == "owed"
    assert Signature.objects.filter(part="approve").count() == 3, "the fallen word stays on record"
    assert third.operator.name == "Test Third"


def test_who_may_dismiss_whom_is_said_in_a_sentence(chief: Operator, ann: Operator) -> None:
    elsewhere = a_person("bob", premises=a_property("OTHER"))
    refusals: list[tuple[Operator, Operator, str]] = [
        (chief, chief, "Test Chief cannot dismiss themselves"), (ann, chief, "Test Ann may not change people"),
        (chief, elsewhere, "no such person in your house"),
    ]  # fmt: skip
    for by, person, why in refusals:
        with pytest.raises(Refused, match=why):
            dismiss_everywhere(person=person, why="because", by=by)
    with pytest.raises(Refused, match="Say why Test Ann is dismissed"):
        dismiss_everywhere(person=ann, why=" ", by=chief)
    dismissed(ann, chief)
    with pytest.raises(NotAllowedNow, match="is dismissed already"):
        dismiss_everywhere(person=ann, why="again", by=chief)


def test_over_the_api_the_same(chief: Operator, ann: Operator) -> None:
    page, told = browser(chief), {"content_type": "application/json"}
    a_card(ann, number=NUMBER)
    signed_in = browser(ann)
    answer: Any = page.post("/api/v1/people/ann/dismiss/", WHY, **told)
    assert answer.json() == {"person": "ann", "sessions": 1, "cards": ["0777"], "keys": []}
    assert signed_in.get("/api/v1/jackpots/").status_code == 401
    assert page.get("/api/v1/people/ann/").json()["active"] is False
    again = page.post("/api/v1/people/ann/dismiss/", WHY, **told)
    assert (again.status_code, again.json()["code"]) == (409, "dismissed")


def test_a_name_written_wrong_dismisses_nobody(chief: Operator, ann: Operator) -> None:
    answer = browser(chief).post("/office/people/ann/dismiss/", {**WHY, "sure": "anne"}, follow=True)
    assert "Write the user name ann" in answer.content.decode()
    assert Operator.objects.get(username="ann").is_active
