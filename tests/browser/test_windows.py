"""A window that another test had is empty, and one that was changed for good is not given again."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import pytest

from tests.deep import DEEP
from tests.living import Live, living, same_port

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, ViewportSize

pytestmark = [
    pytest.mark.browser,
    pytest.mark.filterwarnings("ignore:StreamingHttpResponse must consume synchronous iterators:Warning"),
    pytest.mark.skipif(DEEP, reason="in the profile deep each window is made anew"),
]
SIZE: Final[ViewportSize] = {"width": 700, "height": 500}  # nobody else's
LEFT: Final = """() => new Promise(done => {
  localStorage.left = sessionStorage.left = "1"; document.cookie = "left=1"; window.name = "left";
  const asked = indexedDB.open("left"); asked.onsuccess = () => { asked.result.close(); done(); }; })"""
FOUND: Final = """async () => [localStorage.left, sessionStorage.left, document.cookie.includes("left"), window.name,
  (await indexedDB.databases()).length, innerWidth, document.hasFocus()]"""
FETCHED: Final = (
    "() => performance.getEntriesByType('resource').filter(each => each.transferSize).map(each => each.name)"
)

CHANGES: dict[str, Callable[[BrowserContext], Any]] = {
    "clock": lambda context: context.clock.set_fixed_time(0),
    "script": lambda context: context.add_init_script("window.left = 1"),
    "route": lambda context: context.route("**/nothing/", lambda route: route.abort()),
    "sockets": lambda context: context.route_web_socket("**/ws/**", lambda _: None),
    "offline": lambda context: context.set_offline(False),
    "headers": lambda context: context.set_extra_http_headers({"X-Left": "1"}),
}


def a_window(browser: Browser) -> BrowserContext:
    return browser.new_context(viewport=SIZE)


def test_it_comes_back_without_what_the_test_before_stored(live: Live, browser: Browser) -> None:
    context = a_window(browser)
    page = context.new_page()
    page.goto(f"{live.url}/sign-in/")
    as_new = page.evaluate(FOUND)
    page.set_viewport_size({"width": 300, "height": 300})
    page.evaluate(LEFT)
    assert page.evaluate(FOUND)[:5] == ["1", "1", True, "left", 1]
    context.add_cookies([{"name": "session", "value": "x", "url": live.url, "httpOnly": True}])
    context.close()
    again = a_window(browser)
    assert again == context
    assert again.cookies() == []
    page = again.new_page()
    page.goto(f"{live.url}/sign-in/")
    assert page.evaluate(FOUND) == as_new
    assert page.evaluate(FETCHED) == []  # nothing is fetched twice: that is what it is for
    again.close()


@pytest.mark.parametrize("change", CHANGES)
def test_one_that_was_changed_for_good_is_not_given_again(browser: Browser, change: str) -> None:
    context = a_window(browser)
    CHANGES[change](context)
    context.close()
    again = a_window(browser)
    assert again != context
    assert context not in browser.contexts
    again.close()


def test_one_with_other_options_is_nobody_elses(browser: Browser) -> None:
    first, second = a_window(browser), browser.new_context(viewport=SIZE, reduced_motion="reduce")
    assert first != second
    second.close()
    assert second not in browser.contexts
    first.close()
    assert a_window(browser) == first


@pytest.mark.usefixtures("browser")
def test_servers_follow_each_other_at_one_address_unless_somebody_is_there(live: Live) -> None:
    assert same_port() == 0, "the first one is still there"
    with living(port=same_port()) as beside:
        assert beside.port != live.port
    ports = []
    for _ in range(2):
        with living(port=same_port()) as running:
            ports.append(running.port)
    assert ports[0] == ports[1]
