"""Collections: what a table takes for its hands from a gaming day on, and what its drop box must hold by its rounds.

A flat fee needs the rounds alone. A schedule by total action needs what lay on the table before each deal. Where that
was told hand by hand the fees are known; of the other hands the rounds only tell two bounds.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final, assert_never

from jackpot.money import ZERO, Money
from tables.games.fees import Schedule


class FeeBasis(enum.StrEnum):
    """For what a fee is taken. The word stands in casino files, so it never changes."""

    HAND = "hand"
    PLAYER = "player"
    HALF_HOUR = "half_hour"
    ACTION = "action"
    NONE = "none"


BASIS_WORDS: Final = {
    FeeBasis.HAND: "each hand",
    FeeBasis.PLAYER: "each player in a hand",
    FeeBasis.HALF_HOUR: "each half hour with a hand",
    FeeBasis.ACTION: "total action, by a schedule of the game",
    FeeBasis.NONE: "nothing any more",
}
LEFT_OUT: Final = {
    FeeBasis.PLAYER: "Rounds know the seats with a progressive chip; players without one are not among the least.",
    FeeBasis.ACTION: "The total action of a hand that was not told is bounded by the lowest and the highest fee.",
}
FLAT: Final = frozenset({FeeBasis.HAND, FeeBasis.PLAYER, FeeBasis.HALF_HOUR})


@dataclass(frozen=True, slots=True)
class CollectionRule:
    """What one table takes from a gaming day on: a flat fee, or an option of a rule set of its game."""

    begins: date
    basis: FeeBasis
    fee: Money = ZERO
    rule_set: str = ""
    option: int = 0

    @property
    def words(self) -> str:
        if self.basis is FeeBasis.ACTION:
            return f"rule set {self.rule_set}, option {self.option}"
        return BASIS_WORDS[self.basis] if self.basis is FeeBasis.NONE else f"{self.fee} for {BASIS_WORDS[self.basis]}"


@dataclass(frozen=True, slots=True)
class PlayedHands:
    """What the rounds of a table on a day tell: hands dealt, seats with a chip in them, half hours with a hand.

    `told` are those hands whose action was told before the deal, with what was collected and their chips.
    """

    hands: int = 0
    chips: int = 0
    half_hours: int = 0
    seats: int = 0
    told: int = 0
    told_fees: Money = ZERO
    told_chips: int = 0

    @property
    def untold(self) -> PlayedHands:
        return PlayedHands(self.hands - self.told, self.chips - self.told_chips, self.half_hours, self.seats)


@dataclass(frozen=True, slots=True)
class FeesDue:
    """What a drop box must hold: at least, and at most. Both are the same where the rounds tell it all."""

    least: Money
    most: Money

    @property
    def is_exact(self) -> bool:
        return self.least == self.most

    def off(self, counted: Money) -> Money:
        """By how much a count lies outside."""
        return counted - min(max(counted, self.least), self.most)

    def __str__(self) -> str:
        return str(self.least) if self.is_exact else f"{self.least} to {self.most}"


def collection_on(rules: Iterable[CollectionRule], day: date) -> CollectionRule | None:
    """The newest rule of a table that had begun on that gaming day; None where it takes nothing."""
    found = max((rule for rule in rules if rule.begins <= day), key=lambda rule: rule.begins, default=None)
    return None if found is None or found.basis is FeeBasis.NONE else found


def fees_due(rule: CollectionRule, played: PlayedHands, schedule: Schedule | None) -> FeesDue:
    """What was collected hand by hand, and what the other hands ask for. `schedule` is the rule's, where it names one.

    Half hours are no matter of one hand: nothing was collected with its action.
    """
    # Told hands are left out of the bounds: their fees are known, and counted twice a full box would look short.
    bounds = _by_rounds(rule, played.untold, schedule)
    return FeesDue(bounds.least + played.told_fees, bounds.most + played.told_fees)


def _by_rounds(rule: CollectionRule, played: PlayedHands, schedule: Schedule | None) -> FeesDue:
    match rule.basis:
        case FeeBasis.HAND:
            return _exactly(rule.fee * played.hands)
        case FeeBasis.HALF_HOUR:
            return _exactly(rule.fee * played.half_hours)
        case FeeBasis.PLAYER:
            return FeesDue(rule.fee * played.chips, rule.fee * max(played.chips, played.seats * played.hands))
        case FeeBasis.ACTION:
            assert schedule is not None, "a rule by action names its schedule"
            # A hand that was not told paid some bracket of it; the rounds do not know which.
            fees = [bracket.fee for bracket in schedule.brackets]
            return FeesDue(Money.of(min(fees)) * played.hands, Money.of(max(fees)) * played.hands)
        case FeeBasis.NONE:
            return _exactly(ZERO)
        case _:
            assert_never(rule.basis)


def _exactly(amount: Money) -> FeesDue:
    return FeesDue(amount, amount)
