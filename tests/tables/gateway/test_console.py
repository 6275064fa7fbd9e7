"""The console at the gateway: a session, the right origin and a duty open it, and nothing else does."""

from __future__ import annotations

import json
import threading
from datetime import timedelta
from typing import Any

import pytest
from django.conf import settings
from django.test import Client
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from jackpot.people.actions.people import alter_person
from jackpot.people.models import Operator
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.gateway import console, watch
from tables.gateway.actions.console import leave_duty, take_duty
from tables.gateway.actions.device import badge_in_or_out
from tables.rounds.models.round import Round
from tables.setup.actions.enrol import block
from tests.builders import AT_BOX, a_card, a_casino, a_person, a_property
from tests.patience import PATIENCE, until
from tests.tampering import tamper_with

BADGE = "600000000101"


class Page:
    """What the console's script does, without a browser."""

    def __init__(self, live: Any, cookie: str, *, origin: str = "", table: str = "UTH-01") -> None:
        headers = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={cookie}"}
        self._connecting = connect(
            f"{live.ws_url}/ws/tables/{table}", origin=origin or live.url, additional_headers=headers, compression=None
        )
        self.socket = self._connecting.__enter__()
        self.hear()
        self.greeting = self.say(do="hello", version="page", console=True)

    def hear(self, timeout: float = 5) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(self.socket.recv(timeout=timeout))
        return heard

    def say(self, **message: Any) -> dict[str, Any]:
        self.socket.send(json.dumps({"id": 7, **message}))
        while (heard := self.hear()).get("id") != 7:
            pass
        return heard

    def close_code(self) -> tuple[int, str]:
        with pytest.raises(ConnectionClosed) as closed:
            self.hear_all()
        assert closed.value.rcvd is not None
        return closed.value.rcvd.code, closed.value.rcvd.reason

    def hear_all(self) -> None:
        while True:
            self.hear()


@pytest.fixture
def casino(live: Any) -> Any:
    return a_casino()


@pytest.fixture
def dealer(casino: Any) -> Operator:
    person = a_person("dealer", may=("see", "deal"))
    a_card(person, number=BADGE, level="dealer")
    return person


@pytest.fixture
def browser(dealer: Operator) -> Client:
    client = Client()
    client.force_login(dealer)
    return client


@pytest.fixture
def on_duty(dealer: Operator) -> None:
    take_duty(table_code="UTH-01", operator=dealer, badge=BADGE)


def cookie(client: Client) -> str:
    return client.cookies[settings.SESSION_COOKIE_NAME].value


def test_a_dealer_on_duty_plays_a_round_without_any_secret(live: Any, browser: Client, on_duty: None) -> None:
    page = Page(live, cookie(browser))
    assert (page.greeting["ok"], page.greeting["next_round"], page.greeting["dealer"]) == (True, 1, "Test Dealer")
    assert page.say(do="coin_in", round=1, seats=[2, 6])["coin_in"]["total"] == "2.00"
    assert page.say(do="end", round=1)["next_round"] == 2
    played = Round.objects.get()
    assert (str(played.device), str(played.dealer)) == ("UTH-01-CONSOLE", "Test Dealer")


def test_a_mark_at_the_console_is_of_the_person_who_is_signed_in(live: Any, browser: Client, on_duty: None) -> None:
    """Whoever's badge the table has by now: the hand on this page's keys is the signed-in one's."""
    page = Page(live, cookie(browser))
    page.say(do="coin_in", round=1, seats=[2])
    a_card(a_person("relief"), number="600000000102", level="dealer")
    badge_in_or_out(table_code="UTH-01", badge="600000000102", comes=True, device_code="", source=AT_BOX)
    assert page.say(do="mark", round=1, seat=2, hand="full_house")["ok"]
    alter_person(
        operator=Operator.objects.get(username="dealer"), name="Another Name", roles=["dealer-only"], by="tests"
    )
    assert page.say(do="confirm", round=1)["ok"]
    win = Win.objects.select_related("marker", "asker").get()
    assert (win.marker.username, win.marked_by) == ("dealer", "Test Dealer")  # type: ignore[union-attr]
    assert (win.asker.username, win.asked_by) == ("dealer", "Another Name")  # type: ignore[union-attr]


def test_a_second_opening_uses_the_same_controller(live: Any, browser: Client, on_duty: None) -> None:
    Page(live, cookie(browser))
    Page(live, cookie(browser))
    assert Device.objects.filter(code="UTH-01-CONSOLE", state="active").count() == 1


def test_without_a_duty_the_page_is_told_to_badge_in(live: Any, browser: Client) -> None:
    page = Page(live, cookie(browser))
    assert (page.greeting["ok"], page.greeting["code"]) == (False, "no_duty")
    assert page.greeting["why"] == "Test Dealer is not on duty at UTH-01. Badge in first."
    assert page.close_code()[0] == 4401
    assert not Device.objects.filter(code="UTH-01-CONSOLE").exists()


@pytest.mark.parametrize("forged", ["", "nonsense", "a" * 32])
def test_without_a_session_nothing_is_opened(live: Any, casino: Any, forged: str) -> None:
    page = Page(live, forged)
    assert (page.greeting["code"], page.close_code()[0]) == ("not_signed_in", 4401)


def test_the_duty_of_another_person_does_not_count(live: Any, on_duty: None) -> None:
    other = Client()
    other.force_login(a_person("other", may=("see", "deal")))
    assert Page(live, cookie(other)).greeting["code"] == "no_duty"


def test_a_dealer_of_another_house_finds_no_table(live: Any, casino: Any) -> None:
    stranger = Client()
    stranger.force_login(a_person("stranger", may=("deal",), premises=a_property("OTHER")))
    assert Page(live, cookie(stranger)).greeting["code"] == "no_table"


def test_a_page_of_a_foreign_origin_is_refused_and_logged(live: Any, browser: Client, on_duty: None) -> None:
    with pytest.raises((InvalidStatus, ConnectionClosed)):
        Page(live, cookie(browser), origin="http://evil.example")
    assert until(Trail.objects.filter(details__code="origin").exists)


def test_a_session_without_an_origin_is_no_page(live: Any, browser: Client, on_duty: None) -> None:
    headers = {"Cookie": f"{settings.SESSION_COOKIE_NAME}={cookie(browser)}"}
    with connect(f"{live.ws_url}/ws/tables/UTH-01", additional_headers=headers, compression=None) as socket:
        socket.recv(timeout=PATIENCE)
        socket.send('{"id":1,"do":"hello","console":true}')
        assert json.loads(socket.recv(timeout=PATIENCE))["code"] == "not_signed_in"


def test_a_blocked_console_is_not_opened(live: Any, browser: Client, on_duty: None) -> None:
    Page(live, cookie(browser))
    block(device=Device.objects.get(code="UTH-01-CONSOLE"), by="tests")
    assert Page(live, cookie(browser)).greeting["code"] == "blocked"


@pytest.mark.parametrize("ends", ["sign out", "badge out", "deactivate"])
def test_whoever_may_speak_no_longer_is_cut_off(
    live: Any, browser: Client, dealer: Operator, on_duty: None, monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    monkeypatch.setattr(console, "SESSION_EVERY", 0.0)
    page = Page(live, cookie(browser))
    if ends == "sign out":
        browser.logout()
    elif ends == "badge out":
        leave_duty(table_code="UTH-01", operator=dealer)
    else:
        tamper_with(Operator.objects.filter(pk=dealer.pk), is_active=False)
    code, why = page.close_code()
    assert code == 4401
    assert why.endswith((".", "table"))


def test_nobody_is_signed_out_by_the_clock_while_on_duty(
    live: Any, browser: Client, on_duty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    from django.contrib.sessions.models import Session
    from django.utils import timezone

    monkeypatch.setattr(console, "SESSION_EVERY", 0.0)
    soon = timezone.now() + timedelta(minutes=5)
    Session.objects.update(expire_date=soon)
    Page(live, cookie(browser))
    assert until(lambda: Session.objects.get().expire_date > soon)


def test_a_page_hears_what_others_did_at_its_table(live: Any, browser: Client, on_duty: None) -> None:
    from tables.hits.actions import hit

    page = Page(live, cookie(browser))
    page.say(do="coin_in", round=1, seats=[2])
    hit.mark(table_code="UTH-01", round_number=1, seat=2, hand="full_house", by="somebody")
    while (heard := page.hear()).get("do") != "table" or not heard["open_round"]["marks"]:
        pass
    assert heard["open_round"]["hits"][0]["state"] == "marked"


class HeldLook:
    """A look at the floor whose figures are read, and told only when the test lets them go."""

    def __init__(self, look: Any) -> None:
        self._look = look
        self.read, self.go = threading.Event(), threading.Event()

    def __call__(self, **asked: Any) -> Any:
        seen = self._look(**asked)
        self.read.set()
        assert self.go.wait(PATIENCE)
        return seen


def test_a_look_that_is_older_than_an_answer_is_not_told_after_it(
    live: Any, browser: Client, on_duty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A console lost its running round for a second, and END GAME was refused: “no round runs”."""
    page = Page(live, cookie(browser))
    looks = [(console, "table_states"), (watch.device_acts, "floor_now")]
    held = [HeldLook(getattr(module, name)) for module, name in looks]
    for (module, name), look in zip(looks, held, strict=True):
        monkeypatch.setattr(module, name, look)
    assert all(look.read.wait(PATIENCE) for look in held)
    counted = page.say(do="coin_in", round=1, seats=[2])
    for look in held:
        look.go.set()
    heard = [page.hear()]
    while heard[-1].get("do") != "table":
        heard.append(page.hear())
    assert heard[-1]["open_round"]["seats"] == [2]
    assert all(each["meters"] == counted["meters"] for each in heard if each.get("do") == "meters"), heard


def test_a_restarted_page_learns_marks_hits_and_key(live: Any, browser: Client, on_duty: None) -> None:
    from tables.hits.actions import hit

    page = Page(live, cookie(browser))
    page.say(do="coin_in", round=1, seats=[2])
    page.say(do="mark", round=1, seat=2, hand="full_house")
    hit.confirm(table_code="UTH-01", round_number=1, by="somebody")
    again = Page(live, cookie(browser)).greeting
    assert again["open_round"]["seats"] == [2]
    assert again["open_round"]["marks"] == [{"seat": 2, "hand": "full_house", "name": "Full house"}]
    assert [(each["state"], each["amount"]) for each in again["open_round"]["hits"]] == [("asked", "10.00")]
    assert again["key_at_jph"] == ""
