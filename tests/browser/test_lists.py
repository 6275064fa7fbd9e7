"""The office's lists on a desk's and a tablet's screen: no column lies behind a scroll, all are one press away."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest

from accounting.reports.queries.catalogue import REPORTS
from tests.accounting.reports.report_scene import PlayedHouse
from tests.browser.looks import Watched, check, kept
from tests.browser.test_pages import WHOLE_FILES, sign_in
from tests.builders import a_person
from tests.jackpot.books.api_scene import READS_ALL
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
LISTS: Final = ("/office/wins/", "/office/people/", "/office/people-review/", "/audit/", "/office/unclaimed/")
SCREENS: Final = ((1440, 900), (1024, 768))
UPRIGHT: Final = (820, 1180)
BEHIND_A_SCROLL: Final = """
[...document.querySelectorAll("main .scroll")].map((e) => e.scrollWidth - e.clientWidth).filter((by) => by > 1)
"""
DENSE: Final = (
    *LISTS, "/rounds/", "/devices/", "/office/days/", "/office/tax-records/?days=today", "/jackpots/GRAND/ledger/",
)  # fmt: skip
LEAST_ROWS: Final = 20
SENTENCES: Final = "/office/reports/rule-book/?period=today"  # a row of it is a rule in words, several lines long
# A list is made as long as a busy house has it, of rows of one line; how many are whole on the screen before anybody
# scrolls. What warns above the list is not there every day.
ROWS_SEEN: Final = """
[...document.querySelectorAll("main .dense table")].slice(0, 1).map((table) => {
  for (const warning of document.querySelectorAll("main > .tell, main > .problem")) warning.remove();
  const body = table.tBodies[0], high = (row) => row.getBoundingClientRect().height;
  const [plain] = [...body.rows].sort((a, b) => high(a) - high(b));
  body.replaceChildren(...Array.from({ length: 60 }, () => plain.cloneNode(true)));
  const scroll = table.closest(".scroll"), foot = table.tFoot?.rows[0]?.cells[0];
  const inner = scroll.scrollHeight > scroll.clientHeight + 1;
  let low = Math.min(innerHeight, scroll.getBoundingClientRect().bottom);
  if (foot && inner) low -= foot.getBoundingClientRect().height;
  return [...body.rows].filter((row) => row.getBoundingClientRect().bottom <= low + 1).length;
})[0]
"""
HEADS: Final = "[...document.querySelectorAll('.dense thead th')].filter((e) => e.getClientRects().length).length"


@pytest.fixture
def page(live: Live, settings: Any, tmp_path: Path, browser: Browser) -> Page:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    settings.DATA_DIR = tmp_path
    played = PlayedHouse()
    a_person("ann", password="right", may=READS_ALL, premises=played.house)
    shown = browser.new_context().new_page()
    sign_in(shown, live)
    return shown


def test_no_column_lies_behind_a_scroll_and_twenty_rows_are_seen_at_once(page: Page, live: Live) -> None:
    hidden, few = {}, {}
    for address in [*DENSE, *(f"/office/reports/{code}/?period=today" for code in REPORTS)]:
        page.goto(live.url + address)
        for width, height in (*SCREENS, UPRIGHT):
            page.set_viewport_size({"width": width, "height": height})
            if address in LISTS:
                kept(page, f"list{address.replace('/', '-')}{width}")
            if by := page.evaluate(BEHIND_A_SCROLL):
                hidden[address, width] = by
        for width, height in SCREENS:
            page.set_viewport_size({"width": width, "height": height})
            seen = page.evaluate(ROWS_SEEN)
            if seen is not None and seen < LEAST_ROWS and address != SENTENCES:
                few[address, width] = seen
    assert hidden == {}
    assert few == {}


def test_all_columns_are_one_press_away_and_stay(page: Page, live: Live) -> None:
    watched = Watched(page)
    page.set_viewport_size({"width": 1024, "height": 768})
    page.goto(f"{live.url}/office/reports/wins/?period=today")
    assert page.evaluate(HEADS) < len(REPORTS["wins"].columns)
    page.get_by_label("All columns").check()
    assert page.evaluate(HEADS) == len(REPORTS["wins"].columns)
    check(page, "the register with all its columns")
    page.goto(f"{live.url}/office/wins/")
    assert page.get_by_label("All columns").is_checked(), "who wants all columns wants those of the next list too"
    page.get_by_label("All columns").uncheck()
    page.reload()
    assert not page.get_by_label("All columns").is_checked()
    assert watched.complaints == []
