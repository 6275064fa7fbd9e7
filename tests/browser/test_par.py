"""Par sheets in a real browser: nothing for axe to find at desk and tablet, and a table of one's own by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.browser.let_in import let_in
from tests.browser.looks import SIZES, Watched
from tests.builders import a_person, emerald
from tests.living import Live
from tests.tables.games.sheet_scene import long_counts_are_known

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PAGES = (
    "", "uth/pairs/PT4/", "uth/blind/UTH-01/", "hands/?hole=7c+2d&board=Kh+8h+Kd+9s+4s", "uth/pairs/own/?from=PT4",
    "which/?house_edge=-20", "actual/GRAND/", "verify/?digest=1&signature=2",
)  # fmt: skip


@pytest.fixture
def page(live: Live, browser_page: Page) -> Page:
    """An operator who has signed in, in a house that was asked before."""
    long_counts_are_known(settings.DATA_DIR)
    a_person("curious", may=("see", "read_books", "configure"), password="a long password", premises=emerald())
    browser_page.set_viewport_size({"width": 1440, "height": 900})
    let_in(browser_page.context, live, "curious", "a long password")
    return browser_page


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_at_desk_and_tablet_size_there_is_nothing_to_complain_about(page: Page, live: Live) -> None:
    watched = Watched(page)
    for where in PAGES:
        page.goto(f"{live.url}/office/par/{where}")
        expect(page.locator("progress")).to_have_count(0)
        for name, (width, height) in SIZES.items():
            page.set_viewport_size({"width": width, "height": height})
            watched.check(f"{where} {name}")
    assert watched.complaints == []


def test_a_table_of_ones_own_is_written_and_released_by_keyboard(page: Page, live: Live) -> None:
    page.goto(f"{live.url}/office/par/uth/pairs/own/?from=PT4")
    page.focus("#code")
    page.keyboard.type("HOUSE-01")
    page.keyboard.press("Tab")
    page.keyboard.type("Our pairs")
    page.keyboard.press("Enter")
    release = page.get_by_role("button", name="I looked at it: release")
    expect(release).to_be_visible(timeout=60_000)
    release.press("Enter")
    expect(page.locator(".tell").first).to_contain_text("HOUSE-01 may be chosen from now on")
