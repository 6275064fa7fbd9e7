"""Windows that one test after another gets: empty of the test before, but what was fetched and compiled is there.

A context made anew costs a renderer, and fetches and compiles every style sheet, every script and axe once more. One
that comes back loses its pages, its cookies and what its pages stored; what a test did to it besides (a clock, a
script or a route for all its pages, other options than a size) cannot be taken back, and such a one is closed. In the
profile deep each is made anew: what only an empty cache shows is seen there.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Final

from tests.deep import DEEP
from tests.patience import PATIENCE

if TYPE_CHECKING:
    from playwright.sync_api import Browser, BrowserContext, CDPSession

# What the library tells a context and what leaves nothing there, or only what is taken back.
LEAVES_NOTHING: Final = frozenset({"newPage", "cookies", "addCookies", "clearCookies", "updateSubscription", "close"})
STORED: Final = "local_storage,indexeddb,websql,service_workers,cache_storage,file_systems"
Size = tuple[int, int]


class Windows:
    """Every context of a browser; `new_context` and `close` mean what they mean elsewhere."""

    def __init__(self, browser: Browser) -> None:
        self._made_anew: Callable[..., BrowserContext] = browser.new_context
        self._free: dict[Size, list[Window]] = defaultdict(list)
        self._lent: list[Window] = []
        browser.new_context = self.lend  # type: ignore[method-assign]

    def lend(self, **options: Any) -> BrowserContext:
        size = options.get("viewport", {"width": 1280, "height": 720})
        if DEEP or options.keys() - {"viewport"}:
            return self._patient(self._made_anew(**options))
        kept = self._free[size["width"], size["height"]]
        window = kept.pop() if kept else Window(self._made_anew(viewport=size), self._take_back)
        self._lent.append(window)
        return self._patient(window.context)

    def take_all_back(self) -> None:
        """What a test left open."""
        for window in list(self._lent):
            window.context.close()

    def _take_back(self, window: Window) -> None:
        if window in self._lent:
            self._lent.remove(window)
            if window.emptied():
                self._free[window.size].append(window)

    @staticmethod
    def _patient(context: BrowserContext) -> BrowserContext:
        context.set_default_timeout(PATIENCE * 1000)
        return context


class Window:
    """One context with a page of its own beside those of the tests, so that its renderer stays."""

    def __init__(self, context: BrowserContext, ended: Callable[[Window], None]) -> None:
        self.context, self._end = context, context.close
        self._parked = context.new_page()
        size = self._parked.viewport_size or {"width": 0, "height": 0}
        self.size: Size = (size["width"], size["height"])
        self._line: CDPSession = context.new_cdp_session(self._parked)
        self._changed = False
        context.close = lambda *_, **__: ended(self)  # type: ignore[method-assign]
        channel: Any = context._impl_obj._channel
        self._notes_what_it_is_told(channel, channel._call)

    def emptied(self) -> bool:
        """As a new one, and True; or closed."""
        if self._changed:
            self._end()
            return False
        for page in self.context.pages:
            if page != self._parked:
                page.close()
        self._line.send("Storage.clearDataForOrigin", {"origin": "*", "storageTypes": STORED})
        self.context.clear_cookies()
        return True

    def _notes_what_it_is_told(self, channel: Any, call: Callable[..., Awaitable[Any]]) -> None:
        def noted(method: str, *rest: Any, **more: Any) -> Awaitable[Any]:
            self._changed = self._changed or method not in LEAVES_NOTHING
            return call(method, *rest, **more)

        channel._call = noted
