"""The tax records of a house: of a slip, of days, and who got how much cash on one day. Nothing here is opened."""

from __future__ import annotations

from datetime import date
from typing import Any

from django.db.models import QuerySet

from jackpot.payees.models import TaxRecord
from jackpot.property.queries import of_house
from jackpot.wins.models import Win


def record_of(win: Win) -> TaxRecord | None:
    rows = TaxRecord.objects.filter(payment__win=win).select_related("payment__tax_rule", "premises", "written_by")
    return rows.prefetch_related("payees").first()


def records_on(person: Any, first: date, last: date) -> QuerySet[TaxRecord]:
    """Of the days of payment, in the order of payment."""
    rows = TaxRecord.objects.filter(gaming_day__range=(first, last))
    rows = rows.select_related("payment__tax_rule", "premises", "written_by").prefetch_related("payees")
    return of_house(rows, person).order_by("id")
