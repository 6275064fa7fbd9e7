"""The sign against words that the test says itself: wins, old news, silence, and what the books may never mean."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import Any

import pytest
from playwright.sync_api import Browser, Page, WebSocketRoute, expect

from config.connections import pointed_at
from tests.databases import TestServer
from tests.living import Live, living
from tests.tables.signs.scene import Floor, get

# WhiteNoise hands out files as iterators that Django's ASGI handler reads whole, with a warning.
WHOLE_FILES = "ignore:StreamingHttpResponse must consume synchronous iterators:Warning"
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]

NOON = "2026-11-18T12:00:00+00:00"


@pytest.fixture(scope="module")
def wall(test_server: TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[Live]:
    """One server for all of these: they say the words themselves and change nothing behind it."""
    name = test_server.clone(test_server.next_name())
    with django_db_blocker.unblock(), pointed_at(test_server.url(test_server.app, name)):
        Floor()
        with living() as running:
            yield running
    test_server.drop(name)


class Feed:
    """Stands in for the server's socket, and keeps what the sign says."""

    def __init__(self, page: Page, wall: Live, kind: str = "") -> None:
        self.page = page
        self.words: dict[str, Any] = json.loads(get(wall, "/api/v1/signs/WALL-1")[1])
        self.routes: list[WebSocketRoute] = []
        self.reports: list[dict[str, Any]] = []
        page.route_web_socket("**/ws/signs/*", self._opened)
        page.clock.install()
        page.goto(f"{wall.url}/signs/WALL-1/{kind}")
        self.say()
        expect(page.locator("body")).to_have_attribute("data-linked", "yes")

    def _opened(self, route: WebSocketRoute) -> None:
        self.routes.append(route)
        route.on_message(lambda text: self.reports.append(json.loads(text)))

    def say(self, meter: dict[str, Any] | None = None, **words: Any) -> None:
        while not self.routes:
            self.page.wait_for_timeout(20)
        said = {**self.words, **words}
        if "meters" not in words:
            said["meters"] = [{**self.words["meters"][0], **(meter or {})}]
        self.routes[-1].send(json.dumps(said))

    def beat(self) -> None:
        self.routes[-1].send(json.dumps({"beat": NOON}))

    def pass_seconds(self, seconds: float) -> None:
        self.page.clock.run_for(int(seconds * 1000))


@pytest.fixture
def feed(wall: Live, browser_page: Page) -> Feed:
    return Feed(browser_page, wall)


def figure(feed: Feed) -> Any:
    return feed.page.locator(".figure")


def test_a_lower_version_is_ignored(feed: Feed) -> None:
    feed.say({"version": 9, "amount": "20100.00"})
    feed.pass_seconds(3)
    feed.say({"version": 8, "amount": "20050.00", "reason": "round voided"})
    feed.say({"version": 8, "amount": "20900.00"})
    feed.pass_seconds(3)
    expect(figure(feed)).to_have_text("$20,100.00")


def test_a_lower_amount_without_a_reason_is_not_shown_and_the_sign_does_not_call_itself_current(feed: Feed) -> None:
    feed.say({"version": 9, "amount": "19000.00"})
    feed.pass_seconds(6)
    expect(figure(feed)).to_have_text("$20,000.00")
    expect(feed.page.locator("body")).to_have_class(re.compile("silent"))


def test_a_lower_amount_with_a_reason_begins_a_new_scene_and_the_reason_leaves_again(feed: Feed) -> None:
    feed.say({"version": 9, "amount": "19000.00", "reason": "round voided"})
    expect(feed.page.locator(".reason")).to_be_visible()
    feed.pass_seconds(1)
    expect(figure(feed)).to_have_text("$19,000.00")
    feed.pass_seconds(9)
    expect(feed.page.locator(".reason")).to_be_hidden()


def test_half_way_it_shows_half_the_gap_and_after_two_and_a_half_seconds_all_of_it(feed: Feed) -> None:
    feed.say({"version": 9, "amount": "20010.00"})
    feed.pass_seconds(1.25)
    cents = int(re.sub(r"\D", "", figure(feed).inner_text()))
    assert 2000300 <= cents <= 2000700
    feed.pass_seconds(1.4)
    expect(figure(feed)).to_have_text("$20,010.00")


def test_five_seconds_of_silence_are_marked_and_thirty_are_told_in_words(feed: Feed) -> None:
    body, instead = feed.page.locator("body"), feed.page.locator(".instead")
    feed.pass_seconds(4.5)
    expect(body).not_to_have_class(re.compile("silent"))
    feed.pass_seconds(1)
    expect(body).to_have_class(re.compile("silent"))
    expect(feed.page.locator(".late")).to_be_visible()
    expect(instead).to_be_hidden()
    feed.pass_seconds(25.5)
    expect(instead).to_have_text("not current")
    feed.pass_seconds(4)
    expect(instead).to_be_hidden()
    feed.pass_seconds(4)
    expect(instead).to_be_visible()


def test_a_beat_every_few_seconds_is_enough_to_be_current(feed: Feed) -> None:
    for _ in range(4):
        feed.pass_seconds(3)
        feed.beat()
    expect(feed.page.locator("body")).not_to_have_class(re.compile("silent"))


def test_a_fault_is_told_in_its_own_words_and_goes_when_it_is_over(feed: Feed) -> None:
    feed.say(meters=[], fault="The books cannot be reached")
    feed.pass_seconds(0.5)
    expect(feed.page.locator(".instead")).to_have_text("The books cannot be reached")
    expect(feed.page.get_by_role("status")).to_have_text("The books cannot be reached")
    feed.say({"version": 9, "amount": "20001.00"})
    feed.pass_seconds(4)
    expect(feed.page.locator(".instead")).to_be_hidden()
    expect(figure(feed)).to_have_text("$20,001.00")


def test_verifying_is_one_line_and_leaves_when_it_is_over(feed: Feed) -> None:
    line = feed.page.locator(".verifying")
    feed.say(verifying=[{"table": "UTH-04", "amount": "20000.00"}])
    expect(line).to_have_text("UTH-04: $20,000.00 being verified")
    feed.say(verifying=[])
    expect(line).to_be_hidden()


def test_a_win_stands_still_for_half_a_minute_and_then_the_new_scene_begins_from_its_base(feed: Feed) -> None:
    won = {"table": "UTH-04", "amount": "20000.00", "line": "Royal flush, first 5 cards", "at": NOON}
    base = {"version": 9, "amount": "10619.35", "reason": "won"}
    feed.say(base, won=won, at=NOON)
    expect(feed.page.locator(".won-amount")).to_have_text("$20,000.00")
    feed.say({**base, "version": 10, "amount": "10622.85"}, won=won, at=NOON)
    feed.pass_seconds(29)
    expect(feed.page.locator(".won")).to_be_visible()
    feed.pass_seconds(2)
    expect(feed.page.locator(".won")).to_be_hidden()
    expect(figure(feed)).to_have_text("$10,622.85")
    feed.say(base, won=won, at=NOON)
    expect(feed.page.locator(".won")).to_be_hidden()


def test_a_smaller_award_is_told_as_what_was_paid_never_as_lower_because_of_an_award(feed: Feed) -> None:
    won = {
        "table": "UTH-04",
        "amount": "100.00",
        "line": "Four of a kind",
        "part": False,
        "at": NOON,
        "day": "2026-11-18",
    }
    told = {"version": 9, "amount": "19900.00", "reason": "won"}
    feed.say(told, won=won, last=won, at=NOON)
    expect(feed.page.locator(".reason")).to_have_text("Four of a kind paid $100.00 at UTH-04")
    expect(feed.page.locator(".paid")).to_have_text("Four of a kind paid $100.00 at UTH-04")
    expect(feed.page.locator(".won")).to_be_hidden()
    feed.pass_seconds(16)
    feed.say(told, won=None, last=won, at=NOON)
    expect(feed.page.locator(".paid")).to_be_hidden()
    expect(feed.page.locator(".last")).to_have_text("Last won: $100.00  ·  Four of a kind  ·  UTH-04  ·  Nov 18, 2026")
    expect(figure(feed)).to_have_text("$19,900.00")


def test_the_hits_of_several_tables_are_one_line_and_alike_amounts_are_counted(feed: Feed) -> None:
    hits = [("UTH-04", "20000.00"), ("UTH-09", "10.00"), ("UTH-09", "10.00"), ("UTH-09", "5.00")]
    verifying = [{"table": table, "amount": amount} for table, amount in hits]
    feed.say({"version": 9, "amount": "19000.00", "reason": "verifying"}, verifying=verifying)
    expect(feed.page.locator(".reason")).to_have_text("A win is being verified")
    words = "UTH-04: $20,000.00 being verified  ·  UTH-09: 2 × $10.00 and $5.00 being verified"
    expect(feed.page.locator(".verifying")).to_have_text(words)


def test_an_old_win_is_no_news_for_a_sign_that_has_just_come_back(feed: Feed) -> None:
    won = {"table": "UTH-04", "amount": "20000.00", "line": "Royal flush", "at": "2026-11-18T11:58:00+00:00"}
    feed.say({"version": 9, "amount": "10619.35", "reason": "won"}, won=won, at=NOON)
    feed.pass_seconds(1)
    expect(feed.page.locator(".won")).to_be_hidden()
    expect(figure(feed)).to_have_text("$10,619.35")


def test_every_ten_seconds_it_says_what_it_shows(feed: Feed) -> None:
    feed.say({"version": 9, "amount": "20010.00"})
    feed.pass_seconds(10.5)
    report = feed.reports[0]
    assert {name: report[name] for name in ("code", "shown", "version")} == {
        "code": "GRAND", "shown": "20010.00", "version": 9,
    }  # fmt: skip


def test_a_lost_line_is_opened_again(feed: Feed) -> None:
    feed.routes[-1].close()
    for _ in range(8):
        feed.pass_seconds(0.5)
    assert len(feed.routes) == 2
    feed.say({"version": 9, "amount": "20010.00"})
    feed.pass_seconds(3)
    expect(figure(feed)).to_have_text("$20,010.00")


def test_a_new_pay_line_a_new_limit_and_a_new_notice_are_shown_without_a_reload(feed: Feed) -> None:
    lines = [{"name": "Royal flush", "pays": "100 %"}]
    feed.say()
    feed.say({"lines": lines, "limit": "50000.00"}, notice="Closed at noon")
    expect(feed.page.locator(".lines li")).to_have_count(1)
    expect(feed.page.locator(".limit")).to_have_text("Limit $50,000.00")
    expect(feed.page.locator(".notice")).to_have_text("Closed at noon")


def test_who_wants_no_motion_sees_the_new_figure_at_once(wall: Live, browser: Browser) -> None:
    context = browser.new_context(reduced_motion="reduce")
    feed = Feed(context.new_page(), wall)
    feed.say({"version": 9, "amount": "20010.00"})
    feed.pass_seconds(0.2)
    expect(figure(feed)).to_have_text("$20,010.00")
    context.close()


def test_a_sign_of_digits_tells_the_reason_in_the_figures_place(wall: Live, browser_page: Page) -> None:
    feed = Feed(browser_page, wall, "?type=digits")
    feed.say({"version": 9, "amount": "19000.00", "reason": "round voided"})
    feed.pass_seconds(1)
    expect(feed.page.locator(".instead")).to_have_text("Lower because: round voided")
    feed.pass_seconds(3)
    expect(feed.page.locator(".instead")).to_be_hidden()
    expect(figure(feed)).to_have_text("$19,000.00")
