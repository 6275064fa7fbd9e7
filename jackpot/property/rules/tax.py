"""Tax on a win is dated data: what a house reports or withholds follows from the rule of the gaming day of payment."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
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
    form: str = ""  # on which a reported win is told, with its payee: W-2G; empty: no payee is written down
    shared_form: str = ""  # where several people share it: 5754
    currency_above: Money | None = None  # so much cash to one person on one gaming day is told


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


@dataclass(frozen=True, slots=True)
class SlipSum:
    """What a window does with one slip: its whole sum leaves the books, a part is withheld, the player gets the rest.

    `due` is empty where the house had no tax rule on that day: then nothing is withheld.
    """

    gross: Money
    withheld: Money
    net: Money
    reported: bool  # identity and form must be in hand before the player gets anything
    due: TaxDue | None

    @classmethod
    def of(cls, gross: Money, due: TaxDue | None = None) -> SlipSum:
        if due is None:
            return cls(gross, ZERO, gross, reported=False, due=None)
        return cls(gross, due.withheld, gross - due.withheld, reported=due.reported, due=due)


def slip_sum(
    rules: Iterable[TaxRule], day: date, gross: Money, wager: Money, digits: int = 2,
    difference: tuple[Money, Money] | None = None,
) -> SlipSum:  # fmt: skip
    """The slip as paid on a gaming day. A slip over the rest of an award compares with the award before and whole."""
    rule = rule_on(rules, day)
    if rule is None:
        return SlipSum.of(gross)
    if difference is None:
        return SlipSum.of(gross, tax_on(rule, gross, wager, digits))
    before, whole = (tax_on(rule, amount, wager, digits) for amount in difference)
    more = tax_on_more(before, whole)
    # What the award before should have had withheld cannot be taken out of a smaller rest.
    return SlipSum.of(gross, replace(more, withheld=min(max(more.withheld, ZERO), gross)))
