"""Passkeys: who made them, for which name, each challenge once; what a thief, copy or other site sends is nothing."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.db import ProgrammingError, connection
from django.test import Client
from django.utils import timezone

from jackpot.people.actions import passkeys
from jackpot.people.actions.second_factor import codes_left, forget, has_one
from jackpot.people.models import Operator, Passkey
from jackpot.trail.models import Trail
from tests.builders import a_person
from tests.soft_key import SoftKey

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough word"
AT = {"headers": {"host": "localhost"}}


@pytest.fixture(autouse=True)
def quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    settings.ALLOWED_HOSTS = ["localhost", "127.0.0.1", "pit.example", "testserver"]


@pytest.fixture
def ann() -> Operator:
    return a_person("ann", password=PASSWORD, may=["see"])


def judged() -> None:
    """What the database says at the commit."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")


def browser_of(person: Operator) -> Client:
    client = Client(headers={"host": "localhost"})
    client.force_login(person)
    return client


def begun(client: Client, **form: str) -> dict[str, Any]:
    told = client.post("/me/passkey/", {"for": "new", "password": PASSWORD, **form}).json()
    assert told["ok"], told
    options: dict[str, Any] = told["options"]
    return options


def added(client: Client, key: SoftKey, name: str = "my phone", **lies: Any) -> Any:
    answered = json.dumps(key.made(begun(client), **lies))
    return client.post("/me/second-factor/", {"do": "add_passkey", "name": name, "credential": answered})


@pytest.fixture
def key(ann: Operator) -> SoftKey:
    made = SoftKey()
    assert added(browser_of(ann), made).status_code == 200
    return made


def knocked(person: Operator) -> Client:
    """The password was right; the second step waits."""
    client = Client(headers={"host": "localhost"})
    answer = client.post("/sign-in/", {"username": person.username, "password": PASSWORD, "next": "/jackpots/"})
    assert answer.headers["Location"] == "/sign-in/code/"
    return client


def asked(client: Client) -> dict[str, Any]:
    told = client.post("/sign-in/passkey/").json()
    assert told["ok"], told
    options: dict[str, Any] = told["options"]
    return options


def answered(client: Client, credential: Any) -> Any:
    return client.post("/sign-in/code/", {"credential": json.dumps(credential)})


def test_it_is_added_with_the_password_and_its_codes_are_told_once(ann: Operator) -> None:
    page = added(browser_of(ann), SoftKey()).content.decode()
    assert page.count("<code>") == 10
    assert (has_one(ann), codes_left(ann), Passkey.objects.get().name) == (True, 10, "my phone")
    assert Trail.objects.filter(act="add_passkey", object_key="ann").count() == 1
    judged()


def test_a_second_one_tells_no_new_codes_and_the_same_is_none(ann: Operator, key: SoftKey) -> None:
    browser = browser_of(ann)
    assert added(browser, SoftKey(), "my stick").headers["Location"] == "/me/second-factor/"
    assert "known here already" in added(browser, key).content.decode()
    assert Passkey.objects.count() == 2


def test_it_opens_beside_the_password_and_nothing_opens_without(ann: Operator, key: SoftKey) -> None:
    browser = knocked(ann)
    assert "Use your passkey" in browser.get("/sign-in/code/").content.decode()
    assert answered(browser, key.shown(asked(browser))).headers["Location"] == "/jackpots/"
    assert browser.get("/me/").status_code == 200
    row, line = Passkey.objects.get(), Trail.objects.filter(act="second_factor").latest("id")
    assert (row.uses, row.used_at is not None) == (1, True)
    assert (line.outcome, line.details) == ("done", {"by": "passkey", "name": "my phone"})
    judged()


LIES: list[dict[str, Any]] = [
    {"origin": "https://localhost.evil.example"}, {"origin": "http://127.0.0.1"}, {"site": "evil.example"},
    {"kind": "webauthn.create"}, {"challenge": "AAAA"}, {"signature": b"no signature"}, {"flags": 0}, {"uses": 0},
]  # fmt: skip


@pytest.mark.parametrize("lies", LIES, ids=lambda lies: next(iter(lies)) + "=" + str(next(iter(lies.values()))))
def test_what_does_not_fit_opens_nothing(ann: Operator, key: SoftKey, lies: dict[str, Any]) -> None:
    """Another page, another site, another use, another challenge, no touch, a counter that did not rise."""
    Passkey.objects.update(uses=5)
    key.uses = 5
    browser = knocked(ann)
    answer = answered(browser, key.shown(asked(browser), **lies))
    assert answer.status_code == 403
    assert "is not one of yours here" in answer.content.decode()
    assert browser.get("/me/").status_code == 302
    assert Trail.objects.filter(act="second_factor").latest("id").outcome == "wrong"


def test_an_answer_opens_once_and_only_the_browser_that_asked(ann: Operator, key: SoftKey) -> None:
    first, second = knocked(ann), knocked(ann)
    said = key.shown(asked(first))
    asked(second)
    assert answered(second, said).status_code == 403
    assert answered(first, said).status_code == 302
    again = knocked(ann)
    assert "Press the button again" in answered(again, said).content.decode(), "nothing waits there"


def test_an_answer_five_minutes_late_opens_nothing(ann: Operator, key: SoftKey) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        client = browser_of(ann)
        options = client.post("/me/passkey/", {"for": "show"}).json()["options"]
        clock.shift(timedelta(seconds=301))
        said = json.dumps(key.shown(options))
        page = client.post("/me/second-factor/", {"do": "end_passkey", "number": "1", "credential": said})
        assert "Press the button again" in page.content.decode()


def test_another_persons_key_opens_nothing(ann: Operator, key: SoftKey) -> None:
    bob = a_person("bob", password=PASSWORD, may=["see"])
    added(browser_of(bob), SoftKey())
    browser = knocked(bob)
    assert answered(browser, key.shown(asked(browser))).status_code == 403


def test_a_challenge_to_make_one_is_none_to_show_one(ann: Operator, key: SoftKey) -> None:
    browser = browser_of(ann)
    said = json.dumps(key.shown(begun(browser)))
    page = browser.post("/me/second-factor/", {"do": "end_passkey", "number": "1", "credential": said})
    assert "Press the button again" in page.content.decode()
    assert Passkey.objects.count() == 1


@pytest.mark.parametrize(
    "lies", [{"origin": "https://evil.example"}, {"site": "evil.example"}, {"challenge": "AAAA"}], ids=str
)
def test_none_is_added_that_was_made_elsewhere(ann: Operator, lies: dict[str, Any]) -> None:
    page = added(browser_of(ann), SoftKey(), **lies)
    assert (page.status_code, Passkey.objects.count()) == (403, 0)


def test_a_wrong_password_begins_none(ann: Operator) -> None:
    told = browser_of(ann).post("/me/passkey/", {"for": "new", "password": "wrong"})
    assert (told.status_code, told.json()["code"]) == (403, "wrong_sign_in")
    empty = browser_of(ann).post("/me/passkey/", {"for": "new"})
    assert (empty.status_code, empty.json()["why"]) == (400, "Type your password first.")
    assert Client(headers={"host": "localhost"}).post("/me/passkey/", {"for": "new"}).status_code == 401
    assert Client(headers={"host": "localhost"}).post("/sign-in/passkey/").status_code == 401


def test_its_password_counts_no_form_so_a_wrong_one_is_typed_again_and_the_form_is_sent(ann: Operator) -> None:
    """A page of yesterday asks with the form's own key; only what was added is done with that form."""
    client = browser_of(ann)
    page = client.get("/me/second-factor/").content.decode()
    form = {"form-key": page[page.index('data-passkey="create"') :].split('name="form-key" value="')[1].split('"')[0]}
    assert client.post("/me/passkey/", {"password": "wrong", **form}).status_code == 403
    answered = json.dumps(SoftKey().made(begun(client, **form)))
    sent = {"do": "add_passkey", "name": "my phone", "credential": answered, **form}
    assert "<code>" in client.post("/me/second-factor/", sent).content.decode()
    again = client.post("/me/second-factor/", sent)
    assert (again.status_code, "it counts once" in again.content.decode()) == (409, True)
    assert Passkey.objects.count() == 1


def test_an_address_that_is_a_number_says_so(ann: Operator, key: SoftKey) -> None:
    client = Client(headers={"host": "127.0.0.1"})
    client.force_login(ann)
    told = client.post("/me/passkey/", {"for": "new", "password": PASSWORD}).json()
    assert told["code"] == "no_name"
    assert "localhost" in told["why"]
    assert "this address is a number" in client.get("/me/second-factor/").content.decode()


def test_under_another_name_it_says_where_the_key_belongs(ann: Operator, key: SoftKey) -> None:
    site = passkeys.SignInAddress("pit.example", "https://pit.example")
    with pytest.raises(passkeys.NotFound, match="set up at localhost"):
        passkeys.ask_for_one(ann, site, {})


def test_it_is_ended_with_a_touch_and_the_last_takes_the_codes_along(ann: Operator, key: SoftKey) -> None:
    browser = browser_of(ann)
    options = browser.post("/me/passkey/", {"for": "show"}).json()["options"]
    number = str(Passkey.objects.get().pk)
    said = {"do": "end_passkey", "number": number, "credential": json.dumps(key.shown(options))}
    assert browser.post("/me/second-factor/", said).status_code == 302
    assert (has_one(ann), codes_left(ann)) == (False, 0)
    judged()


def test_two_people_reset_it_as_they_reset_an_app(ann: Operator, key: SoftKey) -> None:
    forget(person=ann, by="chief and second")
    assert not has_one(ann)
    assert Trail.objects.filter(act="end_second_factor", object_key="ann").exists()
    judged()


def test_it_is_what_a_role_asks_for(ann: Operator, settings: Any) -> None:
    settings.SECOND_FACTOR_ROLES = ("ann-only",)
    browser = browser_of(ann)
    assert browser.get("/jackpots/").headers["Location"] == "/me/second-factor/"
    added(browser, SoftKey())
    assert browser.get("/jackpots/").status_code == 200


@pytest.mark.usefixtures("time_stands")
def test_guesses_are_slowed(ann: Operator, key: SoftKey) -> None:
    browser = knocked(ann)
    heard = [answered(browser, key.shown(asked(browser), signature=b"x")).status_code for _ in range(7)]
    assert heard[:5] == [403] * 5
    assert heard[-1] == 429


@pytest.mark.parametrize("said", ["", "{}", "[]", "null", "7", '{"id": 7}', '{"id": "AA", "response": []}', "[" * 9000])
def test_whatever_is_sent_is_answered_with_a_sentence(ann: Operator, key: SoftKey, said: str) -> None:
    browser = knocked(ann)
    asked(browser)
    answer = browser.post("/sign-in/code/", {"credential": said, "code": ""})
    assert answer.status_code in (400, 403)
    adds = browser_of(ann)
    begun(adds)
    sent = adds.post("/me/second-factor/", {"do": "add_passkey", "name": "x", "credential": said})
    assert sent.status_code in (400, 403)


def test_no_act_writes_another_key_under_the_same_name(ann: Operator, key: SoftKey) -> None:
    with pytest.raises(ProgrammingError, match="permission denied"):
        Passkey.objects.update(public_key=b"mine")
