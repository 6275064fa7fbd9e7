"""A slip is paid together with its tax record; what that says of people is opened by name, and each look is told."""

from __future__ import annotations

import base64
import hmac
import json
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from babel.numbers import get_currency_precision
from cryptography.fernet import Fernet, InvalidToken
from django.conf import settings
from django.db import transaction
from django.utils import timezone

from jackpot.money import Money, decimals_of, units_of
from jackpot.payees.models import Payee, TaxRecord
from jackpot.payees.rules import (
    PayeeFacts,
    PayeeNumber,
    PayeeShare,
    form_for,
    shares_of,
    why_payees,
)
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.actions.pay import WRITE_WHO, redeem
from jackpot.wins.models import Payment, Win

SEES: Final = "payees"  # the verb of whom a record concerns
CASH: Final = "cash"


@dataclass(frozen=True, slots=True)
class OpenedPayee:
    """One person of a record, as it was written, with the share."""

    facts: PayeeFacts
    share: PayeeShare
    place: int


@transaction.atomic
def pay_slip(
    *,
    slip: int,
    payer: Operator,
    premises: Property | None = None,
    payees: Sequence[PayeeFacts] = (),
    form_seen: bool = False,
    **how: Any,
) -> Win:
    """Pays a slip of the payer's house once, and keeps whom; where the rule of the day asks for it, never without."""
    # Paid first, in the same transaction: which rule counts is known by the gaming day under the books' lock.
    win = redeem(slip=slip, payer=payer, premises=premises, form_seen=form_seen, named=bool(payees), **how)
    payment = win.payment
    pays, in_cash = payment.sum, payment.method == CASH
    why = why_payees(pays, in_cash=in_cash)
    if why and not payees:
        # This takes the payment back with it: no slip is paid and then waits for its paper.
        raise NotAllowedNow(f"Slip {slip} is not paid yet: {why}. {WRITE_WHO}", "payees")
    if payees:
        _keep(payment, payees, in_cash=in_cash)
    return win


def _keep(payment: Payment, payees: Sequence[PayeeFacts], *, in_cash: bool) -> None:
    pays, house = payment.sum, payment.premises
    shares = shares_of(pays, payees, get_currency_precision(house.currency))
    row = TaxRecord.objects.create(
        payment=payment, premises=house, slip=payment.slip, gaming_day=payment.gaming_day,
        form=form_for(pays, len(payees)), in_cash=in_cash, written_by=payment.payer, written_at=payment.paid_at,
    )  # fmt: skip
    # Compared as they are kept, by the document: two names for one number are one person, two people may share a name.
    people = [_person(each) for each in payees]
    if len(set(people)) < len(people):
        why = f"Two payees of slip {payment.slip} have the same number."
        raise NotAllowedNow(f"{why} Write each person once.", "payees")
    for place, (each, share, person) in enumerate(zip(payees, shares, people, strict=True), start=1):
        gross, withheld, net = decimals_of(share.gross, share.withheld, share.net)
        Payee.objects.create(
            record=row, place=place, person=person, sealed=_sealed(each), gross=gross, withheld=withheld, net=net
        )
    details = {"form": row.form, "payees": len(payees), "in_cash": in_cash}
    record(actor=payment.payer, act="write_tax_record", about=objects.slip(payment.slip, house.pk), details=details)


@transaction.atomic
def open_record(*, row: TaxRecord, by: Operator, why: str) -> list[OpenedPayee]:
    """Whom it concerns reads it; every look is a line of the trail, with what it was for."""
    check_works_here(by)
    if not may_open(row, by):
        why_not = "It is opened by somebody whose role says so, and on its day by who paid."
        raise NotAllowed(f"The tax record of slip {row.slip} does not concern {by}. {why_not}", "role")
    opened = [_opened(each) for each in row.payees.all()]
    about = objects.slip(row.slip, row.premises_id)
    # In the transaction that opens: where the look cannot be told, nothing is shown.
    record(actor=by, act="look_at_tax_record", about=about, why=why[:200], details={"payees": len(opened)})
    return opened


def may_open(row: TaxRecord, by: Operator) -> bool:
    """Whoever has the verb; and who paid, until that gaming day is over: the player signs the paper at the window."""
    if by.premises_id not in (None, row.premises_id):
        return False
    today = row.premises.gaming_day(timezone.now())
    return SEES in by.verbs() or (row.written_by_id == by.pk and row.gaming_day == today)


def _opened(row: Payee) -> OpenedPayee:
    try:
        told = json.loads(_locker().decrypt(bytes(row.sealed)))
    except InvalidToken:
        why = "the key file of this house is not the one that it was sealed with"
        raise NotAllowedNow(f"{row} cannot be opened: {why}. Put the right one back.", "key") from None
    facts = PayeeFacts(told["name"], told["address"], PayeeNumber(told["kind"]), told["number"])
    return OpenedPayee(facts, PayeeShare(Money(units_of(row.gross)), Money(units_of(row.withheld))), row.place)


def _sealed(payee: PayeeFacts) -> bytes:
    return _locker().encrypt(json.dumps(payee.plain(), sort_keys=True, ensure_ascii=False).encode())


def _person(payee: PayeeFacts) -> str:
    """The same person by the same document, whatever slip it is; nobody counts back from it without the key file."""
    key = hmac.digest(settings.MASTER_KEY, b"who payees are", "sha256")
    # Half a digest is plenty to tell people apart, and is what the column holds.
    return hmac.digest(key, f"{payee.kind}/{payee.number}".encode(), "sha256")[:16].hex()


def _locker() -> Fernet:
    # A key of its own, drawn from the key file, which no dump holds: a copy of the books alone opens no name.
    return Fernet(base64.urlsafe_b64encode(hmac.digest(settings.MASTER_KEY, b"payees", "sha256")))
