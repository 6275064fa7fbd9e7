"""A browser that nobody touches is signed out, though its lists renew themselves; one sign-in a person, by policy."""

from __future__ import annotations

import json
from datetime import timedelta
from typing import Any

import pytest
import time_machine
from django.contrib.sessions.exceptions import SessionInterrupted
from django.contrib.sessions.models import Session
from django.test import Client
from django.utils import timezone

from jackpot.people.models import Operator
from jackpot.trail.models import Trail
from jackpot.web.pages.errors import bad_request
from tests.builders import a_person

pytestmark = pytest.mark.django_db
PASSWORD = "a long enough word"
BY_HAND = {"HTTP_SEC_FETCH_MODE": "navigate", "HTTP_SEC_FETCH_USER": "?1"}
BY_ITSELF = {"HTTP_SEC_FETCH_MODE": "cors"}
RELOADED = {"HTTP_SEC_FETCH_MODE": "navigate"}


@pytest.fixture(autouse=True)
def quick_hashes(settings: Any) -> None:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]


@pytest.fixture
def ann() -> Operator:
    return a_person("ann", password=PASSWORD, may=["see"])


@pytest.fixture
def idle(settings: Any) -> None:
    settings.IDLE_MINUTES, settings.SESSION_COOKIE_AGE = 15, 15 * 60


def signed_in() -> Client:
    browser = Client()
    assert browser.post("/sign-in/", {"username": "ann", "password": PASSWORD}).status_code == 302
    return browser


def is_in(browser: Client, **headers: str) -> bool:
    return browser.get("/me/", **headers).status_code == 200  # type: ignore[arg-type]


def test_who_touches_nothing_is_signed_out_after_the_limit(ann: Operator, idle: None) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in()
        clock.shift(timedelta(minutes=14))
        assert is_in(browser, **BY_ITSELF)
        clock.shift(timedelta(minutes=2))
        assert not is_in(browser, **BY_HAND)


@pytest.mark.parametrize("headers", [BY_ITSELF, RELOADED, {"HTTP_HX_REQUEST": "true"}], ids=["fetch", "reload", "htmx"])
def test_what_a_page_fetches_by_itself_keeps_nobody_in(ann: Operator, idle: None, headers: dict[str, str]) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in()
        for _ in range(14):
            clock.shift(timedelta(minutes=1))
            assert is_in(browser, **headers)
        clock.shift(timedelta(minutes=2))
        assert not is_in(browser, **headers)


def test_whoever_works_stays_in_for_a_shift_and_no_longer_without_saying_so(ann: Operator, idle: None) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in()
        for _ in range(48):
            clock.shift(timedelta(minutes=10))
            assert is_in(browser, **BY_HAND)
        clock.shift(timedelta(minutes=16))
        assert not is_in(browser, **BY_HAND), "eight hours after the sign-in a touch prolongs nothing"


def test_a_press_on_stay_prolongs_it_after_a_shift_too(ann: Operator, idle: None) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in()
        for _ in range(60):
            clock.shift(timedelta(minutes=10))
            assert browser.post("/stay/", headers={"accept": "application/json"}).json()["ok"]
        assert is_in(browser)


def test_a_press_on_a_form_is_a_touch(ann: Operator, idle: None) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in()
        clock.shift(timedelta(minutes=10))
        browser.post("/me/password/", {"password": "wrong"}, **BY_ITSELF)  # type: ignore[arg-type]
        clock.shift(timedelta(minutes=10))
        assert is_in(browser, **BY_ITSELF)


def test_a_touch_writes_no_row_each_time(ann: Operator, idle: None, django_assert_max_num_queries: Any) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in()
        clock.shift(timedelta(minutes=1))
        is_in(browser, **BY_HAND)
        ends = Session.objects.get().expire_date
        clock.shift(timedelta(seconds=20))
        is_in(browser, **BY_HAND)
        assert Session.objects.get().expire_date == ends


def test_without_a_limit_eight_hours_count_from_the_sign_in(ann: Operator) -> None:
    with time_machine.travel(timezone.now(), tick=False) as clock:
        browser = signed_in()
        clock.shift(timedelta(hours=7, minutes=59))
        assert is_in(browser, **BY_HAND)
        clock.shift(timedelta(minutes=2))
        assert not is_in(browser, **BY_HAND)


def test_one_sign_in_a_person_where_the_house_wants_it(ann: Operator, settings: Any) -> None:
    settings.ONE_SESSION = True
    first, second = signed_in(), signed_in()
    assert not is_in(first)
    assert "You were signed in somewhere else." in second.get("/me/").content.decode()
    line = Trail.objects.get(act="end_sessions")
    assert (line.actor, line.details) == (str(ann), {"sessions": 1, "which": "all"})


def test_elsewhere_a_person_may_have_several(ann: Operator) -> None:
    first, second = signed_in(), signed_in()
    assert (is_in(first), is_in(second)) == (True, True)
    assert not Trail.objects.filter(act="end_sessions").exists()


def test_whose_sign_in_ends_while_its_answer_is_written_is_told_so(ann: Operator, rf: Any) -> None:
    """Django raises it behind every page of ours; a bare 400 said nothing to anybody."""
    ended = SessionInterrupted("The request's session was deleted before the request completed.")
    page = bad_request(rf.get("/me/"), ended)
    assert (page.status_code, page["Location"]) == (302, "/sign-in/?ended=meanwhile")
    assert "Your sign-in ended at this moment" in Client().get(page["Location"]).content.decode()
    told = bad_request(rf.get("/api/v1/jackpots/"), ended)
    assert (told.status_code, json.loads(told.content)["code"]) == (401, "signed_out")
