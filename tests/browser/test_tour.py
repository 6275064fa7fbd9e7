"""A guest who knows nothing plays both profiles to the end by what the tour on the first page says, no more."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from accounting.paper.models.page import Copy
from accounting.tour import cast
from jackpot.books.models.jackpot import Jackpot
from jackpot.wins.models import Win
from tests import builders
from tests.browser.floor_scene import WHOLE_FILES, hand, seat
from tests.browser.looks import Watched
from tests.browser.test_pit import hold
from tests.living import Live
from tests.patience import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, Locator, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
SIZES = {"desk": (1280, 800), "tablet": (820, 1180)}


@pytest.fixture
def demo(live: Live, settings: Any) -> Iterator[Live]:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    cast._logins.cache_clear()
    builders.emerald()
    yield live
    cast._logins.cache_clear()


@dataclass
class Guest:
    """Somebody with two tabs: the tour, and the work that its links open."""

    context: BrowserContext
    tour: Page
    work: Page | None = None

    @property
    def step(self) -> Locator:
        return self.tour.locator("#tour-steps [aria-current=step]")

    def follow(self) -> tuple[Page, Mapping[str, str], str]:
        """Opens the link of the step that is next; returns the tab, what is to be typed, and the step's sentence."""
        names, typed = self.step.locator("dt").all_inner_texts(), self.step.locator("dd").all_inner_texts()
        words = self.step.locator("p").inner_text()
        door = self.step.get_by_role("link").or_(self.step.get_by_role("button"))
        if self.work is None:
            with self.context.expect_page() as opened:
                door.click()
            self.work = opened.value
        else:
            with self.work.expect_navigation():
                door.click()
        self.work.wait_for_load_state()
        return self.work, dict(zip(names, typed, strict=True)), words

    def is_told(self, number: int) -> bool:
        """Comes back to the tour, which asks then what was done; the server may still be at it."""
        self.tour.evaluate("dispatchEvent(new Event('focus'))")
        with suppress(AssertionError):
            expect(self.tour.locator("#tour-steps li").nth(number - 1)).to_have_class("done", timeout=1_000)
            return True
        return False


def sign_in(page: Page, typed: Mapping[str, str]) -> None:
    assert page.locator("#id_username").input_value() == typed["Name"]
    page.get_by_label("Password").fill(typed["Password"])
    page.get_by_role("main").get_by_role("button", name="Sign in").click()
    page.wait_for_load_state()


def sign_key_out(page: Page, typed: Mapping[str, str]) -> None:
    page.get_by_label("Number on the key").fill(typed["Number on the key"])
    page.get_by_label("Card").fill(typed["Card"])
    page.get_by_label("Its PIN").fill(typed["PIN"])
    page.get_by_role("main").get_by_role("button", name="Sign the key out").click()


def badge_in(page: Page, typed: Mapping[str, str]) -> None:
    page.get_by_label("badge").fill(typed["Badge"])
    page.get_by_role("button", name="Badge in").click()
    page.wait_for_selector("[data-console][data-link=up]")


def lock(page: Page, _: Mapping[str, str]) -> None:
    page.wait_for_selector("[data-console][data-link=up]")
    seat(page, 2).click()
    seat(page, 5).click()
    page.get_by_role("button", name="START GAME").or_(page.get_by_role("button", name="COIN IN")).click()
    expect(seat(page, 5)).to_have_attribute("data-state", "locked")


def mark(page: Page, _: Mapping[str, str]) -> None:
    page.wait_for_selector("[data-console][data-link=up]")
    seat(page, 2).click()
    hand(page, "Four of a kind").click()
    expect(page.locator("#hits")).to_contain_text("Four of a kind")


def call(page: Page, _: Mapping[str, str]) -> None:
    page.wait_for_selector("[data-console][data-link=up]")
    page.get_by_role("button", name="CONFIRM").click()
    page.get_by_role("button", name="Yes, confirm").click()


def approve(page: Page, typed: Mapping[str, str]) -> None:
    page.get_by_role("button", name="Cards seen").click()
    hold(page)
    page.get_by_label("Swipe your card").fill(typed["Card"])
    page.locator("#pin").fill(typed["PIN"])
    page.get_by_role("button", name="Approve", exact=True).click()


def turn_to_jph(page: Page, typed: Mapping[str, str]) -> None:
    page.wait_for_selector("[data-console][data-link=up]")
    page.get_by_role("button", name="KEY TO JPH").click()
    page.get_by_label("Number on the key").fill(typed["Number on the key"])
    page.get_by_role("dialog").get_by_role("button", name="JPH").click()


def j_pot(page: Page, typed: Mapping[str, str]) -> None:
    page.get_by_role("button", name="J-POT").first.click()
    page.get_by_label("PIN", exact=True).fill(typed["PIN"])
    page.get_by_role("dialog").get_by_role("button", name="Enter").click()


def press(name: str) -> Callable[[Page, Mapping[str, str]], None]:
    return lambda page, _: page.get_by_role("button", name=name).first.click()


DOES: Mapping[str, Callable[[Page, Mapping[str, str]], None]] = {
    "Sign in": sign_in,
    "Sign a key out": sign_key_out,
    "Take duty": badge_in,
    "Lock": lock,
    "Mark": mark,
    "Call": call,
    "Approve": approve,
    "Turn the key to JPH": turn_to_jph,
    "Log the win": j_pot,
    "Turn the key to RUN": press("KEY TO RUN"),
    "Print": press("Letter"),
    "Pay": press("Pay"),
}


def kept(page: Page, name: str) -> None:
    if folder := os.environ.get("FAIRMETER_SHOTS"):
        page.screenshot(path=str(Path(folder) / f"tour-{name}.png"), full_page=True)


def play(guest: Guest, name: str) -> list[str]:
    """Step after step until none is left; the titles in their order."""
    taken = []
    while guest.step.count():
        title = guest.step.locator("h3").inner_text()
        number = int(guest.step.locator(".tick").inner_text())
        taken.append(title)
        work, typed, _ = guest.follow()
        does = next((act for words, act in DOES.items() if title.startswith(words)), None)
        kept(work, f"{name}-{len(taken):02d}-before")
        if does is not None:
            does(work, typed)
        until(partial(guest.is_told, number), f"{title} is done")
        kept(work, f"{name}-{len(taken):02d}")
        if len(taken) in (1, 5):
            kept(guest.tour, f"{name}-page-{len(taken)}")
    return taken


@pytest.mark.parametrize(("profile", "size"), [("card", "desk"), pytest.param("key", "tablet", marks=pytest.mark.deep)])
def test_the_tour_alone_leads_a_guest_from_the_first_chip_to_the_paid_slip(
    demo: Live, browser: Browser, profile: str, size: str
) -> None:
    width, height = SIZES[size]
    context = browser.new_context(viewport={"width": width, "height": height})
    guest = Guest(context, context.new_page())
    watched = Watched(guest.tour)
    guest.tour.goto(f"{demo.url}/")
    guest.tour.get_by_role("link", name=f"{profile.title()} profile").click()
    guest.tour.wait_for_url("**tour=*")
    watched.check("the tour")
    titles = play(guest, f"{profile}-{size}")
    assert len(titles) == len(set(titles)) == guest.tour.locator("#tour-steps li").count() - 1
    expect(guest.tour.locator("#tour-says")).to_contain_text("you played a jackpot")
    watched.check("the tour, done")
    kept(guest.tour, f"{profile}-{size}-done")
    win = Win.objects.get()
    assert (win.state, str(win.amount_money), win.table_code) == ("paid", "100.00", f"TOUR-{profile.upper()}")
    assert Copy.objects.get().kind == "original"
    assert str(Jackpot.objects.get(code="TOUR").meter_money) == "9901.40"
    guest.tour.get_by_role("button", name="Start again").click()
    expect(guest.tour.locator("#tour-says")).to_contain_text("Step 1 of")
    assert watched.complaints == []
    context.close()
