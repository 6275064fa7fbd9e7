"""Authority in a real browser: asked for by one person, previewed in figures, signed by another, shown with its day."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackpot.authority.models import AuthorityChange
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.signing.actions import SecondPerson, refuse, sign, withdraw
from tests.browser.looks import Watched, kept
from tests.browser.test_config import sign_in
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import CARD_PIN, a_card, a_person
from tests.living import Live
from tests.scenes_authority import asked, raised, signed, two_signers
from tests.tables.hits.test_hit import SUPERVISOR, ref_b

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    """A house in which a supervisor and an executive each approved an award."""
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    floor = ref_b(meter="6000.00", reserve="617.25")
    for hand in ("five", "royal"):
        floor.coin_in("1")
        floor.mark(1, hand)
        floor.confirm()
        floor.card(*((SUPERVISOR, CARD_PIN) if hand == "five" else ()))
        floor.say(_end(floor.rounds[0]))
    may = ("see", "read_books", "configure", "people")
    a_person("ann", password="right", may=may)
    a_person("bob", password="right", may=may)
    a_card(a_person("morgan"), number="600000000777", level="supervisor", pin="4711")
    a_card(a_person("robin"), number="600000000778", level="supervisor", pin="")
    return live


def _end(number: int) -> Any:
    from tables.rounds.rules.round import EndRequest

    return EndRequest(number)


def asks_for_no_amount(page: Page) -> None:
    page.get_by_role("link", name="Ask for other settings").click()
    page.fill("#executive_threshold", "a lot")
    page.fill("#reason", "the season begins")
    page.get_by_role("button", name="Ask a second person").click()
    expect(page.get_by_role("alert")).to_contain_text("Executive threshold: The amount: “a lot” is not an")
    assert page.input_value("#reason") == "the season begins", "what was typed is still there"


def test_one_asks_sees_the_figures_and_another_signs(house: Live, browser_page: Page) -> None:
    watched = Watched(browser_page)
    browser_page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(browser_page, house, "ann")
    browser_page.goto(house.url)
    browser_page.get_by_role("link", name="Configuration", exact=True).click()
    browser_page.get_by_role("link", name="Authority: thresholds, PINs, card levels").click()
    expect(browser_page.get_by_text("Nobody has asked for other authority yet.")).to_be_visible()
    kept(browser_page, "authority-empty")
    watched.check("empty")
    asks_for_no_amount(browser_page)
    watched.complaints.clear()  # the browser notes the refusal's status
    browser_page.fill("#executive_threshold", "7,500")
    browser_page.select_option("#pin_from_level", "supervisor")
    expect(browser_page.get_by_text("of the last 2 wins 1 would have needed a supervisor only.")).to_be_visible()
    expect(browser_page.get_by_text("1 card has no PIN")).to_be_visible()
    kept(browser_page, "authority-preview")
    watched.check("preview")
    browser_page.get_by_role("button", name="Ask a second person").click()
    expect(browser_page.get_by_text("You asked for it, so somebody else signs.")).to_be_visible()
    expect(browser_page.get_by_role("button", name="Approve")).to_have_count(0)
    sign_in(browser_page, house, "bob")
    browser_page.goto(f"{house.url}/office/authority/")
    browser_page.get_by_role("link", name="Look at it").click()
    kept(browser_page, "authority-to-sign")
    watched.check("to sign")
    browser_page.fill("#password", "right")
    browser_page.get_by_role("button", name="Approve").click()
    expect(browser_page.get_by_role("status")).to_contain_text("Change 1 is signed. It counts at once and from ")
    kept(browser_page, "authority-signed")
    browser_page.goto(f"{house.url}/office/authority/")
    expect(browser_page.get_by_text("7,500.00 from ").first).to_be_visible()
    counts = Property.objects.get().thresholds
    assert (str(counts.executive), counts.pin_from_level) == ("5000.00", 2)
    assert watched.complaints == []


def test_a_card_is_raised_by_two_and_lowered_by_one_with_the_keyboard_alone(house: Live, browser_page: Page) -> None:
    watched = Watched(browser_page)
    browser_page.set_viewport_size({"width": 1280, "height": 800})
    sign_in(browser_page, house, "ann")
    browser_page.goto(f"{house.url}/office/authority/")
    browser_page.get_by_role("link", name="Other level for card 0777").focus()
    browser_page.keyboard.press("Enter")
    browser_page.locator("#level").focus()
    browser_page.keyboard.type("exec")
    browser_page.keyboard.press("Tab")
    browser_page.keyboard.type("the new shift manager")
    browser_page.keyboard.press("Enter")
    expect(
        browser_page.get_by_text("of the last 2 wins Test Morgan could have approved 1 before, 2 then")
    ).to_be_visible()
    kept(browser_page, "authority-card-asked")
    watched.check("card asked")
    sign(request_id=AuthorityChange.objects.get().pk, approver=SecondPerson(two_signers()[1]))
    browser_page.goto(f"{house.url}/office/authority/")
    expect(browser_page.get_by_text("executive from ").first).to_be_visible()
    browser_page.goto(f"{house.url}/office/authority/cards/{Card.objects.get(last_four='0777').pk}/")
    browser_page.select_option("#level", "dealer")
    browser_page.fill("#reason", "left the pit")
    kept(browser_page, "authority-card")
    watched.check("card")
    browser_page.get_by_role("button", name="Change the level").click()
    expect(browser_page.get_by_role("status")).to_contain_text("is a dealer card from now on.")
    kept(browser_page, "authority-lowered")
    assert watched.complaints == []


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_every_page_is_whole_accessible_and_fits(house: Live, browser: Browser) -> None:
    premises = Property.objects.get()
    signed(premises, executive_threshold="7500.00", dual_threshold="20000.00", marker_may_verify=True)
    raised(Card.objects.get(last_four="0777"))
    refused = asked(premises, executive_threshold="50000.00")
    refuse(request_id=refused.pk, reason="nobody would look at it", by=two_signers()[1])
    gone = signed(premises, verifier_may_pay=True)
    withdraw(request_id=gone.pk, reason="the cage is staffed", by=two_signers()[0])
    asked(premises, executive_threshold="6000.00", pin_from_level="supervisor", cards_from_multiple="500")
    context = browser.new_context()
    watched = Watched(context.new_page())
    sign_in(watched.page, house, "bob")
    pages = {
        "all": "/office/authority/", "draft": "/office/authority/draft/", "signed": "/office/authority/1/",
        "raise": "/office/authority/2/", "refused": "/office/authority/3/", "withdrawn": "/office/authority/4/",
        "asked": "/office/authority/5/", "config": "/office/config/",
        "card": f"/office/authority/cards/{Card.objects.get(last_four='0777').pk}/",
    }  # fmt: skip
    watched.look(house.url, pages, "authority")
    assert watched.complaints == []
    context.close()
