"""Books of hand-written slips in a real browser: a number nobody spoke of is seen before it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tables.custody.actions import OtherPerson
from tables.slip_book.actions import BookFacts, HandSlipFacts, add_book, move_book, write_slip
from tables.slip_book.rules import BookAct, SlipWord
from tests.browser.looks import Watched
from tests.browser.test_config import sign_in
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_casino, a_person, a_role
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
PASSWORD = "right"


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    """A book that is out with a gap in its numbers, and one that was never handed out."""
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    casino = a_casino()
    a_role("pit-chief", "see", "approve", "set_up", "run_tables")
    a_role("cash-desk", "see", "pay")
    chief = a_person("chief", password=PASSWORD, roles=["pit-chief"], premises=casino.premises)
    a_person("cash", password=PASSWORD, roles=["cash-desk"], premises=casino.premises)
    book = add_book(premises=casino.premises, facts=BookFacts("BOOK-07", "M-", 1, 50, 4), by=chief)
    add_book(premises=casino.premises, facts=BookFacts("BOOK-08", "M-", 51, 100, 4), by=chief)
    cash = OtherPerson(username="cash", password=PASSWORD)
    move_book(book=book, act=BookAct.OUT, pit="Pit 2", next_blank=1, by=chief, other=cash)
    for number, word in ((1, SlipWord.VOID), (4, SlipWord.MISSING)):
        facts = HandSlipFacts(number, word, "the table played on while the server was dark")
        write_slip(book=book, facts=facts, by=chief, other=cash)
    return live


def test_two_people_account_for_a_number_on_the_register(house: Live, browser_page: Page) -> None:
    watched, page = Watched(browser_page), browser_page
    sign_in(page, house, "chief")
    watched.look(house.url, {"slip-books": "/pit/slip-books/"}, album="slip-books")
    page.set_viewport_size({"width": 1440, "height": 900})
    book = page.locator("#book-BOOK-07")
    assert book.get_by_text("Nobody said what became of").is_visible()
    book.get_by_text("Enter a number", exact=True).click()
    form = book.locator("form").nth(1)
    form.get_by_label("Printed number").fill("M-0002")
    form.get_by_label("It is").select_option("void")
    form.get_by_label("What happened").fill("spoiled")
    form.get_by_label("or user name").fill("cash")
    form.get_by_label("and password").fill(PASSWORD)
    form.get_by_role("button", name="Enter").click()
    page.get_by_text("M-0002 is void, all parts are in the book.").wait_for()
    asked = page.locator("#book-BOOK-07 .asked")
    assert (asked.get_by_text("M-0003").is_visible(), asked.get_by_text("M-0002").count()) == (True, 0)
    assert watched.complaints == []
