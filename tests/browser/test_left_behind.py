"""What a browser keeps of a list that was looked through: nothing, so that nothing is left after the sign-out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_person
from tests.living import Live
from tests.scenes_wins import WinFloor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
KEPT = "() => JSON.stringify([{...localStorage}, {...sessionStorage}])"


def test_a_list_that_was_looked_through_is_kept_nowhere_and_the_way_back_leads_to_the_whole_page(
    live: Live, browser_page: Page, settings: Any
) -> None:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    WinFloor().won({3: "royal"})
    a_person("clara", password="right", may=("see", "read_books"))
    page = browser_page
    page.goto(f"{live.url}/sign-in/?next=/jackpots/GRAND/ledger/")
    page.get_by_label("Name").fill("clara")
    page.get_by_label("Password").fill("right")
    page.get_by_role("button", name="Sign in").click()
    expect(page.locator("#ledger")).to_be_visible()
    page.locator("#falls").check()
    page.wait_for_url("**falls**")
    expect(page.locator("#ledger")).to_contain_text("20,000.00")
    kept = page.evaluate(KEPT)
    assert "20,000" not in kept
    assert "htmx-history-cache" not in kept
    page.go_back()
    expect(page.locator("h1")).to_be_visible()
    expect(page.locator("nav").first).to_be_visible()
    expect(page.locator("#ledger")).to_be_visible()
