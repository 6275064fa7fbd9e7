"""Shifts and tax are declared from a day on and never rewritten."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from django.db import connection, transaction
from django.db.utils import DatabaseError

from jackpot.configuring.actions.house_rules import declare_shifts, declare_tax
from jackpot.money import Money
from jackpot.property.rules.shift import ShiftHours, ShiftPlan
from jackpot.property.rules.tax import TaxRule
from jackpot.refusals import NotAllowedNow, NotUnderstood
from tests.builders import a_property
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db
FIRST = date(2020, 1, 1)


def rule(begins: date = FIRST) -> TaxRule:
    return TaxRule(begins, Money.of("600"), 300)


def test_two_rules_cannot_begin_on_one_day() -> None:
    declare_tax(premises=a_property(), rule=rule(), by="tests")
    with pytest.raises(NotAllowedNow, match="begins on 2020-01-01 stands already"):
        declare_tax(premises=a_property(), rule=rule(), by="tests")


def test_a_rule_begins_after_the_days_whose_slips_are_out() -> None:
    win = WinFloor().royal()
    assert win.gaming_day is not None
    with pytest.raises(NotAllowedNow, match=r"Slip 1 of .* is out with the rule before"):
        declare_tax(premises=a_property(), rule=rule(win.gaming_day), by="tests")
    declare_tax(premises=a_property(), rule=rule(win.gaming_day + timedelta(days=1)), by="tests")


@pytest.mark.parametrize("shifts", [(("Day", 360), ("Night", 360)), (("Day", 360), ("Day", 900)), (("", 360),)])
def test_shifts_have_names_and_beginnings_of_their_own(shifts: tuple[tuple[str, int], ...]) -> None:
    plan = ShiftPlan(FIRST, tuple(ShiftHours(*shift) for shift in shifts))
    with pytest.raises(NotUnderstood):
        declare_shifts(premises=a_property(), plan=plan, by="tests")


def test_the_database_refuses_to_change_a_rule() -> None:
    declare_tax(premises=a_property(), rule=rule(), by="tests")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("UPDATE jackpot_datedtax SET minimum = 0")
