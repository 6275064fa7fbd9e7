"""Who may approve what: the level and the number of people an act needs, by its sum."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

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


@dataclass(frozen=True, slots=True)
class Needed:
    """What one act needs. The sum is of all its awards, over all its jackpots."""

    level: int
    people: int


def needed(total: Money, thresholds: Thresholds) -> Needed:
    """A higher card serves lower sums; the threshold itself already needs the higher level."""
    level = EXECUTIVE if total >= thresholds.executive else SUPERVISOR
    people = 2 if thresholds.dual is not None and total >= thresholds.dual else 1
    return Needed(level, people)


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
    )


def _lower(one: Money | None, other: Money | None) -> Money | None:
    """None is never two people, so any sum is lower."""
    if one is None or other is None:
        return other if one is None else one
    return min(one, other)
