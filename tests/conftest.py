"""What every test may ask for: a database, a fresh one, a living server, a browser page."""

from __future__ import annotations

import gc
import os
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import pytest
import time_machine
from django.db import connections, transaction
from django.utils import timezone
from hypothesis import HealthCheck, settings
from pytest_socket import socket_allow_hosts

from config.connections import pointed_at
from launcher.chromium import HOW_TO_INSTALL, find_chromium
from launcher.web import leave_the_program_alone
from tests import databases, deep, static_files
from tests.browser.windows import Windows
from tests.indoors import Indoors, indoors_open
from tests.living import Live, living, same_port
from tests.patience import PATIENCE
from tests.sharing import FilesShared
from tests.undoing import as_a_test

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

# Playwright's own loop lives in the test's thread, and Django would refuse the database there.
os.environ["DJANGO_ALLOW_ASYNC_UNSAFE"] = "1"

# Folders and files of long tests, of pages too: half a minute and more each.
LONG: Final = frozenset(
    {
        *("races", "oracle", "journeys", "lab", "proving", "laboratory", "uth"),
        *("test_evening_live.py", "test_fuzz_doors.py", "test_worker.py", "test_front.py", "test_par_sheets_api.py"),
        *("test_console_play.py", "test_console_link.py", "test_adjustments.py", "test_config.py", "test_tour.py"),
        *("test_par.py", "test_sign.py", "test_lab.py", "test_pit.py", "test_authority.py", "test_console_hits.py"),
        *("test_switches.py", "test_postgres.py", "test_half_way.py"),
    }
)
LOOPBACK = ["127.0.0.1", "::1", "localhost"]
# A renderer in reserve for each page costs a tenth of a second of CPU and is never used. Chromium hears only the last
# list, so Playwright's own is said again.
NOT_HERE = [
    *("SpareRendererForSitePerProcess", "AvoidUnnecessaryBeforeUnloadCheckSync", "DestroyProfileOnBrowserClose"),
    *("HttpsUpgrades", "HttpsFirstBalancedModeAutoEnable", "LensOverlay", "MediaRouter", "PaintHolding"),
    *("ThirdPartyStoragePartitioning", "AvoidCorsURLLoaderRestartOnRedirect", "TcpPortRandomizationWin"),
    *("OptimizationHints", "NetworkTimeServiceQuerying", "AimEnabled", "PreconnectToSearch"),
]
QUIET_BROWSER = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-background-networking"),
    *("--disable-component-update", "--disable-sync", "--renderer-process-limit=1"),
    "--js-flags=--no-opt --no-maglev",  # no page here lives long enough to earn what optimizing its scripts costs
    f"--disable-features={','.join(NOT_HERE)}",
]


# How long an example takes says something about the machine only.
settings.register_profile("quick", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("deep", settings.get_profile("quick"), max_examples=5000)
settings.load_profile(os.environ.get("FAIRMETER_HYPOTHESIS", "quick"))


def pytest_configure(config: pytest.Config) -> None:
    """Files that the product writes go to a folder of the worker's own; passwords and clients cost a millisecond."""
    gc.disable()  # what is read in until every test is known is no garbage
    from django.conf import settings as house

    house.DATA_DIR = databases.run_folder() / "files" / databases.worker()
    house.STATIC_ROOT = house.DATA_DIR / "static"
    house.STATIC_ROOT.mkdir(parents=True, exist_ok=True)
    _share_long_counts(house.DATA_DIR)
    house.PASSWORD_HASHERS = ["tests.hashers.QuickArgon2"]
    house.WHITENOISE_MAX_AGE = 3600  # a browser that many tests use asks once for what does not change
    static_files.found_once()


def _share_long_counts(data: Path) -> None:
    """What one worker has counted of a pay table the others find there, as two processes of a house would."""
    shared = databases.run_folder() / "games"
    shared.mkdir(exist_ok=True)
    if not (data / "games").is_symlink():
        (data / "games").symlink_to(shared)


def pytest_unconfigure(config: pytest.Config) -> None:
    _browsers.close()
    databases.end_of_run()


@pytest.hookimpl(optionalhook=True)
def pytest_xdist_make_scheduler(config: pytest.Config, log: Any) -> FilesShared:
    return FilesShared(config, log)


@pytest.hookimpl(trylast=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """What takes long comes first, so that no worker waits for another at the end; pages come last.

    Without a browser its tests are left out, except where someone insists on them.
    """
    deep.left_out(items, config)
    items.sort(key=lambda item: (_needs_browser(item), not item.path.match("tests/*/test_every_door.py"),
                                 not LONG.intersection(item.path.parts)))  # fmt: skip
    if find_chromium(os.environ) or os.environ.get("FAIRMETER_BROWSER") == "required":
        return
    without = pytest.mark.skip(reason=f"no Chromium; install one: {HOW_TO_INSTALL}")
    for item in filter(_needs_browser, items):
        item.add_marker(without)


def pytest_collection_finish(session: pytest.Session) -> None:
    """The program and nine thousand tests are not searched for garbage again and again, as in a server of the house."""
    leave_the_program_alone()
    gc.enable()


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Every worker collects all; the last that ends tells the run how much of it was left out."""
    node.config.stash[deep.COUNT] = getattr(node, "workeroutput", {}).get(deep.TOLD, 0)


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    if many := config.stash.get(deep.COUNT, 0):
        terminalreporter.write_line(f"Not played: {many} tests of the profile deep (FAIRMETER_TESTS=deep plays them).")


def _needs_browser(item: pytest.Item) -> bool:
    return not {"browser", "browser_page"}.isdisjoint(getattr(item, "fixturenames", ()))


def pytest_runtest_setup(item: pytest.Item) -> None:
    socket_allow_hosts(LOOPBACK, allow_unix_socket=True)
    if not _needs_browser(item) and _opened:
        _browsers.close()
        # Playwright's loop has connections of its own; ours may still hold a database that was dropped meanwhile.
        connections["default"].close()


@pytest.fixture(scope="session")
def test_server(django_db_blocker: Any) -> databases.TestServer:
    with django_db_blocker.unblock():
        return databases.test_server()


@pytest.fixture(scope="session")
def django_db_setup(test_server: databases.TestServer, django_db_blocker: Any) -> Iterator[None]:
    """One database per worker, cloned from the template; each test rolls its transaction back."""
    name = test_server.clone(test_server.next_name())
    pointed = pointed_at(test_server.url(test_server.app, name))
    with django_db_blocker.unblock():
        pointed.__enter__()
    yield
    with django_db_blocker.unblock():
        pointed.__exit__(None, None, None)
    test_server.drop(name)


@pytest.fixture(scope="module")
def around_all(django_db_setup: None, django_db_blocker: Any) -> Iterator[None]:
    """A transaction around those of a file's tests: a scene that a module's fixture sets in it is set once. Each test
    finds it as it was made, for what a test does is taken back; every test of the file has to live in that scene."""
    with django_db_blocker.unblock(), as_a_test():
        yield
        transaction.set_rollback(True)


@pytest.fixture
def fresh_database(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    """A database of the test's own, with real commits; yields its URL as the working role.

    The books refuse TRUNCATE, so Django's way of emptying tables between tests cannot work here.
    """
    name = test_server.clone(test_server.next_name())
    url = test_server.url(test_server.app, name)
    with django_db_blocker.unblock(), pointed_at(url):
        yield url
    test_server.drop(name)


@pytest.fixture(autouse=True)
def nothing_is_calculated_for_nobody() -> Iterator[None]:
    """What a test asked for and did not wait for would take its processor from the others, and its turn."""
    yield
    from tables.calculation.desk import counting_desks

    for each in counting_desks():
        each.close()


@pytest.fixture
def live(request: pytest.FixtureRequest, fresh_database: str) -> Iterator[Live]:
    """The whole product behind real HTTP and WebSocket, on a database of its own."""
    with living(port=same_port() if _needs_browser(request.node) else 0) as running:
        yield running


@pytest.fixture
def indoors(db: None) -> Iterator[Indoors]:
    """The device's door without a server, within the test's own transaction: for what is not about the wire."""
    with indoors_open() as opened:
        yield opened


@pytest.fixture
def time_stands() -> Iterator[None]:
    """What is slowed is tried in one instant: on a machine that takes seconds for it no wait is over meanwhile."""
    with time_machine.travel(timezone.now(), tick=False):
        yield


_opened: list[tuple[Browser, Windows]] = []
_browsers = ExitStack()


@pytest.fixture
def browser() -> Iterator[Browser]:
    """One for all pages that follow each other. While it is open, Playwright's loop runs in the main thread, and no
    other loop can: a test without a page closes it. What a test opened it gives back."""
    if not _opened:
        opened = _open_browser()
        _opened.append((opened, Windows(opened)))
    opened, windows = _opened[0]
    yield opened
    windows.take_all_back()


def _open_browser() -> Browser:
    from playwright.sync_api import expect, sync_playwright

    chromium = find_chromium(os.environ)
    assert chromium, f"FAIRMETER_BROWSER=required, but there is no Chromium here: {HOW_TO_INSTALL}"
    expect.set_options(timeout=PATIENCE * 1000)
    _browsers.callback(_opened.clear)
    playwright = _browsers.enter_context(sync_playwright())
    opened = playwright.chromium.launch(executable_path=chromium, args=QUIET_BROWSER)
    _browsers.callback(opened.close)
    return opened


@pytest.fixture
def browser_page(browser: Browser) -> Iterator[Page]:
    """A page 1920 by 1080 in a context of its own: no cookies from the test before."""
    context = browser.new_context(viewport={"width": 1920, "height": 1080})
    yield context.new_page()
    context.close()
