"""Keys and seals in a real browser: what is out past its hour and what is broken is seen before it is read."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from tables.custody.actions import CustodyFacts, CustodyWords, OtherPerson, add_item, write_move
from tables.custody.rules import CustodyAct, CustodyKind, GuardedPlace
from tests.browser.looks import Watched
from tests.browser.test_config import sign_in
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_casino, a_person, a_role
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
PASSWORD = "right"


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    """A key that is out, one on its hook, a whole seal and a broken one."""
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    casino = a_casino()
    for code in ("count-team", "cage"):
        a_role(code, "see", "count", "set_up", "pay")
    chief = a_person("counter", password=PASSWORD, roles=["count-team"], premises=casino.premises)
    a_person("cashier", password=PASSWORD, roles=["cage"], premises=casino.premises)
    things = (
        ("BOX-04", "key", "drop_box", "UTH-04"), ("HALL-1", "key", "hall", "of the count"),
        ("CAB-01", "seal", "cabinet", "UTH-01"), ("CTRL-01", "seal", "controller", "UTH-01"),
    )  # fmt: skip
    made = {}
    for code, kind, place, where in things:
        hours = 2 if kind == "key" else None
        facts = CustodyFacts(
            code, CustodyKind(kind), GuardedPlace(place), where, holder="count-team", countersigner="cage", hours=hours
        )
        made[code] = add_item(premises=casino.premises, facts=facts, by=chief)
    cashier = OtherPerson(username="cashier", password=PASSWORD)
    for code, act, old, new in (
        ("BOX-04", "out", "", ""), ("CAB-01", "placed", "", "000417"), ("CTRL-01", "placed", "", "000901"),
        ("CTRL-01", "broken", "000901", ""),
    ):  # fmt: skip
        words = CustodyWords(CustodyAct(act), "drop of the night shift", old, new)
        write_move(item=made[code], words=words, by=chief, other=cashier)
    return live


def test_two_people_bring_a_key_back_on_the_register(house: Live, browser_page: Page) -> None:
    watched, page = Watched(browser_page), browser_page
    sign_in(page, house, "counter")
    watched.look(house.url, {"register": "/pit/custody/"}, album="custody")
    page.set_viewport_size({"width": 1440, "height": 900})
    key = page.locator("#custody-BOX-04")
    key.get_by_text("Write down", exact=True).first.click()
    key.get_by_label("What for").fill("count is done")
    key.get_by_label("or user name").fill("cashier")
    key.get_by_label("and password").fill(PASSWORD)
    key.get_by_role("button", name="Write down").click()
    page.get_by_text("Key BOX-04: brought back by Test Counter with Test Cashier.").wait_for()
    assert page.locator("#custody-BOX-04").get_by_text("on its hook").is_visible()
    assert watched.complaints == []
