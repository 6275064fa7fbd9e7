"""From an empty database to the first counted round, in a browser and by keyboard alone."""

from __future__ import annotations

import io
import json
import re
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING

import pypdf
import pytest
from playwright.sync_api import expect

from accounting.setup_desk.actions.founding import code_of_today
from jackpot.books.models.jackpot import Jackpot
from tables.floor.models.device import Device
from tests.accounting.setup_desk.desk_scene import WORDS
from tests.browser.keyboard import Keyboard
from tests.browser.looks import Watched
from tests.browser.test_pages import WHOLE_FILES
from tests.controller import HttpController
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
CODE = re.compile(r"[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}")


def found(keys: Keyboard) -> None:
    keys.press("Begin a new house")
    keys.write(Founding_code=code_of_today(), Code_of_the_house="new", Name="New Card Room")
    for number, which in enumerate(("first", "second")):
        keys.write(Name=f"Test {which}")
        keys.write(User_name=which, Password=WORDS[number], Once_more=WORDS[number])
    keys.look("begin")
    keys.press("Found the house")


def codes_on(pdf: bytes) -> list[str]:
    return CODE.findall(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages))


def enrolled(live: Live, code: str) -> tuple[str, bytes]:
    """As a box does it: the code becomes its secret."""
    body, head = json.dumps({"code": code}).encode(), {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"{live.url}/api/v1/devices/enrol", body, head)
    with urllib.request.urlopen(asked, timeout=20) as answer:
        told = json.load(answer)
    return told["device"], bytes.fromhex(told["secret"])


def ask_for_a_jackpot(keys: Keyboard) -> None:
    to_step(keys, "Jackpots")
    keys.arrived("Jackpots")
    keys.write(Code="GRAND", Name_on_signs="Grand", Seed="10,000.00", Percent_of_the_chip_to_the_meter="25",
               Percent_of_the_chip_to_the_reserve="5")  # fmt: skip
    keys.look("jackpot")
    keys.press("Ask for its opening")
    expect(keys.page.get_by_text("Nothing is changed yet")).to_be_visible()


def sign_beside(browser: Browser, live: Live) -> None:
    """The second person, at another screen: the bar says what waits."""
    with browser.new_context() as beside:
        second = Keyboard(beside.new_page(), "setup-second")
        second.page.goto(live.url)
        second.press("Sign in")
        second.sign_in("second", WORDS[1])
        second.press("Requests")
        second.look("requests")
        second.press("Setting up jackpot", begins=True)
        expect(second.page.get_by_role("heading", name="What the laboratory says of GRAND")).to_be_visible()
        second.look("request")
        second.write(or_your_own_password=WORDS[1])
        second.press("Approve")
        expect(second.page.get_by_text("is signed by")).to_be_visible()


def to_step(keys: Keyboard, title: str) -> None:
    """From anywhere by the bar to the path, and past the bar to its step."""
    keys.press("Setting up")
    keys.press("Skip to the content", stays=True)
    keys.press(title)


def twelve_tables(keys: Keyboard) -> list[str]:
    """Set up at once, a controller each; the codes are read from the printed sheet."""
    to_step(keys, "Tables")
    keys.write(Code="T-01…T-12")
    keys.press("Set up")
    expect(keys.page.get_by_text("Done: 12 changes, from table T-01 to table T-12.")).to_be_visible()
    keys.look("tables")
    to_step(keys, "Devices")
    keys.press("A controller for every table")
    expect(keys.page.get_by_text("Done: 12 changes")).to_be_visible()
    keys.look("devices")
    with keys.page.expect_download() as taken:
        keys.press("New codes for the ticked, as a QR sheet (PDF)", stays=True)
    return codes_on(Path(taken.value.path()).read_bytes())


def looks_right(keys: Keyboard) -> None:
    keys.press("Setting up")
    expect(keys.page.locator(".path .following")).to_have_count(0)
    keys.look("path-live")
    keys.press("The house as a file")
    keys.look("file")
    to_step(keys, "Tables")
    keys.press("From a spreadsheet")
    keys.look("list")
    to_step(keys, "Links and wagers")
    keys.look("links")


def test_from_an_empty_database_to_the_first_round(live: Live, browser: Browser, browser_page: Page) -> None:
    page, watched, keys = browser_page, Watched(browser_page), Keyboard(browser_page, "setup")
    page.goto(live.url)
    found(keys)
    keys.sign_in("first", WORDS[0])
    keys.press("Setting up")
    keys.arrived("Setting up New Card Room")
    keys.look("path-empty")
    ask_for_a_jackpot(keys)
    sign_beside(browser, live)
    codes = twelve_tables(keys)
    boxes = [enrolled(live, code) for code in codes]
    assert [code for code, _ in boxes] == [f"T-{number:02}-C" for number in range(1, 13)]
    code, secret = boxes[0]
    box = HttpController(live, Device.objects.select_related("table").get(code=code), secret)
    assert box.say(do="coin_in", round=1, seats=[1, 2, 5])[0] == 200
    assert str(Jackpot.objects.get().meter) == "10000.75000000"
    looks_right(keys)
    expect(page.get_by_role("heading", name="Links and wagers")).to_be_visible()
    assert watched.complaints == []
