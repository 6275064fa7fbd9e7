"""What every export says of itself: the house, the report, what it was asked, by whom and when."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime

from accounting.reports.rules.declaring import OfficeReport, ReportQuestion
from jackpot.property.models.property import Property
from jackpot.web.templatetags.figures import moment, zone


@dataclass(frozen=True, slots=True)
class ReportImprint:
    """The head of an export."""

    report: OfficeReport
    question: ReportQuestion
    house: Property
    by: str
    now: datetime

    @property
    def lines(self) -> list[tuple[str, str]]:
        """Label and words, in the order in which they stand above the rows."""
        # With its zone: a file is read elsewhere, and months later.
        made = f"{moment(self.now, self.house)} {zone(self.now, self.house)}"
        return [
            ("Report", self.report.title), ("Property", f"{self.house.name} ({self.house.code})"),
            *self.question.told, ("Currency", self.house.currency), ("Made by", self.by), ("Made", made),
        ]  # fmt: skip

    @property
    def file_name(self) -> str:
        """ "emerald-contributions-2026-11-17": no name has a character that a file system minds."""
        days = self.question.span
        told = {
            "period": f"-{days.first}" if days.is_one_day else f"-{days.first}-to-{days.last}",
            "at": f"-{self.question.at.astimezone(self.house.zone):%Y-%m-%d-%H%M}",
        }
        when = "".join(words for word, words in told.items() if self.report.takes_the(word))
        return f"{self.house.code.lower()}-{self.report.code}{when or f'-{self.now:%Y-%m-%d}'}"
