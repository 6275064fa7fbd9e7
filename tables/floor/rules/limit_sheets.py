"""Dated limit sheets that a house enters with their reference: how much one wager may be, from a day until a day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from jackpot.money import Money


class OverLimit(ValueError):
    """A wager outside what is authorized; the message names it, the sheet and the cure."""


@dataclass(frozen=True, slots=True)
class LimitSheet:
    """What somebody authorized: the smallest posted minimum and the largest wager, in whole units; of every wager of
    the game, or of one by its name."""

    begins: date
    code: str
    game: str
    reference: str
    least: int
    most: int
    ends: date | None = None
    wager: str = ""  # of one kind only: trips, progressive …; empty: of all

    @property
    def words(self) -> str:
        until = f" until {self.ends}" if self.ends else ""
        what = f"{self.wager.replace('_', ' ')} wagers" if self.wager else "wagers"
        return f"{what} from {self.least:,} to {self.most:,}{until} ({self.reference})"


def sheets_on(sheets: Iterable[LimitSheet], game: str, day: date) -> list[LimitSheet]:
    """Of each code, and of each wager that it speaks of, the newest that had begun on that day, where it had not
    ended."""
    newest: dict[tuple[str, str], LimitSheet] = {}
    for sheet in sorted(sheets, key=lambda each: each.begins):
        if sheet.game == game and sheet.begins <= day:
            newest[sheet.code, sheet.wager] = sheet
    return [sheet for sheet in newest.values() if sheet.ends is None or day <= sheet.ends]


def refuse_over(what: str, amount: Money, sheets: Iterable[LimitSheet], wager: str = "") -> None:
    """The strictest sheet counts of those for every wager and for this one by its name. A chip may be smaller than a
    posted minimum: that is for the base game."""
    for sheet in sheets:
        if sheet.wager in ("", wager) and amount > Money.of(sheet.most):
            raise OverLimit(
                f"The {what} of {amount} is above {sheet.most:,}, the most that sheet {sheet.code} authorizes "
                f"({sheet.reference}). Make it smaller."
            )


def refuse_posted(minimum: int, maximum: int, sheet: LimitSheet) -> None:
    """A posted minimum and maximum must lie inside the sheet that they name."""
    if minimum > maximum:
        raise OverLimit(f"The posted minimum {minimum:,} is above the posted maximum {maximum:,}.")
    for name, amount in (("minimum", minimum), ("maximum", maximum)):
        if not sheet.least <= amount <= sheet.most:
            raise OverLimit(
                f"A posted {name} of {amount:,} is outside {sheet.least:,} to {sheet.most:,} "
                f"(sheet {sheet.code}, {sheet.reference}). Post another one."
            )
