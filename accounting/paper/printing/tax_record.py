"""The retained paper of a reported payment: who got how much of a slip, on which form, and room to sign."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any

from accounting.paper.printing.tax import NO_RULE, rule_words
from accounting.paper.printing.typeset import tax_record_document
from accounting.paper.rules.copies import Form
from jackpot.money import Money
from jackpot.payees.actions import OpenedPayee
from jackpot.payees.models import TaxRecord
from jackpot.payees.rules import NUMBER_WORDS
from jackpot.property.models.property import Property
from jackpot.web.templatetags.figures import day, moment, money, zone


def tax_record_paper(
    row: TaxRecord, payees: Sequence[OpenedPayee], form: Form, *, by: str, now: datetime
) -> bytes:  # fmt: skip
    """A PDF of one page or more; its foot says by whom and when it was opened."""
    return tax_record_document(facts_of(row, payees, by, now), form)


def facts_of(row: TaxRecord, payees: Sequence[OpenedPayee], by: str, now: datetime) -> dict[str, Any]:
    """All that stands on the paper, as text."""
    house, payment = row.premises, row.payment
    pays = payment.sum
    rule = NO_RULE if pays.due is None else rule_words(pays.due.rule, house)
    return {
        "title": f"Tax record, slip {row.slip}", "property": house.name, "address": house.address.splitlines(),
        "form_name": row.form or "kept for the cash report of the day", "slip": str(row.slip), "rule": rule,
        "rows": [
            ["Gaming day of payment", day(row.gaming_day)],
            ["Paid", f"{moment(payment.paid_at, house)} {zone(payment.paid_at, house)} by {payment.payer_name}"],
            ["Method", f"{payment.method} {payment.cheque}".strip()], ["Gross", money(pays.gross, house)],
            ["Withheld", money(pays.withheld, house)], ["Paid out", money(pays.net, house)],
        ],
        "payees": [_payee(each, house) for each in payees], "seal": payment.seal,
        "printed": f"Opened by {by}, {moment(now, house)}", "at": int(now.timestamp()),
    }  # fmt: skip


def _payee(each: OpenedPayee, house: Property) -> dict[str, Any]:
    gross, withheld, net = (_spoken(sum_, house) for sum_ in (each.share.gross, each.share.withheld, each.share.net))
    return {
        "place": str(each.place), "name": each.facts.name, "address": each.facts.address,
        "document": NUMBER_WORDS[each.facts.kind], "number": each.facts.number, "gross": gross,
        "withheld": withheld, "net": net,
    }  # fmt: skip


def _spoken(amount: Money, house: Property) -> str:
    return money(amount, house)
