"""The supervisor's pages in a real browser: the live board, one hit, the register of keys."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

import pytest
from django.utils import timezone
from playwright.sync_api import expect

from accounting.paper.models.page import Copy
from jackpot.people.models import KeyRegister
from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.hits.actions import hit
from tables.rounds.models.round import Round
from tables.rounds.models.sensor import SensorEvent
from tests.browser.floor_scene import EXECUTIVE, PIN, SECOND, SUPERVISOR, WHOLE_FILES, Floor, a_floor
from tests.browser.looks import SIZES, Watched
from tests.builders import CARD_PIN
from tests.hands import with_cards
from tests.jackpot.books.api_scene import play
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]


@pytest.fixture
def two(live: Live, browser: Browser) -> Iterator[Floor]:
    with a_floor(live, browser, tables=2) as floor:
        yield floor


def coin_in(floor: Floor, table: int, seats: str) -> dict[str, Any]:
    """An open round with these seats; its place in the words of the acts."""
    number = Round.objects.filter(table=floor.casino.tables[table]).count() + 1
    play(floor.casino.controllers[table], number, seats, ends=False)
    return {"table_code": floor.casino.tables[table].code, "round_number": number}


def asked(floor: Floor, table: int, seats: str, *hands: tuple[int, str]) -> dict[str, Any]:
    place = coin_in(floor, table, seats)
    for seat, hand in hands:
        hit.mark(**place, seat=seat, hand=hand, by="Test Dealer")
    hit.confirm(**place, by="Test Dealer")
    return place


def hold(page: Page) -> None:
    """Until the key itself says that it was held long enough, however slow the machine is."""
    key = page.locator("#approve")
    expect(key).to_be_enabled()
    page.hover("#approve")
    page.mouse.down()
    expect(key).not_to_have_class(re.compile("holding"))
    page.mouse.up()


def test_from_the_board_to_an_approved_hit(two: Floor) -> None:
    with_cards(**asked(two, 0, "25", (2, "royal_first_5")))
    page = two.open("/pit/", "supervisor", width=1024, height=768)
    watched = Watched(page)
    page.click("#tile-UTH-01 a")
    page.wait_for_url("**/pit/wins/UTH-01/1/")
    hold(page)
    page.fill("#card", SUPERVISOR)
    page.fill("#pin", CARD_PIN)
    page.keyboard.press("Enter")
    expect(page.locator("#win-problem")).to_contain_text("This needs an executive card")
    expect(page.locator("#words ~ p").last).to_contain_text("May sign: Test Executive, Test Second")
    page.fill("#card", EXECUTIVE)
    page.keyboard.press("Enter")
    expect(page.locator("#win-problem")).to_contain_text("Give its PIN")
    for digit in PIN:
        page.locator("#pin-pad button", has_text=digit).click()
    page.click("#card-form .first")
    expect(page.locator("#win-answer")).to_have_text("Test Executive approved it. Slip 1.")
    expect(page.locator("#win-state")).to_contain_text("Settled. The meter has moved")
    expect(page.locator("#approve")).to_be_disabled()
    page.click("[data-print]")
    expect(page.locator("#win-answer")).to_contain_text("ORIGINAL of slip 1 was sent to")
    page.click("[data-print]")
    expect(page.locator("#win-problem")).to_contain_text("ORIGINAL")
    expect(page.locator("#due ~ table a")).to_have_attribute("href", "/office/wins/1/")
    assert [(each.kind, each.number) for each in Copy.objects.all()] == [("original", 0)]
    refusals = [each for each in watched.complaints if "403" not in each and "409" not in each]  # the browser's own
    assert refusals == []


def test_a_short_touch_approves_nothing_and_the_keyboard_holds_too(two: Floor) -> None:
    with_cards(**asked(two, 0, "25", (2, "full_house")))
    page = two.open("/pit/wins/UTH-01/1/", "supervisor")
    expect(page.locator("#approve")).to_be_enabled()
    page.click("#approve")
    expect(page.locator("#win-problem")).to_have_text("Hold the key for a second. A short touch approves nothing.")
    expect(page.locator("#card-form")).to_be_hidden()
    page.focus("#approve")
    page.keyboard.down("Enter")
    expect(page.locator("#card-form")).to_be_visible()
    expect(page.locator("#win-problem")).to_be_hidden()
    page.keyboard.up("Enter")
    assert page.evaluate("document.activeElement.id") == "card"


def test_a_rejection_frees_the_table(two: Floor) -> None:
    asked(two, 0, "25", (2, "full_house"))
    page = two.open("/pit/wins/UTH-01/1/", "supervisor")
    page.click("#reject")
    page.fill("#why", "It was two pair")
    page.keyboard.press("Enter")
    expect(page.locator("#win-answer")).to_contain_text("Rejected. Nothing moved")
    expect(page.locator("#win-state")).to_contain_text("No hit stands in this round.")
    assert Win.objects.get().state == "rejected"


def test_two_people_sign_where_two_are_needed(two: Floor) -> None:
    two.casino.premises.dual_threshold = 10_000
    two.casino.premises.save()
    with_cards(**asked(two, 0, "25", (2, "royal_first_5")))
    page = two.open("/pit/wins/UTH-01/1/", "supervisor")
    expect(page.locator("#win-state")).to_contain_text("2 cards, one of them executive, with PIN")
    for card, words in ((EXECUTIVE, "Still needed: a second person's card"), (SECOND, "Slip 1.")):
        hold(page)
        page.fill("#card", card)
        page.keyboard.press("Enter")
        page.fill("#pin", PIN)
        page.keyboard.press("Enter")
        expect(page.locator("#win-answer")).to_contain_text(words)


def test_a_later_hit_waits_and_two_people_may_let_it_pass(two: Floor) -> None:
    asked(two, 0, "25", (2, "royal_first_5"))
    with_cards(**asked(two, 1, "36", (3, "royal_first_7")))
    page = two.open("/pit/wins/UTH-02/1/", "supervisor")
    expect(page.locator("#approve")).to_be_disabled()
    expect(page.locator("#win-state")).to_contain_text("at UTH-01 came first")
    page.click("#pass")
    page.fill("#pass-why", "The winner has a plane to catch")
    for box, text in (
        ("first-card", EXECUTIVE),
        ("first-pin", PIN),
        ("second-card", SUPERVISOR),
        ("second-pin", CARD_PIN),
    ):
        page.fill(f"#{box}", text)
    page.click("#pass-form .first")
    expect(page.locator("#win-answer")).to_have_text("It may pass. Now approve it.")
    expect(page.locator("#approve")).to_be_enabled()


def test_whom_it_passed_is_told_so_until_the_same_two_withdraw(two: Floor) -> None:
    with_cards(**asked(two, 0, "25", (2, "royal_first_5")))
    with_cards(**asked(two, 1, "36", (3, "royal_first_7")))
    two_cards = [(EXECUTIVE, PIN), (SUPERVISOR, CARD_PIN)]
    hit.pass_queue(table_code="UTH-02", round_number=1, cards=two_cards, reason="The winner has a plane to catch")
    earlier = two.open("/pit/wins/UTH-01/1/", "supervisor")
    who = "Test Executive and Test Supervisor"
    expect(earlier.locator("#win-state")).to_contain_text(f"Waits: Round 1 at UTH-02 was let pass by {who}.")
    expect(earlier.locator("#approve")).to_be_disabled()
    expect(earlier.locator("#rejoin")).to_be_hidden()
    page = two.open("/pit/wins/UTH-02/1/", "supervisor")
    expect(page.locator("#win-state")).to_contain_text(f"Let pass by {who}: it is settled first.")
    page.click("#rejoin")
    page.fill("#pass-why", "The plane is late")
    for box, text in (
        ("first-card", EXECUTIVE),
        ("first-pin", PIN),
        ("second-card", SUPERVISOR),
        ("second-pin", CARD_PIN),
    ):
        page.fill(f"#{box}", text)
    page.click("#pass-yes")
    expect(page.locator("#win-answer")).to_have_text("Withdrawn. It waits again where its mark ranks it.")
    expect(page.locator("#win-state")).to_contain_text("at UTH-01 came first")
    expect(earlier.locator("#approve")).to_be_enabled()


def test_the_board_follows_without_being_touched_and_a_swipe_opens_the_first_hit(two: Floor) -> None:
    page = two.open("/pit/", "supervisor", width=1024, height=768)
    expect(page.locator("#hits")).to_contain_text("No open hit")
    page.focus("#tile-UTH-02 a")
    place = coin_in(two, 0, "25")
    hit.mark(**place, seat=2, hand="full_house", by="Test Dealer")
    expect(page.locator("#hits")).to_contain_text("wait for CONFIRM or JPH")
    expect(page.locator("#tile-UTH-01 .in")).to_have_text(["2", "5"])
    assert page.evaluate("document.activeElement.closest('li').id") == "tile-UTH-02"
    hit.confirm(**place, by="Test Dealer")
    expect(page.locator("#hits")).to_contain_text("waits for a card")
    page.keyboard.press("%")
    page.wait_for_url("**/pit/wins/UTH-01/1/")


def test_a_table_is_held_and_released(two: Floor) -> None:
    page = two.open("/pit/tables/UTH-01/", "supervisor", width=1024, height=768)
    page.fill("#why", "Dead spot at seat 3")
    page.click("button[value=held]")
    expect(page.locator("main")).to_contain_text("UTH-01 is held now.")
    assert Table.objects.get(code="UTH-01").held_why == "Dead spot at seat 3"
    page.fill("#why", "Spot changed")
    page.click("text=Release the hold")
    expect(page.locator("main")).to_contain_text("UTH-01 is open now.")


def test_a_key_goes_out_and_comes_back(two: Floor) -> None:
    page = two.open("/pit/keys/", "supervisor", width=1024, height=768)
    page.fill("#number", "23")
    page.fill("#card", EXECUTIVE)
    page.fill("#pin", PIN)
    page.keyboard.press("Enter")
    expect(page.locator("main")).to_contain_text("Key 23 is out with Test Executive.")
    page.locator("li", has_text="Key 23").get_by_role("button").click()
    expect(page.locator("main")).to_contain_text("Key 23 is back.")
    assert KeyRegister.objects.get(number="23").back_at is not None


def test_a_board_that_hears_nothing_says_that_it_is_old(two: Floor) -> None:
    page = two.open("/pit/", "supervisor")
    page.route("**/pit/", lambda route: route.abort())
    expect(page.locator("#stale")).to_be_visible()


def test_every_page_is_accessible_and_fits(live: Live, browser: Browser) -> None:
    with a_floor(live, browser, tables=10) as floor:
        Device.objects.filter(table__isnull=False).update(last_seen_at=timezone.now())
        SensorEvent.objects.create(table=floor.casino.tables[8], seat=3, alarm="silent", at=timezone.now())
        asked(floor, 0, "12", (1, "royal_first_5"))
        community = [(seat, "royal_community") for seat in range(2, 8)]
        asked(floor, 1, "1234567", (1, "royal_first_7"), *community)
        hit.mark(**coin_in(floor, 2, "36"), seat=6, hand="full_house", by="Test Dealer")
        watched = Watched(floor.open("/pit/", "supervisor"))
        wins = ["/pit/wins/UTH-01/1/", "/pit/wins/UTH-02/1/", "/pit/wins/UTH-03/1/"]
        watched.look(floor.live.url, ["/pit/", "/pit/tables/UTH-09/", "/pit/keys/", *wins])
        width, height = SIZES["desk"]
        watched.page.set_viewport_size({"width": width, "height": height})
        for address in wins:
            watched.page.goto(floor.live.url + address)
            assert watched.page.evaluate("document.documentElement.scrollHeight <= innerHeight"), address
