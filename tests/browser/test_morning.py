"""An accountant's morning in a real browser, by keyboard alone: what happened, what waits, the day that is closed."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounting.days.actions.closing import close_day
from accounting.days.queries.days import state_on
from accounting.days.rules.day_life import DayState
from jackpot.money import Money
from jackpot.wins.models import Win, WindowReceipt
from tables.floor.models.table import Table
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.setup.actions.collections import declare_collection
from tests.browser.keyboard import Keyboard
from tests.browser.looks import Watched
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_person, a_property
from tests.living import Live
from tests.scenes_adjusting import approved, asked, person
from tests.scenes_days import WEST, OfficeDay

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
MAY = ("see", "read_books", "close_day", "count", "pay", "adjust")


@pytest.fixture
def office(live: Live, settings: Any) -> OfficeDay:
    """A day that has rolled, all but its drop and its signatures; a win that was paid is backed out."""
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_property(name="Reference Card Room", address="12 River Road\nAnytown", time_zone=WEST)
    a_person("ann", password="right", may=MAY)
    made = OfficeDay()
    rule = CollectionRule(made.day, FeeBasis.HAND, Money.of("1.00"))
    declare_collection(tables=[Table.objects.get(code="UTH-01")], rule=rule, by="tests")
    approved(asked("back_out", made.jackpot, win=Win.objects.get(slip=1)), seen=True)
    made.work()
    made.roll()
    return made


def test_an_accountants_morning_by_keyboard_alone(live: Live, office: OfficeDay, browser_page: Page) -> None:
    page, watched = browser_page, Watched(browser_page)
    keys, shown = Keyboard(page, "morning"), f"{office.day:%a} {office.day.day} {office.day:%b %Y}"
    page.goto(f"{live.url}/sign-in/")
    keys.sign_in("ann", "right")
    keys.look("home")
    keys.press("Office")
    keys.look("office")
    read_a_report(keys)
    take_money_back(keys)
    drop_and_signature(keys, office, shown)
    close_day(**office.where(), by=person("bob"))
    keys.press("Days")
    keys.look("days")
    assert state_on(**office.where()) == DayState.CLOSED
    assert watched.complaints == []


def read_a_report(keys: Keyboard) -> None:
    keys.press("Reports")
    keys.arrived("Reports")
    keys.look("reports")
    keys.press("Paid in error", begins=True)
    keys.arrived("Paid in error")
    keys.look("report")


def take_money_back(keys: Keyboard) -> None:
    """From the line of the report to the window, and the receipt."""
    keys.press("1")
    keys.arrived("Slip 1")
    keys.look("cage-in-error")
    keys.write(Amount_that_came_back="20000.00", Window="Window 2")
    keys.press("Take receipt 1")
    expect(keys.page.get_by_role("status")).to_contain_text("Receipt 1 for slip 1")
    keys.look("cage-receipt")
    assert WindowReceipt.objects.count() == 1


def drop_and_signature(keys: Keyboard, office: OfficeDay, shown: str) -> None:
    keys.press("Days")
    keys.press(shown)
    keys.arrived(shown)
    keys.look("day-open")
    keys.write(In_its_drop_box="1.00")
    keys.press("Note the drop")
    expect(keys.page.get_by_role("status")).to_contain_text("The drop of UTH-01 is noted.")
    keys.press("Sign the day")
    expect(keys.page.get_by_role("status")).to_contain_text("signed")
    keys.look("day-signed")
    assert state_on(**office.where()) == DayState.SIGNED
