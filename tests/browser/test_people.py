"""The people desk in a real browser: a dismissal by keyboard alone, and its pages at desk and tablet."""

from __future__ import annotations

import os
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounting.feed.actions.numbering import number_events
from accounting.people_desk.actions.asking import ask_roles
from accounting.webhooks.actions.delivering import deliver_due
from accounting.webhooks.models import Webhook
from jackpot.people.models import Operator
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from tests.accounting.webhooks.scene import REFUSES, Post
from tests.browser.axe import complaints_of_axe
from tests.browser.keyboard import Keyboard
from tests.browser.looks import SIZES, SMALL_TARGETS, Watched
from tests.browser.test_config import sign_in
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_card, a_person, a_role, a_table
from tests.living import Live
from tests.ways_out import cosigner

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    """Two who give roles, and some twenty who work here."""
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_table("UTH-01")
    for code in ("dealer", "cage", "supervisor"):
        a_role(code, "see", "deal")
    may = ("see", "people", "read_trail")
    chief, clara = a_person("chief", password="right", may=may), a_person("clara", roles=["dealer"], password="right")
    a_card(clara, number="600000004821", level="supervisor", pin="2749")
    for number in range(20):
        one = a_person(f"dealer{number:02d}", roles=["dealer", "supervisor"] if number % 3 else ["dealer"])
        a_card(one, number=f"60000000{5000 + number}", level="dealer")
    ask_roles(person=clara, roles=["cage"], reason="covers the window in May", by=a_person("second", may=may))
    assert chief.may("people")
    return live


def kept(page: Page, name: str) -> None:
    """A picture for who wants to look, where a folder is named for it."""
    if folder := os.environ.get("FAIRMETER_SHOTS"):
        for width, height in ((1440, 900), (1024, 768)):
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=str(Path(folder) / f"people-{name}-{width}.png"), full_page=True)


def checked(page: Page) -> None:
    """Nothing for axe, nothing too wide and nothing too small for a finger, at desk and tablet."""
    for width, height in (SIZES["desk"], SIZES["tablet"]):
        page.set_viewport_size({"width": width, "height": height})
        assert complaints_of_axe(page) == [], f"{page.url} at {width}"
        assert page.evaluate("document.documentElement.scrollWidth <= innerWidth"), f"{page.url} at {width}"
        assert page.evaluate(SMALL_TARGETS) == [], f"{page.url} at {width}"


def test_somebody_is_dismissed_by_keyboard_alone(house: Live, browser_page: Page) -> None:
    page, watched, keys = browser_page, Watched(browser_page), Keyboard(browser_page, "people")
    page.goto(f"{house.url}/sign-in/")
    keys.sign_in("chief", "right")
    keys.press("People")
    keys.look("list")
    keys.search("4821")
    keys.press("Test Clara")
    keys.arrived("Test Clara")
    keys.look("person")
    keys.press("Skip to the content", stays=True)
    keys.to("Write clara to confirm")
    page.keyboard.press("Shift+Tab")
    keys.write(Reason="took chips from the tray", Write_clara_to_confirm="clara")
    keys.press("Dismiss Test Clara")
    expect(page.get_by_role("status")).to_contain_text("Test Clara is dismissed")
    keys.look("dismissed")
    assert not Operator.objects.get(username="clara").is_active
    assert watched.complaints == []


def asked_and_signed(page: Page, reason: str) -> None:
    """By the form, and by another person at another screen."""
    page.get_by_label("Reason", exact=False).fill(reason)
    page.get_by_role("button", name="Ask a second person").click()
    expect(page.get_by_role("status")).to_contain_text("waits for a second person")
    row = Request.objects.latest("id")
    sign(request_id=row.pk, approver=SecondPerson(cosigner(row.premises)))


def test_a_program_gets_a_token_that_is_shown_once(house: Live, browser_page: Page) -> None:
    page = browser_page
    sign_in(page, house, "chief")
    page.goto(f"{house.url}/office/people/")
    page.get_by_role("link", name="Programs").click()
    checked(page)
    page.get_by_role("link", name="Ask for a token").click()
    page.get_by_label("Program", exact=True).fill("Nightly figures")
    page.get_by_label("read_books").check()
    page.get_by_label("Last day").fill((timezone.now() + timedelta(days=90)).date().isoformat())
    kept(page, "program-ask")
    asked_and_signed(page, "Figures for the owners")
    page.goto(f"{house.url}/office/programs/")
    checked(page)
    kept(page, "program-to-fetch")
    page.get_by_role("button", name="Show the token of Nightly figures, once").click()
    expect(page.get_by_text("fm_").first).to_be_visible()
    checked(page)
    kept(page, "program-once")
    page.get_by_role("link", name="Programs").click()
    expect(page.get_by_role("rowheader", name="Nightly figures")).to_be_visible()
    checked(page)
    kept(page, "programs")
    page.get_by_label("Why the token").fill("not used any more")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("is revoked")


def test_events_are_sent_to_an_address_and_its_failures_are_seen(house: Live, browser_page: Page) -> None:
    page = browser_page
    sign_in(page, house, "chief")
    number_events()
    page.goto(f"{house.url}/office/programs/")
    page.get_by_role("link", name="Webhooks").click()
    checked(page)
    kept(page, "webhooks-empty")
    page.get_by_role("link", name="Ask to send events").click()
    page.get_by_label("Program", exact=True).fill("General ledger")
    page.get_by_label("Address").fill("http://ledger.house.example:8080/fairmeter")
    page.get_by_label("books/award", exact=True).check()
    page.get_by_label("requests", exact=True).check()
    page.get_by_label("Begin behind number").fill("0")
    checked(page)
    kept(page, "webhook-ask")
    asked_and_signed(page, "Books awards at once")
    page.goto(f"{house.url}/office/webhooks/")
    page.get_by_role("button", name="Show the secret of General ledger once").click()
    expect(page.get_by_text("fmw_").first).to_be_visible()
    checked(page)
    kept(page, "webhook-once")
    deliver_due(Post(answers=[REFUSES]))
    Webhook.objects.update(failing_since=timezone.now() - timedelta(hours=2))
    page.get_by_role("link", name="See how far it comes").click()
    expect(page.get_by_role("alert")).to_contain_text("takes no events since")
    expect(page.get_by_text(REFUSES.why)).to_be_visible()
    checked(page)
    kept(page, "webhook")
    page.locator("form", has=page.get_by_role("button", name="Pause")).get_by_label("Reason").fill("the ledger moves")
    page.keyboard.press("Enter")
    expect(page.get_by_role("status")).to_contain_text("Paused")
    page.get_by_role("link", name="Webhooks").click()
    expect(page.get_by_role("row")).to_have_count(2)
    checked(page)
    kept(page, "webhooks")


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_the_other_pages_of_the_desk_fit_and_say_what_they_want(house: Live, browser_page: Page) -> None:
    page = browser_page
    sign_in(page, house, "chief")
    for address, name in (("/me/", "me"), ("/code/", "code"), ("/office/hire/", "hire")):
        page.goto(house.url + address)
        checked(page)
        kept(page, name)
    page.goto(f"{house.url}/office/people/")
    page.get_by_role("link", name="give clara the roles cage").click()
    expect(page.get_by_role("heading", level=1)).to_be_visible()
    kept(page, "request")
