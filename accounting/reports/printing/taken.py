"""A short report as bytes, noted in the trail: what the page and the API hand out."""

from __future__ import annotations

from dataclasses import dataclass

from accounting.reports.actions.exports import TakenReport, digest_of_bytes, note_export
from accounting.reports.printing.files import MEDIA, ReportForm, report_bytes
from accounting.reports.printing.imprint import ReportImprint
from accounting.reports.queries.frame import ReportReading
from accounting.reports.rules.asking import NotAQuestion
from jackpot.people.models import Operator
from jackpot.property.models.property import Property


@dataclass(frozen=True, slots=True)
class ReportFile:
    """What goes out of the house."""

    content: bytes
    name: str
    media_type: str

    @property
    def headers(self) -> dict[str, str]:
        return {"Content-Disposition": f'attachment; filename="{self.name}"'}


def take_report(
    reading: ReportReading, house: Property, form: ReportForm, *, by: Operator, sort: str = ""
) -> ReportFile:
    """The file of a report that is short enough to be waited for."""
    declared, question = reading.report, reading.question
    imprint = ReportImprint(declared, question, house, str(by), question.now)
    # At once in memory, so that the trail's line comes only when the whole file is there.
    rows = list(reading.rows(sort))
    content = report_bytes(imprint, rows, form, reading.note)
    note_export(TakenReport(declared, question, form.value, len(rows), digest_of_bytes(content)), by=by)
    return ReportFile(content, f"{imprint.file_name}.{form.value}", MEDIA[form])


def form_asked(typed: str) -> ReportForm:
    if typed not in list(ReportForm):
        raise NotAQuestion("Choose CSV, XLSX or PDF.")
    return ReportForm(typed)
