"""The console when things break: the server restarts, the page reloads, an answer is lost, the duty ends."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackpot.property.models.property import Property
from tables.floor.actions.state import set_table_state
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import Profile, TableState
from tables.gateway import console
from tables.gateway.actions.console import leave_duty
from tables.hits.actions import hit
from tables.hits.actions.park import park
from tables.rounds.models.round import Round
from tests.browser.floor_scene import (
    EXECUTIVE,
    PIN,
    SUPERVISOR,
    WHOLE_FILES,
    a_floor,
    hand,
    locks,
    mark,
    presses_j_pot,
    says,
    seat,
)
from tests.builders import AT_BOX, CARD_PIN
from tests.deep import edges
from tests.hands import with_cards
from tests.living import Live, living

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, WebSocketRoute

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@dataclass
class Server:
    """A server that can be stopped and started anew at the same address, on the same database."""

    running: contextlib.ExitStack
    live: Live

    def stop(self) -> None:
        self.running.close()

    def start(self) -> None:
        self.running.enter_context(living(port=self.live.port))

    def restart(self) -> None:
        self.stop()
        self.start()


@pytest.fixture
def server(fresh_database: str) -> Iterator[Server]:
    with contextlib.ExitStack() as running:
        yield Server(running, running.enter_context(living()))


def key_to_jph(page: Page) -> None:
    page.click("#key-jph")
    page.fill("#key-number", "17")
    page.keyboard.press("Enter")


def runs(page: Page) -> None:
    for number in (2, 6):
        seat(page, number).click()
    locks(page)


def marks(page: Page) -> None:
    runs(page)
    mark(page, 2, "Full house")
    says(page, "Marked")


def asks_for_a_card(page: Page) -> None:
    marks(page)
    page.click("#big-key")
    page.click("#confirm-box [value=yes]")


def key_without_hand(page: Page) -> None:
    runs(page)
    key_to_jph(page)


def key_with_hand(page: Page) -> None:
    marks(page)
    key_to_jph(page)


def logs(page: Page) -> None:
    key_with_hand(page)
    says(page, "J-POT logs the win")
    presses_j_pot(page)


def pays(page: Page) -> None:
    logs(page)
    says(page, "The win is logged")
    page.click("#key-run")


def one_of_two_signs(page: Page) -> None:
    Property.objects.update(dual_threshold=5)
    asks_for_a_card(page)
    says(page, "from 2 people")
    page.click("#big-key")
    page.fill("#card-number", SUPERVISOR)
    page.fill("#card-pin", CARD_PIN)
    page.keyboard.press("Enter")


def lights(page: Page) -> None:
    runs(page)
    hand(page, "Full house").click()


def lights_at_jph(page: Page) -> None:
    lights(page)
    says(page, "Lit")
    key_to_jph(page)


def parks(page: Page) -> None:
    marks(page)
    park(table_code="UTH-01", round_number=1, card=EXECUTIVE, pin=PIN, reason="disputed")


HALF_WAY: list[tuple[str, Callable[[Page], None], str]] = [
    (Profile.CARD, runs, "Winning hand: tap its seat"),
    (Profile.CARD, marks, "Marked: Full house at seat 2. More? Mark them too. Then CONFIRM."),
    (Profile.CARD, asks_for_a_card, "10.00 in all: needs a supervisor card, here or on the pit page."),
    (Profile.CARD, one_of_two_signs, "Test Supervisor signed. A second person’s card is needed"),
    (Profile.CARD, parks, "Parked for the pit: Full house at seat 2, round 1. Tap every seat with a chip"),
    (Profile.KEY, lights, "Lit: Full house. The supervisor says on the pit page which seats hold it"),
    (Profile.KEY, lights_at_jph, "Key 17 stands at JPH. Say on the pit page which seats hold Full house; then J-POT."),
    (Profile.KEY, key_without_hand, "Key 17 stands at JPH and no hand is lit."),
    (Profile.KEY, key_with_hand, "10.00 in all. J-POT logs the win."),
    (Profile.KEY, logs, "The win is logged. Turn key 17 to RUN: then the meter moves."),
    (Profile.KEY, pays, "The meter has moved. Pay by the win page, then GAME OVER."),
]


@pytest.mark.parametrize(
    ("profile", "play", "words"),
    edges(HALF_WAY, lambda _profile, play, _words: play in (asks_for_a_card, parks, lights_at_jph, logs)),
    ids=[each[1].__name__ for each in HALF_WAY],
)
def test_whatever_stands_half_way_still_stands_after_a_reload_and_a_restart(
    server: Server, browser: Browser, profile: str, play: Callable[[Page], None], words: str
) -> None:
    with a_floor(server.live, browser, profile=profile) as floor:
        page = floor.dealing()
        play(page)
        says(page, words)
        page.reload()
        says(page, words)
        server.restart()
        page.wait_for_selector("[data-console]:not([data-link=up])")
        page.wait_for_selector("[data-console][data-link=up]")
        says(page, words)


def test_without_the_server_the_next_coin_in_is_refused_and_a_running_round_goes_on(
    server: Server, browser: Browser
) -> None:
    with a_floor(server.live, browser) as floor:
        page = floor.dealing()
        seat(page, 2).click()
        page.click("#big-key")
        says(page, "Winning hand")
        server.stop()
        page.wait_for_selector("[data-console][data-link=down]")
        page.click("#end-key")
        says(page, "The end has no answer yet. It is said again by itself and counts once.")
        server.start()
        says_soon(page, "Tap every seat with a chip")
        assert Round.objects.get().state == "ended"
        server.stop()
        page.wait_for_selector("[data-console][data-link=down]")
        seat(page, 4).click()
        page.click("#big-key")
        expect(page.locator("#notice")).to_contain_text("START GAME is refused: no word from the server for")
        server.start()
        page.wait_for_selector("[data-console][data-link=up]")
        expect(seat(page, 4)).to_have_attribute("data-state", "in")
        assert Round.objects.count() == 1


def test_a_coin_in_whose_answer_was_lost_is_said_again_with_the_same_words(live: Live, browser: Browser) -> None:
    said: list[dict[str, Any]] = []

    def between(socket: WebSocketRoute) -> None:
        """The first answer to a coin-in is cut off with its line; what the page sends is noted."""
        onward = socket.connect_to_server()

        def from_page(text: str | bytes) -> None:
            message = json.loads(text)
            if message["do"] == "coin_in":
                said.append(message)
            onward.send(text)

        def from_server(text: str | bytes) -> None:
            if "coin_in" in str(text) and len(said) == 1:
                socket.close()
                onward.close()
            else:
                socket.send(text)

        socket.on_message(from_page)
        onward.on_message(from_server)

    with a_floor(live, browser) as floor:
        page = floor.open("/tables/UTH-01/console/", "dealer")
        page.route_web_socket("**/ws/tables/**", between)
        page.fill("#badge", "600000000101")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-console][data-link=up]")
        runs(page)
        assert said[0] == said[1]
        assert (Round.objects.count(), floor.meter()) == (1, "18651.40")


class LateAnswers:
    """A line on which answers to keys wait while it holds them."""

    def __init__(self, page: Page) -> None:
        self.page, self.holds = page, False
        self.held: list[tuple[WebSocketRoute, str | bytes]] = []
        page.clock.set_fixed_time(datetime.now(UTC))  # so that no wait is a silence
        page.route_web_socket("**/ws/tables/**", self.between)

    def between(self, socket: WebSocketRoute) -> None:
        onward = socket.connect_to_server()

        def from_server(text: str | bytes) -> None:
            if self.holds and isinstance(json.loads(text).get("id"), int):
                self.held.append((socket, text))
            else:
                socket.send(text)

        onward.on_message(from_server)

    def let_go(self) -> None:
        while not self.held:
            self.page.wait_for_timeout(10)
        self.holds = False
        for socket, text in self.held:
            socket.send(text)
        self.held.clear()


def test_keys_pressed_before_an_answer_is_there_say_so_and_do_nothing(live: Live, browser: Browser) -> None:
    with a_floor(live, browser) as floor:
        page = floor.open("/tables/UTH-01/console/", "dealer")
        line = LateAnswers(page)
        page.fill("#badge", "600000000101")
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-console][data-link=up]")
        notice, early = page.locator("#notice"), "The key before this one has no answer yet. Wait a moment."
        seat(page, 2).click()
        line.holds = True
        page.click("#big-key")
        page.click("#end-key")
        expect(notice).to_have_text(early)
        line.let_go()
        says(page, "Winning hand")
        page.click("#big-key")
        expect(notice).to_have_text("Round 1 runs. A winning hand: tap its seat. When all is paid: END GAME.")
        mark(page, 2, "Royal flush, first 5")
        page.click("#big-key")
        page.click("#confirm-box [value=yes]")
        says(page, "executive card")
        page.click("#big-key")
        page.fill("#card-number", EXECUTIVE)
        line.holds = True
        page.keyboard.press("Enter")
        page.keyboard.type(PIN)  # faster than the server
        expect(notice).to_have_text(early)
        line.let_go()
        expect(page.locator("#card-problem")).to_contain_text("Give its PIN")
        expect(seat(page, 2)).to_have_attribute("aria-pressed", "false")


def test_the_end_of_the_duty_is_told_and_the_page_speaks_no_more(
    live: Live, browser: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(console, "SESSION_EVERY", 0.0)
    with a_floor(live, browser) as floor:
        page = floor.dealing()
        leave_duty(table_code="UTH-01", operator=TableDuty.objects.get().operator)
        says(page, "Test Dealer is not on duty at UTH-01. Badge in first.")
        seat(page, 2).click()
        page.keyboard.press("Enter")
        assert not Round.objects.exists()


def test_a_second_console_takes_the_table_and_the_first_says_so(live: Live, browser: Browser) -> None:
    with a_floor(live, browser) as floor:
        first = floor.dealing()
        second = floor.open("/tables/UTH-01/console/", "dealer")
        second.wait_for_selector("[data-console][data-link=up]")
        says(first, "Another controller speaks for this table now.")
        first.click("#big-key")
        says(first, "Tap every seat")
        says(second, "Another controller speaks for this table now.")


def test_a_hold_is_shown_with_its_reason_within_a_moment(live: Live, browser: Browser) -> None:
    with a_floor(live, browser) as floor:
        page = floor.dealing()
        set_table_state(table=floor.casino.table, state=TableState.HELD, by="tests", why="dead spot at seat 3")
        says(page, "Held: dead spot at seat 3. A supervisor releases it on the pit page.")
        seat(page, 2).click()
        page.click("#big-key")
        expect(page.locator("#notice")).to_contain_text("START GAME is refused: the table is held")


def test_what_the_pit_decides_is_seen_at_the_table(live: Live, browser: Browser) -> None:
    with a_floor(live, browser) as floor:
        page = floor.dealing()
        asks_for_a_card(page)
        says(page, "supervisor card")
        hit.swipe(table_code="UTH-01", round_number=1, card=SUPERVISOR, at_table=True, source=AT_BOX)
        says(page, "The meter has moved. Pay by the win page, then END GAME.")


def test_j_pot_over_the_threshold_waits_for_the_executive_on_the_pit_page(live: Live, browser: Browser) -> None:
    with a_floor(live, browser, profile=Profile.KEY) as floor:
        page = floor.dealing()
        runs(page)
        mark(page, 2, "Royal flush, first 5")
        says(page, "Marked")
        key_to_jph(page)
        says(page, "18,651.40 in all. J-POT asks for an executive card on the pit page. The key stays at JPH.")
        page.click("#big-key")
        expect(page.locator("#card-box")).to_be_hidden()
        says(page, "18,651.40 in all: an executive card on the pit page. The key stays at JPH.")
        with_cards("UTH-01", 1)
        hit.swipe(table_code="UTH-01", round_number=1, card=EXECUTIVE, pin=PIN)
        says(page, "The win is logged. Turn key 17 to RUN")
        assert floor.meter() == "18651.40"
        page.click("#key-run")
        says(page, "Pay by the win page, then GAME OVER")
        assert floor.meter() == "10617.35"


def says_soon(page: Page, words: str) -> None:
    """After a restart: as soon as the page has found the server again."""
    expect(page.locator("#says")).to_contain_text(words)
