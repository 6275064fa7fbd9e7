"""An evening in words: what was played, what happened, and the equation of every jackpot."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from accounting.days.rules.equation import DayEquation, EquationPart
from accounting.house_file.demo_books import Settled
from jackpot.money import text_of_units
from tables.simulator.evening import EveningReport

TAKEN: Final = frozenset(
    {EquationPart.VOIDED, EquationPart.OVERFLOW_TAKEN, EquationPart.AWARDS, EquationPart.REPAID}
)  # written with a minus, as an accountant does


def report_lines(report: EveningReport, settled: Settled) -> Iterator[str]:
    """For a person; the last line says whether everything agrees."""
    yield from _played(report)
    for equation in settled.equations:
        yield ""
        yield from equation_lines(equation)
    yield ""
    yield from settled.missing
    if not settled.equations:
        yield "Not reconciled."
    elif settled.agrees:
        yield "Reconciled: every meter and reserve stands exactly where rounds and wins put it."
    else:
        yield "The books differ from what was played. Look at the lines above."


def _played(report: EveningReport) -> Iterator[str]:
    tallies = report.tallies.values()
    losses, repeats = sum(tally.losses for tally in tallies), sum(tally.repeats for tally in tallies)
    yield f"{report.rounds} rounds, {report.chips} chips; {losses} answers lost, {repeats} repeats recognised."
    yield from report.left
    yield from (f"Stopped early: {trouble}" for trouble in report.troubles)
    happened = [tally.happened for tally in tallies]
    if report.wins:
        won = sum((Decimal(win.amount) for win in report.wins), Decimal(0))
        paid = sum((Decimal(win.amount) for win in report.paid), Decimal(0))
        yield f"{len(report.wins)} awards of {won:,.2f}; the cage paid {len(report.paid)} slips, {paid:,.2f}."
    yield (
        f"Wrong marks taken back: {sum(each.unmarked for each in happened)}; "
        f"hits not confirmed: {sum(each.rejected for each in happened)}; "
        f"that waited for an earlier one: {sum(each.queued for each in happened)}; "
        f"rounds voided: {sum(each.voided for each in happened)}."
    )


def equation_lines(equation: DayEquation) -> Iterator[str]:
    """open + contributions − voided … = close, for meter and reserve; a line that is nothing for both is left out."""
    opened, closed, off = equation.opened, equation.reckoned, equation.variance
    yield f"{equation.jackpot:<24} {'meter':>18} {'reserve':>18}"
    yield _line(" ", "open", opened.meter, opened.reserve)
    for part, moved in equation.lines.items():
        if moved.meter or moved.reserve:
            sign, turn = ("−", -1) if part in TAKEN else ("+", 1)
            yield _line(sign, part.value, turn * moved.meter, turn * moved.reserve)
    yield _line("=", "close", closed.meter, closed.reserve)
    yield _line(" ", "difference to the books", off.meter, off.reserve)
    if off.overflow:
        yield f"  overflow: {_shown(closed.overflow)} reckoned, difference to the books {_shown(off.overflow)}"
    if closed.owed or off.owed:
        yield f"  house advance still owed: {_shown(closed.owed)}, difference to the books {_shown(off.owed)}"
    yield from (f"  {each}" for each in equation.missing)


def _line(sign: str, name: str, meter: int, reserve: int) -> str:
    return f"{sign} {name:<22} {_shown(meter):>18} {_shown(reserve):>18}"


def _shown(units: int) -> str:
    """Cents where that is all there is, else everything: a difference of a ten-thousandth is one."""
    whole, _, rest = text_of_units(abs(units)).partition(".")
    return f"{'-' if units < 0 else ''}{int(whole):,}.{rest}"
