"""What a window must know of a slip before it pays: the sum, and whatever holds the payment up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from typing import Any

from babel.numbers import get_currency_precision
from django.db.models import QuerySet

from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from jackpot.property.rules.tax import SlipSum, slip_sum
from jackpot.property.rules.unclaimed import ClaimState, SlipClaim, claim_on
from jackpot.requests.rules.life import OPEN
from jackpot.wins.models import Dispute, Payment, UnclaimedNotice, Win, WindowReceipt
from jackpot.wins.queries.witnesses import witnesses_of
from jackpot.wins.rules.paid_in_error import PaidInError
from jackpot.wins.rules.win_life import WinState


def payment_of(win: Win) -> Payment | None:
    return Payment.objects.select_related("tax_rule", "payer", "premises").filter(win=win).first()


def payments_on(premises: Property, day: date) -> QuerySet[Payment]:
    """What the windows of a house paid on a gaming day, in the order of payment."""
    rows = Payment.objects.filter(premises=premises, gaming_day=day)
    return rows.select_related("win__jackpot", "tax_rule", "payer", "premises").order_by("id")


def receipts_of(payment: Payment) -> list[WindowReceipt]:
    """What came back of a payment in error, in the order in which it came."""
    rows = WindowReceipt.objects.filter(payment=payment).select_related("payment", "premises", "taker")
    return list(rows.order_by("number"))


def in_error(payment: Payment, receipts: Sequence[WindowReceipt]) -> PaidInError:
    """How much of a payment is still out, its win being backed out."""
    came_back = tuple(Money(units_of(each.net)) for each in receipts)
    return PaidInError(Money(units_of(payment.net)), Money(units_of(payment.withheld)), came_back)


def receipts_on(premises: Property, day: date) -> QuerySet[WindowReceipt]:
    """What the windows of a house got back on a gaming day."""
    rows = WindowReceipt.objects.filter(premises=premises, gaming_day=day)
    return rows.select_related("payment__win__jackpot", "premises", "taker").order_by("id")


def sum_on(win: Win, day: date) -> SlipSum:
    """Gross, withheld and net as they would be if the slip were paid on this gaming day."""
    house, gross = win.jackpot.premises, win.amount_money
    assert gross is not None, "a win with a slip has its amount"
    rules = [row.value for row in house.tax_rules.all()]
    if not rules:
        return SlipSum.of(gross)
    told, digits = win.record, get_currency_precision(house.currency)
    difference = None if told.difference is None else (told.difference.was, told.difference.would_be)
    return slip_sum(rules, day, gross, told.wager, digits, difference)


def open_dispute(win: Win) -> Dispute | None:
    return Dispute.objects.filter(win=win, settled_at=None).select_related("opened_by").first()


@dataclass(frozen=True, slots=True)
class UnclaimedSlip:
    """A slip that is owed and not paid."""

    win_id: int
    slip: int
    amount: Money
    gaming_day: date
    jackpot: str
    claim: SlipClaim


def unclaimed_slips(premises: Property, today: date) -> list[UnclaimedSlip]:
    """The oldest first, with when each lapses. There may be thousands, so none of them is read whole."""
    rows = Win.objects.filter(premises=premises, state=WinState.OWED).order_by("gaming_day", "slip")
    told = set(UnclaimedNotice.objects.filter(win__in=rows).values_list("win_id", flat=True))
    rules = [row.value for row in premises.unclaimed_rules.all()]

    @cache
    def claim(given: date, notified: bool) -> SlipClaim:
        return claim_on(rules, given, today, notified=notified)

    found: Any = rows.values_list("pk", "slip", "amount", "gaming_day", "jackpot__code")  # at a slip none is empty
    return [
        UnclaimedSlip(id_, slip, Money(units_of(amount)), given, jackpot, claim(given, id_ in told))
        for id_, slip, amount, given, jackpot in found
    ]


def why_unpaid(win: Win, today: date) -> str:
    """Why this slip is not paid for now, naming who asked or contests; nothing where nobody does."""
    assert win.gaming_day is not None, "a slip has its gaming day"
    rules = [row.value for row in win.jackpot.premises.unclaimed_rules.all()]
    claim = claim_on(rules, win.gaming_day, today) if rules else None
    if claim is not None and claim.state == ClaimState.LAPSED:
        return (
            f"Slip {win.slip} lapsed after {claim.lapses}: it is {claim.age} days old and no window pays it any more. "
            "Send its owner to the accountant."
        )
    waiting = win.requests.filter(kind="back_out", state__in=sorted(OPEN)).order_by("pk").first()
    if waiting is not None:
        return (
            f"Slip {win.slip} is not paid now: its back-out, request {waiting.pk} asked for by "
            f"{waiting.asked_by_name}, waits for its second person. Have it approved or refused first."
        )
    dispute = open_dispute(win)
    if dispute is not None:
        return (
            f"Slip {win.slip} is not paid now: {dispute.opened_by} disputes it ({dispute.why}). Another person "
            "settles the dispute on the win's record first."
        )
    return witnesses_of(win).why_not_paid(win.slip)
