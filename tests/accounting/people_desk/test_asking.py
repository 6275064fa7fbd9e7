"""What gives a person more takes two people; what takes away counts at once; secrets are their owner's alone."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any, Final

import pytest
from django.test import Client
from django.utils import timezone

from accounting.people_desk.actions.asking import ask_card, ask_code, ask_hire, ask_roles, show_code, take_roles
from jackpot.people.actions.dismissing import dismiss
from jackpot.people.actions.presence import pin_fits
from jackpot.people.actions.sign_in import ADDRESS_TRIES
from jackpot.people.models import Card, OneTimeCode, Operator
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.trail.models import Trail
from tests.builders import a_card, a_person, a_property, a_role

pytestmark = pytest.mark.django_db
PASSWORD: Final = "a long right password"
NEW: Final = "quite another phrase"
WHY: Final = "asked at the desk"


@pytest.fixture(autouse=True)
def roles() -> None:
    a_role("cage", "see", "pay")
    a_role("dealer", "see", "deal")


@pytest.fixture
def chief() -> Operator:
    return a_person("chief", may=("people", "see"), password=PASSWORD)


@pytest.fixture
def second() -> Operator:
    return a_person("second", may=("people", "see"), password=PASSWORD)


@pytest.fixture
def ann() -> Operator:
    return a_person("ann", roles=["dealer"], password=PASSWORD)


def browser(person: Operator) -> Client:
    client = Client()
    client.force_login(person)
    return client


def signed(row: Request, by: Operator) -> Request:
    kept: Request = sign(request_id=row.pk, approver=SecondPerson(by))
    return kept


def test_a_person_is_hired_by_two_and_chooses_the_password_with_a_code(chief: Operator, second: Operator) -> None:
    """The whole way over the pages, as two administrators and the new person go it."""
    one, other, new = browser(chief), browser(second), Client()
    form = {"name": "Jo Doe", "username": "jo", "roles": ["cage"], "reason": "begins on Monday"}
    page = one.post("/office/hire/", form, follow=True)
    assert not Operator.objects.filter(username="jo").exists()
    row = Request.objects.get(kind="people")
    assert "Jo Doe (jo)" in page.content.decode()
    assert "hire Jo Doe (jo) as cage" in other.get("/office/people/").content.decode()
    told = one.post(f"/office/requests/{row.pk}/approve/", {"password": PASSWORD}, follow=True)
    assert "needs two people" in told.content.decode()
    other.post(f"/office/requests/{row.pk}/approve/", {"password": PASSWORD})
    jo = Operator.objects.get(username="jo")
    assert (jo.name, [role.code for role in jo.roles.all()], jo.has_usable_password()) == ("Jo Doe", ["cage"], False)
    other.post("/office/people/jo/code/", {"code_for": "password", "reason": "first password"})
    code_row = Request.objects.filter(kind="people").latest("pk")
    one.post(f"/office/requests/{code_row.pk}/approve/", {"password": PASSWORD})
    shown = one.post(f"/office/people-requests/{code_row.pk}/code/").content.decode()
    (code,) = re.findall(r"[2-9A-Z]{4}-[2-9A-Z]{4}-[2-9A-Z]{4}", shown)
    again = other.post(f"/office/people-requests/{code_row.pk}/code/")
    assert "was shown already, once" in again.content.decode()
    assert code not in again.content.decode()
    chosen = {"username": "jo", "code": code.lower(), "wished": NEW, "again": NEW}
    assert new.post("/code/", chosen, follow=True).request["PATH_INFO"] == "/sign-in/"
    assert new.post("/sign-in/", {"username": "jo", "password": NEW}).status_code == 302
    assert "do not fit together, or the code was used" in Client().post("/code/", chosen).content.decode()
    kept = "".join(str(line.details) for line in Trail.objects.all()) + str(Request.objects.values())
    assert code.replace("-", "") not in kept.replace("-", "")
    assert NEW not in kept


def test_roles_are_given_by_two_and_taken_by_one(chief: Operator, second: Operator, ann: Operator) -> None:
    row = ask_roles(person=ann, roles=["cage", "dealer"], reason=WHY, by=chief)
    assert row.payload["roles"] == ["cage"], "what the person has is not asked for"
    assert not ann.may("pay")
    signed(row, second)
    assert ann.may("pay")
    take_roles(person=ann, roles=["cage"], why=WHY, by=chief)
    assert not ann.may("pay")
    assert ann.may("deal")
    acts = Trail.objects.filter(subject="ann").order_by("pk").values_list("act", "actor")
    assert list(acts)[-4:] == [
        ("ask_people", "Test Chief"), ("give_roles", "Test Chief and Test Second"), ("approve_people", "Test Second"),
        ("take_roles", "Test Chief"),
    ]  # fmt: skip


def test_a_card_works_at_once_and_its_level_from_the_next_gaming_day(
    chief: Operator, second: Operator, ann: Operator
) -> None:
    row = ask_card(person=ann, number="600000004821", level="supervisor", reason=WHY, by=chief)
    assert "600000004821" not in str(row.payload)
    signed(row, second)
    card = Card.objects.get(operator=ann)
    today = card.day_at(timezone.now())
    assert [card.level_on(today), card.level_on(today + timedelta(days=1))] == [1, 2]
    with pytest.raises(Refused, match="already issued"):
        ask_card(person=second, number="600000004821", level="dealer", reason=WHY, by=chief)


def test_nobody_gives_more_to_themselves_nor_signs_it(chief: Operator, second: Operator, ann: Operator) -> None:
    row = ask_roles(person=second, roles=["cage"], reason=WHY, by=chief)
    wrong: list[tuple[Any, str]] = [
        (lambda: ask_roles(person=chief, roles=["cage"], reason=WHY, by=chief), "of their own"),
        (lambda: ask_code(person=chief, card_id=None, reason=WHY, by=chief), "of their own"),
        (lambda: signed(row, second), "about themselves"),
        (lambda: signed(row, chief), "needs two people"),
        (lambda: signed(row, ann), "may not sign"),
        (lambda: ask_roles(person=ann, roles=["cage"], reason=WHY, by=ann), "may not change people"),
        (lambda: ask_roles(person=ann, roles=["dealer"], reason=WHY, by=chief), "has these roles already"),
        (lambda: ask_roles(person=ann, roles=["king"], reason=WHY, by=chief), "There is no role king"),
        (lambda: ask_hire(premises=a_property(), username="ANN", name="x", roles=["cage"], reason=WHY, by=chief),
         "already a person"),
        (lambda: show_code(row=row, by=chief), "two people sign first"),
    ]  # fmt: skip
    for act, why in wrong:
        with pytest.raises(Refused, match=why):
            act()
    assert not second.may("pay")


def test_to_a_dismissed_person_nothing_is_given(chief: Operator, second: Operator, ann: Operator) -> None:
    roles, code = (
        ask_roles(person=ann, roles=["cage"], reason=WHY, by=chief),
        signed(ask_code(person=ann, card_id=None, reason=WHY, by=chief), second),
    )
    plain = show_code(row=code, by=second)
    dismiss(person=ann, why=WHY, by=chief)
    with pytest.raises(Refused, match="is dismissed"):
        signed(roles, second)
    answer = Client().post("/code/", {"username": "ann", "code": plain, "wished": NEW, "again": NEW})
    assert (answer.status_code, OneTimeCode.objects.get().used_at) == (403, None)


def test_a_card_only_person_chooses_the_pin_with_a_code(chief: Operator, second: Operator) -> None:
    bob = a_person("bob", roles=["dealer"])
    card = a_card(bob, number="600000004821")
    row = signed(ask_code(person=bob, card_id=card.pk, reason=WHY, by=chief), second)
    with pytest.raises(Refused, match="shown to Test Chief or Test Second"):
        show_code(row=row, by=a_person("third", may=("people",)))
    code = show_code(row=row, by=chief)
    typed = {"username": "bob", "code": code, "wished": "4821", "again": "4821"}
    assert "stands on the card" in Client().post("/code/", typed).content.decode()
    done = Client().post("/code/", {**typed, "wished": "2749", "again": "2749"}).content.decode()
    assert "The PIN of card •••• 4821 is set." in done
    assert pin_fits(Card.objects.get(pk=card.pk), "2749")


def test_wrong_codes_count_and_lock_as_wrong_passwords(ann: Operator) -> None:
    for _ in range(5):
        Client().post("/code/", {"username": "ann", "code": "AAAA-AAAA-AAAA", "wished": NEW, "again": NEW})
    told = Client().post("/sign-in/", {"username": "ann", "password": PASSWORD}).content.decode()
    assert "Too many wrong tries" in told


@pytest.mark.usefixtures("time_stands")
def test_codes_tried_under_ever_other_names_are_slowed_where_they_come_from(ann: Operator) -> None:
    """Each was a line of the trail, as many as somebody could send."""
    told = {"code": "AAAA-AAAA-AAAA", "wished": NEW, "again": NEW}
    heard = [
        Client().post("/code/", {**told, "username": f"nobody-{number}"}).status_code
        for number in range(ADDRESS_TRIES.free + 20)
    ]
    assert heard[ADDRESS_TRIES.free :] == [429] * 20
    assert Trail.objects.filter(outcome="wrong").count() == ADDRESS_TRIES.free
    assert Client().post("/sign-in/", {"username": "x", "password": "y"}).status_code == 429, "one measure for both"
    elsewhere = Client(REMOTE_ADDR="10.0.0.7").post("/code/", {**told, "username": "ann"})
    assert elsewhere.status_code == 403


def test_the_own_password_is_changed_with_the_old_one_and_other_sign_ins_end(ann: Operator) -> None:
    here, elsewhere = browser(ann), browser(ann)
    wrong = [
        ({"password": "guess", "wished": NEW, "again": NEW}, "do not fit together"),
        ({"password": PASSWORD, "wished": NEW, "again": "else"}, "differ"),
        ({"password": PASSWORD, "wished": "short", "again": "short"}, "10 to 200"),
        ({"password": PASSWORD, "wished": "1q2w3e4r5t", "again": "1q2w3e4r5t"}, "tried first"),
        ({"password": PASSWORD, "wished": PASSWORD, "again": PASSWORD}, "the old password"),
    ]
    for typed, why in wrong:
        assert why in here.post("/me/password/", typed).content.decode()
    done = here.post("/me/password/", {"password": PASSWORD, "wished": NEW, "again": NEW}, follow=True)
    assert "Your password is changed" in done.content.decode()
    assert here.get("/me/").context["line"].sessions
    assert elsewhere.get("/me/").status_code == 302
    assert Operator.objects.get(username="ann").check_password(NEW)


def test_the_own_pin_is_set_with_the_own_password(ann: Operator) -> None:
    card, other = a_card(ann, number="600000004821", pin="1111"), a_card(a_person("bob"), number="600000005678")
    page, typed = browser(ann), {"password": PASSWORD, "pin": "2749", "again": "2749"}
    assert "no such card" in page.post("/me/pin/", {**typed, "card_number": other.pk}).content.decode()
    assert "differ" in page.post("/me/pin/", {**typed, "card_number": card.pk, "again": "2748"}).content.decode()
    page.post("/me/pin/", {**typed, "card_number": card.pk})
    assert pin_fits(Card.objects.get(pk=card.pk), "2749")


def test_over_the_api_the_same(chief: Operator, second: Operator, ann: Operator) -> None:
    one, other, as_json = browser(chief), browser(second), {"content_type": "application/json"}
    word = {"act": "give_roles", "username": "ann", "roles": ["cage"], "reason": WHY}
    asked = one.post("/api/v1/people-requests/", word, **as_json)  # type: ignore[arg-type]
    assert (asked.status_code, asked.json()["what"]) == (201, "give ann the roles cage")
    door = f"/api/v1/requests/{asked.json()['number']}"
    assert one.post(f"{door}/approve/", {"password": PASSWORD}, **as_json).json()["code"] == "same_person"  # type: ignore[arg-type]
    done = other.post(f"{door}/approve/", {"password": PASSWORD}, **as_json)  # type: ignore[arg-type]
    assert (done.json()["request"]["state"], ann.may("pay")) == ("in_force", True)
    taken = one.post("/api/v1/people/ann/roles/take/", {"roles": ["cage"], "reason": WHY}, **as_json)  # type: ignore[arg-type]
    assert (taken.status_code, ann.may("pay")) == (200, False)
    assert len(one.get("/api/v1/people-requests/").json()["results"]) == 1
