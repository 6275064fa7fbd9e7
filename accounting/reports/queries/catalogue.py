"""Every report of the house by its code, in the order in which people look for them."""

from __future__ import annotations

from typing import Any, Final

from accounting.reports.queries.approvals import APPROVAL_REPORTS
from accounting.reports.queries.balances import BALANCE_REPORTS
from accounting.reports.queries.beyond_reason import BEYOND_REASON_REPORTS
from accounting.reports.queries.custody import CUSTODY_REPORTS
from accounting.reports.queries.equations import EQUATION_REPORTS
from accounting.reports.queries.fees import FEE_REPORTS
from accounting.reports.queries.hand_slips import HAND_SLIP_REPORTS
from accounting.reports.queries.hits import HIT_REPORTS
from accounting.reports.queries.journal import JOURNAL_REPORTS
from accounting.reports.queries.machines import MACHINE_REPORTS
from accounting.reports.queries.parameters import PARAMETER_REPORTS
from accounting.reports.queries.play import PLAY_REPORTS
from accounting.reports.queries.play_around import PLAY_AROUND_REPORTS
from accounting.reports.queries.row_meters import ROW_REPORTS
from accounting.reports.queries.rule_book import RULE_BOOK_REPORTS
from accounting.reports.queries.slips import SLIP_REPORTS
from accounting.reports.queries.staff import STAFF_REPORTS
from accounting.reports.queries.tax import TAX_REPORTS
from accounting.reports.queries.trail import TRAIL_REPORTS
from accounting.reports.queries.waiting import WAITING_REPORTS
from accounting.reports.rules.declaring import OfficeReport, ReportGroup
from jackpot.refusals import NotAllowed, NotFound

REPORTS: Final[dict[str, OfficeReport]] = {
    report.code: report
    for report in (
        *BALANCE_REPORTS,
        *EQUATION_REPORTS,
        *JOURNAL_REPORTS,
        *FEE_REPORTS,
        *PLAY_REPORTS,
        *PLAY_AROUND_REPORTS,
        *BEYOND_REASON_REPORTS,
        *HIT_REPORTS,
        *ROW_REPORTS,
        *SLIP_REPORTS,
        *TAX_REPORTS,
        *WAITING_REPORTS,
        *STAFF_REPORTS,
        *PARAMETER_REPORTS,
        *RULE_BOOK_REPORTS,
        *APPROVAL_REPORTS,
        *MACHINE_REPORTS,
        *CUSTODY_REPORTS,
        *HAND_SLIP_REPORTS,
        *TRAIL_REPORTS,
    )
}
# Who may read any report may open the list of them; each then asks for a verb of its own.
EVERY_VERB: Final = tuple(sorted({verb for report in REPORTS.values() for verb in report.verbs}))


def report_coded(code: str) -> OfficeReport | None:
    return REPORTS.get(code)


def report_for(person: Any, code: str) -> OfficeReport:
    """The report of that code for whoever has one of its verbs; Refused says what is missing."""
    declared = REPORTS.get(code)
    if declared is None:
        raise NotFound(f"There is no report “{code[:40]}”. GET /api/v1/reports/ and /office/reports/ list them.")
    if not person.verbs().intersection(declared.verbs):
        raise NotAllowed("Your roles do not include this report. An administrator can change that.")
    return declared


def reports_for(person: Any) -> list[tuple[ReportGroup, list[OfficeReport]]]:
    """What a person may read, group by group."""
    verbs = person.verbs()
    mine = [report for report in REPORTS.values() if verbs.intersection(report.verbs)]
    groups = ((group, [report for report in mine if report.group is group]) for group in ReportGroup)
    return [(group, reports) for group, reports in groups if reports]
