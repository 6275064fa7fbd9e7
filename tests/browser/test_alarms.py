"""Alarms in a real browser: what rings on the pit board and on its own page, at every size."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest

from accounting.alarms.actions import addresses
from accounting.alarms.actions.sending import send_due
from accounting.alarms.actions.watching import watch_alarms
from accounting.alarms.rules import AlarmFinding, AlarmKind
from accounting.webhooks.actions.wire import PostAnswer
from tests.browser.looks import Watched
from tests.browser.test_config import sign_in
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_casino, a_person
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def house(live: Live, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Live:
    """Two alarms ring, one is over; one address took its message, one refuses."""
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    casino = a_casino(tables=3)
    may = ("see", "people", "read_trail", "run_tables")
    chief = a_person("chief", password="right", may=may, premises=casino.premises)
    for name, address in (("Shift manager", "mailto:pit@casino.example"), ("Pager", "ntfy://ntfy.example/pit")):
        addresses.add_address(premises=casino.premises, name=name, address=address, loud_only=name == "Pager", by=chief)
    takes, refuses = PostAnswer(True, "It answered 200 (OK)."), PostAnswer(False, "Nobody listens at ntfy.example:443.")
    send_due(lambda message: takes if message.address.address.startswith("mailto") else refuses)
    here = casino.premises.pk
    wrong = [
        AlarmFinding(here, AlarmKind.LINKS_DOWN, "the floor", "12 links are down at once: look for what they share."),
        AlarmFinding(
            here, AlarmKind.HIT_WAITS, "UTH-02 round 118",
            "A hit at UTH-02 round 118 has waited for more than three minutes.",
        ),
    ]  # fmt: skip
    monkeypatch.setattr("accounting.alarms.actions.watching.findings", lambda _: wrong)
    watch_alarms()
    return live


def test_alarms_stand_on_the_pit_board_and_on_their_page(house: Live, browser_page: Page) -> None:
    watched = Watched(browser_page)
    sign_in(browser_page, house, "chief")
    watched.look(house.url, {"page": "/office/alarms/", "pit": "/pit/"}, album="alarms")
    assert browser_page.get_by_text("12 links are down at once").is_visible()
    assert watched.complaints == []
