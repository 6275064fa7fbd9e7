"""Who may approve what: the level and the number of people an act needs, by its sum."""

from __future__ import annotations

from dataclasses import dataclass
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
