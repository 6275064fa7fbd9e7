"""Collection fees: what the player-dealer pays for a hand, by the whole dollars on the table before the deal."""

import enum
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from decimal import Decimal
from fractions import Fraction

from jackpot.money import UNIT, Money, NotAnAmount
from jackpot.reading import read_amount
from tables.games.limits import dollars

Amount = int | str | Decimal | Fraction
LARGEST_ACTION = Money.of(100_000_000)


class ScheduleStatus(enum.StrEnum):
    """How a schedule stands with whoever approves it. The words stand in packs and casino files."""

    APPROVED = "approved"
    UNDER_REVIEW = "under_review"
    WITHDRAWN = "withdrawn"

    @property
    def spoken(self) -> str:
        return {"approved": "approved", "under_review": "approved, under review", "withdrawn": "withdrawn"}[self.value]


class NoFee(ValueError):
    """The schedule has no fee for what was asked, and says why."""


@dataclass(frozen=True, slots=True)
class Bracket:
    """From this many dollars of total action up, this fee."""

    from_dollars: int
    fee: int


@dataclass(frozen=True, slots=True)
class Schedule:
    """One option of a rule set: its brackets in rising order and, where printed, the limits of a spot."""

    rule_set: str
    option: int
    brackets: tuple[Bracket, ...]
    per_spot: tuple[int, int] | None = None

    def __post_init__(self) -> None:
        # They must rise: the fee is that of the last bracket that was reached.
        starts = [bracket.from_dollars for bracket in self.brackets]
        if not starts or starts != sorted(set(starts)) or starts[0] < 1:
            raise NoFee(f"Option {self.option} of {self.rule_set} needs brackets that rise from at least 1 dollar.")

    def fee(self, total_action: Amount) -> int:
        """The player-dealer's fee in dollars; the text defines whole dollars only."""
        action = whole_dollars(total_action)
        due = [bracket.fee for bracket in self.brackets if bracket.from_dollars <= action]
        if not due:
            raise NoFee(
                f"Option {self.option} of rule set {self.rule_set} starts at ${self.brackets[0].from_dollars}; "
                f"there is no fee for a total action of ${action}."
            )
        return due[-1]

    def printed(self) -> list[tuple[str, str]]:
        """The brackets as the posted schedule shows them."""
        ends: list[int | None] = [bracket.from_dollars - 1 for bracket in self.brackets[1:]]
        rows = zip(self.brackets, [*ends, None], strict=True)
        return [
            (f"${b.from_dollars:,}+" if end is None else f"${b.from_dollars:,} – ${end:,}", f"${b.fee}")
            for b, end in rows
        ]


def whole_dollars(amount: Amount) -> int:
    """A total action as whole dollars; 49.50 lies between two brackets and no text says which."""
    exact = amount if isinstance(amount, Fraction) else _read(amount)
    if exact.denominator != 1:
        raise NoFee(f"The schedules count whole dollars; {dollars(exact)} is none. Bet whole dollars before the deal.")
    if exact < 1:
        raise NoFee(f"A total action of {dollars(exact)} has no collection: no wager was made before the deal.")
    return int(exact)


def _read(written: int | str | Decimal) -> Fraction:
    try:
        amount = Money.of(written) if isinstance(written, Decimal) else read_amount(written, "total action")
    except NotAnAmount as why:
        raise NoFee(f"{why} Write whole dollars, for example 49.") from None
    if amount > LARGEST_ACTION:
        raise NoFee(f"A total action of {dollars(Fraction(amount.units, UNIT))} is more than any table takes.")
    return Fraction(amount.units, UNIT)


def total_action(seats: Iterable[Mapping[str, Fraction]], counted: Sequence[str]) -> Fraction:
    """All wagers made before the cards, over all seats; what is bet later never counts."""
    return sum((wagers.get(name, Fraction(0)) for wagers in seats for name in counted), Fraction(0))
