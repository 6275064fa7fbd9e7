"""A gaming day closed in a real browser, by keyboard alone; nothing for axe to find at desk and tablet."""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounting.days.actions.closing import sign_day
from accounting.days.actions.writing import count_chips
from accounting.days.queries.days import state_on
from jackpot.configuring.actions.house_rules import declare_tax
from jackpot.money import Money
from jackpot.property.rules.tax import TaxRule
from tests.browser.looks import Watched, kept
from tests.browser.test_pages import sign_in
from tests.builders import a_person, a_property
from tests.living import Live
from tests.scenes_adjusting import person
from tests.scenes_days import WEST, OfficeDay
from tests.scenes_wins import WinFloor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
SIZES = {"desk": (1440, 900), "tablet": (1024, 768)}
MAY = ("see", "read_books", "close_day", "count", "pay")


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_property(name="Reference Card Room", address="12 River Road\nAnytown", time_zone=WEST)
    a_person("ann", password="right", may=MAY)
    return live


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_the_close_and_the_window_are_whole_and_accessible(house: Live, browser: Browser) -> None:
    rule = TaxRule(date(2020, 1, 1), Money.of("600"), 300, Money.of("500"), 240_000)
    declare_tax(premises=a_property(), rule=rule, by="tests")
    context = browser.new_context()
    watched = Watched(context.new_page())
    sign_in(watched.page, house)
    office = OfficeDay(form_seen=True)
    office.work()
    for who in ("one", "two"):
        count_chips(**office.where(), table_code="UTH-01", chips=2, by=person(who))
    watched.look(house.url, {"cage": "/office/cage/2/"}, "close", SIZES)
    office.roll()
    pages = {"day": f"/office/days/{office.day}/", "days": "/office/days/", "record": "/office/wins/1/"}
    watched.look(house.url, pages, "close", SIZES)
    assert watched.complaints == []
    context.close()


def test_an_accountant_closes_a_day_by_keyboard_alone(house: Live, browser: Browser) -> None:
    office = OfficeDay()
    office.work()
    office.roll()
    sign_day(**office.where(), by=person("bob"))
    page = browser.new_context(viewport={"width": 1440, "height": 900}).new_page()
    sign_in(page, house)
    page.goto(f"{house.url}/office/days/")
    shown = f"{office.day:%a} {office.day.day} {office.day:%b %Y}"
    until_focused(page, shown)
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_have_text(shown)
    until_focused(page, "Close the day")
    page.keyboard.press("Enter")
    expect(page.locator(".tell[role=status]")).to_contain_text("closed")
    expect(page.locator(".lead")).to_contain_text("This day is closed.")
    kept(page, "close-closed")
    assert state_on(**office.where()).value == "closed"


def until_focused(page: Page, words: str, most: int = 120) -> None:
    for _ in range(most):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.textContent.trim()") == words:
            return
    raise AssertionError(f"“{words}” is not reached by the Tab key")


def test_the_window_asks_for_identity_and_form_and_pays_the_net(house: Live, browser: Browser) -> None:
    rule = TaxRule(date(2020, 1, 1), Money.of("600"), 300, Money.of("5000"), 240_000)
    declare_tax(premises=a_property(), rule=rule, by="tests")
    WinFloor().royal()
    page = browser.new_context(viewport={"width": 1024, "height": 768}).new_page()
    sign_in(page, house)
    page.goto(f"{house.url}/office/cage/1/")
    page.get_by_role("button", name="Pay $15,200.24").click()
    assert page.evaluate("document.querySelector('[name=form_seen]').validity.valueMissing")
    page.get_by_label("Identity and form are in hand").check()
    page.get_by_role("button", name="Pay $15,200.24").click()
    expect(page.locator(".tell[role=status]")).to_contain_text("together $20,000.00")
