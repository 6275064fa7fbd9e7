"""T13: the cable of some tables is pulled for a minute; dealers press START GAME, a box and a sign are cut off too.

Nobody is told that the line is gone: bytes fall on the floor. In the profile deep, or by name.
"""

from __future__ import annotations

import time
from decimal import Decimal
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from tables.floor.models.device import Device
from tables.floor.models.outage import Outage
from tables.rounds.models.round import Round
from tests.browser.floor_scene import WHOLE_FILES, Floor, a_floor, locks, says, seat
from tests.builders import a_sign
from tests.controller import SocketController, secret_for
from tests.cutting import cable
from tests.living import Live
from tests.patience import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser

pytestmark = [pytest.mark.browser, pytest.mark.deep, pytest.mark.filterwarnings(WHOLE_FILES)]
CUT_FOR = 60.0
OWN: dict[str, Any] = {"meter": "12345.67", "reserve": "98.76", "rate": "63.57", "reserve_rate": "4.29"}


def test_t13_a_pulled_cable_refuses_the_next_chips_and_is_one_outage_with_both_times(
    live: Live, browser: Browser
) -> None:
    """N.J.A.C. 13:69E-1.39B: refused within 5 s of silence, the sign says so, nothing of that time is counted."""
    with a_floor(live, browser, tables=3, **OWN) as floor, cable(live.port) as line:
        a_sign("WALL-1", floor.casino.jackpot)
        behind = Floor(Live(line.port), floor.casino, browser)
        page, hasty, wall = behind.dealing(), behind.dealing(2), behind.open("/signs/WALL-1/", "dealer")
        device = floor.casino.controllers[1]
        secret = secret_for(device)
        box = SocketController(behind.live, device, secret)
        assert box.say(do="coin_in", round=1, seats=[3, 5, 7])["ok"]
        assert box.say(do="end", round=1)["ok"]
        seat(page, 2).click()
        locks(page)
        page.click("#end-key")
        says(page, "Tap every seat with a chip")
        stood = Decimal("12345.67") + 4 * Decimal("0.6357")
        expect(wall.locator(".figure")).to_have_text("$12,348.21", timeout=30_000)
        line.pull()
        pulled = time.monotonic()
        box.socket.send('{"id": 9, "do": "beat", "rounds": 1, "coin_ins": 1}')
        seat(hasty, 6).click()
        hasty.click("#big-key")
        says(hasty, "The coin-in has no answer yet. It is said again by itself and counts once.")
        page.wait_for_selector("[data-console][data-link=down]")
        seat(page, 4).click()
        page.click("#big-key")
        expect(page.locator("#notice")).to_contain_text("START GAME is refused: no word from the server for")
        time.sleep(max(CUT_FOR - (time.monotonic() - pulled), 0))
        expect(wall.get_by_text("not current")).to_be_visible()
        assert Round.objects.count() == 2
        line.plug_in()
        box = SocketController(behind.live, device, secret)
        page.wait_for_selector("[data-console][data-link=up]")
        says(hasty, "Winning hand")
        is_one_outage(device)
        assert box.greeting["next_round"] == 2
        floor.casino.jackpot.refresh_from_db()
        assert floor.casino.jackpot.meter == stood + Decimal("0.6357"), "what had no answer, once; nothing else"


def is_one_outage(device: Device) -> None:
    until(lambda: Outage.objects.filter(device=device).exists(), "the outage")
    assert Outage.objects.get(device=device).lasted.total_seconds() >= CUT_FOR - 10
