"""Every page that an address of the house answers with, for each role that may see it: nothing for axe to find.

What the pages are and what stands in them comes from the URLconf and the list of doors. A run looks at some, the same
each time; FAIRMETER_PAGES=all looks at every page of every role, and once at what is built alike for several.
"""

from __future__ import annotations

import os
import random
import sys
from collections.abc import Iterator
from contextlib import suppress
from typing import TYPE_CHECKING, Any, Final

import pytest
from playwright.sync_api import Error

from jackpot.people.models import Role
from jackpot.signing.actions.kinds import unregister
from tables.calculation.desk import desk
from tables.floor.models.sign import Sign
from tests.accounting.door_roles import ANYONE
from tests.accounting.doors import DOORS
from tests.accounting.test_every_door import DecidedByAll, address, fill_the_house, no_mathematics, patterns
from tests.browser.axe import complaints_of_axe
from tests.browser.let_in import let_in
from tests.browser.looks import SMALL_TARGETS, TOO_WIDE, kept
from tests.browser.test_pages import WHOLE_FILES
from tests.builders import a_person
from tests.living import Live

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

pytestmark = [pytest.mark.browser, pytest.mark.filterwarnings(WHOLE_FILES)]
SIZES: Final = ((1440, 900), (820, 1180))
SOME: Final = 24
TRIES: Final = 3
DRAWN: Final = "1"  # a run that lands or not draws the same pages each time; other seeds are for whoever looks
# What a page is built of, without its words: two roles for whom it is the same are one page.
BUILT: Final = """
[...document.querySelectorAll("*")].map((e) => [
  e.tagName, e.className, e.type, e.disabled, ...["role", "aria-label", "for"].map((name) => e.getAttribute(name)),
].join("|")).join(" ")
"""


@pytest.fixture
def house(live: Live, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Live]:
    no_mathematics(monkeypatch)
    settings.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    fill_the_house()
    for role in Role.objects.all():
        a_person(f"only-{role.code}", roles=[role.code], premises=Sign.objects.all()[0].premises, password="right")
    yield live
    desk().close()
    unregister(DecidedByAll.code)


def doors() -> list[tuple[str, str]]:
    """(address, role) of whatever somebody may look at, every address once before any comes again for another role.

    Programs have no pages.
    """
    found = []
    for place, pattern in enumerate(patterns()):
        name = str(pattern.name)
        roles = sorted(DOORS[name].get("GET", ())) if not name.startswith("api-") else []
        where = address(pattern) if roles else ""
        found += [(lap, place, where, roles[(lap + place) % len(roles)]) for lap in range(len(roles))]
    return [(where, role) for _, _, where, role in sorted(found)]


@pytest.mark.timeout(7200)
def test_every_page_is_accessible_and_fits_for_whoever_sees_it(house: Live, browser: Browser) -> None:
    seed = os.environ.get("FAIRMETER_PAGES_SEED") or DRAWN
    every, wanted = os.environ.get("FAIRMETER_PAGES") == "all", doors()
    if not every:
        random.Random(seed).shuffle(wanted)
    looked, wrong = set[str](), []
    with Visits(house, browser) as visits:
        for where, role in wanted:
            page = visits.at(where, role)
            if page is None or (built := built_of(page)) in looked:
                continue
            looked.add(built)
            for each in all_found_on(page, where, role):
                wrong.append(f"{where} for {role} {each}")
                sys.stdout.write(f"{wrong[-1]}\n")  # a long walk says what it meets
            if not every and len(looked) == SOME:
                break
    assert not wrong, "\n".join([f"seed {seed}, {len(looked)} pages:", *wrong])
    assert len(looked) >= SOME


def built_of(page: Page) -> str:
    """Of the page where a way leads to in the end; some go on by themselves."""
    for _ in range(TRIES):
        with suppress(Error):
            return str(page.evaluate(BUILT))
        page.wait_for_load_state()
    return str(page.evaluate(BUILT))


class Visits:
    """A page for each role, signed in when it is first needed."""

    def __init__(self, house: Live, browser: Browser) -> None:
        self._house, self._browser = house, browser
        self._pages: dict[str, Page] = {}

    def __enter__(self) -> Visits:
        return self

    def __exit__(self, *_: object) -> None:
        for page in self._pages.values():
            page.context.close()

    def at(self, where: str, role: str) -> Page | None:
        """The page as this role sees it; nothing where the answer is a file, or a part that a page fetches."""
        page = self._pages.get(role) or self._entered(role)
        page.set_viewport_size({"width": SIZES[0][0], "height": SIZES[0][1]})
        head = page.request.fetch(self._house.url + where, max_redirects=0)
        if head.status != 200 or not head.text().lstrip().lower().startswith("<!doctype html"):
            return None
        page.goto(self._house.url + where)
        return page

    def _entered(self, role: str) -> Page:
        context = self._browser.new_context()
        if role != ANYONE:
            let_in(context, self._house, f"only-{role}")
        self._pages[role] = context.new_page()
        return self._pages[role]


def all_found_on(page: Page, where: str, role: str) -> list[str]:
    """Some pages go on by themselves while they are looked at."""
    for _ in range(TRIES):
        with suppress(Error):
            return list(found_on(page, where, role))
        page.wait_for_load_state()
    return list(found_on(page, where, role))


def found_on(page: Page, where: str, role: str) -> Iterator[str]:
    for width, height in SIZES:
        page.set_viewport_size({"width": width, "height": height})
        kept(page, f"every{where.replace('/', '-').split('?')[0]}{role}-{width}")
        for complaint in complaints_of_axe(page, turned=width != SIZES[0][0]):
            yield f"at {width}: {complaint}"
        for said, script in (("too wide", TOO_WIDE), ("small targets", SMALL_TARGETS)):
            if elements := page.evaluate(script):
                yield f"at {width}, {said}: {elements[:3]}"
