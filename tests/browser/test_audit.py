"""An auditor's morning in a real browser: figures, the dense trail, a thing's history, a proof, a parcel."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounting.audit.actions import working
from jackpot.proof.actions.heads import publish_heads
from tests.accounting.reports.report_scene import PlayedHouse
from tests.browser.looks import Watched
from tests.browser.test_pages import WHOLE_FILES, sign_in
from tests.builders import a_person
from tests.jackpot.books.api_scene import READS_ALL
from tests.living import Live
from tests.patience import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
ROWS_IN_SIGHT = """
[...document.querySelectorAll(".dense tbody tr")].filter((e) => {
  const box = e.getBoundingClientRect(), list = e.closest(".scroll").getBoundingClientRect();
  return box.bottom <= Math.min(list.bottom, innerHeight) && box.top >= list.top;
}).length
"""


@pytest.fixture
def house(live: Live, settings: Any, tmp_path: Path) -> PlayedHouse:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    settings.DATA_DIR = tmp_path
    played = PlayedHouse()
    a_person("ann", password="right", may=READS_ALL, premises=played.house)
    publish_heads()
    return played


def test_an_auditor_filters_proves_and_packs(live: Live, house: PlayedHouse, browser: Browser) -> None:
    page = browser.new_page(viewport={"width": 1440, "height": 900})
    watched = Watched(page)
    sign_in(page, live)
    page.goto(live.url)
    page.get_by_role("link", name="Audit", exact=True).click()
    page.wait_for_url("**/audit/**")
    until(lambda: page.evaluate(ROWS_IN_SIGHT) >= 20, "twenty rows are in sight")
    page.get_by_role("link", name="payments").click()
    expect(page.locator(".dense tbody tr")).to_have_count(1)
    page.locator(".dense tbody a").first.click()
    expect(page.locator("#history-title")).to_be_visible()
    page.get_by_role("link", name="Why the meter fell").click()
    expect(page.locator("main")).to_contain_text("cards seen")
    page.goto(f"{live.url}/audit/proof/")
    page.get_by_role("button", name="Prove the books").click()
    expect(page.locator("#proof")).to_contain_text("It waits for the worker.")
    working.work_through()
    expect(page.locator("#proof")).to_contain_text("these books prove")
    page.goto(f"{live.url}/audit/parcels/")
    page.fill("#period", "today")
    page.get_by_role("button", name="Have it made").click()
    working.work_through()
    with page.expect_download() as taken:
        page.get_by_role("button", name="Take it along").click()
    assert taken.value.suggested_filename.endswith(".zip")
    assert watched.complaints == []
    page.close()


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_every_page_of_the_auditor_is_whole_accessible_and_fits(
    live: Live, house: PlayedHouse, browser: Browser
) -> None:
    page = browser.new_page()
    watched = Watched(page)
    sign_in(page, live)
    win = f"/office/wins/{house.wins[0].slip}/"
    watched.look(live.url, ("/audit/", "/audit/?object=slip+1", "/audit/proof/", "/audit/parcels/", "/audit/retention/",
                            win, f"{win}why/"))  # fmt: skip
    assert watched.complaints == []
    page.close()
