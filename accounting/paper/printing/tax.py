"""The tax box: the rule of the gaming day of payment, printed as it was used, and what it makes of this win."""

from __future__ import annotations

from datetime import date
from typing import Any, Final

from django.utils import timezone

from jackpot.payees.queries import record_of
from jackpot.property.models.property import Property
from jackpot.property.rules.tax import SlipSum, TaxRule
from jackpot.terms.rules.terms import percent
from jackpot.web.templatetags.figures import day, money
from jackpot.wins.models import Win
from jackpot.wins.queries.paying import payment_of, sum_on

Rows = list[tuple[str, str]]
NO_RULE: Final = "No tax rule of this house is on file for this gaming day."


def tax_box(win: Win, house: Property) -> dict[str, Any]:
    """The rule in a sentence, the rows that follow from it, and whether room is left for a form by hand."""
    payment = payment_of(win)
    # A paid slip prints what was withheld then, by its sealed record, whatever the rules say by now.
    pays = sum_on(win, _day_of(win, house)) if payment is None else payment.sum
    if pays.due is None:
        return {"rule": NO_RULE, "rows": [], "reported": payment is None}
    words = rule_words(pays.due.rule, house)
    difference = win.record.difference
    if difference is not None:
        words += f" Compared with the whole award, {money(difference.would_be, house)}."
    rows = _rows(pays, house)
    if payment is not None and payment.form_seen:
        rows.append(("Identity and form", f"in hand, {payment.payer_name}"))
    elif payment is not None and record_of(win) is not None:
        rows.append(("Payee", f"in the tax record, {payment.payer_name}"))
    return {"rule": words, "rows": rows, "reported": pays.reported and payment is None}


def _day_of(win: Win, house: Property) -> date:
    """The gaming day of payment; of an unpaid slip it is today's, and the rule that prints is today's."""
    return house.gaming_day(win.paid_at or timezone.now())


def rule_words(rule: TaxRule, house: Property) -> str:
    """ "Rule from Wed 1 Jan 2020: reported from $600.00 and 300 × the wager up, the wager taken off." """
    multiple = f" and {rule.multiple} × the wager" if rule.multiple else ""
    wager = "the wager taken off" if rule.wager_deducted else "the wager not taken off"
    above = f"; {percent(rule.rate)} withheld above {money(rule.withhold_above, house)}" if rule.withhold_above else ""
    return f"Rule from {day(rule.begins)}: reported from {money(rule.minimum, house)}{multiple} up, {wager}{above}."


def _rows(pays: SlipSum, house: Property) -> Rows:
    assert pays.due is not None, "without a rule there is nothing to say"
    rows = [("Taxable", money(pays.due.taxable, house)), ("Report", "required" if pays.reported else "not required")]
    if pays.withheld:
        rows += [("Withheld", money(pays.withheld, house)), ("To the player", money(pays.net, house))]
    return rows
