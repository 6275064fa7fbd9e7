from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.conf import settings
from django.test import Client
from django.utils import timezone

from jackpot.pacing.actions import TooSoon, count_try
from jackpot.people.actions.sign_in import ADDRESS_TRIES, locked, wait_left
from jackpot.people.models import Operator
from jackpot.trail.models import Trail
from tests.builders import a_person

pytestmark = pytest.mark.django_db
GENERIC = "This name and password do not fit together."
LOCKED = "Too many wrong tries for this name from here."


@pytest.fixture(autouse=True)
def quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]


@pytest.fixture
def ann() -> Operator:
    return a_person("ann", password="right", may=["see"])


def knock(client: Client, password: str = "right", username: str = "ann", **more: str) -> Any:
    return client.post("/sign-in/", {"username": username, "password": password, **more})


def test_name_and_password_open_the_house(client: Client, ann: Operator) -> None:
    assert knock(client).headers["Location"] == "/"
    assert client.get("/jackpots/").status_code == 200


def test_a_session_ends_after_eight_hours(client: Client, ann: Operator) -> None:
    knock(client)
    assert client.session.get_expiry_age() == 8 * 3600
    with time_machine.travel(timedelta(hours=8, minutes=1)):
        assert client.get("/jackpots/").headers["Location"].startswith("/sign-in/")


def test_an_answer_that_comes_late_takes_no_newer_sign_in_away(client: Client, ann: Operator) -> None:
    """Another tab asked before the sign-out; a browser keeps the cookie that the latest answer leaves there."""
    knock(client)
    before = client.cookies[settings.SESSION_COOKIE_NAME].value
    left = client.post("/sign-out/").cookies[settings.SESSION_COOKIE_NAME]
    assert (left.value, left["max-age"], left["path"], left["samesite"]) == ("", 0, "/", "Strict")
    knock(client)
    for where in ("/", "/jackpots/", "/sign-in/", "/api/v1/jackpots/"):
        late = Client(headers={"cookie": f"{settings.SESSION_COOKIE_NAME}={before}"}).get(where)
        assert settings.SESSION_COOKIE_NAME not in late.cookies, where
        assert late.status_code in (200, 302, 401, 403), where


def test_a_session_is_a_new_one_after_signing_in(client: Client, ann: Operator) -> None:
    client.get("/sign-in/")
    client.session["kept"] = "by somebody else"
    before = client.session.session_key
    knock(client)
    assert client.session.session_key != before


@pytest.mark.parametrize(
    ("username", "password"), [("ann", "wrong"), ("nobody", "right"), ("ANN", "right"), ("ann", " right")]
)
def test_every_wrong_try_hears_the_same_sentence(client: Client, ann: Operator, username: str, password: str) -> None:
    answer = knock(client, password, username)
    assert answer.status_code == 403
    assert GENERIC in answer.content.decode()


def test_a_blocked_person_hears_the_same_sentence(client: Client, ann: Operator) -> None:
    Operator.objects.update(is_active=False)
    assert GENERIC in knock(client).content.decode()


def test_after_five_wrong_tries_even_the_right_password_is_refused(client: Client, ann: Operator) -> None:
    for _ in range(5):
        knock(client, "wrong")
    assert LOCKED in knock(client).content.decode()
    assert Trail.objects.filter(act="lock_name", subject="ann").count() == 1


def test_a_name_that_does_not_exist_locks_like_any_other(client: Client) -> None:
    for _ in range(5):
        knock(client, username="nobody")
    assert LOCKED in knock(client, username="nobody").content.decode()


def test_the_lock_is_of_the_name_alone(client: Client, ann: Operator) -> None:
    a_person("bob", password="right")
    for _ in range(5):
        knock(client, "wrong")
    assert knock(client, username="bob").status_code == 302


def test_a_right_try_begins_the_count_anew(client: Client, ann: Operator) -> None:
    for _ in range(4):
        knock(Client(), "wrong")
    knock(Client())
    for _ in range(4):
        knock(Client(), "wrong")
    assert knock(client).status_code == 302


def test_who_guesses_elsewhere_locks_nobody_out_here(client: Client, ann: Operator) -> None:
    """A name can be guessed at until it waits a quarter of an hour there; its person comes in from another place."""
    for _ in range(12):
        knock(Client(REMOTE_ADDR="10.0.0.66"), "wrong")
    assert LOCKED in knock(Client(REMOTE_ADDR="10.0.0.66")).content.decode()
    assert locked("ann")
    assert knock(client).status_code == 302


def test_waits_grow_with_each_wrong_try_and_end_by_themselves(ann: Operator) -> None:
    now, waits = timezone.now(), []
    for tries in range(1, 14):
        Trail.objects.create(actor="ann", act="sign_in", subject="ann", outcome="wrong", details={"address": "here"})
        with time_machine.travel(now, tick=False):
            waits.append(round(wait_left("ann", "here") / timedelta(seconds=30)))
        assert tries
    assert waits == [0, 0, 0, 0, 1, 2, 4, 8, 16, 30, 30, 30, 30]
    assert (locked("ann"), wait_left("ann", "there")) == (True, timedelta())
    with time_machine.travel(now + timedelta(minutes=16), tick=False):
        assert not wait_left("ann", "here")


def test_a_clock_that_was_ahead_makes_nobody_wait_longer_than_the_longest(client: Client, ann: Operator) -> None:
    """Neither the name nor the address: what was counted in an hour that never was is waited for as ever."""
    Trail.objects.create(actor="ann", act="sign_in", subject="ann", outcome="wrong", details={"address": "here"})
    for _ in range(4):
        Trail.objects.create(actor="ann", act="sign_in", subject="ann", outcome="wrong", details={"address": "here"})
    with time_machine.travel(timezone.now() - timedelta(hours=1), tick=False):
        assert wait_left("ann", "here") == timedelta(seconds=30)
    ahead = timezone.now() + timedelta(hours=1)
    with time_machine.travel(ahead, tick=False):
        for _ in range(ADDRESS_TRIES.free):
            count_try(ADDRESS_TRIES, "10.0.0.9", "Sign-ins")
    with pytest.raises(TooSoon, match=r"Wait 1 second\b"):
        count_try(ADDRESS_TRIES, "10.0.0.9", "Sign-ins")


@pytest.mark.usefixtures("time_stands")
def test_a_sweep_over_many_names_is_slowed_and_a_known_person_still_comes_in(client: Client, ann: Operator) -> None:
    knock(client)
    heard = [knock(Client(), "wrong", f"name-{number}").status_code for number in range(ADDRESS_TRIES.free + 5)]
    assert heard[: ADDRESS_TRIES.free] == [403] * ADDRESS_TRIES.free
    assert set(heard[ADDRESS_TRIES.free :]) == {429}
    assert knock(Client()).status_code == 302, "this name came from this place before"
    assert knock(Client(REMOTE_ADDR="10.0.0.7"), "wrong", "name-x").status_code == 403, "other places are not concerned"


def test_every_try_stands_in_the_trail_with_its_address_and_without_its_password(client: Client, ann: Operator) -> None:
    knock(client, "a wrong secret")
    knock(client)
    lines = list(Trail.objects.filter(act="sign_in").order_by("id"))
    assert [line.outcome for line in lines] == ["wrong", "done"]
    assert lines[0].details == {"address": "127.0.0.1"}
    assert "secret" not in str([(line.why, line.details) for line in lines])


@pytest.mark.parametrize(
    ("wanted", "goes_to"),
    [
        ("/jackpots/?a=1", "/jackpots/?a=1"),
        ("https://elsewhere.example/", "/"),
        ("//elsewhere.example", "/"),
        ("", "/"),
    ],
)
def test_one_goes_on_to_where_one_wanted_if_that_is_here(
    client: Client, ann: Operator, wanted: str, goes_to: str
) -> None:
    assert knock(client, next=wanted).headers["Location"] == goes_to


@pytest.mark.parametrize("name", ["", "\x00", "x" * 61, " "])
def test_what_cannot_be_a_name_is_refused_without_asking_the_database(client: Client, name: str) -> None:
    assert knock(client, username=name).status_code == 400
    assert not Trail.objects.exists()


def test_a_name_with_markup_is_shown_as_text(client: Client) -> None:
    assert b"<script>alert" not in knock(client, username="<script>alert(1)</script>").content


def test_signing_out_ends_the_session_and_needs_a_form(client: Client, ann: Operator) -> None:
    knock(client)
    assert client.get("/sign-out/").status_code == 405
    assert client.post("/sign-out/").headers["Location"] == "/sign-in/"
    assert client.get("/jackpots/").status_code == 302
    assert Trail.objects.filter(act="sign_out", person__username="ann").exists()


def test_a_forged_form_is_answered_with_our_page() -> None:
    answer = Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "ann", "password": "right"})
    assert answer.status_code == 403
    assert "form is too old" in answer.content.decode()


def test_a_card_that_was_typed_for_a_name_stands_in_no_trail_and_waits_like_any_name(client: Client) -> None:
    for _ in range(6):
        answer = client.post("/sign-in/", {"username": "6000123412345678", "password": "wrong"})
    assert "Too many wrong tries for this name from here." in answer.content.decode()
    told = [(line.actor, line.subject, line.object_key) for line in Trail.objects.all()]
    assert not [each for each in told if "60001234" in "".join(each)]
    assert ("••••5678", "••••5678", "••••5678") in told


def test_a_name_of_digits_that_somebody_bears_is_told_as_it_is(client: Client) -> None:
    a_person("20260001", password="right", may=["see"])
    assert client.post("/sign-in/", {"username": "20260001", "password": "right"}).status_code == 302
    assert Trail.objects.filter(act="sign_in", subject="20260001", outcome="done").exists()
