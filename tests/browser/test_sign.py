"""The sign against the real server: its figure, its climb, its honesty when the server is gone."""

from __future__ import annotations

import re
import socket
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import pytest
import uvicorn
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, expect

from launcher.web import web_config
from tests.builders import a_jackpot, a_sign
from tests.patience import until
from tests.tables.signs.scene import Floor

# WhiteNoise hands out files as iterators that Django's ASGI handler reads whole, with a warning.
WHOLE_FILES = "ignore:StreamingHttpResponse must consume synchronous iterators:Warning"
pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]

SIZES = [(1920, 1080), (1080, 1920), (3840, 2160), (1280, 240)]


@pytest.fixture
def floor(live: Any) -> Floor:
    return Floor(limit="250000.00")


@pytest.fixture
def quiet_page(browser_page: Page) -> Iterator[Page]:
    """A page on which nothing may be complained about: no error, nothing that the content policy refused."""
    complaints: list[str] = []
    browser_page.on("console", lambda message: complaints.append(message.text) if message.type == "error" else None)
    browser_page.on("pageerror", lambda error: complaints.append(str(error)))
    yield browser_page
    assert complaints == []


def shown(page: Page) -> int:
    """The figure in cents, as a person reads it."""
    return int(re.sub(r"\D", "", page.locator(".figure").first.inner_text()))


def watched(page: Page, is_there: Callable[[int], bool]) -> list[int]:
    """What stands there one after the other, until it is what is waited for."""
    figures = list[int]()
    until(lambda: figures.append(shown(page)) or is_there(figures[-1]), "the figure")
    return figures


def linked(page: Page) -> None:
    """Wait for the first words: from then on the sign is live."""
    expect(page.locator("body")).to_have_attribute("data-linked", "yes")


def test_the_first_paint_carries_the_figure_even_without_a_script(live: Any, floor: Floor, browser: Browser) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{live.url}/signs/WALL-1/")
    assert page.locator(".figure").inner_text() == "$20,000.00"
    context.close()


def test_it_climbs_to_the_books_within_three_seconds_and_is_never_above_them(
    live: Any, floor: Floor, quiet_page: Page
) -> None:
    quiet_page.goto(f"{live.url}/signs/WALL-1/")
    linked(quiet_page)
    floor.coin_in()
    figures = watched(quiet_page, lambda cents: cents >= 2000350)
    assert figures[-1] == 2000350
    assert figures == sorted(figures)
    assert len(set(figures)) > 3, "it climbs, it does not jump"


def test_it_goes_on_climbing_while_rounds_come_in_and_ends_on_the_exact_cent(
    live: Any, floor: Floor, quiet_page: Page
) -> None:
    quiet_page.goto(f"{live.url}/signs/WALL-1/")
    linked(quiet_page)
    figures = [shown(quiet_page)]
    for _ in range(4):
        floor.coin_in("123")
        figures += watched(quiet_page, lambda cents, before=figures[-1]: cents > before)  # type: ignore[misc]
        floor.jackpot.refresh_from_db()
        assert figures[-1] <= floor.jackpot.meter_money.units // 10**6
    figures += watched(quiet_page, lambda cents: cents >= 2000840)
    assert figures[-1] == 2000840
    assert figures == sorted(figures)


def test_a_voided_round_shows_its_reason_and_no_figure_in_between(live: Any, floor: Floor, quiet_page: Page) -> None:
    number = floor.coin_in()
    quiet_page.goto(f"{live.url}/signs/WALL-1/")
    linked(quiet_page)
    floor.void(number)
    expect(quiet_page.locator(".reason")).to_have_text("Lower because: round voided")
    figures = watched(quiet_page, lambda cents: cents == 2000000)
    assert set(figures) == {2000350, 2000000}
    expect(quiet_page.get_by_role("status")).to_contain_text("round voided")


@pytest.mark.parametrize("kind", ["", "?type=digits"])
def test_the_figure_is_large_gold_and_whole_on_every_screen(
    live: Any, floor: Floor, quiet_page: Page, kind: str
) -> None:
    quiet_page.goto(f"{live.url}/signs/WALL-1/{kind}")
    linked(quiet_page)
    figure = quiet_page.locator(".figure")
    for width, height in SIZES:
        quiet_page.set_viewport_size({"width": width, "height": height})
        size, colour = figure.evaluate("it => [parseFloat(getComputedStyle(it).fontSize), getComputedStyle(it).color]")
        box = figure.bounding_box()
        assert box is not None
        assert colour == "rgb(255, 214, 107)"
        assert box["x"] >= 0
        assert box["x"] + box["width"] <= width + 1
        assert box["height"] <= size * 1.3
        assert size >= 0.15 * width or (height == 240 and not kind)


@pytest.mark.parametrize("meter", ["0.07", "123456789012.34"])
def test_a_short_or_long_amount_is_one_line_and_fits(live: Any, quiet_page: Page, meter: str) -> None:
    Floor(meter=meter, seed="0.01")
    quiet_page.goto(f"{live.url}/signs/WALL-1/")
    linked(quiet_page)
    figure = quiet_page.locator(".figure")
    box = figure.bounding_box()
    assert box is not None
    assert re.sub(r"[$,]", "", figure.inner_text()) == meter
    assert box["width"] <= 1920
    assert box["height"] <= 1.3 * figure.evaluate("one => parseFloat(getComputedStyle(one).fontSize)")


def test_digits_only_shows_digits_only(live: Any, floor: Floor, quiet_page: Page) -> None:
    quiet_page.set_viewport_size({"width": 1280, "height": 240})
    quiet_page.goto(f"{live.url}/signs/WALL-1/?type=digits")
    linked(quiet_page)
    seen = quiet_page.evaluate(
        "[...document.querySelectorAll('p, h2, ol, header, footer')]"
        ".filter(one => { const box = one.getBoundingClientRect(); return box.width > 2 && box.height > 2; })"
        ".map(one => one.className.split(' ')[0])"
    )
    assert seen == ["figure"]
    floor.coin_in()
    assert watched(quiet_page, lambda cents: cents == 2000350)[-1] == 2000350


def test_two_levels_climb_each_for_itself(live: Any, floor: Floor, quiet_page: Page) -> None:
    a_sign("WALL-2", floor.jackpot, a_jackpot("MINI", meter="1204.50", premises=floor.premises))
    quiet_page.goto(f"{live.url}/signs/WALL-2/")
    linked(quiet_page)
    floor.coin_in()
    expect(quiet_page.locator("[data-meter=GRAND] .figure")).to_have_text("$20,003.50")
    expect(quiet_page.locator("[data-meter=MINI] .figure")).to_have_text("$1,204.50")


def test_axe_finds_nothing(live: Any, floor: Floor, browser_page: Page) -> None:
    a_sign("WALL-2", floor.jackpot, a_jackpot("MINI", meter="1204.50", premises=floor.premises))
    for path in ("WALL-1/", "WALL-1/?type=digits", "WALL-2/", "WALL-9/", ""):
        browser_page.goto(f"{live.url}/signs/{path}")
        results = Axe().run(browser_page)
        assert results.violations_count == 0, f"{path}: {results.generate_report()}"


def test_a_sign_lives_through_a_restart_of_the_server(fresh_database: str, browser_page: Page) -> None:
    floor, page = Floor(), browser_page
    port = free_port()
    with serving(port):
        page.goto(f"http://127.0.0.1:{port}/signs/WALL-1/")
        linked(page)
        floor.coin_in()
        watched(page, lambda cents: cents == 2000350)
    body = page.locator("body")
    expect(body).to_have_class(re.compile("silent"))
    assert shown(page) == 2000350
    floor.coin_in()
    with serving(port):
        figures = watched(page, lambda cents: cents == 2000700)
        assert figures == sorted(figures)
        expect(body).not_to_have_class(re.compile("silent"))


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


@contextmanager
def serving(port: int) -> Iterator[None]:
    server = uvicorn.Server(web_config(host="127.0.0.1", port=port))
    thread = threading.Thread(target=server.run, name="restarted server", daemon=True)
    thread.start()
    while not server.started:
        assert thread.is_alive()
        time.sleep(0.01)
    yield
    server.should_exit = True
    thread.join(20)
