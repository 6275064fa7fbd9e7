"""What the office remembers. Each subject has its own; Django finds them all here."""

from accounting.paper.models.page import Copy, WinPage
from accounting.paper.models.printer import Printer, PrintJob
from accounting.reports.models import JournalExport, LedgerAccount, ReportRun, SavedReport

__all__ = [
    "Copy",
    "JournalExport",
    "LedgerAccount",
    "PrintJob",
    "Printer",
    "ReportRun",
    "SavedReport",
    "WinPage",
]
