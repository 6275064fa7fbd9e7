"""The equation of a jackpot, for a gaming day or for any stretch of its books."""

from __future__ import annotations

from accounting.days.queries.events import StretchReading
from accounting.days.queries.stretch import BooksStretch, holdings_after
from accounting.days.rules.equation import DayEquation, Reckoner
from jackpot.books.models.jackpot import Jackpot


def equation_between(jackpot: Jackpot, stretch: BooksStretch) -> DayEquation:
    """The books may go on meanwhile: the stretch is read as far as it was when it was found."""
    opened = holdings_after(jackpot, stretch.after)
    reading = StretchReading(jackpot, stretch, owing=bool(opened.owed))
    walked = Reckoner(opened).walk(reading.events())
    return walked.equation(jackpot.code, holdings_after(jackpot, stretch.upto), reading.missing)
