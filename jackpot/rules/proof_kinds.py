"""What every kind of entry must have moved, given the books before it."""

from __future__ import annotations

from typing import Final

from jackpot.money import Money, text_of_units
from jackpot.rules import movement
from jackpot.rules.movement import ACCOUNTS, Balances, Movement
from jackpot.rules.terms import Terms

FIRST: Final = frozenset({"opening", "take_over"})
CORRECTING: Final = frozenset({"void", "recount"})
KNOWN: Final = FIRST | CORRECTING | {"coin_in"}


def due(kind: str, found: Movement, before: Balances, terms: Terms, original: Movement | None) -> Movement | None:
    """The movement the rule demands; None where the rule cannot say, because what it corrects is not there."""
    match kind:
        case "coin_in":
            return movement.coin_in(chips(found, terms), terms, before.meter)
        case "opening":
            return movement.opening(terms.seed)
        case "take_over":
            return _take_over(found)
        case _:
            return None if original is None else movement.contra(original, before, terms)


def chips(found: Movement, terms: Terms) -> int:
    """How many whole chips a contribution is; a round without a chip has no entry, so at least one."""
    each = terms.meter_part.units + terms.reserve_part.units
    return max(-found.contributed // each, 1) if each else 1


def _take_over(found: Movement) -> Movement:
    """Its figures are the old system's; only its form can be checked: amounts in, advanced by house and outside."""
    meter, reserve, overflow = (Money(max(units, 0)) for units in (found.meter, found.reserve, found.overflow))
    return movement.take_over(meter, reserve, overflow, Money(max(-found.house, 0)))


def told(moved: Movement) -> str:
    """A movement as an accountant reads it: the accounts it touches."""
    touched = (
        f"{account} {'+' if units > 0 else ''}{text_of_units(units)}"
        for account, units in zip(ACCOUNTS, moved.columns(), strict=True)
        if units
    )
    return ", ".join(touched) or "nothing"
