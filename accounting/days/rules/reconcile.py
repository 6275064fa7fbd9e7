"""The close reads like a bank reconciliation: each line matches, is to be explained, or cannot be told apart."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, NamedTuple

from accounting.days.rules.equation import DayEquation, Holdings
from jackpot.money import ZERO, Money
from tables.floor.rules.collection import FeesDue


class CloseColumn(enum.StrEnum):
    BOOKS = "books"
    SIGNS = "signs"
    CHIPS = "chips"
    WINS = "wins"
    FEES = "fees"
    BANK = "bank"


class LineState(enum.StrEnum):
    MATCHES = "matches"
    DIFFERS = "differs"
    MISSING = "missing"
    APART = "apart"  # there is nothing to compare


@dataclass(frozen=True, slots=True)
class CloseLine:
    """One line of a column: what should be, what was found, and the difference that somebody has to explain."""

    column: CloseColumn
    name: str
    state: LineState
    expected: str = ""
    found: str = ""
    variance: Money = ZERO
    told: str = ""

    @property
    def subject(self) -> str:
        return f"{self.column}/{self.name}"[:80]

    @property
    def seen(self) -> dict[str, str]:
        """What stands on the line, as who explains it sees it. Of a missing figure nothing is told yet: who has counted
        until now is no other difference.
        """
        told = self.told if self.state is LineState.DIFFERS else ""
        return {
            "state": self.state.value, "expected": self.expected, "found": self.found,
            "variance": str(self.variance), "told": told,
        }  # fmt: skip

    @property
    def is_done(self) -> bool:
        return self.state in (LineState.MATCHES, LineState.APART)


@dataclass(frozen=True, slots=True)
class CountOfOne:
    """What one person counted."""

    person: int
    name: str
    chips: int


ACCOUNTS: Final = ("meter", "reserve", "overflow", "owed")


def books_lines(equation: DayEquation, moved_since: Holdings, sealed_now: str | None) -> list[CloseLine]:
    """The books of one jackpot: each account against the equation, and against what they said at the roll."""
    lines = []
    for word in ACCOUNTS:
        reckoned, books = (Money(getattr(each, word)) for each in (equation.reckoned, equation.books))
        # A jackpot that never had an advance has no line for it: nothing against nothing would only be read.
        if word == "owed" and not reckoned and not books:
            continue
        name = f"{equation.jackpot} {'house advance' if word == 'owed' else word}"
        lines.append(compared(CloseColumn.BOOKS, name, reckoned, books))
    # Each by a name of its own: one that is explained says nothing of the next.
    for number, each in enumerate(equation.missing, 1):
        name = f"{equation.jackpot} records{'' if number == 1 else f' {number}'}"
        lines.append(CloseLine(CloseColumn.BOOKS, name, LineState.DIFFERS, told=each))
    if moved_since or sealed_now is not None:
        why = "The books of this day are not what they were at the roll. Run the proof and call the auditor."
        why += _since_the_roll(moved_since, sealed_now)
        variance = Money(moved_since.meter or moved_since.reserve or moved_since.overflow)
        name = f"{equation.jackpot} since the roll"
        lines.append(CloseLine(CloseColumn.BOOKS, name, LineState.DIFFERS, variance=variance, told=why))
    return lines


def _since_the_roll(moved: Holdings, sealed_now: str | None) -> str:
    """All of what moved, and the seal that stands now: an explanation holds for these books and for no other."""
    accounts = [f"{word} by {Money(getattr(moved, word))}" for word in ACCOUNTS if getattr(moved, word)]
    told = f" Moved: {', '.join(accounts)}." if accounts else ""
    if sealed_now is None:
        return told
    return told + (f" Its last entry is sealed {sealed_now[:16]} now." if sealed_now else " Its last entry is gone.")


def compared(column: CloseColumn, name: str, expected: Money, found: Money, told: str = "") -> CloseLine:
    state = LineState.MATCHES if expected == found else LineState.DIFFERS
    return CloseLine(column, name, state, str(expected), str(found), found - expected, told)


def reading_line(name: str, shown: Money | None, around: Sequence[Money], told: str = "") -> CloseLine:
    """A reading agrees with any figure that the meter showed within its minute; else it differs from the last one."""
    if shown is None:
        return CloseLine(CloseColumn.SIGNS, name, LineState.MISSING, told="Nobody has typed what the sign shows.")
    last = around[-1]
    # The minute is the reader's tolerance: a busy meter moves while a person looks from the sign to the page.
    if shown in around:
        return CloseLine(CloseColumn.SIGNS, name, LineState.MATCHES, str(shown), str(shown), told=told)
    return compared(CloseColumn.SIGNS, name, last, shown, told)


def self_told_line(name: str, shown: Money, reports: int, disagreed: int, at: str) -> CloseLine:
    """A sign's word about itself is no reading: who looks at the wall sees what the players see."""
    otherwise = f"{disagreed:,} of them not what the books had: see the trail" if disagreed else "always as the books"
    told = f"Reported {reports:,} times by itself, {otherwise}. Last at {at}."
    return CloseLine(CloseColumn.SIGNS, name, LineState.APART, found=str(shown), told=told)


def chips_line(table: str, counts: Sequence[CountOfOne], played: int, wager: Money, *, in_box: bool) -> CloseLine:
    """Blind and twice: only two people who counted the same have counted; then it must be what was played."""
    column = CloseColumn.CHIPS
    if not in_box:
        told = "The chips fall into the dealer's tray: not separable."
        return CloseLine(column, table, LineState.APART, str(played), told=told)
    agreed = agreed_count(counts)
    if agreed is None:
        told = waits_for(counts)
        return CloseLine(column, table, LineState.MISSING, told=told)
    off = (agreed - played) * wager
    # The chips decide, for of a table without a round the worth of a chip is not known and the sum stays zero.
    state = LineState.DIFFERS if off or agreed != played else LineState.MATCHES
    return CloseLine(column, table, state, str(played), str(agreed), off)


def fees_line(table: str, due: FeesDue, counted: Money | None, told: str) -> CloseLine:
    """A drop box against its schedule: inside of what the rounds allow, or off by what lies outside. Until it is
    counted the line does not tell what is due: whoever counts shall not know.
    """
    column, name = CloseColumn.FEES, table
    if counted is None:
        return CloseLine(column, name, LineState.MISSING, told="Nobody has typed what its drop box held.")
    off = due.off(counted)
    state = LineState.DIFFERS if off else LineState.MATCHES
    return CloseLine(column, name, state, str(due), str(counted), off, told)


def agreed_count(counts: Sequence[CountOfOne]) -> int | None:
    """The last count, where another person's last one is the same."""
    if not counts:
        return None
    last = counts[-1]
    # Only each person's last word: who counts again corrects their own count.
    latest = {each.person: each.chips for each in counts}
    others = [chips for person, chips in latest.items() if person != last.person]
    return last.chips if last.chips in others else None


def waits_for(counts: Sequence[CountOfOne]) -> str:
    """What is still to be counted; never what somebody else has counted."""
    people = list(dict.fromkeys(each.name for each in counts))
    match people:
        case []:
            return "Nobody has counted yet."
        case [one]:
            return f"{one} has counted. Another person counts too."
        case _:
            return f"{', '.join(people[:-1])} and {people[-1]} counted differently. Both count again."


class SlipFacts(NamedTuple):
    """What record, entry and page say of one slip."""

    slip: int
    amount: Money
    entry: Money | None
    printed: bool = True


def slip_lines(first: int | None, slips: Sequence[SlipFacts]) -> list[CloseLine]:
    """Win pages against wins: no number left out, every amount the same on record, page, entry and payment."""
    lines, awaited = [], first
    for each in slips:
        name = f"slip {each.slip}"
        if awaited is not None and each.slip != awaited:
            told = f"After slip {awaited - 1} comes slip {each.slip}: a number is missing."
            lines.append(CloseLine(CloseColumn.WINS, f"before {name}", LineState.DIFFERS, told=told))
        awaited = each.slip + 1
        lines += _slip_faults(name, each)
    return lines


def _slip_faults(name: str, each: SlipFacts) -> list[CloseLine]:
    column = CloseColumn.WINS
    # The gravest first, one line a slip: what the books do not owe needs no word about its paper.
    if each.entry is None:
        told = "No entry of the books says that it is owed."
        return [CloseLine(column, name, LineState.DIFFERS, str(each.amount), "", each.amount, told)]
    if each.entry != each.amount:
        return [compared(column, name, each.entry, each.amount, "The record says another amount than the books.")]
    amount = str(each.amount)
    if not each.printed:
        return [CloseLine(column, name, LineState.MISSING, amount, told="Its page was never printed.")]
    return [CloseLine(column, name, LineState.MATCHES, amount, amount)]


@dataclass(frozen=True, slots=True)
class CoverNeeded:
    """What an account must hold for one jackpot: what players put in, and what winners are owed."""

    meter: Money
    seed: Money
    reserve: Money
    overflow: Money
    winners: Money

    @property
    def amount(self) -> Money:
        # The seed is the house's own money: up to it the meter holds nothing of the players'.
        return max(ZERO, self.meter - self.seed) + self.reserve + self.overflow + self.winners


def cover_line(needed: Sequence[CoverNeeded], balance: Money | None, age: int, account: str = "account") -> CloseLine:
    """Bank cover: at least what all jackpots need. Too little is an alarm, more is the house's own affair."""
    column, due = CloseColumn.BANK, sum((each.amount for each in needed), ZERO)
    if balance is None:
        return CloseLine(column, account, LineState.MISSING, str(due), told="Nobody has typed a balance of the bank.")
    told = "As of the day itself." if age <= 0 else f"The statement is {age} day{'s' if age > 1 else ''} old."
    if balance >= due:
        return CloseLine(column, account, LineState.MATCHES, str(due), str(balance), told=told)
    return CloseLine(column, account, LineState.DIFFERS, str(due), str(balance), balance - due, f"ALARM. {told}")


@dataclass(frozen=True, slots=True)
class DayLines:
    """All columns of a day, and the equations that its books were compared with, a jackpot each."""

    lines: Sequence[CloseLine] = field(default_factory=list)
    equations: Sequence[DayEquation] = ()

    def of(self, column: CloseColumn) -> list[CloseLine]:
        return [line for line in self.lines if line.column == column]

    def unexplained(self, explained: frozenset[tuple[str, ...]]) -> list[CloseLine]:
        """What nobody has explained as it stands, signed by two."""
        return [line for line in self.lines if not line.is_done and not is_explained(line, explained)]


def is_explained(line: CloseLine, explained: frozenset[tuple[str, ...]]) -> bool:
    """Whether two people have explained what stands on this line, and not only some difference of the same size."""
    # By the figures: five chips on a table without a round differ by 0.00, as five hundred do, for nobody knows what a
    # chip of it is worth. An old explanation kept its amount only.
    return (line.subject, *line.seen.values()) in explained or (line.subject, str(line.variance)) in explained
