"""The window and the record of a large, reported win in a real browser: who stands by, and whom it is paid to."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackpot.configuring.actions.house_rules import declare_tax
from tests.browser.looks import Watched, kept
from tests.browser.test_pages import sign_in
from tests.builders import CARD_PIN, a_card, a_person, a_property
from tests.jackpot.payees.test_payees import ADA, RULE
from tests.living import Live
from tests.scenes_wins import WinFloor

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
SIZES = {"wide": (1440, 900), "tablet": (1024, 768), "phone": (390, 844)}


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    """Slip 1 of 20,000.00: surveillance and a second person stand by, and form W-2G is written."""
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_property(name="Reference Card Room", address="12 River Road\nAnytown")
    floor = WinFloor()
    premises = floor.casino.premises
    premises.surveillance_witness = premises.second_person_witness = "10000.00"
    premises.save()
    declare_tax(premises=premises, rule=RULE, by="tests")
    a_card(a_person("other", premises=premises), number="600000000007")
    floor.won({2: "royal"})
    a_person("ann", password="right", may=("see", "read_books", "pay", "camera", "payees"))
    return live


def test_who_stands_by_is_asked_on_the_record_and_the_window_pays_whom_it_wrote_down(
    house: Live, browser_page: Page
) -> None:
    watched, page = Watched(browser_page), browser_page
    sign_in(page, house)
    watched.look(house.url, {"waits": "/office/cage/1/", "record": "/office/wins/1/"}, "witness", SIZES)
    page.goto(f"{house.url}/office/wins/1/")
    page.get_by_label("I stand by as").select_option("surveillance")
    page.get_by_label("or the password of").fill("right")
    page.get_by_role("button", name="Stand by").click()
    expect(page.get_by_text("Test Ann stands by slip 1 as surveillance.")).to_be_visible()
    page.get_by_label("Own card").fill("600000000007")
    page.get_by_label("PIN", exact=True).fill(CARD_PIN)
    page.get_by_role("button", name="Stand by").click()
    expect(page.get_by_text("Test Other stands by slip 1 as a second person.")).to_be_visible()
    watched.look(house.url, {"pays": "/office/cage/1/"}, "witness", SIZES)
    page.goto(f"{house.url}/office/cage/1/")
    for name in ("name", "address", "document_number"):
        page.locator(f"#payee1-{name}").fill(ADA[name])
    page.get_by_role("button", name="Pay $15,200.24").click()
    # Who stood by does not pay: another window does.
    expect(page.get_by_text("Test Ann stood by this win and may not pay it.")).to_be_visible()
    kept(page, "witness-refused")
    watched.look(
        house.url, {"records": "/office/tax-records/", "authority": "/office/authority/draft/"}, "witness", SIZES
    )
    assert watched.complaints == []
