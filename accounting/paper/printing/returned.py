"""The paper of a receipt: money that was paid in error came back over the window, told from its sealed record."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.utils import timezone

from accounting.paper.printing.facts import METHODS, lines_of
from accounting.paper.printing.typeset import returned_document
from accounting.paper.rules.copies import Form
from accounting.paper.rules.words import in_words
from jackpot.money import ZERO, Money, units_of
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow
from jackpot.trail.actions.trail import note_look
from jackpot.trail.rules import objects
from jackpot.web.templatetags.figures import day, moment, money, zone
from jackpot.wins.models import Win, WindowReceipt
from jackpot.wins.queries.paying import in_error, receipts_of

Rows = list[tuple[str, str]]
HEADING: Final = "Receipt for money paid in error"


def returned_paper(win: Win, number: int, form: Form, *, by: Any) -> bytes | None:
    """A PDF of this receipt for the player and the file; nothing where the slip has no such receipt.

    Nothing is ever paid on it, so it is no counted copy: each sheet says by whom and when it was printed, and so does
    the trail.
    """
    receipt = _receipt(win, number)
    if receipt is None:
        return None
    for record, name in ((receipt, f"Receipt {receipt.number}"), (receipt.payment, "The payment")):
        # Both seals: the paper prints what the window paid as well as what came back.
        if record.seal != record.seal_found():
            raise NotAllowedNow(
                f"{name} of slip {receipt.payment.slip} does not match its seal: no paper is made of it. "
                "Call the auditor.",
                "changed",
            )
    pdf = returned_document(facts_of(receipt, str(by), timezone.now()), form)
    note_look(by=by, about=objects.slip(win.slip, win.premises_id))
    return pdf


def facts_of(receipt: WindowReceipt, by: str, now: datetime) -> dict[str, Any]:
    """All that stands on the paper, as text."""
    house, payment, got = receipt.premises, receipt.payment, Money(units_of(receipt.net))
    win = payment.win
    return {
        "title": f"Receipt {receipt.number} for slip {payment.slip}",
        "property": {"name": house.name, "address": lines_of(house.address)},
        "heading": HEADING, "slip": str(payment.slip), "number": str(receipt.number),
        "amount": money(got, house), "words": in_words(got, house.currency),
        "groups": [
            {"title": "What it is for", "rows": _about(receipt)},
            {"title": "The account", "rows": _account(receipt)},
            {"title": "How it came", "rows": _how(receipt)},
        ],
        "tax": _tax(receipt, house),
        "names": [
            {"who": "Taken by", "name": receipt.taker_name},
            {"who": "Brought back by", "name": ""},
        ],
        "seal": receipt.seal, "entry": f"entry {receipt.entry:,} of {win.jackpot.code}",
        "printed": f"Printed by {by}, {moment(now, house)} {zone(now, house)}", "at": int(now.timestamp()),
    }  # fmt: skip


def _about(receipt: WindowReceipt) -> Rows:
    payment, house = receipt.payment, receipt.premises
    win = payment.win
    paid = f"{moment(payment.paid_at, house)} {zone(payment.paid_at, house)} by {payment.payer_name}"
    return [
        ("Slip", str(payment.slip)), ("Hand", win.line_name), ("Jackpot", win.jackpot.name),
        ("Table", f"{win.table_code}, round {win.round_number:,}, seat {win.seat}"), ("Paid", paid),
        ("Since then", "the win was backed out"),
    ]  # fmt: skip


def _account(receipt: WindowReceipt) -> Rows:
    """What the player got, what came back with and before this receipt, and what was still out after it."""
    house, payment = receipt.premises, receipt.payment
    # As the account stood with this receipt: printed again after the next one, the paper says the same.
    upto = [each for each in receipts_of(payment) if each.number <= receipt.number]
    before = sum((Money(units_of(each.net)) for each in upto[:-1]), ZERO)
    rows = [("The player got", money(Money(units_of(payment.net)), house))]
    rows += [("Came back before", money(-before, house))] if before else []
    return [
        *rows,
        ("This receipt", money(-Money(units_of(receipt.net)), house)),
        ("Still out", money(in_error(payment, upto).outstanding, house)),
    ]


def _how(receipt: WindowReceipt) -> Rows:
    house = receipt.premises
    rows = [("Received", METHODS.get(receipt.method, "Nothing: all of it had been withheld"))]
    rows += [("Number", receipt.reference)] if receipt.reference else []
    rows += [("Window", receipt.place)] if receipt.place else []
    at = f"{moment(receipt.taken_at, house)} {zone(receipt.taken_at, house)}"
    return [*rows, ("Taken", at), ("Gaming day", day(receipt.gaming_day))]


def _tax(receipt: WindowReceipt, house: Property) -> str:
    """What had been withheld is told where there was any: the player needs it for the tax office."""
    withheld = Money(units_of(receipt.payment.withheld))
    if not withheld:
        return ""
    if Money(units_of(receipt.withheld)):
        return f"{money(withheld, house)} had been withheld as tax. With this receipt it is not owed as tax any more."
    return f"{money(withheld, house)} had been withheld as tax. It is owed until the last of the money has come back."


def _receipt(win: Win, number: int) -> WindowReceipt | None:
    """With everything that its paper and the seals read."""
    rows = WindowReceipt.objects.select_related(
        "premises", "taker", "payment__win__jackpot", "payment__premises", "payment__tax_rule", "payment__payer"
    )
    return rows.filter(payment__win=win, number=number).first()
