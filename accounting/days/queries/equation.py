"""The equation of a jackpot, for a gaming day or for any stretch of its books."""

from __future__ import annotations

from datetime import date

from accounting.days.queries.events import StretchReading
from accounting.days.queries.stretch import BooksStretch, holdings_after, stretch_of
from accounting.days.rules.equation import DayEquation, Reckoner
from jackpot.books.models.jackpot import Jackpot


def equation_of(jackpot: Jackpot, day: date) -> DayEquation:
    """Where the jackpot opened the gaming day, what rounds, wins and requests made of it, where it must close."""
    jackpot = Jackpot.objects.get(pk=jackpot.pk)
    return equation_between(jackpot, stretch_of(jackpot, day))


def equation_between(jackpot: Jackpot, stretch: BooksStretch) -> DayEquation:
    """The books may go on meanwhile: the stretch is read as far as it was when it was found."""
    opened = holdings_after(jackpot, stretch.after)
    reading = StretchReading(jackpot, stretch, owing=bool(opened.owed))
    walked = Reckoner(opened).walk(reading.events())
    return walked.equation(jackpot.code, holdings_after(jackpot, stretch.upto), reading.missing)
