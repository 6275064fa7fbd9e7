"""The tax box: the rule of the win's gaming day, printed as it was used, and what it makes of this win."""

from __future__ import annotations

from typing import Any, Final

from babel.numbers import get_currency_precision

from jackpot.money import Money
from jackpot.property.models.property import Property
from jackpot.property.queries import tax_rules
from jackpot.property.rules.tax import TaxDue, TaxRule, rule_on, tax_on, tax_on_more
from jackpot.web.templatetags.figures import day, money
from jackpot.wins.models import Win

Rows = list[tuple[str, str]]
NO_RULE: Final = "No tax rule of this house is on file for this gaming day."


def tax_box(win: Win, house: Property, amount: Money) -> dict[str, Any]:
    """The rule in a sentence, the rows that follow from it, and whether a form has to be filled in."""
    due = tax_of(win, house, amount)
    if due is None:
        return {"rule": NO_RULE, "rows": [], "reported": True}
    words = rule_words(due.rule, house)
    difference = win.record.difference
    if difference is not None:
        words += f" Compared with the whole award, {money(difference.would_be, house)}."
    return {"rule": words, "rows": _rows(due, amount, house), "reported": due.reported}


def tax_of(win: Win, house: Property, amount: Money) -> TaxDue | None:
    assert win.gaming_day is not None, "a slip has its gaming day"
    rule = rule_on(tax_rules(house), win.gaming_day)
    digits, wager = get_currency_precision(house.currency), win.record.wager
    if rule is None:
        return None
    difference = win.record.difference
    if difference is None:
        return tax_on(rule, amount, wager, digits)
    was, whole = difference.was, difference.would_be
    return tax_on_more(tax_on(rule, was, wager, digits), tax_on(rule, whole, wager, digits))


def rule_words(rule: TaxRule, house: Property) -> str:
    """ "Rule from Wed 1 Jan 2020: reported from $600.00 and 300 × the wager up, the wager taken off." """
    multiple = f" and {rule.multiple} × the wager" if rule.multiple else ""
    wager = "the wager taken off" if rule.wager_deducted else "the wager not taken off"
    above = f"; {_percent(rule.rate)} withheld above {money(rule.withhold_above, house)}" if rule.withhold_above else ""
    return f"Rule from {day(rule.begins)}: reported from {money(rule.minimum, house)}{multiple} up, {wager}{above}."


def _rows(due: TaxDue, amount: Money, house: Property) -> Rows:
    rows = [("Taxable", money(due.taxable, house)), ("Report", "required" if due.reported else "not required")]
    if due.withheld:
        rows += [("Withheld", money(due.withheld, house)), ("To the player", money(amount - due.withheld, house))]
    return rows


def _percent(millionths: int) -> str:
    whole, rest = divmod(millionths, 10_000)
    return f"{whole}{f'.{rest:04d}'.rstrip('0') if rest else ''} %"
