"""The pit takes a round back and rejects a late claim: with a second person where the rule asks for one."""

from __future__ import annotations

import os
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackpot.property.models.property import Property
from jackpot.wins.models import Win
from tables.hits.actions.late_claim import claim
from tables.rounds.models.round import Round
from tests.browser.axe import complaints_of_axe
from tests.browser.floor_scene import EXECUTIVE, PIN, SECOND, SUPERVISOR, WHOLE_FILES, Floor, a_floor
from tests.browser.looks import TOO_WIDE
from tests.builders import CARD_PIN, a_person
from tests.jackpot.books.api_scene import play
from tests.living import Live
from tests.tampering import tamper_with

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
SIZES = pytest.mark.parametrize(
    "size", [pytest.param((1440, 900), marks=pytest.mark.deep), (1024, 768)], ids=["desk", "tablet"]
)


@pytest.fixture
def floor(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as made:
        play(made.casino.controller, 1, "25", ends=True)
        yield made


def fits(page: Page, name: str) -> None:
    if folder := os.environ.get("FAIRMETER_SHOTS"):
        page.screenshot(path=str(Path(folder) / f"signatures-{name}.png"), full_page=True)
    assert page.evaluate(TOO_WIDE) == []
    assert complaints_of_axe(page) == []


@SIZES
def test_a_round_of_an_earlier_day_is_voided_by_two(floor: Floor, size: tuple[int, int]) -> None:
    tamper_with(Round.objects.all(), gaming_day=Round.objects.get().gaming_day - timedelta(days=1))
    page = floor.open("/pit/tables/UTH-01/hits/", "supervisor", *size)
    page.fill("#void-reason", "Misdeal")
    page.fill("#void-card", SUPERVISOR)
    page.fill("#void-pin", CARD_PIN)
    page.click("text=Void the round")
    expect(page.locator(".hit-form .problem")).to_contain_text("takes a second, different person")
    assert [page.input_value(field) for field in ("#void-reason", "#void-card")] == ["Misdeal", ""]
    fits(page, f"void-{size[0]}")
    page.fill("#void-card", SUPERVISOR)
    page.fill("#void-pin", CARD_PIN)
    page.fill("#void-second", SECOND)
    page.fill("#void-second-pin", PIN)
    page.click("text=Void the round")
    expect(page.locator("main")).to_contain_text("Round 1 is void: its hands fall, its coin-in is taken back.")
    assert Round.objects.get().state == "void"


@SIZES
def test_a_claim_is_rejected_by_two(floor: Floor, size: tuple[int, int]) -> None:
    Property.objects.update(dual_threshold=5000)
    words = {"seat": 2, "hand": "royal_first_5", "reason": "forgotten", "evidence": "camera 7, 02:14"}
    place = {"table_code": "UTH-01", "round_number": 1}
    claim(**place, **words, cards=[(EXECUTIVE, PIN), (SUPERVISOR, CARD_PIN)], by=a_person("typist"))
    page = floor.open("/pit/wins/UTH-01/1/", "supervisor", *size)
    expect(page.locator("#win-state")).to_contain_text("2 cards, one of them executive, with PIN")
    expect(page.locator("#words ~ p").last).to_have_text("May sign: Test Second")
    fits(page, f"claim-{size[0]}")
    page.click("#reject")
    expect(page.locator("#pass-label")).to_have_text("Reason to reject the claim")
    page.fill("#pass-why", "It was two pair")
    for who, card, pin in (("first", EXECUTIVE, PIN), ("second", SUPERVISOR, CARD_PIN)):
        page.fill(f"#{who}-card", card)
        page.fill(f"#{who}-pin", pin)
    page.click("#pass-yes")
    expect(page.locator("#win-answer")).to_contain_text("Rejected. Nothing moved.")
    assert Win.objects.get().state == "rejected"
