"""A slip pays once, whatever the copy: the whole sum leaves the books, the player gets it less what is withheld."""

from __future__ import annotations

from datetime import date
from typing import Final

from django.db import transaction

from jackpot.books.actions.post import EntryReference, open_books
from jackpot.books.actions.writing import Posting
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.canonical import request_of
from jackpot.money import decimals_of, texts_of
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.authority import Thresholds
from jackpot.property.rules.tax import SlipSum
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import Payment, Signature, Win
from jackpot.wins.queries.as_posted import refuse_unlike_its_entry
from jackpot.wins.queries.paying import sum_on, why_unpaid
from jackpot.wins.queries.witnesses import noted_of
from jackpot.wins.rules.win_life import SPOKEN, Act, WinState, after

WRITE_WHO: Final = "Write who gets it: name, address and the number of the document."
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
    form_seen: bool = False,
    named: bool = False,
) -> Win:
    """Pays a slip of the payer's house: winners → paid, and the sealed record of what the player got of it.

    A second attempt hears when, where and by whom it was paid. `named`: the payees are written down with it, so that
    nobody need tick that their form is in hand (`jackpot/payees`); the database refuses it without them.
    """
    found = _slip(slip, premises or payer.premises)  # says what to lock; behind the lock it is read again
    with open_books([found.jackpot_id]) as books:
        rows = Win.objects.select_for_update(no_key=True, of=("self",)).select_related("jackpot__premises")
        win = rows.get(id=found.id)
        check_works_here(payer)  # under the lock, which a dismissal takes too: so it is over, or has not begun
        today = books.heads[win.jackpot_id].gaming_day
        _check(win, payer, today, method)
        pays = sum_on(win, today)
        gross, withheld, net = texts_of(pays.gross, pays.withheld, pays.net)
        _check_form(win, pays, shown=form_seen or named)
        request = request_of({"act": "pay", "slip": slip, "amount": gross})
        about = EntryReference(f"pay/{win.id}", request, win.table_code, win.round_number, win.id)
        posting = books.post(win.jackpot_id, EntryKind.PAY, money_of.pay(pays.gross), about)
        win.state, win.paid_at, win.paid_by, win.payer = WinState.PAID, posting.occurred_at, str(payer), payer
        win.paid_method, win.paid_cheque, win.paid_window = method, cheque, place
        win.save(update_fields=["state", "paid_at", "paid_by", "payer", "paid_method", "paid_cheque", "paid_window"])
        Signature.objects.create(win=win, operator=payer, level=0, part=Signature.Part.PAY, at=posting.occurred_at)
        _keep(win, posting, pays, form_seen=form_seen)
    details = {
        "amount": gross, "withheld": withheld, "net": net, "method": method, "place": place, "win": win.id,
        "form_seen": form_seen,
    }  # fmt: skip
    record(actor=payer, act="redeem_slip", about=objects.slip(slip, win.premises_id), details=details)
    return win


def _check_form(win: Win, pays: SlipSum, *, shown: bool) -> None:
    """A reported slip is paid with its payees where the rule of the day names a form, else with the payer's tick."""
    if shown or not pays.reported:
        return
    if pays.due is not None and pays.due.rule.form:
        why = f"Slip {win.slip} is not paid yet: it is reported on form {pays.due.rule.form}. {WRITE_WHO}"
        raise NotAllowedNow(why, "payees")
    gross, withheld = texts_of(pays.gross, pays.withheld)
    why = f"Slip {win.slip} has to be reported: {withheld} of {gross} is withheld."
    raise NotAllowedNow(f"{why} Tick that identity and form are in hand.", "form")


def _keep(win: Win, posting: Posting, pays: SlipSum, *, form_seen: bool) -> None:
    """The sealed record of the payment, beside the entry whose seal it carries."""
    house, payer, slip, due = win.jackpot.premises, win.payer, win.slip, pays.due
    assert payer is not None, "a slip is paid by somebody"
    assert slip is not None, "what is paid is a slip"
    gross, withheld, net = decimals_of(pays.gross, pays.withheld, pays.net)
    row = Payment(
        win=win, premises=house, slip=slip, entry=posting.seq, entry_seal=posting.seal.hex(),
        gross=gross, withheld=withheld, net=net, reported=pays.reported, form_seen=form_seen,
        method=win.paid_method, cheque=win.paid_cheque, place=win.paid_window, payer=payer, payer_name=win.paid_by,
        paid_at=posting.occurred_at, gaming_day=posting.gaming_day,
    )  # fmt: skip
    if due is not None:
        row.taxable, row.tax_rule = due.taxable.decimal(), house.tax_rules.get(begins=due.rule.begins)
    row.seal = row.seal_found()
    row.save(force_insert=True)


def _slip(slip: int, premises: Property | None) -> Win:
    """Slips are numbered by each house: the same number of another house is another slip."""
    # Two are enough to know that the number alone does not say which.
    found = list(Win.objects.filter(slip=slip, **({"premises": premises} if premises else {}))[:2])
    if not found:
        raise NotFound(f"There is no slip {slip} here. Compare the number with the page.", "no_slip")
    if len(found) > 1:
        raise NotAllowedNow(f"Slip {slip} is there in more than one house. Pay it where it was given.", "which_house")
    return found[0]


def _check(win: Win, payer: Operator, today: date, method: str) -> None:
    if win.state == WinState.PAID and win.paid_at is not None:
        zone = win.jackpot.premises.zone
        when = win.paid_at.astimezone(zone).strftime("%d %b %Y at %H:%M")
        where = win.paid_window or win.jackpot.premises.name
        raise NotAllowedNow(
            f"Slip {win.slip} was paid on {when} at {where} by {win.paid_by}. Do not pay it again.", "paid"
        )
    if after(WinState(win.state), Act.PAY) is None:
        raise NotAllowedNow(f"Slip {win.slip} is {SPOKEN[WinState(win.state)]}; it cannot be paid.", "not_payable")
    held = why_unpaid(win, today)
    if held:
        raise NotAllowedNow(held, "held")
    refuse_unlike_its_entry(win)
    thresholds = win.jackpot.premises.thresholds  # of the day of payment
    if thresholds.cheque_from is not None and method != "cheque":
        _refuse_cash(win, thresholds)
    if not thresholds.verifier_may_pay:
        _check_payer(win, payer)


def _refuse_cash(win: Win, thresholds: Thresholds) -> None:
    if thresholds.cheque_only(win.amount_money) is not None:
        why = f"Slip {win.slip} comes to {win.amount_money}: from {thresholds.cheque_from} up it is paid by cheque."
        raise NotAllowedNow(f"{why} Choose cheque and write its number.", "method")


def _check_payer(win: Win, payer: Operator) -> None:
    """Neither who gave a word for the win nor who stood by it pays it, unless the house says so."""
    house = win.jackpot.premises
    approved = win.envy_of or win  # an envied seat is paid on the words given for the hit
    if approved.signatures.filter(part__in=GAVE_THE_WORD, operator=payer).exists():
        raise NotAllowed(f"{payer} approved this win and may not pay it. Another person must.", "same_person")
    if any(note.operator_id == payer.pk for note in noted_of(house, win)):
        raise NotAllowed(f"{payer} stood by this win and may not pay it. Another person must.", "same_person")
