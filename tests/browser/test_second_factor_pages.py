"""A second factor set up, used and ended in a real browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackpot.people.models import Operator
from tests.browser.floor_scene import WHOLE_FILES, Floor, a_floor
from tests.browser.looks import SIZES, fits, kept
from tests.jackpot.people.test_second_factor import shown
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def floor(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as made:
        yield made


def test_set_up_with_the_app_and_asked_for_at_the_next_sign_in(floor: Floor) -> None:
    page, person = floor.open("/me/", "supervisor"), Operator.objects.get(username="supervisor")
    kept(page, "factor-me")
    page.get_by_role("link", name="Set it up").click()
    page.fill("#password", "right")
    kept(page, "factor-begin")
    page.keyboard.press("Enter")
    expect(page.locator(".factor-picture")).to_be_visible()
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        fits(page, name)
        kept(page, f"factor-scan-{name}")
    page.fill("#code", shown(person, -1))
    page.keyboard.press("Enter")
    expect(page.locator(".factor-codes li")).to_have_count(10)
    fits(page, "codes")
    kept(page, "factor-codes")
    other = floor.browser.new_context(viewport={"width": 1024, "height": 768}).new_page()
    other.goto(f"{floor.live.url}/sign-in/?next=/pit/")
    other.fill("#id_username", "supervisor")
    other.fill("#id_password", "right")
    other.click("main button")
    expect(other.locator("#code")).to_be_focused()
    fits(other, "code")
    kept(other, "factor-code")
    other.fill("#code", "000000")
    other.keyboard.press("Enter")
    expect(other.locator(".problem")).to_contain_text("does not fit")
    other.fill("#code", shown(person))
    other.keyboard.press("Enter")
    other.wait_for_url(f"{floor.live.url}/pit/")
