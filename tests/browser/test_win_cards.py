"""The cards of a hand on the hit's page: seen in one tap, typed or tapped on the pad, judged, held, overridden."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from jackpot.evidence.models import EvidenceFile
from jackpot.wins.models import Win
from tables.hits.models.cards import RoundCards
from tests.browser.axe import complaints_of_axe
from tests.browser.floor_scene import EXECUTIVE, PIN, SUPERVISOR, WHOLE_FILES, Floor, a_floor
from tests.browser.looks import SMALL_TARGETS, TOO_WIDE, Watched
from tests.browser.test_pit import asked, hold
from tests.builders import CARD_PIN
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
HIT = "/pit/wins/UTH-01/1/"
FITS = "document.documentElement.scrollHeight <= innerHeight"


@pytest.fixture
def one(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as floor:
        yield floor


def typed(page: Page, cards: str) -> None:
    for card in cards.split():
        page.keyboard.type(card)


def test_a_small_award_takes_four_taps(one: Floor) -> None:
    """The tile, “cards seen”, the hold, the card."""
    asked(one, 0, "25", (2, "full_house"))
    page = one.open("/pit/", "supervisor")
    page.click("#tile-UTH-01 a")
    expect(page.locator("#approve")).to_be_disabled()
    expect(page.locator("#win-state")).to_contain_text("Look at the hand first")
    page.click("#seen")
    expect(page.locator("#hands")).to_contain_text("Cards seen")
    hold(page)
    page.fill("#card", SUPERVISOR)
    page.fill("#pin", CARD_PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#win-answer")).to_contain_text("Slip 1.")
    assert RoundCards.objects.get().seen == {"2": "Test Supervisor"}


def test_seven_cards_are_typed_and_the_page_says_what_they_prove(one: Floor) -> None:
    asked(one, 0, "25", (2, "royal_first_7"))
    page = one.open(HIT, "supervisor")
    watched = Watched(page)
    page.click("#enter")
    typed(page, "jh 10h ah kd")
    page.keyboard.press("Backspace")
    expect(page.locator("#pad-says")).to_have_text("king of diamonds taken back.")
    typed(page, "kh as qh kd")
    expect(page.locator("#pad-says")).to_contain_text("All cards are there.")
    page.keyboard.press("Enter")
    expect(page.locator("#pad")).to_be_hidden()
    expect(page.locator("#hands")).to_contain_text("Cards prove it")
    expect(page.locator("#hands")).to_contain_text("uses Jh Th; the flop alone was not enough: 5 %")
    expect(page.locator("#hands .playing")).to_have_count(5)
    hold(page)
    page.fill("#card", SUPERVISOR)
    page.fill("#pin", CARD_PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#win-answer")).to_contain_text("Slip 1.")
    assert Win.objects.get().cards_checked
    assert watched.complaints == []


def test_the_board_is_tapped_once_and_serves_every_seat(one: Floor) -> None:
    asked(one, 0, "25", (2, "royal_first_5"), (5, "full_house"))
    page = one.open(HIT, "supervisor")
    page.click("#enter")
    for card in ("jack of hearts", "10 of hearts", "ace of hearts", "king of hearts", "queen of hearts"):
        page.click(f"#pad-keys [aria-label='{card}']")
    page.click("#pad-keys [aria-label='jack of hearts']")
    expect(page.locator("#pad-says")).to_contain_text("The jack of hearts is at own card 1 already.")
    typed(page, "as kd")
    page.click("#pad-check")
    expect(page.locator("#pad-says")).to_have_text("Kept. Now seat 5.")
    expect(page.locator("#pad-slots")).to_contain_text("A♠")
    typed(page, "jh")
    expect(page.locator("#pad-says")).to_contain_text("is at seat 2 already")
    typed(page, "ac 7c")
    page.keyboard.press("Enter")
    expect(page.locator("#pad")).to_be_hidden()
    expect(page.locator("#hands .ok")).to_have_count(2)
    assert RoundCards.objects.order_by("revision").last().seats == {"2": "Jh Th", "5": "Ac 7c"}  # type: ignore[union-attr]


def test_the_mark_becomes_what_the_cards_prove(one: Floor) -> None:
    asked(one, 0, "25", (2, "four_of_a_kind"))
    page = one.open(HIT, "supervisor")
    page.click("#enter")
    typed(page, "ac 7c ah kh qh as kd")
    page.keyboard.press("Enter")
    expect(page.locator("#hands")).to_contain_text("Four of a kind is marked, but the cards prove: Full house")
    expect(page.locator("#approve")).to_be_disabled()
    page.click("#follow")
    expect(page.locator("#hands")).to_contain_text("Cards prove it")
    expect(page.locator("#win-answer")).to_contain_text("Another person approves it.")
    hold(page)
    page.fill("#card", SUPERVISOR)
    page.fill("#pin", CARD_PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#win-problem")).to_contain_text("marked this hit and cannot approve it")


def test_held_cards_are_overridden_by_two_people(one: Floor) -> None:
    asked(one, 0, "25", (2, "royal_first_5"))
    page = one.open(HIT, "supervisor")
    page.click("#enter")
    typed(page, "2c 7d ah kh qh as kd")
    page.keyboard.press("Enter")
    expect(page.locator("#win-state")).to_contain_text("Held by its cards.")
    page.click("#override")
    page.fill("#pass-why", "Camera 7 shows the royal; the cards were mucked")
    still = b"\x89PNG\r\n\x1a\n the felt at 02:14"
    page.set_input_files("#pass-file", {"name": "camera 7.png", "mimeType": "image/png", "buffer": still})
    for box, text in (
        ("first-card", EXECUTIVE),
        ("first-pin", PIN),
        ("second-card", SUPERVISOR),
        ("second-pin", CARD_PIN),
    ):
        page.fill(f"#{box}", text)
    page.click("#pass-yes")
    expect(page.locator("#win-answer")).to_have_text("The cards are overridden. Now approve it.")
    expect(page.locator("#hands")).to_contain_text("Override given")
    expect(page.locator("#approve")).to_be_enabled()
    assert bytes(EvidenceFile.objects.get().content) == still
    page.reload()
    expect(page.locator("#evidence + ul")).to_contain_text("camera 7.png")
    looked_at(page, "evidence")


@pytest.mark.parametrize("size", [pytest.param((1280, 800), marks=pytest.mark.deep), (820, 1180)])
def test_page_and_pad_are_accessible_and_fit(one: Floor, size: tuple[int, int]) -> None:
    asked(one, 0, "25", (2, "royal_first_7"), (5, "full_house"))
    page = one.open(HIT, "supervisor", width=size[0], height=size[1])
    page.click("#enter")
    typed(page, "jh th ah kh as qh kd")
    looked_at(page, "pad")
    page.keyboard.press("Enter")
    expect(page.locator("#pad-says")).to_have_text("Kept. Now seat 5.")
    typed(page, "ac 7c")
    page.keyboard.press("Enter")
    expect(page.locator("#hands .ok")).to_have_count(2)
    looked_at(page, "page")


def looked_at(page: Page, what: str) -> None:
    assert complaints_of_axe(page) == [], what
    assert page.evaluate(TOO_WIDE) == [], what
    assert page.evaluate(SMALL_TARGETS) == [], what
    assert page.evaluate(FITS), what
