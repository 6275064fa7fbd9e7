"""A day at a table with two wagers: reckoned wager by wager, counted apart, reported once each."""

from __future__ import annotations

from decimal import Decimal

import pytest
from django.db import connection

from accounting.days.actions.writing import count_chips
from accounting.days.queries.columns import lines_of, played_on, tables_counted
from accounting.days.rules.equation import EquationPart
from accounting.home.queries.morning import PLAYED_BY_DAY
from accounting.reports.queries.play import COIN_IN_SEAT, COIN_IN_TABLE, COIN_IN_WAGER
from jackpot.books.models.entry import Entry
from jackpot.money import Money
from jackpot.refusals import NotFound
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.rules.further import read_further
from tests.accounting.days.day_scene import equation_of
from tests.scenes_adjusting import person
from tests.tables.wagers_scene import TwoWagers

pytestmark = pytest.mark.django_db


def a_day() -> TwoWagers:
    """125/26 with a royal at 2; 1267/5 voided; 12/- counted again as 1/67: in the end 4 chips of 1.00, 4 of 5.00."""
    table = TwoWagers()
    table.coin_in("125", "26")
    table.mark(2)
    table.confirm()
    table.card()
    table.coin_in("1267", "5")
    void_round(**table.place, reason="misdeal", by="Test Supervisor")
    table.coin_in("12")
    recount_round(**table.place, seats="1", spots="", by="Test Supervisor", further=read_further({"MEGA": "67"}, {}))
    return table


def day_of(table: TwoWagers) -> object:
    return Entry.objects.filter(jackpot=table.mega).latest("seq").gaming_day


def test_every_jackpot_is_reckoned_from_the_chips_of_its_own_wager() -> None:
    table = a_day()
    contributed = {}
    for jackpot in table.jackpots:
        found = equation_of(jackpot, Entry.objects.filter(jackpot=jackpot).latest("seq").gaming_day)
        assert (found.missing, found.variance) == ((), found.variance.less(found.variance))
        net = found.lines[EquationPart.CONTRIBUTIONS].meter + found.lines[EquationPart.VOIDED].meter
        contributed[jackpot.code] = str(Money(net))
    assert contributed == {"GRAND": "2.40", "MINI": "0.40", "MEGA": "4.00"}


def test_the_chips_of_each_wager_are_counted_apart() -> None:
    table = a_day()
    house = table.casino.premises
    day = Entry.objects.filter(jackpot=table.mega).latest("seq").gaming_day
    assert played_on(house, day) == {"UTH-01": (4, Money.of("1.00")), "UTH-01 MEGA": (4, Money.of("5.00"))}
    assert tables_counted(house, lines_of(house, day)) == ["UTH-01", "UTH-01 MEGA"]
    row = count_chips(premises=house, day=day, table_code="UTH-01", wager="MEGA", chips=4, by=person("one"))
    assert row.pile == "UTH-01 MEGA"
    with pytest.raises(NotFound, match="UTH-01 has no wager BIG"):
        count_chips(premises=house, day=day, table_code="UTH-01", wager="BIG", chips=4, by=person("one"))


def test_reports_and_the_morning_count_every_wager_once() -> None:
    table = a_day()
    house, day = table.casino.premises, Entry.objects.filter(jackpot=table.mega).latest("seq").gaming_day
    asked = {"house": house.pk, "first": day, "last": day, "table": "", "shift": ""}

    def rows(statement: str) -> list[tuple[object, ...]]:
        with connection.cursor() as cursor:
            cursor.execute(statement, asked)
            return sorted(cursor.fetchall(), key=str)

    by_table = rows(COIN_IN_TABLE.source.statement)
    assert [row[1:] for row in by_table] == [(2, 8, Decimal(24))]
    assert rows(COIN_IN_WAGER.source.statement) == [
        ("UTH-01", "", Decimal(1), 4, Decimal(4)), ("UTH-01", "MEGA", Decimal(5), 4, Decimal(20)),
    ]  # fmt: skip
    assert {row[0]: row[2] for row in rows(COIN_IN_SEAT.source.statement)} == {
        "1": Decimal(2), "2": Decimal(6), "5": Decimal(1), "6": Decimal(10), "7": Decimal(5),
    }  # fmt: skip
    assert rows(PLAYED_BY_DAY) == [(day, Decimal(24))]
