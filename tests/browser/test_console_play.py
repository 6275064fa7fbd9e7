"""The dealer's console in a real browser: rounds from the first chip to the last, in both profiles."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tables.floor.models.table import Profile
from tables.rounds.models.round import Round
from tests.browser.axe import complaints_of_axe
from tests.browser.floor_scene import (
    EXECUTIVE,
    PIN,
    SUPERVISOR,
    WHOLE_FILES,
    Floor,
    a_floor,
    hand,
    locks,
    mark,
    says,
    seat,
)
from tests.browser.looks import Watched, check
from tests.builders import CARD_PIN
from tests.hands import with_cards
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def cards(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser) as floor:
        yield floor


@pytest.fixture
def keys(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser, profile=Profile.KEY) as floor:
        yield floor


def test_card_profile_a_round_is_played_by_touch_from_chip_to_payment(cards: Floor) -> None:
    page = cards.dealing()
    watched = Watched(page)
    for number in (2, 3, 6):
        seat(page, number).click()
    seat(page, 3).click()
    expect(seat(page, 2)).to_have_attribute("data-state", "in")
    expect(page.locator("#count")).to_have_text("Next round 1 · 2 seats · 2.00")
    page.click("#big-key")
    expect(seat(page, 6)).to_have_attribute("data-state", "locked")
    expect(seat(page, 3)).to_have_attribute("data-state", "out")
    mark(page, 2, "Full house")
    says(page, "Marked: Full house at seat 2")
    hand(page, "Full house").click()
    says(page, "Winning hand: tap its seat")
    hand(page, "Royal flush, first 5").click()
    says(page, "Marked: Royal flush")
    page.click("#big-key")
    expect(page.locator("#confirm-title")).to_have_text("Seat 2, no others?")
    page.click("#confirm-box [value=yes]")
    says(page, "18,651.40 in all: needs an executive card")
    page.click("#big-key")
    page.fill("#card-number", SUPERVISOR)
    page.fill("#card-pin", CARD_PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#card-problem")).to_contain_text("needs an executive card")
    page.fill("#card-number", f";{EXECUTIVE}=99121010000000000000?")
    page.keyboard.press("Enter")
    expect(page.locator("#card-problem")).to_contain_text("Give its PIN")
    for digit in PIN:
        page.locator("#pin-pad button", has_text=digit).click()
    page.keyboard.press("Enter")
    the_pit_enters_the_cards_first(page)
    says(page, "Pay by the win page, then END GAME")
    expect(page.locator("#hits")).to_contain_text("18,651.40")
    page.click("#end-key")
    says(page, "Tap every seat with a chip")
    assert cards.meter() == "10617.35"
    assert watched.complaints == []


def the_pit_enters_the_cards_first(page: Page) -> None:
    expect(page.locator("#card-problem")).to_contain_text("Enter them on the hit's page first.")
    with_cards("UTH-01", 1)
    page.fill("#card-number", EXECUTIVE)
    page.keyboard.press("Enter")
    page.fill("#card-pin", PIN)
    page.keyboard.press("Enter")


def test_key_profile_jph_j_pot_and_run(keys: Floor) -> None:
    page = keys.dealing()
    seat(page, 5).click()
    locks(page)
    page.click("#key-run")
    expect(page.locator("#notice")).to_have_text("The key stands at RUN already.")
    mark(page, 5, "Four of a kind")
    says(page, "Supervisor: turn the key to JPH")
    page.click("#key-jph")
    page.fill("#key-number", "99")
    page.keyboard.press("Enter")
    expect(page.locator("#notice")).to_contain_text("Key 99 is not signed out to anybody")
    page.click("#key-jph")
    page.fill("#key-number", "17")
    page.keyboard.press("Enter")
    says(page, "100.00 in all. J-POT logs the win")
    page.click("#end-key")
    expect(page.locator("#notice")).to_contain_text("GAME OVER is refused: key 17 stands at JPH")
    page.click("#big-key")
    expect(page.locator("#card-number")).to_be_hidden()
    page.keyboard.press("Enter")
    expect(page.locator("#card-problem")).to_contain_text("Test Supervisor, who signed it out, gives the PIN")
    page.fill("#card-pin", CARD_PIN)
    page.keyboard.press("Enter")
    says(page, "Turn key 17 to RUN: then the meter moves")
    page.click("#key-run")
    says(page, "Pay by the win page, then GAME OVER")
    expect(page.locator("#hits")).to_contain_text("to be paid, slip 1")
    page.click("#end-key")
    says(page, "then COIN IN")


def test_key_profile_a_key_turned_back_without_j_pot_changes_nothing(keys: Floor) -> None:
    page = keys.dealing()
    seat(page, 5).click()
    locks(page)
    mark(page, 5, "Four of a kind")
    page.click("#key-jph")
    page.fill("#key-number", "17")
    page.keyboard.press("Enter")
    says(page, "J-POT logs the win")
    page.click("#key-run")
    says(page, "Marked: Four of a kind at seat 5. Supervisor: turn the key to JPH.")
    assert keys.meter() == "18650.70"


def test_key_profile_the_key_at_jph_with_no_hand_lit_says_what_to_do(keys: Floor) -> None:
    page = keys.dealing()
    seat(page, 5).click()
    locks(page)
    page.click("#key-jph")
    page.fill("#key-number", "17")
    page.keyboard.press("Enter")
    says(page, "Key 17 stands at JPH and no hand is lit. Turn it to RUN, mark the hand, then JPH again.")
    seat(page, 5).click()
    hand(page, "Full house").click()
    expect(page.locator("#notice")).to_contain_text("Turn it to RUN to change them")


def test_end_is_refused_with_the_list_of_open_hits(cards: Floor) -> None:
    page = cards.dealing()
    for number in (2, 6):
        seat(page, number).click()
    locks(page)
    for number, name in ((2, "Full house"), (6, "Straight flush")):
        mark(page, number, name)
        expect(page.locator("#hits")).to_contain_text(name)
    page.click("#end-key")
    expect(page.locator("#notice")).to_have_text(
        "END GAME is refused: Full house at seat 2 and Straight flush at seat 6 are still open. "
        "Settle first, or park: Menu."
    )


def test_a_seat_without_coin_in_has_no_hand(cards: Floor) -> None:
    page = cards.dealing()
    seat(page, 2).click()
    locks(page)
    expect(seat(page, 4)).to_have_attribute("data-state", "out")
    seat(page, 4).click()
    expect(page.locator("#notice")).to_contain_text("Seat 4 has no coin-in in round 1")


def test_rejected_hits_fall_and_the_round_ends(cards: Floor) -> None:
    page = cards.dealing()
    seat(page, 2).click()
    locks(page)
    mark(page, 2, "Full house")
    page.click("#big-key")
    page.click("#confirm-box [value=yes]")
    says(page, "supervisor card")
    page.click("#back-key")
    page.fill("#reject-reason", "It was two pair")
    page.keyboard.press("Enter")
    says(page, "Winning hand: tap its seat")
    page.click("#end-key")
    says(page, "Tap every seat")


def test_a_round_by_the_keyboard_alone(cards: Floor) -> None:
    page = cards.dealing()
    for key in ("1", "5", "7", "7", "Enter"):
        page.keyboard.press(key)
    expect(page.locator("#count")).to_have_text("Round 1 · 2 seats · 2.00")
    for lit in ("Marked: Full house at seat 5", "Winning hand: tap its seat", "Marked: Full house at seat 5"):
        for key in ("5", "*", "6"):  # [002:292, 388] the same keys again take the mark back
            page.keyboard.press(key)
        says(page, lit)
    page.keyboard.press("Enter")
    expect(page.locator("#confirm-title")).to_be_visible()
    page.keyboard.press("Enter")
    says(page, "10.00 in all")
    page.keyboard.press(";")
    page.keyboard.type(f"{SUPERVISOR}=99121010000000000000?")
    page.keyboard.press("Enter")
    expect(page.locator("#card-problem")).to_contain_text("Give its PIN")
    page.keyboard.type(CARD_PIN)
    page.keyboard.press("Enter")
    says(page, "Pay by the win page")
    page.keyboard.press("0")
    says(page, "Tap every seat")
    assert Round.objects.get().seats == "15"


def test_enter_after_a_touch_locks_and_does_not_touch_the_seat_again(cards: Floor) -> None:
    page = cards.dealing()
    seat(page, 4).click()
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_have_text("Round 1 · 1 seat · 1.00")


def test_single_keys_can_be_switched_off_and_stay_off(cards: Floor) -> None:
    page = cards.dealing()
    page.click("#menu-key")
    page.uncheck("#shortcuts")
    page.keyboard.press("Escape")
    page.reload()
    page.wait_for_selector("[data-link=up]")
    page.keyboard.press("3")
    expect(seat(page, 3)).to_have_attribute("data-state", "waiting")


def test_the_supervisor_counts_again_and_voids(cards: Floor) -> None:
    page = cards.dealing()
    seat(page, 2).click()
    locks(page)
    says(page, "Winning hand")
    page.click("#menu-key")
    page.click("#recount-key")
    page.check("#confirm-list li:nth-child(4) input")
    page.click("#confirm-box [value=yes]")
    page.fill("#card-number", SUPERVISOR)
    page.fill("#card-pin", CARD_PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#count")).to_have_text("Round 1 · 2 seats · 2.00")
    page.click("#menu-key")
    page.click("#void-key")
    page.fill("#card-number", SUPERVISOR)
    page.fill("#card-pin", CARD_PIN)
    page.fill("#card-reason", "Shuffler malfunction")
    page.keyboard.press("Enter")
    says(page, "Tap every seat")
    assert (Round.objects.get().state, cards.meter()) == ("void", "18650.00")


CONSOLES = ((800, 480), (1024, 600), (1280, 800))


def whole(page: Page, name: str, sizes: Sequence[tuple[int, int]] = CONSOLES[:1]) -> None:
    """Nothing for axe to find, nothing cut off, nothing too small for a finger, nothing to scroll."""
    for width, height in sizes:
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise((drawn) => requestAnimationFrame(() => requestAnimationFrame(drawn)))")
        check(page, f"{name} at {width}")
        assert page.evaluate("document.documentElement.scrollHeight <= innerHeight"), f"{name} at {width}"


@pytest.mark.parametrize("profile", [Profile.CARD, Profile.KEY])
def test_every_state_is_accessible_and_fits(live: Live, browser: Browser, profile: str) -> None:
    with a_floor(live, browser, profile=profile) as floor:
        page = floor.dealing()
        whole(page, "bets", CONSOLES)
        for number in (1, 2, 4, 7):
            seat(page, number).click()
        whole(page, "chips", CONSOLES)
        locks(page)
        mark(page, 2, "Royal flush, first 5")
        whole(page, "marked", CONSOLES)
        page.click("#menu-key")
        whole(page, "menu", CONSOLES)
        page.keyboard.press("Escape")
        page.click("#big-key")
        whole(page, "question", CONSOLES)


def test_the_pin_pad_fits_the_smallest_screen_whole(live: Live, browser: Browser) -> None:
    with a_floor(live, browser) as floor:
        page = floor.dealing(width=800, height=480)
        seat(page, 2).click()
        locks(page)
        mark(page, 2, "Royal flush, first 5")
        page.click("#big-key")
        page.click("#confirm-box [value=yes]")
        says(page, "executive card")
        page.click("#big-key")
        page.fill("#card-number", EXECUTIVE)
        page.keyboard.press("Enter")
        page.wait_for_selector("#pin-pad:not([hidden])")
        whole(page, "pin")
        expect(page.locator("#card-box [value=yes]")).to_be_in_viewport(ratio=1)


def test_the_door_of_the_console_is_accessible(cards: Floor) -> None:
    page = cards.open("/consoles/", "dealer", width=800, height=480)
    assert complaints_of_axe(page) == []
    page.click("text=UTH-01")
    page.wait_for_selector("#badge")
    assert complaints_of_axe(page) == []
