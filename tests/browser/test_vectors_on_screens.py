"""V9, V9b, V15 and V17 of the rule sheet through the screens: hits at the console and the pit, requests in the office,
the day on its page; by keyboard alone. Only chips that win nothing come from a box.
"""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import expect

from accounting.days.actions.snapshots import snapshot_due_days
from jackpot.books.models.entry import Entry
from jackpot.property.models.property import Property
from jackpot.wins.models import Win
from tables.rounds.actions.round import post_messages
from tables.rounds.models.round import Round
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tables.setup.actions.enrol import enrol, invite
from tests.browser.floor_scene import EXECUTIVE, PIN, SUPERVISOR, WHOLE_FILES, Floor, a_floor, says, seat
from tests.browser.keyboard import MOST
from tests.builders import CARD_PIN, a_pay_table, a_person, a_property
from tests.living import Live
from tests.patience import until
from tests.scenes_days import EAST, WEST

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
OFFICE: Final = ("see", "read_books", "adjust", "approve", "close_day", "void")
CARDS: Final = {
    "Royal flush, first 5": "jh 10h ah kh qh as kd",
    "Royal flush, first 7": "jh 10h ah kh as qh kd",
}
ON_THE_BOARD: Final = "2c 2d 10h jh qh kh ah"  # one seat’s cards: the board serves every seat, and no other is asked


class Evening:
    """A dealer, a supervisor and two of the office, each at a screen of their own."""

    def __init__(self, floor: Floor) -> None:
        self.floor = floor
        enrol(code=invite(device=floor.casino.controllers[1], by="tests"))
        self.console = floor.dealing()
        self.pit = floor.open("/pit/", "supervisor")
        for name in ("asks", "signs"):
            a_person(name, may=OFFICE, password="right")
        self.asks, self.signs = floor.open("/office/", "asks"), floor.open("/office/", "signs")
        self.played = 0

    def chips(self, wanted: int) -> None:
        """So many at the other table, by its box."""
        code, device = self.floor.casino.tables[1].code, self.floor.casino.controllers[1].pk
        while wanted:
            self.played, seats = self.played + 1, "1234567"[:wanted]
            for ask in (CoinInRequest(self.played, seats), EndRequest(self.played)):
                assert isinstance(post_messages([DeviceRequest(code, device, 0, ask)])[0], PostedAnswer)
            wanted -= len(seats)

    def asked_for(self, seats: str, hand: str, holders: str = "1") -> None:
        """Chips, COIN IN, the hand of these seats, CONFIRM: at the dealer's console."""
        says(self.console, "Tap every seat")
        for key in (*seats, "Enter"):
            self.console.keyboard.press(key)
        says(self.console, "Winning hand")
        names = self.console.locator("#hands button").all_inner_texts()
        number = next(place for place, name in enumerate(names, 1) if hand in name)
        for marked, seated in enumerate(holders, 1):
            for key in (seated, "*", str(number)):
                self.console.keyboard.press(key)
            until(lambda marked=marked: Win.objects.filter(state="marked").count() == marked, f"mark {marked}")
            expect(seat(self.console, int(seated))).to_contain_text("★")  # its answer is there: no key comes too soon
        self.console.keyboard.press("Enter")
        expect(self.console.locator("#confirm-title")).to_be_visible()
        self.console.keyboard.press("Enter")
        says(self.console, "in all")

    def approved(self, cards: str, card: str = SUPERVISOR, pin: str = CARD_PIN) -> None:
        """The cards typed, the key held, card and PIN: at the hit's page."""
        round_ = Round.objects.filter(table__code="UTH-01").latest("number")
        self.pit.goto(f"{self.floor.live.url}/pit/wins/UTH-01/{round_.number}/")
        pressed(self.pit, "#enter")
        for each in cards.split():
            self.pit.keyboard.type(each)
        expect(self.pit.locator("#pad-says")).to_contain_text("All cards are there.")
        self.pit.keyboard.press("Enter")
        expect(self.pit.locator("#pad")).to_be_hidden()
        expect(self.pit.locator("#approve")).to_be_enabled()
        to(self.pit, "#approve")
        self.pit.keyboard.down("Enter")
        expect(self.pit.locator("#card")).to_be_visible()
        self.pit.keyboard.up("Enter")
        written(self.pit, card=card, pin=pin)
        self.pit.keyboard.press("Enter")
        expect(self.pit.locator("#win-answer")).to_contain_text("Slip")
        says(self.console, "Pay by the win page")
        self.console.keyboard.press("0")
        says(self.console, "Tap every seat")

    def voided(self) -> None:
        """The last round of the other table: on its page of the pit, with a supervisor's card."""
        self.pit.goto(f"{self.floor.live.url}/pit/tables/UTH-02/hits/")
        words = {"reason": "shuffler malfunction", "card": SUPERVISOR, "pin": CARD_PIN}
        written(self.pit, **{f"void-{name}": text for name, text in words.items()})
        pressed(self.pit, "main button:text-is('Void the round')")
        until(lambda: Round.objects.get(table__code="UTH-02", number=self.played).state == "void", "the void")

    def asks_for(self, form: str, **words: str) -> None:
        """The form of a request filled in the order of its fields; the person's own choice is typed as a word."""
        self.asks.goto(f"{self.floor.live.url}{form}")
        written(self.asks, **words)
        with self.asks.expect_navigation():  # or the second person looks before it is there
            pressed(self.asks, "main button:has-text('Ask a second person')")

    def signed(self, *, seen: bool = False) -> None:
        self.signs_what_waits(seen=seen)
        expect(self.signs.get_by_role("status").first).to_contain_text("is approved")

    def signs_what_waits(self, *, seen: bool) -> None:
        """The second person finds it in the list, and gives card and PIN."""
        self.signs.goto(f"{self.floor.live.url}/office/adjustments/")
        to(self.signs, "#waiting ~ * a[href^='/office/requests/']")
        with self.signs.expect_navigation():
            self.signs.keyboard.press("Enter")
        if seen:
            to(self.signs, "input[name=seen]")
            self.signs.keyboard.press("Space")
        written(self.signs, card=EXECUTIVE, pin=PIN)
        pressed(self.signs, "main button:text-is('Approve')")

    def adjusted(self) -> None:
        self.asks_for(
            "/office/adjustments/new/?kind=adjust&jackpot=GRAND", amount="15.00", ground="malf",
            reason="sensor 3 counted one chip twice", evidence="camera 7, 02:14",
        )  # fmt: skip
        expect(self.asks.get_by_role("status").first).to_contain_text("waits for a second person")
        self.signed()

    def backed_out(self, slip: int) -> None:
        """From the win's own page."""
        self.asks.goto(f"{self.floor.live.url}/office/wins/{slip}/")
        to(self.asks, "main a:text-is('Back out')")
        with self.asks.expect_navigation():
            self.asks.keyboard.press("Enter")
        written(self.asks, ground="misd", reason="the board was dealt twice", evidence="camera 7, 02:14")
        with self.asks.expect_navigation():
            pressed(self.asks, "main button:has-text('Ask a second person')")

    def day(self) -> dict[str, tuple[str, str]]:
        """The equation on the page of the day that has rolled: meter and reserve by the name of the line."""
        on: date = Entry.objects.latest("occurred_at").gaming_day
        Property.objects.update(time_zone=EAST)
        snapshot_due_days()
        self.asks.goto(f"{self.floor.live.url}/office/days/{on}/")
        found = {}
        for row in self.asks.locator("table.equation tr").all():
            cells = [each.strip() for each in row.locator("th, td").all_inner_texts()]
            found[cells[0]] = (cells[1], cells[2]) if len(cells) > 2 else ("", "")
        return found

    def standing(self) -> str:
        """What the jackpot's own page says."""
        self.asks.goto(f"{self.floor.live.url}/jackpots/GRAND/")
        return str(self.asks.locator("main").inner_text())


def to(page: Page, selector: str) -> None:
    """Tab until it has the focus."""
    wanted = page.locator(selector)
    for _ in range(MOST):
        if wanted.evaluate_all("(found) => found.length && found[0] === document.activeElement"):
            return
        page.keyboard.press("Tab")
    raise AssertionError(f"{selector} is not reached by Tab on {page.url}")


def pressed(page: Page, selector: str) -> None:
    to(page, selector)
    page.keyboard.press("Enter")


def written(page: Page, **words: str) -> None:
    """Into fields by their names; in a choice the first letters choose."""
    for name, text in words.items():
        to(page, f"#{name}")
        if page.evaluate("document.activeElement.tagName") != "SELECT":
            page.keyboard.press("Control+A")
        page.keyboard.type(text)


@pytest.fixture
def evening(live: Live, browser: Browser, request: pytest.FixtureRequest) -> Iterator[Evening]:
    a_property(time_zone=WEST)
    more: dict[str, Any] = dict(request.param)
    with a_floor(live, browser, tables=2, **more) as floor:
        yield Evening(floor)


REF: Final = {"meter": "18250.00", "reserve": "0.00"}
FROM_METER: Final = {"meter": "18250.00", "reserve": "400.00", "pay_table": a_pay_table(source="meter")}
REF_V9: Final = {"meter": "19999.30", "reserve": "617.20"}


@pytest.mark.parametrize("evening", [REF], indirect=True)
def test_v15_a_day_with_five_percent_and_an_adjustment_closes_on_its_page(evening: Evening) -> None:
    evening.chips(2849)
    evening.asked_for("1", "Royal flush, first 7")
    evening.approved(CARDS["Royal flush, first 7"])
    evening.chips(1362)
    evening.adjusted()
    shown = evening.day()
    told = {name: shown[name][0] for name in ("begun", "contributions", "awards", "adjustments", "= close")}
    assert told == {
        "begun": "+18,250.00", "contributions": "+2,948.40", "awards": "−1,012.25", "adjustments": "+15.00",
        "= close": "20,201.15",
    }  # fmt: skip
    expect(evening.asks.locator("#eq-GRAND .chip.ok")).to_contain_text("0.00")


@pytest.mark.parametrize("evening", [FROM_METER], indirect=True)
def test_v17_a_day_that_runs_dry_closes_on_its_page(evening: Evening) -> None:
    evening.chips(2849)
    evening.asked_for("1", "Royal flush, first 5")
    evening.approved(CARDS["Royal flush, first 5"], card=EXECUTIVE, pin=PIN)
    evening.chips(5)
    evening.voided()
    evening.chips(1353)
    evening.asked_for("1234", "Community royal", "1234")
    evening.approved(ON_THE_BOARD, card=EXECUTIVE, pin=PIN)
    evening.chips(100)
    evening.adjusted()
    shown = evening.day()
    lines = ("contributions", "voided", "made good", "awards", "adjustments", "= close")
    assert {name: shown[name] for name in lines} == {
        "contributions": ("+3,018.40", "+215.60"), "voided": ("−3.50", "−0.25"), "made good": ("+507.60", "−67.85"),
        "awards": ("−32,245.00", "·"), "adjustments": ("+15.00", "·"), "= close": ("85.00", "5.00"),
    }  # fmt: skip
    expect(evening.asks.locator("#eq-GRAND .chip.ok")).to_contain_text("0.00")


@pytest.mark.parametrize("evening", [REF_V9], indirect=True)
def test_v9_a_back_out_returns_everything(evening: Evening) -> None:
    evening.asked_for("1", "Royal flush, first 5")
    evening.approved(CARDS["Royal flush, first 5"], card=EXECUTIVE, pin=PIN)
    evening.chips(500)
    evening.backed_out(1)
    evening.signed()
    assert "20,350.00" in evening.standing()
    assert "642.25" in evening.standing()
    assert Win.objects.get().state == "backed_out"


@pytest.mark.parametrize("evening", [REF_V9], indirect=True)
def test_v9b_who_won_later_is_owed_the_difference(evening: Evening) -> None:
    """Refused while B is open, by a sentence that names B; afterwards the page says what B is owed."""
    evening.asked_for("1", "Royal flush, first 5")
    evening.approved(CARDS["Royal flush, first 5"], card=EXECUTIVE, pin=PIN)
    evening.chips(95)
    evening.asked_for("12345", "Royal flush, first 7")
    evening.backed_out(1)
    expect(evening.asks.get_by_role("alert")).to_contain_text("is still open on this jackpot. Settle it first.")
    evening.signs_what_waits(seen=False)
    expect(evening.signs.get_by_role("alert").first).to_contain_text("Settle it first.")
    evening.approved(CARDS["Royal flush, first 7"])
    assert str(Win.objects.get(slip=2).amount_money) == "534.36"
    evening.signed(seen=True)
    expect(evening.signs.locator("main")).to_contain_text("469.14")
