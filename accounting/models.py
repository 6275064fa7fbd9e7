"""What the office remembers. Each subject has its own; Django finds them all here."""

from accounting.alarms.models import AlarmAddress, AlarmMessage, HouseAlarm
from accounting.audit.models import AuditRun
from accounting.days.models import (
    BankBalance,
    ChipCount,
    ChipPlace,
    DaySignature,
    DaySnapshot,
    Explanation,
    FeeCount,
    MeterReading,
)
from accounting.feed.models import FeedEvent, FeedHead, FeedReach, UnnumberedEvent
from accounting.paper.models.page import Copy, SpoiledCopy, WinPage
from accounting.paper.models.printer import Printer, PrintJob
from accounting.programs.models import ProgramToken
from accounting.reports.models import (
    JournalExport,
    LedgerAccount,
    ReportLetter,
    ReportMailbox,
    ReportRun,
    SavedReport,
)
from accounting.webhooks.models import Webhook

__all__ = [
    "AlarmAddress",
    "AlarmMessage",
    "AuditRun",
    "BankBalance",
    "ChipCount",
    "ChipPlace",
    "Copy",
    "DaySignature",
    "DaySnapshot",
    "Explanation",
    "FeeCount",
    "FeedEvent",
    "FeedHead",
    "FeedReach",
    "HouseAlarm",
    "JournalExport",
    "LedgerAccount",
    "MeterReading",
    "PrintJob",
    "Printer",
    "ProgramToken",
    "ReportLetter",
    "ReportMailbox",
    "ReportRun",
    "SavedReport",
    "SpoiledCopy",
    "UnnumberedEvent",
    "Webhook",
    "WinPage",
]
