"""From a person's words to a question: which house, what its clock says, what may be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.utils import timezone

from accounting.reports.models import ReportRun, SavedReport
from accounting.reports.rules.asking import HouseClock
from accounting.reports.rules.declaring import OfficeReport, ReportFilter
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of, of_house
from tables.floor.models.table import Table


def houses_of(person: Any) -> list[Property]:
    """The houses a person may ask about: the own one; of somebody who belongs to none, all."""
    own = getattr(person, "premises", None)
    return [own] if own is not None else list(Property.objects.order_by("code"))


def house_asked(person: Any, words: Mapping[str, str]) -> Property | None:
    """The house that was named, else the person's; None for a house that is not there for them."""
    code = words.get("property", "")
    if not code:
        return house_of(person)
    # Among the person's own: another house's code finds nothing, as if it were not there.
    return next((house for house in houses_of(person) if house.code == code), None)


def clock_of(house: Property, now: datetime | None = None) -> HouseClock:
    moment = now or timezone.now()
    return HouseClock(
        house.pk, house.gaming_day(moment), moment, house.time_zone, house.day_roll_minutes, house.writes_month_first
    )


def choices_of(report: OfficeReport, house: Property) -> dict[str, list[str]]:
    """What a filter may be set to, where that is known."""
    found: dict[str, list[str]] = {}
    if ReportFilter.JACKPOT in report.takes:
        found["jackpot"] = list(house.jackpots.order_by("code").values_list("code", flat=True))
    if ReportFilter.TABLE in report.takes:
        found["table"] = list(Table.objects.filter(premises=house).order_by("code").values_list("code", flat=True))
    if ReportFilter.SHIFT in report.takes:
        plans = house.shift_plans.order_by("begins").values_list("names", flat=True)
        found["shift"] = list(dict.fromkeys(name for names in plans for name in names))
    if ReportFilter.PERSON in report.takes:
        found["person"] = list(Operator.objects.filter(premises=house).order_by("name").values_list("name", flat=True))
    return found


def saved_reports(person: Any) -> list[SavedReport]:
    rows = of_house(SavedReport.objects.filter(ended_at=None).select_related("saved_by", "premises"), person)
    return list(rows)


def report_runs(person: Any) -> Any:
    return of_house(ReportRun.objects.select_related("asked_by", "saved", "premises"), person)
