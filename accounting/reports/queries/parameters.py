"""Every parameter of every jackpot that changed, field by field, with who asked and who signed."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import Any, Final

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
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.requests.rules.life import APPROVED
from jackpot.terms.models.terms_change import TermsChange

FIRST: Final = "first terms"


def parameter_changes(question: ReportQuestion) -> ReckonedRows:
    """Versions made in the days asked for, each against the one before it; and what was signed of authority."""
    rows = [*_of_terms(question), *_of_authority(question)]
    return ReckonedRows(rows)


def _of_terms(question: ReportQuestion) -> Iterator[dict[str, Any]]:
    jackpots = Jackpot.objects.filter(premises=question.premises_id)
    if question.jackpot:
        jackpots = jackpots.filter(code=question.jackpot)
    for jackpot in jackpots:
        versions = list(Version.objects.filter(jackpot=jackpot).order_by("number"))
        changes = {row.version_id: row for row in TermsChange.objects.filter(jackpot=jackpot, version__isnull=False)}
        for before, version in zip([None, *versions[:-1]], versions, strict=True):
            if not question.begins <= version.created_at < question.ends:
                continue
            old = {} if before is None else json.loads(before.terms)
            yield from _rows(version, jackpot.code, old, changes.get(version.pk))


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
