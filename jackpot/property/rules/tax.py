"""Tax on a win is dated data: what a house must report or withhold follows from the rule of the win's gaming day."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from fractions import Fraction

from jackpot.money import MILLION, ZERO, Money, Rounding


@dataclass(frozen=True, slots=True)
class TaxRule:
    """From a day on. Amounts compare with the win, the wager taken off first where the rule says so."""

    begins: date
    minimum: Money
    multiple: int = 0
    withhold_above: Money | None = None
    rate: int = 0
    wager_deducted: bool = True


@dataclass(frozen=True, slots=True)
class TaxDue:
    """What one rule makes of one win."""

    rule: TaxRule
    taxable: Money
    reported: bool
    withheld: Money


def rule_on(rules: Iterable[TaxRule], day: date) -> TaxRule | None:
    """The newest rule that had begun on that gaming day."""
    return max((rule for rule in rules if rule.begins <= day), key=lambda rule: rule.begins, default=None)


def tax_on(rule: TaxRule, amount: Money, wager: Money, digits: int = 2) -> TaxDue:
    """Reported from the minimum and the multiple of the wager up; above its own limit a reported win is withheld on.

    The sum withheld is cut to what can be paid: the rest stays with the player.
    """
    taxable = max(amount - wager, ZERO) if rule.wager_deducted else amount
    reported = taxable >= rule.minimum and taxable >= wager * rule.multiple
    withholds = reported and rule.withhold_above is not None and taxable > rule.withhold_above
    withheld = taxable.share(Fraction(rule.rate, MILLION), Rounding.DOWN, digits) if withholds else ZERO
    return TaxDue(rule, taxable, reported, withheld)


def tax_on_more(before: TaxDue, whole: TaxDue) -> TaxDue:
    """What is still due where a winner gets the rest of an award: the whole decides, less what was due before."""
    return TaxDue(whole.rule, whole.taxable - before.taxable, whole.reported, whole.withheld - before.withheld)
