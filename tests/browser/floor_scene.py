"""A dealer, a supervisor and an executive at one table, in real browsers."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from playwright.sync_api import expect

from jackpot.people.actions.keys import sign_key_out
from jackpot.people.models import Card
from tables.floor.models.table import Profile
from tests.browser.let_in import let_in
from tests.builders import CARD_PIN, Casino, a_card, a_casino, a_person
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Locator, Page

WHOLE_FILES = "ignore:StreamingHttpResponse must consume synchronous iterators:Warning"
BADGE, SUPERVISOR, EXECUTIVE, SECOND = "600000000101", "600000000201", "900000000301", "900000000302"
PIN = "274916"
PIT = ("see", "verify", "approve", "run_tables", "void", "recount")


@dataclass
class Floor:
    """One house with its people; `live` may be replaced by a server started anew on the same port."""

    live: Live
    casino: Casino
    browser: Browser

    def open(self, path: str, username: str, width: int = 1280, height: int = 800) -> Page:
        """A browser of one's own in which this person is signed in."""
        context = self.browser.new_context(viewport={"width": width, "height": height})
        page = context.new_page()
        let_in(context, self.live, username)
        page.goto(self.live.url + path)
        return page

    def dealing(self, table: int = 0, **size: int) -> Page:
        """The dealer's console, badged in and connected."""
        code = self.casino.tables[table].code
        page = self.open(f"/tables/{code}/console/", "dealer", **size)
        page.fill("#badge", BADGE)
        page.keyboard.press("Enter")
        page.wait_for_selector("[data-console][data-link=up]")
        return page

    def meter(self) -> str:
        self.casino.jackpot.refresh_from_db()
        return str(self.casino.jackpot.meter_money)


@contextlib.contextmanager
def a_floor(
    live: Live, browser: Browser, *, profile: str = Profile.CARD, tables: int = 1, **more: Any
) -> Iterator[Floor]:
    """Two cards for supervisors and executives, a badge for the dealer; the key profile has key 17 out."""
    casino = a_casino(tables=tables, **{"meter": "18650.00", "reserve": "617.25", **more})
    for table in casino.tables:
        table.profile = profile
        table.save()
    a_card(a_person("dealer", may=("see", "deal"), password="right"), number=BADGE, level="dealer")
    supervisor = a_person("supervisor", may=PIT, password="right")
    a_card(supervisor, number=SUPERVISOR, level="supervisor")
    a_card(a_person("executive", may=PIT, password="right"), number=EXECUTIVE, level="executive", pin=PIN)
    a_card(a_person("second", may=PIT, password="right"), number=SECOND, level="executive", pin=PIN)
    sign_key_out(premises=casino.premises, number="17", operator=supervisor, by="tests", level=Card.Level.SUPERVISOR)
    yield Floor(live, casino, browser)
    for context in list(browser.contexts):
        context.close()


def seat(page: Page, number: int) -> Locator:
    return page.locator(f"#seats li:nth-child({number}) button")


def hand(page: Page, name: str) -> Locator:
    return page.locator("#hands button", has_text=name)


def says(page: Page, words: str) -> None:
    expect(page.locator("#says")).to_contain_text(words)


def presses_j_pot(page: Page) -> None:
    """The key's number was typed here, so whoever signed it out gives the PIN."""
    page.click("#big-key")
    page.fill("#card-pin", CARD_PIN)
    page.keyboard.press("Enter")


def locks(page: Page) -> None:
    """The big key, and the answer of the server: from here the seats are those of the round."""
    page.click("#big-key")
    says(page, "Winning hand")


def mark(page: Page, number: int, name: str) -> None:
    """Seat, then hand; the hand lights when the server has it."""
    seat(page, number).click()
    hand(page, name).click()
    expect(hand(page, name)).to_have_attribute("aria-pressed", "true")
