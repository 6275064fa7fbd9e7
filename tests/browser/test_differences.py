"""A later winner's difference in a real browser: from the back-out's page to the cage."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackpot.adjusting.models import Adjustment
from jackpot.wins.models import Win
from tests.browser.test_adjustments import SIZES
from tests.browser.test_pages import Watched, sign_in
from tests.builders import a_person, a_property
from tests.living import Live
from tests.scenes_adjusting import approved, asked
from tests.scenes_owed import OwedFloor
from tests.scenes_wins import EXECUTIVE, PIN

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
MAY = ("see", "read_books", "adjust", "approve", "pay")


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_property(name="Reference Card Room", address="12 River Road\nAnytown")
    a_person("ann", password="right", may=MAY)
    return live


def kept(page: Page, name: str) -> None:
    """A picture for who wants to look, where a folder is named for it."""
    if folder := os.environ.get("FAIRMETER_SHOTS"):
        page.screenshot(path=str(Path(folder) / f"owed-{name}.png"), full_page=True)


def backed_out() -> tuple[OwedFloor, Adjustment, Win]:
    floor = OwedFloor()
    first, later = floor.v9b()
    return floor, floor.back_out(first), later


@pytest.mark.parametrize("size", SIZES)
def test_every_page_is_whole_accessible_and_fits(house: Live, browser: Browser, size: str) -> None:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height})
    watched = Watched(context.new_page())
    sign_in(watched.page, house)
    floor, cause, later = backed_out()
    form = f"/office/adjustments/new/?kind=difference&cause={cause.pk}&win=2"
    look(watched, house, size, {
        "inbox-open": "/office/adjustments/", "back-out": f"/office/adjustments/{cause.pk}/", "form": form,
        "form-pays": f"{form}&pays=yes&account=house",
    })  # fmt: skip
    row = asked("difference", floor.jackpot, cause=cause, win=later, pays=True)
    look(watched, house, size, {"waits": f"/office/adjustments/{row.pk}/"})
    approved(row)
    look(watched, house, size, {
        "decided": f"/office/adjustments/{row.pk}/", "back-out-decided": f"/office/adjustments/{cause.pk}/",
        "inbox": "/office/adjustments/", "winner": "/office/wins/2/", "page": "/office/wins/3/",
        "cage": "/office/cage/3/",
    })  # fmt: skip
    assert watched.complaints == []
    context.close()


def look(watched: Watched, house: Live, size: str, pages: dict[str, str]) -> None:
    for name, address in pages.items():
        watched.page.goto(house.url + address)
        kept(watched.page, f"{name}-{size}")
        watched.check(address)


def test_ann_pays_the_rest_of_slip_2_by_a_page_of_its_own(house: Live, browser_page: Page) -> None:
    _, cause, later = backed_out()
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/adjustments/")
    browser_page.get_by_role("link", name="See who is owed what").click()
    browser_page.get_by_role("link", name="Decide").click()
    browser_page.select_option("#pays", "yes")
    expect(browser_page.locator("#preview")).to_contain_text("19,066.50")
    browser_page.select_option("#reason", "backed_out")
    browser_page.fill("#why", "slip 1 was no royal")
    browser_page.fill("#evidence", "camera 7, 02:14")
    browser_page.get_by_role("button", name="Ask for a second person").click()
    browser_page.fill("#card", EXECUTIVE)
    browser_page.fill("#pin", PIN)
    browser_page.get_by_role("button", name="Approve").click()
    expect(browser_page.get_by_role("status").first).to_contain_text("is approved by Test Executive")
    browser_page.get_by_role("link", name="Slip 3").click()
    expect(browser_page.locator("h1")).to_contain_text("469.14")
    expect(browser_page.locator(".hero")).to_contain_text("Pays the difference of slip 2")
    browser_page.goto(f"{house.url}/office/adjustments/{cause.pk}/")
    expect(browser_page.locator("td .chip")).to_contain_text("slip 3")
    assert Win.objects.get(difference_of=later).state == "owed"


def test_a_refused_decision_keeps_what_was_typed(house: Live, browser_page: Page) -> None:
    floor, cause, _ = backed_out()
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/adjustments/new/?kind=difference&cause={cause.pk}&win=2")
    browser_page.select_option("#pays", "yes")
    browser_page.select_option("#reason", "backed_out")
    browser_page.fill("#why", "slip 1 was no royal")
    browser_page.fill("#evidence", "camera 7, 02:14")
    floor.mark({3: "five"})
    browser_page.get_by_role("button", name="Ask for a second person").click()
    expect(browser_page.get_by_role("alert")).to_contain_text("Settle this hit first")
    assert browser_page.input_value("#why") == "slip 1 was no royal"
    assert browser_page.input_value("#pays") == "yes"
