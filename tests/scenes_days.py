"""A gaming day that was played, and rolled: what the office does with it."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.utils import timezone

from accounting.days.actions.snapshots import snapshot_due_days
from accounting.days.actions.writing import count_chips, read_sign, type_balance
from accounting.days.models import DaySnapshot
from accounting.days.queries.columns import lines_of, played_on
from accounting.days.rules.reconcile import CloseColumn, CloseLine
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tests.builders import a_person, a_property
from tests.scenes_adjusting import done, person
from tests.scenes_wins import WinFloor

EAST, WEST = "Etc/GMT-12", "Etc/GMT+12"  # a whole day apart: whatever the clock says, the gaming day is the next one


class OfficeDay:
    """Two tables, a royal that was paid and a five percent that was not; an adjustment of 15.00."""

    def __init__(self, zone: str = WEST, *, form_seen: bool = False) -> None:
        self.premises = a_property(time_zone=zone)
        self.floor = WinFloor(2)
        self.jackpot: Jackpot = self.floor.casino.jackpot
        self.floor.won({2: "royal"}, seats="123")
        self.floor.won({5: "five"}, table=1)
        redeem(slip=1, payer=person("cage"), form_seen=form_seen)
        done("adjust", self.jackpot, amount="15.00")
        self.day: date = Entry.objects.filter(jackpot=self.jackpot).latest("seq").gaming_day

    def roll(self) -> None:
        """The day is over everywhere; the worker comes by."""
        Property.objects.filter(pk=self.premises.pk).update(time_zone=EAST)
        self.premises.refresh_from_db()
        snapshot_due_days()

    def work(self) -> None:
        """Sign read, pages printed, chips counted twice, balance typed: a day with nothing to explain."""
        self.jackpot.refresh_from_db()
        shown = Money.of(self.jackpot.meter).shown()
        read_sign(jackpot=self.jackpot, shown=shown, at=timezone.now(), by=person("reader"))
        for win in Win.objects.filter(slip__isnull=False):
            print_page(win=win, form=Form.LETTER, by=person("cage"))
        for code, (chips, _) in played_on(self.premises, self.day).items():
            for counter in ("one", "two"):
                count_chips(premises=self.premises, day=self.day, table_code=code, chips=chips, by=person(counter))
        type_balance(premises=self.premises, amount=Money.of("50000.00"), as_of=self.day, by=closer("accountant"))

    def lines(self, column: str) -> dict[str, CloseLine]:
        return {line.name: line for line in lines_of(self.premises, self.day).of(CloseColumn(column))}

    def open_lines(self) -> list[str]:
        found = lines_of(self.premises, self.day).unexplained(frozenset())
        return [line.subject for line in found]

    def where(self) -> dict[str, Any]:
        return {"premises": self.premises, "day": self.day}

    def snapshot(self) -> DaySnapshot:
        return DaySnapshot.objects.get(jackpot=self.jackpot, day=self.day)


def a_worked_day() -> OfficeDay:
    made = OfficeDay()
    made.work()
    made.roll()
    return made


def two_accountants() -> tuple[Operator, Operator]:
    """Two who may close a day, each with a password of the own."""
    return closer("accountant"), closer("second")


def closer(username: str) -> Operator:
    known: Operator | None = Operator.objects.filter(username=username).first()
    return known or a_person(username, may=("close_day", "read_books"))
