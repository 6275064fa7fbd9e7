"""From an empty database to the first counted round, in a browser and by keyboard alone."""

from __future__ import annotations

import io
import json
import os
import re
import urllib.request
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pypdf
import pytest
from playwright.sync_api import expect

from accounting.setup_desk.actions.founding import code_of_today
from jackpot.books.models.jackpot import Jackpot
from tables.floor.models.device import Device
from tests.accounting.setup_desk.desk_scene import WORDS
from tests.browser.looks import Watched
from tests.browser.test_pages import WHOLE_FILES
from tests.controller import HttpController
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
CODE = re.compile(r"[A-Z2-9]{4}-[A-Z2-9]{4}-[A-Z2-9]{4}")


def kept(page: Page, name: str) -> None:
    """A picture for who wants to look, where a folder is named for it."""
    if folder := os.environ.get("FAIRMETER_SHOTS"):
        for width, height in ((1440, 900), (1024, 768)):
            page.set_viewport_size({"width": width, "height": height})
            page.screenshot(path=str(Path(folder) / f"setup-{name}-{width}.png"), full_page=True)


def write(page: Page, **words: str) -> None:
    """Into fields by their labels; an underscore is a blank."""
    for label, text in words.items():
        page.get_by_label(label.replace("_", " "), exact=True).first.focus()
        page.keyboard.press("Control+A")
        page.keyboard.type(text)


def press(page: Page, name: str, role: Any = "button") -> None:
    page.get_by_role(role, name=name, exact=True).first.focus()
    page.keyboard.press("Enter")


def found(page: Page) -> None:
    press(page, "Begin a new house", "link")
    write(page, Founding_code=code_of_today(), Code_of_the_house="new", Name="New Card Room")
    for number, which in enumerate(("first", "second")):
        for field, text in (("name", f"Test {which}"), ("username", which), ("password", WORDS[number]),
                            ("again", WORDS[number])):  # fmt: skip
            page.locator(f"#{which}-{field}").focus()
            page.keyboard.type(text)
    kept(page, "begin")
    page.keyboard.press("Enter")


def sign_in(page: Page, who: str, password: str) -> None:
    page.locator("#id_username").focus()
    page.keyboard.type(who)
    page.keyboard.press("Tab")
    page.keyboard.type(password)
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Good to see you")).to_be_visible()


def codes_on(pdf: bytes) -> list[str]:
    return CODE.findall(" ".join(page.extract_text() for page in pypdf.PdfReader(io.BytesIO(pdf)).pages))


def enrolled(live: Live, code: str) -> tuple[str, bytes]:
    """As a box does it: the code becomes its secret."""
    body, head = json.dumps({"code": code}).encode(), {"Content-Type": "application/json"}
    asked = urllib.request.Request(f"{live.url}/api/v1/devices/enrol", body, head)
    with urllib.request.urlopen(asked, timeout=20) as answer:
        told = json.load(answer)
    return told["device"], bytes.fromhex(told["secret"])


def ask_for_a_jackpot(page: Page, watched: Watched) -> None:
    page.locator(".following a").focus()  # what is missing next
    page.keyboard.press("Enter")
    expect(page.get_by_role("heading", name="Jackpots")).to_be_visible()
    write(page, Code="GRAND", Name_on_signs="Grand", Seed="10,000.00", Percent_of_the_chip_to_the_meter="70",
          Percent_of_the_chip_to_the_reserve="5")  # fmt: skip
    watched.check("the form of a jackpot")
    kept(page, "jackpot")
    press(page, "Ask for its opening")
    expect(page.get_by_text("Nothing is changed yet")).to_be_visible()


def sign_beside(browser: Browser, live: Live, address: str) -> None:
    """The second person, at another screen."""
    with browser.new_context() as beside:
        second = beside.new_page()
        second.goto(f"{live.url}/sign-in/")
        sign_in(second, "second", WORDS[1])
        second.goto(address)
        kept(second, "request")
        second.get_by_label("or your own password").focus()
        second.keyboard.type(WORDS[1])
        second.keyboard.press("Enter")
        expect(second.get_by_text("is signed by")).to_be_visible()


def twelve_tables(page: Page, live: Live, watched: Watched) -> list[str]:
    """Set up at once, a controller each; the codes are read from the printed sheet."""
    page.goto(f"{live.url}/office/setup/part-tables/")
    write(page, Code="T-01…T-12")
    press(page, "Set up")
    expect(page.get_by_text("Done: 12 changes, from table T-01 to table T-12.")).to_be_visible()
    watched.check("the tables")
    kept(page, "tables")
    page.goto(f"{live.url}/office/setup/part-devices/")
    press(page, "A controller for every table")
    expect(page.get_by_text("Done: 12 changes")).to_be_visible()
    kept(page, "devices")
    with page.expect_download() as taken:
        press(page, "New codes for the ticked, as a QR sheet (PDF)")
    return codes_on(Path(taken.value.path()).read_bytes())


def looks_right(page: Page, live: Live, watched: Watched) -> None:
    page.goto(f"{live.url}/office/setup/")
    expect(page.locator(".path .following")).to_have_count(0)
    watched.check("the path of a house that plays")
    kept(page, "path-live")
    for name in ("file", "list", "links"):
        page.goto(f"{live.url}/office/setup/{name}/")
        watched.check(name)
        kept(page, name)


def test_from_an_empty_database_to_the_first_round(live: Live, browser: Browser, browser_page: Page) -> None:
    page, watched = browser_page, Watched(browser_page)
    page.set_viewport_size({"width": 1440, "height": 900})
    page.goto(live.url)
    found(page)
    sign_in(page, "first", WORDS[0])
    press(page, "Setting up", "link")
    expect(page.get_by_role("heading", name="Setting up New Card Room")).to_be_visible()
    watched.check("the path of a new house")
    kept(page, "path-empty")
    ask_for_a_jackpot(page, watched)
    sign_beside(browser, live, page.url)
    codes = twelve_tables(page, live, watched)
    boxes = [enrolled(live, code) for code in codes]
    assert [code for code, _ in boxes] == [f"T-{number:02}-C" for number in range(1, 13)]
    code, secret = boxes[0]
    box = HttpController(live, Device.objects.select_related("table").get(code=code), secret)
    assert box.say(do="coin_in", round=1, seats=[1, 2, 5])[0] == 200
    assert str(Jackpot.objects.get().meter) == "10002.10000000"
    looks_right(page, live, watched)
    expect(page.get_by_role("heading", name="Links and wagers")).to_be_visible()
    assert watched.complaints == []
