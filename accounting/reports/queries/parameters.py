"""Every parameter of every jackpot that changed, field by field, with who asked and who signed."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping
from typing import Any, Final

from django.db.models import QuerySet

from accounting.reports.rules.declaring import (
    ColumnKind,
    OfficeReport,
    Reckoned,
    ReckonedRows,
    ReportColumn,
    ReportFilter,
    ReportGroup,
    ReportQuestion,
)
from accounting.reports.rules.differing import differing_fields
from jackpot.authority.models import AuthorityChange
from jackpot.books.models.jackpot import Version
from jackpot.requests.rules.life import APPROVED
from jackpot.terms.models.terms_change import TermsChange

FIRST: Final = "first terms"


def parameter_changes(question: ReportQuestion) -> ReckonedRows:
    """Versions made in the days asked for, each against the one before it; and what was signed of authority."""
    rows = [*_of_terms(question), *_of_authority(question)]
    return ReckonedRows(rows)


def _of_terms(question: ReportQuestion) -> Iterator[dict[str, Any]]:
    of_house = Version.objects.filter(jackpot__premises=question.premises_id)
    if question.jackpot:
        of_house = of_house.filter(jackpot__code=question.jackpot)
    made = of_house.filter(created_at__gte=question.begins, created_at__lt=question.ends)
    asked = list(made.select_related("jackpot").order_by("jackpot_id", "number"))
    keys = {row.jackpot_id for row in asked}
    terms = {(pk, number): text for pk, number, text in _texts(keys)}
    changes = {row.version_id: row for row in TermsChange.objects.filter(version__in=asked)}
    for version in asked:
        # Against the version before it and not against what was in force: a version may be replaced before it ever
        # counted.
        before = terms.get((version.jackpot_id, version.number - 1))
        old = {} if before is None else json.loads(before)
        yield from _rows(version, version.jackpot.code, old, changes.get(version.pk))


def _texts(jackpots: Collection[int]) -> QuerySet[Version, tuple[int, int, str]]:
    """The terms of every version of these jackpots; their numbers run without a gap."""
    return Version.objects.filter(jackpot__in=jackpots).values_list("jackpot_id", "number", "terms")


def _rows(
    version: Version, jackpot: str, old: Mapping[str, Any], change: TermsChange | None
) -> Iterator[dict[str, Any]]:
    shared = {
        "at": version.created_at, "jackpot": jackpot, "version": version.number, "asked": version.requested_by,
        "signed": version.approved_by, "in_force": None if change is None else change.activated_at,
        "why": change.reason if change is not None else FIRST if version.number == 1 else "",
    }  # fmt: skip
    if not old:
        yield {**shared, "field": "all", "before": "", "after": FIRST}
        return
    for field, before, after in differing_fields(old, json.loads(version.terms)):
        yield {**shared, "field": field, "before": before, "after": after}


def _of_authority(question: ReportQuestion) -> Iterator[dict[str, Any]]:
    rows = AuthorityChange.objects.filter(
        premises=question.premises_id,
        state__in=sorted(APPROVED),
        decided_at__gte=question.begins,
        decided_at__lt=question.ends,
    ).select_related("asked_by", "decided_by", "whose")
    # Authority is the house's: asked for one jackpot, nothing of it belongs there.
    if question.jackpot:
        return
    for row in rows:
        for field, before, after in differing_fields(row.before, row.after):
            named = field if row.whose is None else f"card •••• {row.whose.last_four}: {field}"
            yield {
                "at": row.decided_at, "jackpot": "", "version": None, "field": named, "before": before, "after": after,
                "asked": str(row.asked_by), "signed": str(row.decided_by or row.asked_by), "in_force": None,
                "why": row.reason,
            }  # fmt: skip


PARAMETERS: Final = OfficeReport(
    code="parameters", title="Parameter changes", group=ReportGroup.HOUSE, period="this month",
    about="Every field of the terms of every jackpot that changed, and what was signed of authority in the house.",
    columns=(
        ReportColumn("at", "Signed at", ColumnKind.MOMENT),
        ReportColumn("jackpot", "Jackpot", leads="/jackpots/{jackpot}/versions/"),
        ReportColumn("version", "Version", ColumnKind.WHOLE), ReportColumn("field", "Parameter"),
        ReportColumn("before", "Before"), ReportColumn("after", "After"), ReportColumn("asked", "Asked by"),
        ReportColumn("signed", "Signed by"), ReportColumn("in_force", "In force since", ColumnKind.MOMENT),
        ReportColumn("why", "Reason"),
    ),
    takes=(ReportFilter.PERIOD, ReportFilter.JACKPOT), order=("-at", "jackpot", "field"),
    source=Reckoned(parameter_changes),
)  # fmt: skip

PARAMETER_REPORTS: Final = (PARAMETERS,)
