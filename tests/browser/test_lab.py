"""The laboratory in a real browser: knobs that agree, an answer that follows, nothing for axe to find."""

from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from django.conf import settings
from playwright.sync_api import expect

from tests.accounting.lab.lab_scene import outcomes_are_known
from tests.browser.let_in import let_in
from tests.browser.looks import SIZES, Watched
from tests.builders import a_person, emerald
from tests.living import Live
from tests.patience import until

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = pytest.mark.browser
QUICK = "days=30&paths=40"


@pytest.fixture
def page(live: Live, browser_page: Page) -> Page:
    """An operator who has signed in, in a house that has been asked before."""
    outcomes_are_known(settings.DATA_DIR)
    a_person("curious", may=("see", "read_books"), password="a long password", premises=emerald())
    browser_page.set_viewport_size({"width": 1280, "height": 800})
    let_in(browser_page.context, live, "curious", "a long password")
    return browser_page


def opened(page: Page, live: Live, more: str = "") -> Watched:
    watched = Watched(page)
    page.goto(f"{live.url}/office/lab/?{QUICK}{more}")
    expect(page.locator("#figures")).to_be_visible()
    return watched


@pytest.mark.deep  # a walk over pages; a run looks at some of all (test_every_page)
def test_at_desk_and_tablet_size_there_is_nothing_to_complain_about(page: Page, live: Live) -> None:
    watched = opened(page, live, "&compare=on&b_rate=60")
    for summary in page.locator("#answer summary").all():
        summary.click()
    for name, (width, height) in SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        watched.check(name)
    assert watched.complaints == []


def test_a_slider_and_its_figure_agree_and_the_answer_follows(page: Page, live: Live) -> None:
    opened(page, live)
    expect(page.locator(".tiles-of-figures dd").first).to_have_text("23.46 %")
    page.locator("[data-for=a_rate]").fill("60")
    expect(page.locator("#a_rate")).to_have_value("60")
    expect(page.locator(".tiles-of-figures dd").first).to_have_text("33.46 %")
    page.fill("#a_rate", "65.5")
    expect(page.locator("[data-for=a_rate]")).to_have_value("65.5")
    expect(page.locator(".tiles-of-figures dd").first).to_have_text("27.96 %")
    assert "a_rate=65.5" in page.url


def test_the_second_configuration_appears_when_it_is_wanted(page: Page, live: Live) -> None:
    opened(page, live)
    expect(page.locator("#b_rate")).to_be_hidden()
    page.check(".compare input")
    expect(page.locator("#b_rate")).to_be_visible()
    expect(page.locator("#figures ~ .scroll thead .side.b")).to_be_visible()


def test_a_wrong_figure_gets_its_sentence_where_the_answer_stood(page: Page, live: Live) -> None:
    opened(page, live)
    page.fill("#a_rate", "200")
    expect(page.locator("#answer [role=alert]")).to_have_text("The rate of 200 % lies outside 0 to 100 %.")


def test_without_any_script_the_form_is_sent_and_answered(live: Live, browser: Browser) -> None:
    outcomes_are_known(settings.DATA_DIR)
    a_person("curious", may=("see", "read_books"), password="a long password", premises=emerald())
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    let_in(context, live, "curious", "a long password")
    page.goto(f"{live.url}/office/lab/?{QUICK}")
    page.fill("#a_rate", "60")
    page.click("#knobs .button.first")
    until(lambda: page.locator("#figures").count() or (page.reload() and None), "calculated")
    assert page.locator(".tiles-of-figures dd").first.text_content() == "33.46 %"
    context.close()
