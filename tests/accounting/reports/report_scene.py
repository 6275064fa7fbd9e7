"""A house with two tables and a day of play; and what its reports must say, asked in another way: plain SQL."""

from __future__ import annotations

from decimal import Decimal
from typing import Any

from django.db import connection

from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.frame import ReportPage, report_page
from accounting.reports.rules.asking import read_question
from jackpot.configuring.actions.house_rules import declare_shifts
from jackpot.property.models.property import Property
from jackpot.property.rules.shift import ShiftHours, ShiftPlan
from jackpot.wins.actions.pay import redeem
from tables.hits.actions.undo import void_round
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tests.builders import a_person
from tests.scenes_wins import WinFloor, backed_out


class PlayedHouse:
    """Two tables: rounds of 5 and 2 seats, one void of 3; three slips, one paid, one backed out."""

    def __init__(self) -> None:
        self.floor = WinFloor(tables=2)
        self.house: Property = self.floor.casino.premises
        self.today = self.house.gaming_day(self.now())
        hours = (ShiftHours("Day", 360), ShiftHours("Swing", 840), ShiftHours("Grave", 1320))
        declare_shifts(premises=self.house, plan=ShiftPlan(self.today, hours), by="tests")
        self.play(0, "12345")
        self.play(1, "27")
        self.play(1, "123")
        void_round(table_code="UTH-02", round_number=2, reason="Shuffler jam", by="supervisor")
        self.wins = [*self.floor.won({2: "four", 6: "five"}), *self.floor.won({1: "four"}, table=1)]
        redeem(slip=1, payer=a_person("cashier", premises=self.house), premises=self.house, place="window 1")
        backed_out(self.wins[2])

    def now(self) -> Any:
        from django.utils import timezone

        return timezone.now()

    def play(self, table: int, seats: str) -> None:
        self.floor.rounds[table] += 1
        code, device = self.floor.casino.tables[table].code, self.floor.casino.controllers[table].id
        for sequence, ask in enumerate(
            [CoinInRequest(self.floor.rounds[table], seats), EndRequest(self.floor.rounds[table])], 1
        ):
            assert isinstance(post_messages([DeviceRequest(code, device, sequence, ask)])[0], PostedAnswer)

    def page(self, code: str, **words: str) -> ReportPage:
        """A report's first page, asked as a person would."""
        report = REPORTS[code]
        if report.takes_the("period"):
            words.setdefault("period", "today")
        return report_page(report, read_question(report, words, clock_of(self.house)), sort=words.get("sort", ""))


def sql(text: str, *values: Any) -> Any:
    """The one figure that a plain statement finds."""
    with connection.cursor() as cursor:
        cursor.execute(text, values)
        row = cursor.fetchone()
        assert row is not None
        return row[0]


def money(text: str) -> Decimal:
    return Decimal(text)
