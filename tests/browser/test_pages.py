"""Every page in a real browser: no fault in the console, nothing for axe to find, nothing wider than the screen."""

from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING, Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from django.utils import timezone
from drf_spectacular.generators import SchemaGenerator
from playwright.sync_api import expect

from tables.floor.models.device import Device, DeviceKind, DeviceState
from tests.browser.let_in import let_in
from tests.browser.looks import Watched
from tests.builders import a_person, a_property, a_sign
from tests.jackpot.books.api_scene import READS_ALL, a_played_casino
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# WhiteNoise hands out files as iterators that Django's ASGI handler reads whole, with a warning.
WHOLE_FILES = "ignore:StreamingHttpResponse must consume synchronous iterators:Warning"
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]

PAGES = (
    "/", "/jackpots/", "/jackpots/GRAND/", "/jackpots/GRAND/ledger/", "/jackpots/GRAND/ledger/3/",
    "/jackpots/GRAND/ledger/?kind=opening", "/jackpots/GRAND/falls/", "/jackpots/GRAND/versions/",
    "/jackpots/GRAND/proof/", "/tables/", "/rounds/", "/rounds/?table=UTH-01", "/rounds/UTH-02/1/",
)  # fmt: skip
REFUSED = ("/nothing/", "/jackpots/GRAND/ledger/?q=!!")


def sign_in(page: Page, live: Live, who: str = "ann") -> None:
    let_in(page.context, live, who)


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_property(demo=True)
    a_sign("WALL", a_played_casino().jackpot)
    a_person("ann", password="right", may=READS_ALL)
    return live


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_every_page_is_whole_accessible_and_fits(house: Live, browser: Browser) -> None:
    context = browser.new_context()
    watched = Watched(context.new_page())
    watched.look(house.url, ("/", "/sign-in/"))
    watched.page.fill("#id_username", "ann")
    watched.page.fill("#id_password", "right")
    watched.page.click("main button")
    watched.page.wait_for_url(f"{house.url}/")
    watched.look(house.url, PAGES)
    assert watched.complaints == []
    watched.look(house.url, REFUSED)
    context.close()


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_the_pages_of_devices_are_whole_accessible_and_fit(house: Live, browser: Browser) -> None:
    """With an earlier secret still heard, both ways to end one stand on the page."""
    device = Device.objects.filter(kind=DeviceKind.CONTROLLER)[0]
    Device.objects.filter(pk=device.pk).update(
        state=DeviceState.ACTIVE, generation=2, secret=b"2" * 32, secret_before=b"1" * 32,
        enrolled_at=timezone.now(), earlier_until=timezone.now() + timedelta(hours=6),
    )  # fmt: skip
    a_person("bea", password="right", may=("see", "service"))
    context = browser.new_context()
    watched = Watched(context.new_page())
    sign_in(watched.page, house, "bea")
    watched.look(house.url, {"list": "/devices/", "one": f"/devices/{device.code}/"}, "devices")
    expect(watched.page.get_by_role("button", name="End secret 1 now")).to_be_visible()
    assert watched.complaints == []
    context.close()


def test_the_documentation_renders_under_our_policy(house: Live, browser_page: Page) -> None:
    watched = Watched(browser_page)
    browser_page.goto(f"{house.url}/api/v1/docs/")
    browser_page.wait_for_selector(".opblock")
    operations = [each for path in SchemaGenerator().get_schema(public=True)["paths"].values() for each in path]
    drawn: set[str] = set()
    for _ in operations:  # of a long document only what is looked at is drawn
        drawn |= set(browser_page.evaluate("[...document.querySelectorAll('.opblock')].map(each => each.id)"))
        if len(drawn) == len(operations):
            break
        browser_page.mouse.wheel(0, 400)
        browser_page.evaluate("() => new Promise(drawn => requestAnimationFrame(() => setTimeout(drawn, 60)))")
    assert len(drawn) == len(operations)
    assert "operations-tables-tables_messages" in drawn
    assert watched.complaints == []
    own = Axe().run(browser_page, context={"exclude": [["#swagger-ui"]]})  # what is inside is not ours to mend
    assert own.response["violations"] == []


def test_a_slash_goes_to_the_search_box_and_a_choice_fetches_only_the_list(house: Live, browser_page: Page) -> None:
    watched = Watched(browser_page)
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/jackpots/GRAND/ledger/")
    browser_page.keyboard.press("/")
    assert browser_page.evaluate("document.activeElement.id") == "q"
    browser_page.keyboard.type("UTH-01")
    browser_page.keyboard.press("Enter")
    browser_page.wait_for_url("**/ledger/?q=UTH-01*")
    expect(browser_page.locator("#ledger tbody tr")).to_have_count(2)
    browser_page.check("input[name=falls]")
    expect(browser_page.locator("#ledger tbody tr")).to_have_count(1)
    assert "falls=on" in browser_page.url
    assert watched.complaints == []


def test_a_number_in_the_search_box_opens_its_entry(house: Live, browser_page: Page) -> None:
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/jackpots/GRAND/ledger/")
    browser_page.fill("#q", "5")
    browser_page.keyboard.press("Enter")
    expect(browser_page).to_have_url(f"{house.url}/jackpots/GRAND/ledger/5/")


def test_the_clock_of_the_property_runs(house: Live, browser_page: Page) -> None:
    browser_page.goto(house.url)
    first = browser_page.text_content("[data-clock]")
    expect(browser_page.locator("[data-clock]")).not_to_have_text(str(first))


def test_the_keyboard_finds_the_content_first_and_sees_where_it_is(house: Live, browser_page: Page) -> None:
    browser_page.goto(house.url)
    browser_page.keyboard.press("Tab")
    assert browser_page.evaluate("document.activeElement.className") == "skip"
    browser_page.goto(f"{house.url}/sign-in/")
    browser_page.focus("#id_password")
    assert browser_page.evaluate("getComputedStyle(document.activeElement).outlineWidth") == "3px"


def test_the_pages_work_without_any_script(house: Live, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    sign_in(page, house)
    page.goto(f"{house.url}/jackpots/GRAND/ledger/")
    page.check("input[name=falls]")
    page.click("form.asked button")
    assert page.locator("#ledger tbody tr").count() == 2
    context.close()
