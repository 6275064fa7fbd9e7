"""What every page is held to in a real browser, and the walk that loads each page once for all sizes of screen."""

from __future__ import annotations

import os
from collections.abc import Iterable, Mapping
from itertools import repeat
from pathlib import Path
from typing import TYPE_CHECKING, Final

from tests.browser.axe import complaints_of_axe

if TYPE_CHECKING:
    from playwright.sync_api import Page

Size = tuple[int, int]
SIZES: Final = {"desk": (1280, 800), "tablet": (1024, 768), "upright": (820, 1180), "phone": (390, 844)}
SMALL_TARGETS: Final = """
[...document.querySelectorAll("button, .button, nav a, .top a, select, input:not([type=hidden], [type=checkbox])")]
  .filter((e) => e.getClientRects().length && e.getBoundingClientRect().height < 48).map((e) => e.outerHTML)
"""
TOO_WIDE: Final = """
document.documentElement.scrollWidth <= innerWidth ? [] : [...document.querySelectorAll("main *")]
  .filter((e) => e.getBoundingClientRect().right > innerWidth && !e.closest(".scroll > *, .tabs > *"))
  .map((e) => e.outerHTML.slice(0, 80))
"""


class Watched:
    """A page whose complaints are kept."""

    def __init__(self, page: Page) -> None:
        self.page = page
        self.complaints: list[str] = []
        page.on(
            "console", lambda said: self.complaints.append(said.text) if said.type in {"error", "warning"} else None
        )
        page.on("pageerror", lambda fault: self.complaints.append(str(fault)))

    def check(self, where: str) -> None:
        check(self.page, where)

    def look(
        self, base: str, pages: Iterable[str] | Mapping[str, str], album: str = "", sizes: dict[str, Size] = SIZES
    ) -> None:
        """Each page is loaded once and turned to every size, as whoever turns a tablet does; a named one is kept.

        It fits every size; axe looks at the first, and at the last for what depends on the size.
        """
        first, last = next(iter(sizes)), next(reversed(sizes))
        for name, address in pages.items() if isinstance(pages, Mapping) else zip(repeat(""), pages, strict=False):
            self.page.goto(base + address)
            for size, (width, height) in sizes.items():
                self.page.set_viewport_size({"width": width, "height": height})
                if name:
                    kept(self.page, f"{album}-{name}-{size}")
                where = f"{address} at {size}"
                if size in (first, last):
                    found = complaints_of_axe(self.page, turned=size != first)
                    assert not found, f"{where}: {found}"
                fits(self.page, where)


def check(page: Page, where: str) -> None:
    """Nothing for axe to find, and it fits."""
    found = complaints_of_axe(page)
    assert not found, f"{where}: {found}"
    fits(page, where)


def fits(page: Page, where: str) -> None:
    """Nothing wider than the screen, nothing too small for a finger."""
    assert page.evaluate(TOO_WIDE) == [], where
    assert page.evaluate(SMALL_TARGETS) == [], where


def kept(page: Page, name: str) -> None:
    """A picture for who wants to look, where a folder is named for it."""
    if folder := os.environ.get("FAIRMETER_SHOTS"):
        page.screenshot(path=str(Path(folder) / f"{name}.png"), full_page=True)
