"""A slip pays once, whatever the copy."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from jackpot.books.actions.post import EntryReference, open_books
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.movement import Movement
from jackpot.canonical import request_of
from jackpot.money import Money
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.trail.actions.trail import record
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import SPOKEN, Act, WinState, after

GAVE_THE_WORD: Final = (Signature.Part.APPROVE, Signature.Part.DIFFERENCE)


@transaction.atomic
def redeem(
    *,
    slip: int,
    payer: Operator,
    premises: Property | None = None,
    method: str = "cash",
    cheque: str = "",
    place: str = "",
) -> Win:
    """Pays a slip of the payer's house: winners → paid. A second attempt hears when, where and by whom it was paid."""
    found = _slip(slip, premises or payer.premises)
    with open_books([found.jackpot_id]) as books:
        win = (
            Win.objects.select_for_update(no_key=True, of=("self",))
            .select_related("jackpot__premises")
            .get(id=found.id)
        )
        _check(win, payer)
        amount = win.amount_money
        assert amount is not None, "a win with a slip has its amount"
        request = request_of({"act": "pay", "slip": slip, "amount": str(amount)})
        about = EntryReference(f"pay/{win.id}", request, win.table_code, win.round_number, win.id)
        posting = books.post(win.jackpot_id, EntryKind.PAY, _paid(amount), about)
        win.state, win.paid_at, win.paid_by, win.payer = WinState.PAID, posting.occurred_at, str(payer), payer
        win.paid_method, win.paid_cheque, win.paid_window = method, cheque, place
        win.save(update_fields=["state", "paid_at", "paid_by", "payer", "paid_method", "paid_cheque", "paid_window"])
        Signature.objects.create(win=win, operator=payer, level=0, part=Signature.Part.PAY, at=posting.occurred_at)
    details = {"amount": str(amount), "method": method, "place": place, "win": win.id}
    record(actor=str(payer), act="redeem_slip", subject=f"slip {slip}", details=details)
    return win


def _slip(slip: int, premises: Property | None) -> Win:
    """Slips are numbered by each house: the same number of another house is another slip."""
    found = list(Win.objects.filter(slip=slip, **({"premises": premises} if premises else {}))[:2])
    if not found:
        raise NotFound(f"There is no slip {slip} here. Compare the number with the page.", "no_slip")
    if len(found) > 1:
        raise NotAllowedNow(f"Slip {slip} is there in more than one house. Pay it where it was given.", "which_house")
    return found[0]


def _paid(amount: Money) -> Movement:
    return Movement(winners=-amount.units, paid=amount.units)


def _check(win: Win, payer: Operator) -> None:
    if win.state == WinState.PAID and win.paid_at is not None:
        zone = win.jackpot.premises.zone
        when = win.paid_at.astimezone(zone).strftime("%d %b %Y at %H:%M")
        where = win.paid_window or win.jackpot.premises.name
        raise NotAllowedNow(
            f"Slip {win.slip} was paid on {when} at {where} by {win.paid_by}. Do not pay it again.", "paid"
        )
    if after(WinState(win.state), Act.PAY) is None:
        raise NotAllowedNow(f"Slip {win.slip} is {SPOKEN[WinState(win.state)]}; it cannot be paid.", "not_payable")
    approved = win.envy_of or win  # an envied seat is paid on the words given for the hit
    verified = approved.signatures.filter(part__in=GAVE_THE_WORD, operator=payer).exists()
    if verified and not win.jackpot.premises.thresholds.verifier_may_pay:
        raise NotAllowed(f"{payer} approved this win and may not pay it. Another person must.", "same_person")
