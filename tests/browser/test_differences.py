"""A winner's difference in a real browser: after a back-out, and of whom too little was paid, to the cage."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackpot.adjusting.models import Adjustment
from jackpot.wins.models import Win
from tests.browser.looks import Watched
from tests.browser.test_pages import sign_in
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


def backed_out() -> tuple[OwedFloor, Adjustment, Win]:
    floor = OwedFloor()
    first, later = floor.v9b()
    return floor, floor.back_out(first), later


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_every_page_is_whole_accessible_and_fits(house: Live, browser: Browser) -> None:
    context = browser.new_context()
    watched = Watched(context.new_page())
    sign_in(watched.page, house)
    floor, cause, later = backed_out()
    form = f"/office/adjustments/new/?kind=difference&cause={cause.pk}&win=2"
    watched.look(house.url, {
        "inbox-open": "/office/adjustments/", "back-out": f"/office/requests/{cause.pk}/", "form": form,
        "form-pays": f"{form}&pays=yes&account=house",
    }, "owed")  # fmt: skip
    row = asked("difference", floor.jackpot, cause=cause, win=later, pays=True)
    watched.look(house.url, {"waits": f"/office/requests/{row.pk}/"}, "owed")
    approved(row)
    watched.look(house.url, {
        "decided": f"/office/requests/{row.pk}/", "back-out-decided": f"/office/requests/{cause.pk}/",
        "inbox": "/office/adjustments/", "winner": "/office/wins/2/", "page": "/office/wins/3/",
        "cage": "/office/cage/3/",
    }, "owed")  # fmt: skip
    assert watched.complaints == []
    context.close()


def test_ann_pays_the_rest_of_slip_2_by_a_page_of_its_own(house: Live, browser_page: Page) -> None:
    _, cause, later = backed_out()
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/adjustments/")
    browser_page.get_by_role("link", name="See who is owed what").click()
    browser_page.get_by_role("link", name="Decide").click()
    browser_page.select_option("#pays", "yes")
    expect(browser_page.locator("#preview")).to_contain_text("19,066.50")
    browser_page.select_option("#ground", "backed_out")
    browser_page.fill("#reason", "slip 1 was no royal")
    browser_page.fill("#evidence", "camera 7, 02:14")
    browser_page.get_by_role("button", name="Ask a second person").click()
    browser_page.fill("#card", EXECUTIVE)
    browser_page.fill("#pin", PIN)
    browser_page.get_by_role("button", name="Approve").click()
    expect(browser_page.get_by_role("status").first).to_contain_text("is approved by Test Executive")
    browser_page.get_by_role("link", name="Slip 3").click()
    expect(browser_page.locator("h1")).to_contain_text("469.14")
    expect(browser_page.locator(".hero")).to_contain_text("Pays the difference of slip 2")
    browser_page.goto(f"{house.url}/office/requests/{cause.pk}/")
    expect(browser_page.locator("td .chip")).to_contain_text("slip 3")
    assert Win.objects.get(difference_of=later).state == "owed"


def test_a_refused_decision_keeps_what_was_typed(house: Live, browser_page: Page) -> None:
    floor, cause, _ = backed_out()
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/adjustments/new/?kind=difference&cause={cause.pk}&win=2")
    browser_page.select_option("#pays", "yes")
    browser_page.select_option("#ground", "backed_out")
    browser_page.fill("#reason", "slip 1 was no royal")
    browser_page.fill("#evidence", "camera 7, 02:14")
    floor.mark({3: "five"})
    browser_page.get_by_role("button", name="Ask a second person").click()
    expect(browser_page.get_by_role("alert")).to_contain_text("Settle this hit first")
    assert browser_page.input_value("#reason") == "slip 1 was no royal"
    assert browser_page.input_value("#pays") == "yes"


def test_every_page_of_an_underpayment_is_whole_accessible_and_fits(house: Live, browser: Browser) -> None:
    context = browser.new_context()
    watched = Watched(context.new_page())
    sign_in(watched.page, house)
    floor = OwedFloor()
    win = floor.won({2: "five"}, seats="12345")[0]
    form = "/office/adjustments/new/?kind=underpayment"
    watched.look(house.url, {
        "menu": form, "form": f"{form}&win=1", "form-reckoned": f"{form}&win=1&reading=20058.80&account=house",
    }, "underpaid")  # fmt: skip
    row = asked("underpayment", floor.jackpot, win=win, reading="20058.80", account="house")
    watched.look(house.url, {"waits": f"/office/requests/{row.pk}/"}, "underpaid")
    approved(row)
    watched.look(house.url, {
        "decided": f"/office/requests/{row.pk}/", "winner": "/office/wins/1/", "page": "/office/wins/2/",
        "cage": "/office/cage/2/",
    }, "underpaid")  # fmt: skip
    assert watched.complaints == []
    context.close()


def test_ann_names_what_the_meter_must_have_been_and_the_rest_is_reckoned(house: Live, browser_page: Page) -> None:
    OwedFloor().won({2: "five"}, seats="12345")
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/wins/1/")
    browser_page.get_by_role("link", name="Underpaid").click()
    browser_page.fill("#reading", "20058.80")
    expect(browser_page.locator("#preview")).to_contain_text("As it must have been")
    expect(browser_page.locator("#preview")).to_contain_text("+2.80")
    browser_page.select_option("#ground", "recount")
    browser_page.fill("#reason", "80 chips were not counted")
    browser_page.fill("#evidence", "count 17")
    browser_page.get_by_role("button", name="Ask a second person").click()
    browser_page.fill("#card", EXECUTIVE)
    browser_page.fill("#pin", PIN)
    browser_page.get_by_role("button", name="Approve").click()
    expect(browser_page.get_by_role("status").first).to_contain_text("is approved by Test Executive")
    browser_page.get_by_role("link", name="Slip 2").click()
    expect(browser_page.locator("h1")).to_contain_text("2.80")
    expect(browser_page.locator("main")).to_contain_text("found by: chips counted again")
