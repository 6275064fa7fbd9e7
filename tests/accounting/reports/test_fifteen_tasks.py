"""An accountant's fifteen daily tasks: each within three presses from the first page, each figure equal to plain SQL.

A press is a link, a chip or a form's button that really stands on the page before. The trail of presses is followed by
the text of its addresses, so a page that loses its way breaks the task.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence
from datetime import timedelta
from decimal import Decimal
from typing import Any, Final

import pytest
from django.test import Client

from accounting.days.actions.snapshots import take_snapshot
from accounting.days.actions.writing import read_sign
from accounting.home.queries import morning
from jackpot.money import Money
from jackpot.property.models.property import Property
from tests.accounting.reports.report_scene import PlayedHouse, sql
from tests.builders import a_person
from tests.jackpot.books.api_scene import signed_in

pytestmark = pytest.mark.django_db

STANDS: Final = "FROM jackpot_win WHERE slip IS NOT NULL AND state <> 'backed_out'"
OWED: Final = "FROM jackpot_win WHERE state = 'owed'"
LIABLE: Final = "SELECT sum(meter + reserve + overflow + winners) FROM jackpot_jackpot"


@pytest.fixture(scope="module")
def played(around_all: None) -> PlayedHouse:
    played = PlayedHouse()
    reader = a_person("reader", premises=played.house)
    read_sign(jackpot=played.wins[0].jackpot, shown=Money.of("19000.41"), at=played.now(), by=reader)
    return played


@pytest.fixture
def accountant(played: PlayedHouse, monkeypatch: pytest.MonkeyPatch) -> Client:
    """The house played yesterday, as far as its accountant can tell: the day has rolled since."""
    tomorrow = played.house.day_begins(played.today + timedelta(days=1)) + timedelta(hours=2)
    monkeypatch.setattr("accounting.reports.queries.asking.timezone.now", lambda: tomorrow)
    take_snapshot(jackpot=played.wins[0].jackpot, day=played.today)
    assert isinstance(played.house, Property)
    assert morning.DAYS_ON_THE_CHART > 1
    return signed_in(
        "see", "read_books", "read_trail", "close_day", "configure", "adjust", "pay", username="accountant"
    )


def pressed(browser: Client, presses: Sequence[str]) -> str:
    """The text of the page that these presses lead to; each must be an address on the page before it."""
    address, page = "/", browser.get("/").content.decode()
    for wanted in presses:
        links = [html.unescape(link) for link in re.findall(r'href="([^"]+)"', page)]
        found = next((link for link in links if re.fullmatch(wanted, link)), None)
        assert found is not None, f"{wanted} is no link of {address}"
        address = found if found.startswith("/") else address.partition("?")[0] + found
        answer = browser.get(address, follow=True)
        assert answer.status_code == 200, address
        page = answer.content.decode()
    return " ".join(html.unescape(re.sub(r"<[^>]+>", " ", page)).split())


DAY: Final = r"\d{4}-\d{2}-\d{2}"
YESTERDAY: Final = "/office/days/yesterday/"  # the day of the reading, in the test
BESIDE: Final = (
    "FROM accounting_meterreading r, LATERAL (SELECT meter_after FROM jackpot_entry b "
    "WHERE b.jackpot_id = r.jackpot_id AND b.occurred_at <= r.read_at ORDER BY seq DESC LIMIT 1) e"
)
TASKS: Final[dict[str, tuple[tuple[str, ...], str]]] = {
    "yesterday's wins": ((rf"/office/wins/\?days={DAY}",), f"SELECT sum(amount) {STANDS}"),
    "print a page": (("/office/reports/unclaimed/", "/wins/2/"), f"SELECT amount {OWED}"),
    "void a slip": (
        ("/office/reports/unclaimed/", "/wins/2/", r"/office/adjustments/new/\?kind=back_out&win=2"),
        f"SELECT amount {OWED}",
    ),
    "redeem a slip": (("/office/reports/unclaimed/", "/wins/2/", "/office/cage/2/"), f"SELECT amount {OWED}"),
    "why a meter fell": (("/office/reports/", "/office/reports/falls/"), f"SELECT amount {STANDS} AND line = 'five'"),
    "the ledger": (
        (rf"/jackpots/GRAND/ledger/\?kind=coin_in&day={DAY}",),
        "SELECT meter_after FROM jackpot_entry WHERE kind = 'coin_in' ORDER BY seq DESC LIMIT 1",
    ),
    "an export": (("/office/reports/", "/office/reports/liability/"), LIABLE),
    "what waits": (("/office/reports/waiting/",), f"SELECT amount {OWED}"),
    "the meter, yesterday": (("/office/days/", YESTERDAY), f"SELECT trunc(e.meter_after, 2) {BESIDE}"),
    "its sign, yesterday": (("/office/days/", YESTERDAY), "SELECT shown FROM accounting_meterreading"),
    "how they differ": (("/office/days/", YESTERDAY), f"SELECT abs(r.shown - trunc(e.meter_after, 2)) {BESIDE}"),
    "its wins, yesterday": (("/office/days/", YESTERDAY), f"SELECT amount {STANDS} AND line = 'five'"),
    "shift totals": (("/office/reports/shift-totals/",), f"SELECT sum(amount) {STANDS}"),
    "coin-in by table": (
        (rf"/office/reports/coin-in-table/\?period={DAY}",),
        "SELECT sum(length(seats) * wager) FROM tables_round WHERE state <> 'void'",
    ),
    "contributions of a day": (
        (rf"/office/reports/contributions/\?period={DAY}",), "SELECT -sum(contributed) FROM jackpot_entry",
    ),
    "liability today": ((), LIABLE),
    "liability at yesterday's close": ((r"/office/reports/liability/\?at=yesterday",), LIABLE),
    "unclaimed": (("/office/reports/unclaimed/",), f"SELECT sum(amount) {OWED}"),
    "tax": ((rf"/office/reports/wins/\?period={DAY}",), f"SELECT sum(amount) {STANDS}"),
}  # fmt: skip


@pytest.mark.parametrize("task", TASKS)
def test_a_daily_task_is_three_presses_away_and_its_figure_is_right(accountant: Client, task: str) -> None:
    presses, statement = TASKS[task]
    assert len(presses) <= 3
    yesterday = str(sql("SELECT day FROM accounting_meterreading"))
    shown = pressed(accountant, [press.replace("yesterday/", f"{yesterday}/") for press in presses])
    amount = sql(statement)
    assert amount, f"{task}: nothing was played that the figure could show"
    assert figure(amount) in shown, task


def figure(amount: Any) -> str:
    """As pages write it, with every decimal that the books hold."""
    whole, _, decimals = f"{Decimal(amount).normalize():f}".partition(".")
    return f"{int(whole):,}.{decimals.ljust(2, '0')}"
