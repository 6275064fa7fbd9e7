"""Taking a report home: a short one at once, a long one by the worker; the trail says who took what."""

from __future__ import annotations

import hashlib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction

from accounting.reports.models import ReportRun
from accounting.reports.rules.declaring import OfficeReport, ReportQuestion
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

LONGEST_AT_ONCE: Final = 10_000  # rows; more than these are the worker's
ACT: Final = "export_report"


@dataclass(frozen=True, slots=True)
class TakenReport:
    """An export as the trail keeps it."""

    report: OfficeReport
    question: ReportQuestion
    form: str
    rows: int
    sha256: str


def reports_folder() -> Path:
    return Path(settings.DATA_DIR) / "reports"


def note_export(taken: TakenReport, *, by: Operator) -> None:
    """The trail's line: report, form, filters, rows and the digest of the file."""
    details: dict[str, Any] = {
        "form": taken.form, "filters": dict(taken.question.told), "rows": taken.rows, "sha256": taken.sha256,
    }  # fmt: skip
    record(actor=by, act=ACT, about=ObjectRef(ObjectKind.REPORT, taken.report.code), details=details)


def digest_of_bytes(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()


@transaction.atomic
def ask_for_run(
    *, report: OfficeReport, words: Mapping[str, str], form: str, house: Property, by: Operator, now: datetime
) -> ReportRun:
    """Puts a long report up for the worker; the question keeps the moment at which it was asked."""
    # Written before anything is reckoned: a report that breaks, or a worker that dies, leaves word of who asked.
    run = ReportRun.objects.create(
        premises=house, report=report.code, words=dict(words), form=form, asked_by=by, asked_at=now
    )
    record(
        actor=by,
        act="ask_for_report",
        about=ObjectRef(ObjectKind.REPORT, report.code),
        details={"run": run.pk, "form": form},
    )
    return run
