"""What a simulated evening did to the books: reckoned from rounds, wagers, versions and wins, whoever played."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from accounting.days.queries.equation import equation_between
from accounting.days.queries.stretch import BooksStretch
from accounting.days.rules.equation import DayEquation
from jackpot.books.models.jackpot import Jackpot
from jackpot.wins.models import Win
from tables.rounds.models.round import Round
from tables.simulator.evening import EveningReport
from tables.simulator.hits import TableAward


@dataclass(slots=True)
class Settled:
    """The equations of an evening, and what the books do not have as it was told."""

    equations: list[DayEquation] = field(default_factory=list)
    missing: list[str] = field(default_factory=list)

    @property
    def agrees(self) -> bool:
        return not self.missing and all(each.agrees for each in self.equations)


def stood(tables: Iterable[str]) -> dict[str, int]:
    """The last entry of the jackpots of these tables, by code."""
    rows = Jackpot.objects.filter(links__table__code__in=list(tables)).distinct()
    return {row.code: row.last_seq for row in rows}


def settled(opened: Mapping[str, int], report: EveningReport) -> Settled:
    """Every jackpot from where it stood to where it stands."""
    made = Settled()
    for row in Jackpot.objects.filter(code__in=list(opened)).order_by("code"):
        made.equations.append(equation_between(row, BooksStretch(opened[row.code], row.last_seq)))
    for table, tally in report.tallies.items():
        made.missing += _rounds_missing(table, tally.counted)
    made.missing += _wins_missing(report.wins, paid=False) + _wins_missing(report.paid, paid=True)
    return made


def _rounds_missing(table: str, counted: Mapping[int, int]) -> list[str]:
    """Every acknowledged round is there with as many chips as were acknowledged."""
    if not counted:
        return []
    # By their range: an evening has thousands of numbers, and a statement with each of them grows with it.
    rows = Round.objects.filter(table__code=table, number__gte=min(counted), number__lte=max(counted))
    there = {number: len(seats) for number, seats in rows.values_list("number", "seats")}
    return [
        f"{table} was told that round {number} counts {chips} chips; the books have {there.get(number, 'no round')}."
        for number, chips in counted.items()
        if there.get(number) != chips
    ]


def _wins_missing(told: Iterable[TableAward], *, paid: bool) -> list[str]:
    """Every award that a table was told of is there with its amount; every slip that the cage paid is paid."""
    wanted = {won.number: won for won in told}
    rows = Win.objects.filter(number__in=list(wanted), jackpot__premises__demo=True).select_related("jackpot")
    there = {row.number: row for row in rows}
    word = "paid" if paid else "awarded"
    return [
        f"Slip {won.slip} of {won.amount} on {won.jackpot} is not {word} so in the books."
        for number, won in wanted.items()
        if not _is_so(there.get(number), won, paid=paid)
    ]


def _is_so(win: Win | None, won: TableAward, *, paid: bool) -> bool:
    if win is None or (win.jackpot.code, str(win.amount_money), win.slip) != (won.jackpot, won.amount, won.slip):
        return False
    # By its entry and not by its state: an award may have been paid since it was told.
    return win.state == "paid" if paid else win.award_seq is not None
