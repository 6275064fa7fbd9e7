"""A house advance in the books, in a real browser."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tests.browser.test_config import SIZES, sign_in
from tests.browser.test_pages import WHOLE_FILES, Watched
from tests.builders import a_person
from tests.living import Live
from tests.tables.rounds.test_house_advance import a_floor, community

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
PAGES = {"overview": "/jackpots/GRAND/", "ledger": "/jackpots/GRAND/ledger/", "terms": "/jackpots/GRAND/versions/"}


@pytest.mark.parametrize("size", ["desk", "tablet"])
def test_the_books_show_what_is_owed_of_a_house_advance(
    live: Live, browser_page: Page, settings: Any, size: str
) -> None:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    played = a_floor(1, seed="2000.00")
    community(played)
    played.coin_in("1234567")
    a_person("bob", password="right", may=("see", "read_books", "configure"))
    watched = Watched(browser_page)
    width, height = SIZES[size]
    browser_page.set_viewport_size({"width": width, "height": height})
    sign_in(browser_page, live, "bob")
    for name, address in PAGES.items():
        browser_page.goto(live.url + address)
        if folder := os.environ.get("FAIRMETER_SHOTS"):
            browser_page.screenshot(path=str(Path(folder) / f"advance-{name}-{size}.png"), full_page=True)
        watched.check(address)
    browser_page.goto(f"{live.url}/jackpots/GRAND/")
    expect(browser_page.get_by_text("House advance still owed")).to_be_visible()
    expect(browser_page.get_by_text("1,997.55 · 0.35 of each chip repays it")).to_be_visible()
    assert watched.complaints == []
