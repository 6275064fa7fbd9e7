"""The judge of the pages: a faint text is found, also where its page has been judged before."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.browser.axe import complaints_of_axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

pytestmark = pytest.mark.browser
PAGE = """<html lang="en"><title>A page</title><style>body { background: #fff; color: #222 }</style>
<main><h1>Heading</h1><p id="text">A text.</p><p>Another.</p></main></html>"""


FAINT = (
    "text.style.color = '#bbb'",
    "text.parentElement.style.background = '#333'",
    "text.parentElement.style.opacity = '0.4'",
    "document.body.style.background = '#444'",
    "text.innerHTML = 'A <span style=\"color: #ccc\">faint</span> word.'",
    """text.insertAdjacentHTML("beforebegin", "<div style='position: absolute; inset: 0; background: #333'></div>");
    text.style.position = "absolute" """,
)


def test_what_is_faint_is_found_on_a_page_that_was_judged(browser_page: Page) -> None:
    for spoilt in FAINT:
        browser_page.set_content(PAGE)
        assert complaints_of_axe(browser_page) == []
        browser_page.evaluate(spoilt)
        for again in ("found", "not taken for known"):
            rules = [rule for rule, _ in complaints_of_axe(browser_page)]
            assert "color-contrast" in rules, f"{again}: {spoilt}"


def test_every_other_rule_is_asked_every_time(browser_page: Page) -> None:
    browser_page.set_content(PAGE)
    assert complaints_of_axe(browser_page) == []
    browser_page.evaluate("text.innerHTML = '<img src=\"x.png\"> <button></button>'")
    assert {"image-alt", "button-name"} <= {rule for rule, _ in complaints_of_axe(browser_page)}


def test_a_page_that_was_only_turned_is_asked_what_its_size_changes(browser_page: Page) -> None:
    """What a narrow screen shows first, and what only there scrolls, is found; what stood there is not asked again."""
    narrow = """<style>@media (min-width: 600px) { .small { display: none } }
      @media (max-width: 599px) { .long { height: 40px; overflow: auto } }</style><main><h1>Heading</h1>
      <p id="shown" class="small"></p><div class="long"><p>One.</p><p>Two.</p><p>Three.</p></div></main>"""
    browser_page.set_viewport_size({"width": 1000, "height": 700})
    browser_page.set_content(f'<html lang="en"><title>A page</title>{narrow}')
    browser_page.evaluate("shown.innerHTML = '<button></button>'")
    assert complaints_of_axe(browser_page) == []
    browser_page.set_viewport_size({"width": 400, "height": 700})
    rules = {rule for rule, _ in complaints_of_axe(browser_page, turned=True)}
    assert rules == {"button-name", "scrollable-region-focusable"}
