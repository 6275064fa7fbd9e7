"""What a page asks of the database does not grow with the house: as many questions at six jackpots, tables and wins
as at three. A page that asks jackpot by jackpot is quick in every test and slow in every casino."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounting.days.actions.snapshots import take_snapshot
from accounting.reports.queries.catalogue import REPORTS
from jackpot.books.models.jackpot import Jackpot
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.setup.actions.enrol import enrol, invite
from tests.accounting.reports.report_scene import PlayedHouse
from tests.builders import a_controller, a_jackpot, a_pay_table, a_table
from tests.jackpot.books.api_scene import play, signed_in
from tests.scenes_configure import AT_ONCE, approved
from tests.scenes_wins import LINES

pytestmark = pytest.mark.django_db

VERBS = (
    "see", "read_books", "read_trail", "close_day", "count", "configure", "adjust", "pay", "people", "set_up",
    "run_tables", "deal", "verify", "watch",
)  # fmt: skip
PAGES = ("/", "/office/", "/office/days/{day}/", "/api/v1/days/{day}/lines/")
GROWS = {"meter-equation"}  # reckoned anew over every day that was asked for


def addresses(house: PlayedHouse) -> list[str]:
    """Every report over the days that were played, and the office's own pages."""
    asked = [
        f"/office/reports/{report.code}/" + ("?period=this month" if report.takes_the("period") else "")
        for report in REPORTS.values()
        if report.code not in GROWS
    ]
    return [*asked, *(each.format(day=house.today) for each in PAGES)]


def grown(house: PlayedHouse, names: Iterator[int], by: int) -> None:
    """More jackpots, each with a table, a round, a second version in force, a win and a day that has rolled."""
    for _ in range(by):
        number = next(names)
        jackpot = a_jackpot(
            f"J-{number:02}", premises=house.house, limit="25000.00", pay_table=a_pay_table(lines=LINES)
        )
        table = a_table(f"UTH-{number:02}", jackpot, premises=house.house)
        controller = a_controller(table)
        play(controller, 1, "123")
        whole_meter_won(house, table, controller)
        approved(jackpot, AT_ONCE, limit="30000.00")
        house.floor.won({1: "four"}, table=1)
    for jackpot in Jackpot.objects.all():
        take_snapshot(jackpot=jackpot, day=house.today)


def whole_meter_won(house: PlayedHouse, table: Table, controller: Device) -> None:
    """In its second round: a report of such hits has one of every jackpot."""
    floor = house.floor
    enrol(code=invite(device=controller, by="tests"))
    floor.casino.tables.append(table)
    floor.casino.controllers.append(controller)
    floor.rounds.append(1)
    floor.won({2: "royal"}, table=len(floor.rounds) - 1)


def counted(client: Client, address: str) -> int:
    """On the second look: terms and roles are looked up once by a process."""
    client.get(address, follow=True)
    with CaptureQueriesContext(connection) as asked:
        answer = client.get(address, follow=True)
    assert answer.status_code == 200, (address, answer.status_code)
    return len(asked)


def test_six_of_everything_are_no_more_questions_than_three() -> None:
    house, names = PlayedHouse(), iter(range(10, 99))
    house.house.raise_limit_at_once = True
    house.house.save()
    grown(house, names, 2)
    client = signed_in(*VERBS, premises=house.house)
    few = {address: counted(client, address) for address in addresses(house)}
    grown(house, names, 3)
    many = {address: counted(client, address) for address in few}
    grew = {address: (few[address], many[address]) for address in few if many[address] > few[address]}
    assert not grew
