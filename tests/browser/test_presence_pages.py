"""Being there, on the pages: card with PIN, or the own password; where cards were tried; a screen hung by a button."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackpot.people.actions.presence import CardSource, card_with_pin
from jackpot.people.models import KeyRegister
from jackpot.refusals import Refused
from jackpot.wins.models import Win
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.sign import Sign
from tables.setup.actions.enrol import invite
from tests.browser.floor_scene import EXECUTIVE, PIN, SUPERVISOR, WHOLE_FILES, Floor, a_floor
from tests.browser.looks import SIZES, fits, kept
from tests.browser.test_pit import asked, hold
from tests.builders import a_sign
from tests.hands import with_cards
from tests.living import Live
from tests.tables.signs.scene import a_sign_device

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def floor(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as made:
        yield made


def test_whoever_is_signed_in_signs_with_the_own_password(floor: Floor) -> None:
    with_cards(**asked(floor, 0, "25", (2, "full_house")))
    page = floor.open("/pit/wins/UTH-01/1/", "supervisor")
    hold(page)
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        fits(page, name)
        kept(page, f"presence-card-{name}")
    page.click("#own")
    expect(page.locator("#card")).to_be_hidden()
    fits(page, "own password")
    kept(page, "presence-password")
    page.fill("#password", "wrong")
    page.keyboard.press("Enter")
    expect(page.locator("#win-problem")).to_contain_text("do not fit together")
    expect(page.locator("#password")).to_be_focused()
    page.fill("#password", "right")
    page.keyboard.press("Enter")
    expect(page.locator("#win-answer")).to_contain_text("Test Supervisor approved it")
    assert Win.objects.get().state == "owed"


def test_the_pit_sees_where_cards_were_tried(floor: Floor) -> None:
    for guess in range(5):
        with suppress(Refused):
            told = {"swipe": f"60000000090{guess}", "pin": "1234", "pin_from_level": 3}
            card_with_pin(**told, source=CardSource(box="UTH-01-C"))  # type: ignore[arg-type]
    page = floor.open("/pit/", "supervisor")
    expect(page.locator("#tried + ul")).to_contain_text("5 times by box UTH-01-C since")
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        fits(page, name)
        kept(page, f"presence-pit-{name}")


def test_a_key_is_signed_out_with_card_and_pin(floor: Floor) -> None:
    page = floor.open("/pit/keys/", "supervisor")
    kept(page, "presence-keys")
    page.get_by_label("Number on the key").fill("18")
    page.get_by_label("Card").fill(EXECUTIVE)
    page.get_by_label("Its PIN").fill(PIN)
    page.locator("main").get_by_role("button", name="Sign the key out").click()
    expect(page.get_by_text("Key 18 is out with Test Executive.")).to_be_visible()
    fits(page, "keys")
    assert KeyRegister.objects.get(number="18").level == 3
    assert SUPERVISOR not in page.content()


def test_a_screen_is_hung_by_its_button(floor: Floor) -> None:
    sign: Sign = a_sign("WALL-1", floor.casino.jackpot)
    code = invite(device=a_sign_device(sign), by="tests")
    page = floor.browser.new_context(viewport={"width": 1024, "height": 768}).new_page()
    page.goto(f"{floor.live.url}/signs/WALL-1/?enrol={code}")
    expect(page.get_by_role("button", name="Hang this screen")).to_be_focused()
    kept(page, "presence-enrol")
    page.keyboard.press("Enter")
    page.wait_for_url(f"{floor.live.url}/signs/WALL-1/")
    assert Device.objects.get(sign=sign).state == DeviceState.ACTIVE
