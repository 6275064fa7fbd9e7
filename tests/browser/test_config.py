"""Other terms in a real browser: asked for by one person, previewed, signed by another."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as house_settings
from playwright.sync_api import expect

from jackpot.books.models.jackpot import Jackpot
from jackpot.signing.actions import refuse, withdraw
from jackpot.terms.models.terms_change import TermsChange
from tables.calculation.desk import desk
from tables.requests.actions import configure
from tests.accounting.lab.lab_scene import outcomes_are_known
from tests.browser.let_in import let_in
from tests.browser.looks import Watched, kept
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_jackpot, a_person, a_property, a_table
from tests.living import Live
from tests.scenes_adjusting import done
from tests.scenes_configure import AT_ONCE, approved, drafted, two_people

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def house(live: Live, settings: Any) -> Any:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    outcomes_are_known(Path(house_settings.DATA_DIR))
    a_property(name="Reference Card Room")
    grand = a_jackpot(meter="20000.00", reserve="617.25", limit="60000.00")
    mini = a_jackpot("MINI", meter="512.40", seed="500.00", rate="10", reserve_rate="0", pay_table=grand_only())
    a_table("UTH-01", grand)
    a_table("UTH-02", mini)
    a_person("ann", password="right", may=("see", "read_books", "configure"))
    a_person("bob", password="right", may=("see", "read_books", "configure", "override"))
    yield live
    desk().close()


def grand_only() -> dict[str, Any]:
    return {"code": "small", "lines": [{"code": "royal_first_5", "name": "Royal flush, first 5 cards", "part": "1"}]}


def sign_in(page: Page, live: Live, who: str) -> None:
    page.context.clear_cookies()
    let_in(page.context, live, who)


def test_one_asks_sees_the_preview_and_another_signs(house: Live, browser_page: Page) -> None:
    watched = Watched(browser_page)
    browser_page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(browser_page, house, "ann")
    browser_page.goto(house.url)
    browser_page.get_by_role("link", name="The configuration").click()
    browser_page.get_by_role("link", name="Ask for other terms of Grand").click()
    browser_page.fill("#limit", "15000")
    browser_page.fill("#rate", "60")
    browser_page.fill("#reason", "a lower rate for the season")
    browser_page.get_by_role("button", name="Ask, and preview").click()
    expect(browser_page.get_by_role("alert")).to_contain_text("below the present meter 20000.00. Raise the limit.")
    assert browser_page.input_value("#rate") == "60", "what was typed is still there"
    kept(browser_page, "config-draft-refused")
    watched.complaints.clear()  # the browser notes the refusal's status
    browser_page.fill("#limit", "60000")
    browser_page.fill("#seed", "12,000.00")
    browser_page.get_by_role("button", name="Ask, and preview").click()
    expect(browser_page.get_by_role("heading", name="What the preview says")).to_be_visible()
    expect(browser_page.get_by_text("An executive must sign.").first).to_be_visible()
    expect(browser_page.get_by_role("button", name="Approve")).to_have_count(0)
    kept(browser_page, "config-asked")
    watched.check("asked")
    sign_in(browser_page, house, "bob")
    browser_page.goto(f"{house.url}/office/config/")
    browser_page.get_by_role("link", name="Look at it").click()
    kept(browser_page, "config-to-sign")
    browser_page.fill("#password", "right")
    browser_page.get_by_role("button", name="Approve").click()
    expect(browser_page.get_by_role("status")).to_contain_text("Version 2 of GRAND waits for the next reset.")
    kept(browser_page, "config-waits")
    browser_page.goto(f"{house.url}/jackpots/GRAND/")
    expect(browser_page.get_by_text("Version 2 waits for the next reset")).to_be_visible()
    kept(browser_page, "config-live-meter")
    assert watched.complaints == []


def test_the_switches_of_rows_and_of_a_dry_meter_are_asked_for_and_the_preview_says_their_figures(
    house: Live, browser_page: Page
) -> None:
    watched = Watched(browser_page)
    sign_in(browser_page, house, "ann")
    browser_page.goto(f"{house.url}/office/config/GRAND/draft/")
    browser_page.select_option("#row", "never_less")
    browser_page.select_option("#dry_meter", "restart")
    browser_page.fill("#reason", "the rule book of the season")
    browser_page.get_by_role("button", name="Ask, and preview").click()
    expect(browser_page.get_by_role("alert")).to_contain_text("the part of a chip that repays the house advance")
    watched.complaints.clear()  # the browser notes the refusal's status
    browser_page.fill("#repay_rate", "50")
    kept(browser_page, "config-switches-draft")
    browser_page.get_by_role("button", name="Ask, and preview").click()
    said = browser_page.get_by_text("28,572 chips for one advance")
    expect(said).to_be_visible()
    expect(browser_page.get_by_text("while the meter is below 60,000.00")).to_be_visible()
    kept(browser_page, "config-switches-asked")
    watched.check("asked")
    assert watched.complaints == []


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_every_page_is_whole_accessible_and_fits(house: Live, browser: Browser) -> None:
    grand = Jackpot.objects.get(code="GRAND")
    approved(grand, rate="60", seed="12000.00")
    drafted(grand, policy={"order": "clockwise"}, limit="80000.00")
    refused = drafted(grand, rate="50")
    refuse(request_id=refused.pk, reason="too low for the players", by=two_people()[1])
    taken_back = drafted(grand, rate="40")
    withdraw(request_id=taken_back.pk, reason="a slip of the finger", by=two_people()[0])
    mini = Jackpot.objects.get(code="MINI")
    done("suspend", mini)
    approved(mini, AT_ONCE, seed="400.00")
    assert TermsChange.objects.count() == 5
    context = browser.new_context()
    watched = Watched(context.new_page())
    sign_in(watched.page, house, "bob")
    pages = {
        "all": "/office/config/", "jackpot": "/office/config/GRAND/", "draft": "/office/config/GRAND/draft/",
        "waiting": "/office/config/GRAND/1/", "previewed": "/office/config/GRAND/2/",
        "refused": "/office/config/GRAND/3/", "withdrawn": "/office/config/GRAND/4/",
        "in-force": "/office/config/MINI/1/", "terms": "/jackpots/GRAND/versions/",
    }  # fmt: skip
    watched.look(house.url, pages, "config")
    assert watched.complaints == []
    context.close()


def test_a_preview_that_takes_its_time_shows_how_far_it_is_and_comes_by_itself(
    house: Live, browser_page: Page, monkeypatch: pytest.MonkeyPatch
) -> None:
    calculated = configure._laboratory
    monkeypatch.setattr(configure, "_laboratory", lambda *_: configure.TermsPreview([], [], 40))
    watched = Watched(browser_page)
    sign_in(browser_page, house, "ann")
    browser_page.goto(f"{house.url}/office/config/GRAND/draft/")
    browser_page.fill("#rate", "60")
    browser_page.fill("#reason", "the season")
    browser_page.get_by_role("button", name="Ask, and preview").click()
    expect(browser_page.get_by_role("heading", name="The laboratory is calculating")).to_be_visible()
    expect(browser_page.get_by_role("status").filter(has_text="40 %")).to_be_visible()
    kept(browser_page, "config-working")
    watched.check("working")
    monkeypatch.setattr(configure, "_laboratory", calculated)
    expect(browser_page.get_by_role("heading", name="What the preview says")).to_be_visible()
    assert watched.complaints == []
