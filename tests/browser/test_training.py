"""The training table in a real browser, by touch and by keyboard."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from playwright.sync_api import expect

from tables.training.pages.training_round import new_practice
from tests.browser.let_in import let_in
from tests.browser.looks import SIZES, Watched
from tests.builders import a_person, emerald
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
SEED = 11


@pytest.fixture
def page(live: Live, browser_page: Page, monkeypatch: pytest.MonkeyPatch) -> Page:
    """A new dealer at the training table; always the same round is dealt."""
    monkeypatch.setattr("tables.training.pages.training_round.secrets.randbelow", lambda _: SEED)
    a_person("newcomer", may=("see", "deal"), password="a long password", premises=emerald())
    browser_page.set_viewport_size({"width": 1280, "height": 800})
    let_in(browser_page.context, live, "newcomer", "a long password")
    browser_page.goto(f"{live.url}/train/")
    return browser_page


def look(watched: Watched, what: str) -> None:
    for name, (width, height) in SIZES.items():
        watched.page.set_viewport_size({"width": width, "height": height})
        watched.check(f"{what}, {name}")
    watched.page.set_viewport_size({"width": 1280, "height": 800})


def steps(page: Page, number: int) -> None:
    expect(page.locator(".way span")).to_have_text(f"step {number} of {len(new_practice({}, SEED).walk.dues)}")


def test_a_whole_round_is_dealt_settled_and_corrected(page: Page) -> None:
    watched = Watched(page)
    look(watched, "start")
    page.click(".go")
    armed, before = None, None
    one = new_practice({}, SEED)
    walk = one.walk
    for number, due in enumerate(walk.dues, start=1):
        asked = due.step.judged and one.moves[number - 1]
        goes_on = due.step.turn and (due.step.turn, due.seat) == before
        if due.seat is None or due.step.key != armed:
            page.click(f".choices button[value={due.step.key}]")
            armed = due.step.key if due.seat and not goes_on else None
        if due.seat is not None and not goes_on:
            page.click(f".place button[value='{due.seat}']:not(:disabled)")
        before = (due.step.turn, due.seat)
        if asked:
            expect(page.locator(".settle h2")).to_contain_text(f"seat {due.seat}")
            if due.seat == 6:
                look(watched, "settling")
            for wager in page.locator(".settle fieldset").all():
                wager.locator("input[value=take]").check()
            page.click(".settle .go")
        if number < len(walk.dues):
            steps(page, number)
        if asked:
            expect(page.locator(".lines li").first).to_be_visible()
    expect(page.locator(".end h2")).to_have_text("The round is over")
    look(watched, "end")
    assert watched.complaints == []


def test_a_wrong_order_is_caught_and_the_score_remembers(page: Page) -> None:
    page.click(".go")
    page.click(".choices button:not([value=take_deck])")
    expect(page.locator(".remark.bad")).to_contain_text("Takes the entire deck")
    expect(page.locator(".tally")).to_contain_text("0 of 1 right")
    page.reload()
    expect(page.locator(".tally")).to_contain_text("0 of 1 right")


def test_the_keyboard_is_enough_and_its_single_keys_can_be_switched_off(page: Page) -> None:
    page.focus(".go")
    page.keyboard.press("Enter")
    page.keyboard.press(str(page.locator(".choices button[value=take_deck]").get_attribute("data-key")))
    steps(page, 1)
    bets = page.locator(".choices button[value=bets]")
    page.keyboard.press(str(bets.get_attribute("data-key")))
    expect(page.locator(".armed h2")).to_have_text("Touch the seat")
    page.keyboard.press("1")
    steps(page, 2)
    page.uncheck("#keys")
    page.keyboard.press("3")
    steps(page, 2)
    page.reload()
    expect(page.locator("#keys")).not_to_be_checked()
    page.check("#keys")
    page.locator("#keys").blur()
    page.keyboard.press("3")
    steps(page, 3)


def test_the_words_of_the_game_are_at_hand(page: Page) -> None:
    page.click(".help summary:has-text('words')")
    expect(page.locator(".help dt", has_text="Qualify")).to_be_visible()
    page.click(".help summary:has-text('wrong')")
    expect(page.locator(".help dt", has_text="The shuffler fails during a round.")).to_be_visible()
    page.click(".help summary:has-text('The house banks. ACE or iDeal')")
    expect(page.locator(".help li", has_text="green button").first).to_be_visible()
