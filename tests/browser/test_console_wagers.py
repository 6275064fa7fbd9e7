"""The console at a table with two wagers: chips are tapped wager by wager and locked together."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackpot.money import Money
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.rounds.models.round import Round
from tests.browser.axe import complaints_of_axe
from tests.browser.floor_scene import WHOLE_FILES, Floor, a_floor, seat
from tests.browser.looks import Watched
from tests.builders import a_jackpot, a_table
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def two_wagers(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as floor:
        premises = floor.casino.premises
        mega = a_jackpot("MEGA", meter="8000.00", seed="4000.00", rate="20", wager="5.00", premises=premises)
        further = (FurtherWagerFacts("MEGA", Money.of("5.00"), (mega.code,), "Mega Royal"),)
        told = {"wager_name": "Progressive", "further": further}
        floor.casino.tables.insert(0, a_table("UTH-05", floor.casino.jackpot, premises=premises, **told))
        yield floor


@pytest.mark.parametrize("size", [(1024, 768), pytest.param((1440, 900), marks=pytest.mark.deep)])
def test_chips_are_tapped_wager_by_wager(two_wagers: Floor, size: tuple[int, int]) -> None:
    page = two_wagers.dealing(width=size[0], height=size[1])
    watched = Watched(page)
    for number in (1, 2, 5):
        seat(page, number).click()
    page.get_by_role("button", name="Mega Royal 5.00").click()
    for number in (2, 6):
        seat(page, number).click()
    expect(page.locator("#count")).to_have_text(
        "Next round 1 · Progressive 3 seats · 3.00 + Mega Royal 2 seats · 10.00"
    )
    expect(seat(page, 2)).to_contain_text("Progressive · MEGA")
    assert not complaints_of_axe(page)
    if folder := os.environ.get("FAIRMETER_PICTURES"):
        page.screenshot(path=f"{folder}/wagers-{size[0]}.png")
    page.click("#big-key")
    expect(page.locator("#count")).to_have_text("Round 1 · Progressive 3 seats · 3.00 + Mega Royal 2 seats · 10.00")
    expect(seat(page, 6)).to_have_attribute("data-state", "locked")
    expect(seat(page, 7)).to_have_attribute("data-state", "out")
    expect(page.locator("#wagers")).to_be_hidden()
    if folder:
        page.screenshot(path=f"{folder}/wagers-locked-{size[0]}.png")
    page.reload()
    page.wait_for_selector("[data-console][data-link=up]")
    expect(seat(page, 6)).to_have_attribute("data-state", "locked")
    watched.check("two wagers at the console")
    round_ = Round.objects.get()
    assert (round_.seats, [each.seats for each in round_.further], str(round_.coin_in)) == ("125", ["26"], "13.00")
