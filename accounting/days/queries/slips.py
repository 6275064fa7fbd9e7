"""Win pages against wins: what record, page, entry and payment say of every slip of a gaming day."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import date

from django.db.models import Max

from accounting.days.models import DaySnapshot
from accounting.days.rules.reconcile import CloseColumn, CloseLine, LineState, SlipFacts, slip_lines
from accounting.paper.models.page import WinPage
from jackpot.books.models.entry import Entry
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from jackpot.wins.models import Payment, Win, WindowReceipt
from jackpot.wins.queries.paying import payments_on, receipts_on
from jackpot.wins.rules.win_life import WinState


def wins_lines(premises: Property, day: date, snapshots: Sequence[DaySnapshot]) -> list[CloseLine]:
    """The slips given on the day, without a gap, and what the windows paid on it."""
    wins = list(Win.objects.filter(premises=premises, gaming_day=day, slip__isnull=False).order_by("slip"))
    slips = slip_lines(_first(premises, day), [_facts(win) for win in wins])
    windows = [*_payments(premises, day), *_receipts(premises, day)]
    return [*slips, *windows, *_unrecorded(premises, day, snapshots)]


def _first(premises: Property, day: date) -> int | None:
    """The number that the first slip of the day must carry."""
    before = Win.objects.filter(premises=premises, gaming_day__lt=day).aggregate(last=Max("slip"))["last"]
    return 1 if before is None else int(before) + 1


def _facts(win: Win) -> SlipFacts:
    assert win.slip is not None, "only slips are compared"
    assert win.amount_money is not None, "a slip has its amount"
    moved = _owed(win)
    printed = WinPage.objects.filter(win=win).exists()
    return SlipFacts(win.slip, win.amount_money, moved, printed=printed)


def _owed(win: Win) -> Money | None:
    """What the books say the winner is owed; before the key is turned to RUN that is what was fixed."""
    if win.award_seq is None:
        return win.amount_money if win.state in (WinState.LOGGED, WinState.BACKED_OUT) else None
    row = Entry.objects.filter(jackpot_id=win.jackpot_id, seq=win.award_seq, win_id=win.pk).first()
    return None if row is None else Money(units_of(row.winners))


def _payments(premises: Property, day: date) -> Iterator[CloseLine]:
    for payment in payments_on(premises, day):
        faults = tuple(_faults(payment))
        state = LineState.DIFFERS if faults else LineState.MATCHES
        amount = str(Money(units_of(payment.gross)))
        split = f"{Money(units_of(payment.net))} to the player, {Money(units_of(payment.withheld))} withheld."
        told = " ".join(faults) or split
        yield CloseLine(CloseColumn.WINS, f"payment of slip {payment.slip}", state, amount, amount, told=told)


def _faults(payment: Payment) -> Iterator[str]:
    """Against its own seal, against its entry, against the record of its win."""
    if payment.seal_found() != payment.seal:
        yield "The record of the payment does not match its seal."
    rows = Entry.objects.filter(jackpot=payment.win.jackpot_id, seq=payment.entry, kind=EntryKind.PAY)
    entry = rows.first()
    if entry is None or bytes(entry.seal).hex() != payment.entry_seal:
        yield f"Entry {payment.entry} of {payment.win.jackpot.code} is not the one that the payment names."
    elif units_of(entry.paid) != units_of(payment.gross):
        yield f"Entry {payment.entry} moved {Money(units_of(entry.paid))}."
    if payment.win.amount != payment.gross:
        yield f"The slip says {payment.win.amount_money}."


def _receipts(premises: Property, day: date) -> Iterator[CloseLine]:
    """What came back over the windows of payments in error: it fills no meter, so it stands on lines of its own."""
    for receipt in receipts_on(premises, day):
        faults = " ".join(_faults_of_receipt(receipt))
        state = LineState.DIFFERS if faults else LineState.MATCHES
        amount, name = str(Money(units_of(receipt.gross))), f"receipt {receipt.number} for slip {receipt.payment.slip}"
        split = f"{Money(units_of(receipt.net))} from the player, {Money(units_of(receipt.withheld))} of the tax."
        yield CloseLine(CloseColumn.WINS, name, state, amount, amount, told=faults or split)


def _faults_of_receipt(receipt: WindowReceipt) -> Iterator[str]:
    if receipt.seal_found() != receipt.seal:
        yield "The record of the receipt does not match its seal."
    jackpot = receipt.payment.win.jackpot
    entry = Entry.objects.filter(jackpot=jackpot, seq=receipt.entry, kind=EntryKind.RECEIPT).first()
    if entry is None or bytes(entry.seal).hex() != receipt.entry_seal:
        yield f"Entry {receipt.entry} of {jackpot.code} is not the one that the receipt names."
    elif -units_of(entry.paid) != units_of(receipt.gross):
        yield f"Entry {receipt.entry} moved {Money(-units_of(entry.paid))}."


def _unrecorded(premises: Property, day: date, snapshots: Sequence[DaySnapshot]) -> Iterator[CloseLine]:
    """What the books paid, or took back, on the day without a record of it."""
    known = set(payments_on(premises, day).values_list("win__jackpot_id", "entry"))
    known |= set(receipts_on(premises, day).values_list("payment__win__jackpot_id", "entry"))
    for each in snapshots:
        paid = Entry.objects.filter(
            jackpot=each.jackpot_id, seq__gt=each.after_seq, seq__lte=each.last_seq, win_id__isnull=False
        ).filter(kind__in=(EntryKind.PAY, EntryKind.RECEIPT))
        for entry in paid.order_by("seq"):
            if (each.jackpot_id, entry.seq) not in known:
                name, amount = f"{each.jackpot.code} entry {entry.seq}", Money(units_of(entry.paid))
                did = "paid this" if entry.kind == EntryKind.PAY else "took this back"
                told = f"The books {did} and no window has a record of it."
                yield CloseLine(CloseColumn.WINS, name, LineState.DIFFERS, "0.00", str(amount), amount, told)
