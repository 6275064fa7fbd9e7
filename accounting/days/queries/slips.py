"""Win pages against wins: what record, page, entry and payment say of every slip of a gaming day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.db.models import Max

from accounting.days.models import DaySnapshot
from accounting.days.rules.reconcile import CloseColumn, CloseLine, LineState, SlipFacts, slip_lines
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.database.raw import ask_together
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from jackpot.wins.models import Payment, Win, WindowReceipt
from jackpot.wins.queries.paying import payments_on, receipts_on
from jackpot.wins.rules.win_life import WinState

NAMED: Final = """
SELECT e.jackpot_id, e.seq, e.kind, e.seal, e.paid
  FROM unnest(%s::bigint[], %s::bigint[]) AS n (jackpot_id, seq)
  JOIN jackpot_entry e ON e.jackpot_id = n.jackpot_id AND e.seq = n.seq
"""
# A slip whose award the books do not have as its own owes nothing; before RUN what was fixed is what is owed.
SLIPS: Final = """
SELECT w.slip, w.amount,
       CASE WHEN w.award_seq IS NOT NULL THEN CASE WHEN e.win_id = w.id THEN e.winners END
            WHEN w.state = ANY (%s) THEN w.amount END,
       EXISTS (SELECT 1 FROM accounting_winpage p WHERE p.win_id = w.id)
  FROM jackpot_win w LEFT JOIN jackpot_entry e ON e.jackpot_id = w.jackpot_id AND e.seq = w.award_seq
 WHERE w.premises_id = %s AND w.gaming_day = %s AND w.slip IS NOT NULL ORDER BY w.slip
"""
FIXED: Final = [WinState.LOGGED.value, WinState.BACKED_OUT.value]
# “Not a coin-in” says nothing new: it is the condition of the small index of all other acts, which then answers.
PAID: Final = """
SELECT e.jackpot_id, e.seq, e.kind, e.paid
  FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) WITH ORDINALITY AS day (jackpot_id, after, upto, place)
  JOIN jackpot_entry e ON e.jackpot_id = day.jackpot_id AND e.seq > day.after AND e.seq <= day.upto
       AND e.kind <> 'coin_in' AND e.kind IN ('pay', 'receipt')
 ORDER BY day.place, e.seq
"""


def wins_lines(premises: Property, day: date, snapshots: Sequence[DaySnapshot]) -> list[CloseLine]:
    """The slips given on the day, without a gap, and what the windows paid on it."""
    slips = slip_lines(_first(premises, day), _given_on(premises, day))
    windows = [*_payments(premises, day), *_receipts(premises, day)]
    return [*slips, *windows, *_unrecorded(premises, day, snapshots)]


def _first(premises: Property, day: date) -> int | None:
    """The number that the first slip of the day must carry."""
    # Over all days before, not the day before: a quiet day gives no slip, and the count goes on.
    before = Win.objects.filter(premises=premises, gaming_day__lt=day).aggregate(last=Max("slip"))["last"]
    return 1 if before is None else int(before) + 1


def _given_on(premises: Property, day: date) -> list[SlipFacts]:
    """What record, entry and page say of each slip: asked in one go, for a busy day has thousands."""
    (rows,) = ask_together([(SLIPS, [FIXED, premises.pk, day])])
    return [
        SlipFacts(slip, Money(units_of(amount)), None if owed is None else Money(units_of(owed)), printed)
        for slip, amount, owed, printed in rows
    ]


class NamedEntry(NamedTuple):
    """What the books say at a number that a record names."""

    kind: str
    seal: str
    paid: Money


def _entries(named: Iterable[tuple[int, int]]) -> dict[tuple[int, int], NamedEntry]:
    """By jackpot and number, all of them in one trip."""
    pairs = list(named)
    (rows,) = ask_together([(NAMED, [[id_ for id_, _ in pairs], [seq for _, seq in pairs]])])
    return {
        (id_, seq): NamedEntry(kind, bytes(seal).hex(), Money(units_of(paid))) for id_, seq, kind, seal, paid in rows
    }


def _payments(premises: Property, day: date) -> Iterator[CloseLine]:
    # Without the records of the wins, which are the larger part of their rows and are not compared here.
    payments = list(payments_on(premises, day).defer("win__paper", "win__override"))
    entries = _entries((payment.win.jackpot_id, payment.entry) for payment in payments)
    for payment in payments:
        faults = tuple(_faults(payment, entries.get((payment.win.jackpot_id, payment.entry))))
        state = LineState.DIFFERS if faults else LineState.MATCHES
        amount = str(Money(units_of(payment.gross)))
        split = f"{Money(units_of(payment.net))} to the player, {Money(units_of(payment.withheld))} withheld."
        told = " ".join(faults) or split
        yield CloseLine(CloseColumn.WINS, f"payment of slip {payment.slip}", state, amount, amount, told=told)


def _faults(payment: Payment, entry: NamedEntry | None) -> Iterator[str]:
    """Against its own seal, against its entry, against the record of its win."""
    # Its own seal first: a record that was altered is no measure for the entry.
    if payment.seal_found() != payment.seal:
        yield f"The record of the payment does not match its seal; it would be {payment.seal_found()[:16]}."
    if entry is None or entry.kind != EntryKind.PAY or entry.seal != payment.entry_seal:
        yield f"Entry {payment.entry} of {payment.win.jackpot.code} is not the one that the payment names."
    elif entry.paid.units != units_of(payment.gross):
        yield f"Entry {payment.entry} moved {entry.paid}."
    if payment.win.amount != payment.gross:
        yield f"The slip says {payment.win.amount_money}."


def _receipts(premises: Property, day: date) -> Iterator[CloseLine]:
    """What came back over the windows of payments in error: it fills no meter, so it stands on lines of its own."""
    receipts = list(receipts_on(premises, day).defer("payment__win__paper", "payment__win__override"))
    entries = _entries((receipt.payment.win.jackpot_id, receipt.entry) for receipt in receipts)
    for receipt in receipts:
        entry = entries.get((receipt.payment.win.jackpot_id, receipt.entry))
        faults = " ".join(_faults_of_receipt(receipt, entry))
        state = LineState.DIFFERS if faults else LineState.MATCHES
        amount, name = str(Money(units_of(receipt.gross))), f"receipt {receipt.number} for slip {receipt.payment.slip}"
        split = f"{Money(units_of(receipt.net))} from the player, {Money(units_of(receipt.withheld))} of the tax."
        yield CloseLine(CloseColumn.WINS, name, state, amount, amount, told=faults or split)


def _faults_of_receipt(receipt: WindowReceipt, entry: NamedEntry | None) -> Iterator[str]:
    if receipt.seal_found() != receipt.seal:
        yield f"The record of the receipt does not match its seal; it would be {receipt.seal_found()[:16]}."
    jackpot = receipt.payment.win.jackpot
    if entry is None or entry.kind != EntryKind.RECEIPT or entry.seal != receipt.entry_seal:
        yield f"Entry {receipt.entry} of {jackpot.code} is not the one that the receipt names."
    elif -entry.paid.units != units_of(receipt.gross):
        yield f"Entry {receipt.entry} moved {-entry.paid}."


def _unrecorded(premises: Property, day: date, snapshots: Sequence[DaySnapshot]) -> Iterator[CloseLine]:
    """What the books paid, or took back, on the day without a record of it."""
    # The other way round too: an entry that pays without a record is money that left with nobody's name.
    known = set(payments_on(premises, day).values_list("win__jackpot_id", "entry"))
    known |= set(receipts_on(premises, day).values_list("payment__win__jackpot_id", "entry"))
    codes = {each.jackpot_id: each.jackpot.code for each in snapshots}
    reach = [[getattr(each, word) for each in snapshots] for word in ("jackpot_id", "after_seq", "last_seq")]
    (rows,) = ask_together([(PAID, reach)])
    for jackpot, seq, kind, paid in rows:
        if (jackpot, seq) not in known:
            name, amount = f"{codes[jackpot]} entry {seq}", Money(units_of(paid))
            did = "paid this" if kind == EntryKind.PAY else "took this back"
            told = f"The books {did} and no window has a record of it."
            yield CloseLine(CloseColumn.WINS, name, LineState.DIFFERS, "0.00", str(amount), amount, told)
