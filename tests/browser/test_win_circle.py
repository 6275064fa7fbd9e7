"""Two tables that wait for each other: the hit's page names the circle and the two people who open it do so there."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tables.hits.actions import hit
from tests.browser.axe import complaints_of_axe
from tests.browser.floor_scene import EXECUTIVE, PIN, SUPERVISOR, WHOLE_FILES, Floor, a_floor
from tests.browser.looks import SMALL_TARGETS, TOO_WIDE
from tests.browser.test_pit import coin_in, hold
from tests.builders import CARD_PIN, a_jackpot, a_pay_table
from tests.hands import with_cards
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def crossed(live: Live, browser: Browser) -> Iterator[Floor]:
    """UTH-01 is first on GRAND, UTH-02 first on MINI."""
    told = {"rate": "20", "reserve_rate": "0"}
    grand = a_pay_table(lines=[{"code": "royal", "name": "Royal flush", "part": "1"}])
    mini = a_pay_table(lines=[{"code": "half", "name": "Half a meter", "part": "1/2"}])
    levels = [
        a_jackpot("GRAND", meter="10000.00", pay_table=grand, **told),
        a_jackpot("MINI", meter="1000.00", seed="100.00", pay_table=mini, **told),
    ]
    with a_floor(live, browser, tables=2, jackpots=levels) as floor:
        places = [coin_in(floor, table, "12") for table in (0, 1)]
        for table, seat, hand in ((0, 1, "royal"), (1, 2, "half"), (0, 2, "half"), (1, 1, "royal")):
            hit.mark(**places[table], seat=seat, hand=hand, by="Test Dealer")
        for place in places:
            hit.confirm(**place, by="Test Dealer")
            with_cards(**place)
        yield floor


@pytest.mark.parametrize("size", [pytest.param((1280, 800), marks=pytest.mark.deep), (820, 1180)])
def test_both_pages_say_who_waits_for_whom_and_what_ends_it(crossed: Floor, size: tuple[int, int]) -> None:
    for table in ("UTH-01", "UTH-02"):
        page = crossed.open(f"/pit/wins/{table}/1/", "supervisor", width=size[0], height=size[1])
        expect(page.locator("#win-state")).to_contain_text("they wait for each other")
        expect(page.locator("#win-state")).to_contain_text("An executive and a second person let one of them pass.")
        expect(page.locator("#pass")).to_be_visible()
        assert complaints_of_axe(page) == []
        assert page.evaluate(TOO_WIDE) == []
        assert page.evaluate(SMALL_TARGETS) == []
        if folder := os.environ.get("FAIRMETER_SHOTS"):
            page.screenshot(path=str(Path(folder) / f"circle-{table}-{size[0]}.png"), full_page=True)


def test_two_people_let_one_pass_on_its_page_and_the_other_follows(crossed: Floor) -> None:
    page = crossed.open("/pit/wins/UTH-02/1/", "supervisor")
    page.click("#pass")
    page.fill("#pass-why", "UTH-01 waits gladly")
    for box, text in (
        ("first-card", EXECUTIVE),
        ("first-pin", PIN),
        ("second-card", SUPERVISOR),
        ("second-pin", CARD_PIN),
    ):
        page.fill(f"#{box}", text)
    page.click("#pass-yes")
    expect(page.locator("#win-answer")).to_have_text("It may pass. Now approve it.")
    expect(page.locator("#win-state")).not_to_contain_text("wait for each other")
    hold(page)
    page.fill("#card", EXECUTIVE)
    page.keyboard.press("Enter")
    page.fill("#pin", PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#win-answer")).to_contain_text("Slip")
    other = crossed.open("/pit/wins/UTH-01/1/", "executive")
    expect(other.locator("#win-state")).to_contain_text("Approval needed")
