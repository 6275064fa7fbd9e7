"""Money that was paid in error comes back over the window: paid → house, beside its sealed record."""

from __future__ import annotations

from typing import Final

from babel.numbers import get_currency_precision
from django.db import transaction

from jackpot.books.actions.post import EntryReference, open_books
from jackpot.books.actions.writing import Posting
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.canonical import request_of
from jackpot.money import ZERO, Money, decimals_of
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import AlreadyPosted, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import Payment, Win, WindowReceipt
from jackpot.wins.queries.paying import in_error, payment_of, receipts_of
from jackpot.wins.rules.paid_in_error import PaidInError, ReceiptSum
from jackpot.wins.rules.win_life import SPOKEN, WinState

NOTHING_CAME: Final = "none"  # where the whole payment was withheld


@transaction.atomic
def receive_back(
    *,
    slip: int,
    number: int,
    amount: Money,
    taker: Operator,
    premises: Property,
    method: str = "cash",
    reference: str = "",
    place: str = "",
) -> WindowReceipt:
    """The asker numbers the slip's receipts from 1: the same one again is harmless, anything else under it is loud."""
    found = _slip(slip, premises)
    with open_books([found.jackpot_id]) as books:
        win = Win.objects.select_for_update(no_key=True, of=("self",)).get(pk=found.pk)
        check_works_here(taker)
        payment = _payment(win)
        before = receipts_of(payment)
        # Before anything is judged: a repeat is answered though nothing is owed any more.
        if number <= len(before):
            return _taken_already(before[number - 1], (amount, method, reference, place, taker.pk))
        if number != len(before) + 1:
            raise NotUnderstood(f"The next receipt for slip {slip} is number {len(before) + 1}.", "number")
        _check_cents(premises, amount)
        pays = _sum(slip, in_error(payment, before), amount)
        _check_method(slip, amount, method)
        request = request_of({"act": "receipt", "slip": slip, "number": number, "amount": str(pays.gross)})
        about = EntryReference(f"receipt/{win.pk}/{number}", request, win.table_code, win.round_number, win.pk)
        posting = books.post(win.jackpot_id, EntryKind.RECEIPT, money_of.receipt(pays.gross), about)
        row = WindowReceipt(
            payment=payment, premises=premises, number=number, method=method, reference=reference, place=place,
            taker=taker, taker_name=str(taker),
        )  # fmt: skip
        _keep(row, posting, pays)
    split = {"amount": str(pays.gross), "withheld": str(pays.withheld), "net": str(pays.net)}
    details = {**split, "number": number, "method": method, "place": place, "win": win.pk}
    record(actor=taker, act="receive_back", about=objects.slip(slip, win.premises_id), details=details)
    return row


def _keep(row: WindowReceipt, posting: Posting, pays: ReceiptSum) -> None:
    """Sealed beside the entry whose seal it carries."""
    row.entry, row.entry_seal = posting.seq, posting.seal.hex()
    row.gross, row.withheld, row.net = decimals_of(pays.gross, pays.withheld, pays.net)
    row.taken_at, row.gaming_day = posting.occurred_at, posting.gaming_day
    row.seal = row.seal_found()
    row.save(force_insert=True)


def _payment(win: Win) -> Payment:
    """What was paid in error: a win that was paid and is backed out."""
    payment, void = payment_of(win), win.state == WinState.BACKED_OUT
    if payment is None or not void:
        told = "backed out and was never paid" if void else SPOKEN[WinState(win.state)]
        cure = "" if void else " If it was, have the win backed out first."
        raise NotAllowedNow(f"Slip {win.slip} is {told}: nothing of it was paid in error.{cure}", "not_in_error")
    return payment


def _sum(slip: int, error: PaidInError, amount: Money) -> ReceiptSum:
    pays = error.receipt(amount)
    if pays is None:
        left = error.outstanding
        why = (
            f"Of slip {slip}, {left} is still out" if error.is_open else f"Everything of slip {slip} came back already"
        )
        raise NotAllowedNow(f"{why}; {amount} cannot be taken for it.", "not_outstanding")
    return pays


def _check_cents(premises: Property, amount: Money) -> None:
    digits = get_currency_precision(premises.currency)
    if amount.shown(digits) != amount:
        raise NotUnderstood(f"{amount} cannot be paid: write {digits} decimals at most.", "amount")


def _check_method(slip: int, amount: Money, method: str) -> None:
    """Nothing comes in cash or by cheque, and money never comes by nothing."""
    if (amount == ZERO) is not (method == NOTHING_CAME):
        how = "with the method “none”" if amount == ZERO else "in cash or by cheque"
        raise NotUnderstood(f"{amount} for slip {slip} comes back {how}.", "method")


def _taken_already(row: WindowReceipt, said: tuple[Money, str, str, str, int]) -> WindowReceipt:
    """A form sent twice says the same of everything; the same sum by other means is other money."""
    if (Money.of(row.net), row.method, row.reference, row.place, row.taker_id) != said:
        sum_, how = Money.of(row.net), row.method
        told = f"Receipt {row.number} for slip {row.payment.slip} was {sum_} ({how}), taken by {row.taker_name}."
        raise AlreadyPosted(f"{told} Ask for the next receipt.", "receipt")
    return row


def _slip(slip: int, premises: Property) -> Win:
    found: Win | None = Win.objects.filter(slip=slip, premises=premises).first()
    if found is None:
        raise NotFound(f"There is no slip {slip} here. Compare the number with the page.", "no_slip")
    return found
