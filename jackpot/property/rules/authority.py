"""Who may approve what: the level and the number of people an act needs, by its sum."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from typing import Any, Final, TypeVar

from jackpot.money import UNIT, Money

SUPERVISOR: Final = 2
EXECUTIVE: Final = 3
FIVE_THOUSAND: Final = Money(5000 * UNIT)


@dataclass(frozen=True, slots=True)
class Thresholds:
    """The house's limits: from these sums up an executive, from these two people; PIN from this card level up."""

    executive: Money = FIVE_THOUSAND
    dual: Money | None = None
    pin_from_level: int = EXECUTIVE
    cards_from: int = 1000
    marker_may_verify: bool = False
    verifier_may_pay: bool = False
    cards_required: bool = True
    both_need_level: bool = False
    old_rounds_need_two: bool = True
    unseen_sum: Money | None = None  # of one person, table and gaming day, signed without the cards of the hand
    unseen_count: int | None = None


@dataclass(frozen=True, slots=True)
class Needed:
    """What one act needs. The sum is of all its awards, over all its jackpots."""

    level: int
    people: int = 1
    both: bool = False

    @property
    def least(self) -> int:
        """Below this level nobody's word counts. Of two people one has the level, or both by the house's switch."""
        return self.level if self.people == 1 or self.both else SUPERVISOR

    def still(self, given: Collection[int]) -> int:
        """The least level of the next word after words of these levels; those below the least are no words."""
        words = [level for level in given if level >= self.least]
        last = len(words) >= self.people - 1
        return self.level if last and all(level < self.level for level in words) else self.least

    def met(self, given: Collection[int]) -> bool:
        """Whether words of these levels, each of another person, are enough."""
        words = [level for level in given if level >= self.least]
        return len(words) >= self.people and any(level >= self.level for level in words)


def thresholds_of(values: Mapping[str, Any]) -> Thresholds:
    """Plain values as the rules of an act take them."""
    dual, unseen = values["dual_threshold"], values["unseen_sum"]
    return Thresholds(
        executive=Money.of(values["executive_threshold"]),
        dual=None if dual is None else Money.of(dual),
        pin_from_level=values["pin_from_level"],
        cards_from=values["cards_from_multiple"],
        marker_may_verify=values["marker_may_verify"],
        verifier_may_pay=values["verifier_may_pay"],
        cards_required=values["cards_required"],
        both_need_level=values["both_need_level"],
        old_rounds_need_two=values["old_rounds_need_two"],
        unseen_sum=None if unseen is None else Money.of(unseen),
        unseen_count=values["unseen_count"],
    )


def needed(total: Money, thresholds: Thresholds) -> Needed:
    """A higher card serves lower sums; the threshold itself already needs the higher level."""
    level = EXECUTIVE if total >= thresholds.executive else SUPERVISOR
    people = 2 if thresholds.dual is not None and total >= thresholds.dual else 1
    return Needed(level, people, thresholds.both_need_level)


def needed_to_take_back(*, of_this_day: bool, thresholds: Thresholds) -> Needed:
    """A void or a recount: a supervisor; a round of an earlier gaming day takes two people."""
    return Needed(SUPERVISOR, 2 if thresholds.old_rounds_need_two and not of_this_day else 1)


def judging(at_coin_in: Thresholds, at_the_swipe: Thresholds) -> Thresholds:
    """What a hit needs: the stricter threshold of its round's coin-in and of the swipe, each on its own.

    So authority that was given since does not reach back to the hit, and authority that was taken since is not used on
    it. How people act (PIN, who may be the same person) is the swipe's alone.
    """
    if at_coin_in == at_the_swipe:
        return at_the_swipe
    return replace(
        at_the_swipe,
        executive=min(at_coin_in.executive, at_the_swipe.executive),
        dual=_lower(at_coin_in.dual, at_the_swipe.dual),
        cards_from=min(at_coin_in.cards_from, at_the_swipe.cards_from),
        cards_required=at_coin_in.cards_required or at_the_swipe.cards_required,
        both_need_level=at_coin_in.both_need_level or at_the_swipe.both_need_level,
        unseen_sum=_lower(at_coin_in.unseen_sum, at_the_swipe.unseen_sum),
        unseen_count=_lower(at_coin_in.unseen_count, at_the_swipe.unseen_count),
    )


def beyond_the_cap(thresholds: Thresholds, total: Money, count: int) -> str:
    """Which cap so much signed without cards of the hand goes beyond, in words; or nothing."""
    if thresholds.unseen_sum is not None and total > thresholds.unseen_sum:
        return f"{thresholds.unseen_sum} a day"
    if thresholds.unseen_count is not None and count > thresholds.unseen_count:
        return f"{thresholds.unseen_count} hits a day"
    return ""


Limit = TypeVar("Limit", Money, int)


def _lower(one: Limit | None, other: Limit | None) -> Limit | None:
    """None is never, so any sum and any number is lower."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)
