"""A passkey in a real browser: Chromium's own authenticator makes it, signs in with it, and ends it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackpot.people.models import Passkey
from tests.browser.looks import Watched
from tests.browser.test_pages import WHOLE_FILES
from tests.browser.test_people import checked, kept
from tests.builders import a_person, a_table
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
STICK = {"protocol": "ctap2", "transport": "usb", "hasResidentKey": False, "hasUserVerification": True,
         "isUserVerified": True, "automaticPresenceSimulation": True}  # fmt: skip


@pytest.fixture
def here(live: Live, settings: Any) -> str:
    """The address by its name: a passkey belongs to one."""
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_table("UTH-01")
    a_person("clara", password="right", may=("see",))
    return live.url.replace("127.0.0.1", "localhost")


def signs_in(page: Page, here: str) -> None:
    page.goto(here + "/sign-in/")
    page.get_by_label("Name").fill("clara")
    page.get_by_label("Password").fill("right")
    page.get_by_role("button", name="Sign in").click()


def test_a_passkey_is_made_shown_and_ended(here: str, browser_page: Page) -> None:
    page, watched = browser_page, Watched(browser_page)
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    stick = line.send("WebAuthn.addVirtualAuthenticator", {"options": STICK})["authenticatorId"]
    signs_in(page, here)
    page.goto(here + "/me/second-factor/")
    checked(page)
    kept(page, "passkey-none")
    page.get_by_label("What you call it").fill("blue stick")
    page.locator("#key-password").fill("right")
    page.get_by_role("button", name="Add a passkey").click()
    expect(page.get_by_role("heading", name="Your recovery codes")).to_be_visible()
    kept(page, "passkey-codes")
    assert len(line.send("WebAuthn.getCredentials", {"authenticatorId": stick})["credentials"]) == 1

    page.context.clear_cookies()
    signs_in(page, here)
    expect(page.get_by_role("heading", name="One more step")).to_be_visible()
    checked(page)
    kept(page, "passkey-asked")
    page.get_by_role("button", name="Use your passkey").click()
    page.wait_for_url(here + "/")

    page.goto(here + "/me/second-factor/")
    checked(page)
    kept(page, "passkey-one")
    page.get_by_text("End one that you use no more").click()
    page.get_by_role("button", name="End this passkey").click()
    expect(page.get_by_text("“blue stick” opens nothing any more")).to_be_visible()
    assert not Passkey.objects.exists()
    assert watched.complaints == []


def test_without_its_stick_the_page_says_what_to_do_and_a_code_opens(here: str, browser_page: Page) -> None:
    page = browser_page
    line = page.context.new_cdp_session(page)
    line.send("WebAuthn.enable")
    stick = line.send("WebAuthn.addVirtualAuthenticator", {"options": STICK})["authenticatorId"]
    signs_in(page, here)
    page.goto(here + "/me/second-factor/")
    page.get_by_label("What you call it").fill("blue stick")
    page.locator("#key-password").fill("right")
    page.get_by_role("button", name="Add a passkey").click()
    code = page.locator(".factor-codes code").first.inner_text()
    line.send("WebAuthn.removeVirtualAuthenticator", {"authenticatorId": stick})
    line.send("WebAuthn.addVirtualAuthenticator", {"options": STICK})  # another stick
    page.context.clear_cookies()
    signs_in(page, here)
    page.get_by_role("button", name="Use your passkey").click()
    expect(page.get_by_text("No passkey answered")).to_be_visible()
    page.get_by_label("Recovery code").fill(code)
    page.get_by_role("button", name="Sign in with the code").click()
    page.wait_for_url(here + "/")
