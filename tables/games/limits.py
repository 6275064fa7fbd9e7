"""How much and how many: posted limits and the maximum of games."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date
from fractions import Fraction
from typing import Literal

CountGames = Literal["base_is_one", "each_wager"]


class BetRefused(ValueError):
    """A bet that may not stand; the message names it and the cure."""


@dataclass(frozen=True, slots=True)
class Limits:
    """What may be posted at a table: the range of the minimum and of the maximum, or of one spot.

    Dates are those that the source prints; where it prints none, the limits are not bound to a day.
    """

    source: str
    from_date: date | None = None
    until_date: date | None = None
    wager_minimum: tuple[int, int] | None = None
    wager_maximum: tuple[int, int] | None = None
    per_spot: tuple[int, int] | None = None

    def refuse_posted(self, minimum: int, maximum: int, on: date) -> None:
        """A posted minimum and maximum must lie inside what the rule sheet allows on that day."""
        if (self.from_date and on < self.from_date) or (self.until_date and on > self.until_date):
            raise BetRefused(f"The limits of {self.source} are not in force on {on}.")
        if minimum > maximum:
            raise BetRefused(f"The posted minimum ${minimum:,} is above the posted maximum ${maximum:,}.")
        for what, amount, allowed in (
            ("minimum", minimum, self.wager_minimum or self.per_spot),
            ("maximum", maximum, self.wager_maximum or self.per_spot),
        ):
            if allowed and not allowed[0] <= amount <= allowed[1]:
                raise BetRefused(
                    f"A posted {what} of ${amount:,} is outside ${allowed[0]:,} to ${allowed[1]:,} ({self.source})."
                )


def refuse_wager(name: str, amount: Fraction, minimum: Fraction, maximum: Fraction) -> None:
    """One wager against the limits posted at the table."""
    if amount < minimum:
        raise BetRefused(f"The {name} of {dollars(amount)} is below the table minimum of {dollars(minimum)}.")
    if amount > maximum:
        raise BetRefused(f"The {name} of {dollars(amount)} is above the table maximum of {dollars(maximum)}.")


def count_games(wagers: Iterable[str], base: Sequence[str], rule: CountGames = "base_is_one") -> int:
    """How many games a player wagers on; the switch says whether the base game's bets count as one or each."""
    made = list(wagers)
    if rule == "each_wager":
        return len(made)
    # “A maximum of four games”: Ante, Blind and Play together are one of them.
    return sum(name not in base for name in made) + any(name in base for name in made)


def refuse_games(wagers: Iterable[str], base: Sequence[str], most: int = 4, rule: CountGames = "base_is_one") -> None:
    """More games than the posted maximum are refused before the deal."""
    made = list(wagers)
    games = count_games(made, base, rule)
    if games > most:
        raise BetRefused(
            f"That is {games} games; a player wagers on at most {most}. Take back {made[-1].replace('_', ' ')}."
        )


def dollars(amount: Fraction) -> str:
    """An exact amount as people read it: $1,250, $7.50 or −$5."""
    if amount < 0:
        return f"−{dollars(-amount)}"
    if amount.denominator == 1:
        return f"${amount.numerator:,}"
    cents = amount * 100
    if cents.denominator == 1:
        return f"${cents.numerator // 100:,}.{cents.numerator % 100:02}"
    return f"${amount}"
