"""A person without a mouse: Tab until the thing with this name has the focus, then a key. Nothing is jumped to.

Each page passed can be looked at: axe, nothing wider than the screen, nothing too small for a finger, at desk and
tablet; and a picture of both, where FAIRMETER_SHOTS names a folder for them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from playwright.sync_api import expect

from tests.browser.looks import check, kept

if TYPE_CHECKING:
    from playwright.sync_api import Page

SIZES: Final = ((1024, 768), (1440, 900))
MOST: Final = 250  # presses until somebody without a mouse has given up
NAME: Final = """
() => {
  const on = document.activeElement, label = on.labels && on.labels.length ? on.labels[0].innerText : "";
  const seen = getComputedStyle(on).outlineStyle !== "none" || on.matches("main");
  const name = (on.getAttribute("aria-label") || label || on.innerText || "").trim().replace(/\\s+/g, " ");
  return [name, seen];
}
"""


class Keyboard:
    """Tab, Enter and letters on one page after another."""

    def __init__(self, page: Page, story: str) -> None:
        self.page, self.story = page, story

    def to(self, name: str, *, begins: bool = False) -> None:
        """Tab until what is called so (or begins so) has the focus, and can be seen to have it."""
        passed: list[str] = []
        for _ in range(MOST):
            found, is_seen = self.page.evaluate(NAME)
            if found == name or (begins and found.startswith(f"{name} ")):
                assert is_seen, f"{name} has the focus and does not show it on {self.page.url}"
                return
            passed.append(found[:60])
            self.page.keyboard.press("Tab")
        raise AssertionError(f"“{name}” is not reached by Tab on {self.page.url}; passed {list(dict.fromkeys(passed))}")

    def press(self, name: str, *, begins: bool = False, stays: bool = False) -> None:
        """Enter on it, and the page that it leads to; a link within the page and a download lead nowhere."""
        self.to(name, begins=begins)
        if stays:
            self.page.keyboard.press("Enter")
            return
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def write(self, **words: str) -> None:
        """Into fields by their labels, in the order of the form; an underscore is a blank."""
        for label, text in words.items():
            self.to(label.replace("_", " "))
            self.page.keyboard.press("Control+A")
            self.page.keyboard.type(text)
            self.page.keyboard.press("Tab")  # so that a label that comes twice is the next one

    def sign_in(self, who: str, password: str) -> None:
        self.write(Name=who, Password=password)
        self.press("Sign in")
        expect(self.page.get_by_role("heading", name="Good to see you")).to_be_visible()

    def search(self, words: str) -> None:
        self.page.keyboard.press("/")
        self.page.keyboard.type(words)
        with self.page.expect_navigation():
            self.page.keyboard.press("Enter")

    def arrived(self, heading: str) -> None:
        expect(self.page.locator("h1, h2", has_text=heading).first).to_be_visible()

    def look(self, name: str) -> None:
        for width, height in SIZES:
            self.page.set_viewport_size({"width": width, "height": height})
            kept(self.page, f"{self.story}-{name}-{width}")
            check(self.page, f"{self.page.url} at {width}")
