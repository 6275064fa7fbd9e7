"""Asked for by one person and decided by another, in a real browser."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from playwright.sync_api import expect

from jackpot.adjusting.models import Adjustment
from jackpot.books.models.jackpot import Jackpot
from jackpot.signing.actions.kinds import register, unregister
from jackpot.wins.models import Win
from tests.browser.looks import Watched, kept
from tests.browser.test_pages import sign_in
from tests.builders import a_jackpot, a_pay_table, a_person, a_property
from tests.jackpot.signing.test_tiny_kind import RenameHouse
from tests.jackpot.signing.test_tiny_kind import asked as asked_to_rename
from tests.living import Live
from tests.scenes_adjusting import asked, done
from tests.scenes_wins import EXECUTIVE, LINES, PIN, WinFloor

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
MAY = ("see", "read_books", "adjust")


@pytest.fixture
def house(live: Live, settings: Any) -> Live:
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    a_property(name="Reference Card Room", address="12 River Road\nAnytown")
    a_person("ann", password="right", may=MAY)
    return live


def a_played_house() -> tuple[Jackpot, Win]:
    """A royal paid and a five percent after it; another jackpot of the same odds; requests of several kinds."""
    floor = WinFloor(2)
    win = floor.royal()
    floor.won({1: "five"}, table=1)
    jackpot = floor.casino.jackpot
    other = a_jackpot("EMERALD", name="Emerald", meter="5000.00", pay_table=a_pay_table(lines=LINES))
    done("adjust", jackpot, amount="15.00", by="asker")
    done("suspend", other)
    done("retire", a_jackpot("OLD", meter="812.40", reserve="3.00"), reading="812.40")
    return jackpot, win


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_every_page_is_whole_accessible_and_fits(house: Live, browser: Browser) -> None:
    context = browser.new_context()
    watched = Watched(context.new_page())
    sign_in(watched.page, house)
    watched.look(house.url, {"empty": "/office/adjustments/"}, "adjust")
    expect(watched.page.locator("#waiting + p")).to_contain_text("Nothing waits")
    jackpot, win = a_played_house()
    row = asked("back_out", win.jackpot, win=win)
    other = asked("transfer", jackpot, other=Jackpot.objects.get(code="EMERALD"), amount="100.00")
    register(RenameHouse())
    new = "/office/adjustments/new/"
    pages = {
        "inbox": "/office/adjustments/", "kind": "/office/adjustments/?kind=suspend",
        "back-out": f"/office/requests/{row.pk}/", "transfer": f"/office/requests/{other.pk}/",
        "done": f"/office/requests/{Adjustment.objects.get(kind='adjust').pk}/",
        "new": f"{new}?kind=adjust&jackpot=GRAND&amount=15.00", "new-transfer": f"{new}?kind=transfer&jackpot=GRAND",
        "new-suspend": f"{new}?kind=suspend&jackpot=GRAND",
        "new-retire": f"{new}?kind=retire&jackpot=GRAND&reading=1.00", "new-back-out": f"{new}?kind=back_out&win=1",
        "win": "/office/wins/1/", "requests": "/office/requests/", "notices": "/office/notices/",
        "request": f"/office/requests/{asked_to_rename(jackpot.premises, a_person('lee', may=('configure',))).pk}/",
    }  # fmt: skip
    watched.look(house.url, pages, "adjust")
    unregister(RenameHouse.code)
    assert watched.complaints == []
    context.close()


def test_ann_asks_sees_before_and_after_and_an_executives_card_decides(house: Live, browser_page: Page) -> None:
    WinFloor()
    watched = Watched(browser_page)
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/adjustments/")
    browser_page.get_by_role("link", name="New request").click()
    browser_page.select_option("#jackpot", "GRAND")
    browser_page.fill("#amount", "15.00")
    expect(browser_page.locator("#preview")).to_contain_text("20,014.30")
    browser_page.select_option("#ground", "malfunction")
    browser_page.fill("#reason", "sensor 3 counted one chip twice")
    browser_page.fill("#evidence", "camera 7, 02:14")
    browser_page.get_by_role("button", name="Ask a second person").click()
    expect(browser_page.get_by_role("status").first).to_contain_text("waits for a second person")
    kept(browser_page, "adjust-asked")
    watched.check("asked")
    browser_page.get_by_role("button", name="Approve").click()
    expect(browser_page.get_by_role("alert")).to_contain_text("may not sign this. Use an executive's card.")
    browser_page.fill("#card", EXECUTIVE)
    browser_page.fill("#pin", PIN)
    browser_page.get_by_role("button", name="Approve").click()
    expect(browser_page.get_by_role("status").first).to_contain_text("is approved by Test Executive: GRAND/2.")
    expect(browser_page.locator("main .chip.ok")).to_contain_text("approved")
    kept(browser_page, "adjust-approved")
    watched.check("approved")
    assert str(Jackpot.objects.get().meter_money) == "20014.30"
    assert watched.complaints == []


def test_a_file_of_some_megabytes_is_added_on_the_page_and_taken_home_whole(house: Live, browser_page: Page) -> None:
    row = asked("adjust", a_jackpot(), amount="15.00")
    watched = Watched(browser_page)
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/requests/{row.pk}/")
    sheet = b"%PDF-1.7\n" + bytes(3_000_000)
    browser_page.set_input_files(
        ".evidence input[type=file]", {"name": "sheet.pdf", "mimeType": "text/html", "buffer": sheet}
    )
    browser_page.get_by_role("button", name="Add it").click()
    expect(browser_page.get_by_role("status").first).to_contain_text("sheet.pdf is kept as evidence")
    expect(browser_page.locator(".evidence")).to_contain_text("2.9 MB")
    kept(browser_page, "adjust-evidence")
    watched.check("evidence")
    with browser_page.expect_download() as taken:
        browser_page.get_by_role("link", name="sheet.pdf").click()
    assert taken.value.suggested_filename == "sheet.pdf"
    assert taken.value.path().read_bytes() == sheet
    assert watched.complaints == []


def test_a_refused_form_keeps_what_was_typed(house: Live, browser_page: Page) -> None:
    a_jackpot(meter="10.00")
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/adjustments/new/?kind=adjust&jackpot=GRAND")
    browser_page.fill("#amount", "-15.00")
    browser_page.select_option("#ground", "removal")
    browser_page.fill("#reason", "taken away")
    browser_page.fill("#evidence", "letter of 3 May")
    browser_page.get_by_role("button", name="Ask a second person").click()
    expect(browser_page.get_by_role("alert")).to_contain_text("holds 10.00; 15.00 cannot be taken from it")
    assert browser_page.input_value("#reason") == "taken away"
    assert browser_page.input_value("#amount") == "-15.00"
    assert not Adjustment.objects.exists()


def test_a_back_out_is_asked_for_on_the_wins_page_with_every_later_difference(house: Live, browser_page: Page) -> None:
    a_played_house()
    sign_in(browser_page, house)
    browser_page.goto(f"{house.url}/office/wins/1/")
    browser_page.get_by_role("link", name="Back out").click()
    expect(browser_page.locator("#preview")).to_contain_text("Later awards counted from this one")
    browser_page.select_option("#ground", "misdeal")
    browser_page.fill("#reason", "the board was dealt twice")
    browser_page.fill("#evidence", "camera 7, 02:14")
    browser_page.get_by_role("button", name="Ask a second person").click()
    browser_page.fill("#card", EXECUTIVE)
    browser_page.fill("#pin", PIN)
    browser_page.check("input[name=seen]")
    browser_page.get_by_role("button", name="Approve").click()
    expect(browser_page.get_by_role("status").first).to_contain_text("is approved by Test Executive")
    assert Win.objects.get(number=1).state == "backed_out"
