"""The tax records of a house: of a slip, of days, and who got how much cash on one day. Nothing here is opened."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import QuerySet

from jackpot.money import ZERO, Money, units_of
from jackpot.payees.models import TaxRecord
from jackpot.property.queries import of_house
from jackpot.wins.models import Win


def record_of(win: Win) -> TaxRecord | None:
    rows = TaxRecord.objects.filter(payment__win=win).select_related("payment__tax_rule", "premises", "written_by")
    return rows.prefetch_related("payees").first()


def records_on(person: Any, first: date, last: date) -> QuerySet[TaxRecord]:
    """Of the days of payment, in the order of payment."""
    rows = TaxRecord.objects.filter(gaming_day__range=(first, last))
    rows = rows.select_related("payment__tax_rule", "payment__win", "premises", "written_by")
    rows = rows.prefetch_related("payees", "payment__receipts")
    return of_house(rows, person).order_by("id")


def came_back(row: TaxRecord) -> Money:
    """What the window got back of the slip after a back-out, of all who shared it."""
    return sum((Money(units_of(each.net)) for each in row.payment.receipts.all()), ZERO)
