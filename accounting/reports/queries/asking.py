"""From a person's words to a question: which house, what its clock says, what may be chosen."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from typing import Any

from django.db.models import OuterRef, QuerySet
from django.utils import timezone

from accounting.mail.outbox import with_last
from accounting.reports.models import ReportLetter, ReportMailbox, ReportRun, SavedReport
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.rules.asking import HouseClock, NotAQuestion, read_question
from accounting.reports.rules.declaring import OfficeReport, ReportFilter
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of, of_house
from jackpot.property.rules.typed_days import NotADay
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
    rows = SavedReport.objects.filter(ended_at=None).select_related("saved_by", "premises", "mailbox")
    return list(of_house(rows, person))


def report_runs(person: Any) -> Any:
    return of_house(ReportRun.objects.select_related("asked_by", "saved", "premises", "letter__mailbox"), person)


def told_of(found: ReportRun) -> list[tuple[str, str]]:
    """The question of a run in words; one that can no longer be read is shown as it was typed."""
    try:
        # By the clock of the asking: its “yesterday” is not the one of today.
        clock = clock_of(found.premises, found.asked_at)
        return list(read_question(REPORTS[found.report], found.words, clock).told)
    except (NotADay, NotAQuestion):
        return [(str(name), str(value)) for name, value in _plain(found.words).items()]


def _plain(words: Any) -> Mapping[str, str]:
    return words if isinstance(words, dict) else {}


def report_mailboxes(person: Any) -> QuerySet[ReportMailbox]:
    """Those in use, with what came of the last letter."""
    rows = ReportMailbox.objects.filter(ended_at=None).select_related("added_by", "premises")
    return of_house(with_last(rows, ReportLetter.objects.filter(mailbox=OuterRef("pk"))), person)
