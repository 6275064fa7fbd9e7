"""A gaming day reckoned anew, for tests that hold it against the books."""

from __future__ import annotations

from datetime import date

from accounting.days.queries.equation import equation_between
from accounting.days.queries.stretch import stretch_of
from accounting.days.rules.equation import DayEquation
from jackpot.books.models.jackpot import Jackpot


def equation_of(jackpot: Jackpot, day: date) -> DayEquation:
    """Where the jackpot opened the gaming day, what rounds, wins and requests made of it, where it must close."""
    now = Jackpot.objects.get(pk=jackpot.pk)
    return equation_between(now, stretch_of(now, day))
