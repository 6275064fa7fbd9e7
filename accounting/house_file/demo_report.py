"""An evening in words: what was played, what happened, and the equation of every jackpot."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Final

from accounting.house_file.demo_books import Settled
from tables.simulator.evening import EveningReport
from tables.simulator.reckoning import LINES, Sheet

SIGNS: Final = {"voided": "−", "overflow taken": "−", "awards": "−", "repaid": "−"}


def report_lines(report: EveningReport, settled: Settled) -> Iterator[str]:
    """For a person; the last line says whether everything agrees."""
    yield from _played(report)
    for sheet in settled.sheets:
        yield ""
        yield from sheet_lines(sheet)
    yield ""
    yield from settled.missing
    for what, count in settled.others.items():
        yield f"Besides, people did this, which is not part of the equation: {what}, {count} ×."
    if not settled.sheets:
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


def sheet_lines(sheet: Sheet) -> Iterator[str]:
    """open + contributions − voided … = close, for meter and reserve; a line that is nothing for both is left out."""
    yield f"{sheet.jackpot:<24} {'meter':>18} {'reserve':>18}"
    yield _line(" ", "open", sheet.opened.meter, sheet.opened.reserve)
    for name in LINES:
        meter, reserve = sheet.lines[name]
        if meter or reserve:
            sign = SIGNS.get(name, "+")
            turn = -1 if sign == "−" else 1
            yield _line(sign, name, turn * meter, turn * reserve)
    yield _line("=", "close", sheet.meter, sheet.reserve)
    meter, reserve, overflow, advance = sheet.differences
    yield _line(" ", "difference to the books", meter, reserve)
    if overflow:
        yield f"  overflow: {sheet.overflow} reckoned, difference to the books {overflow}"
    if sheet.owed or advance:
        yield f"  house advance still owed: {_shown(sheet.owed)}, difference to the books {_shown(advance)}"


def _line(sign: str, name: str, meter: Decimal, reserve: Decimal) -> str:
    return f"{sign} {name:<22} {_shown(meter):>18} {_shown(reserve):>18}"


def _shown(amount: Decimal) -> str:
    """Cents where that is all there is, else everything: a difference of a ten-thousandth is one."""
    amount = amount or Decimal(0)  # no minus before nothing
    text = f"{amount:,.2f}"
    return text if Decimal(text.replace(",", "")) == amount else f"{amount.normalize():,f}"
