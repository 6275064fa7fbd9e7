"""Win pages against wins: what record, page, entry and payment say of every slip of a gaming day."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, NamedTuple

from django.db.models import Exists, Max, OuterRef, QuerySet

from accounting.days.models import DaySnapshot
from accounting.days.rules.reconcile import CloseColumn, CloseLine, LineState, SlipFacts, slip_lines
from accounting.paper.models.page import WinPage
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.database.raw import ask_together
from jackpot.money import Money, units_of
from jackpot.property.models.property import Property
from jackpot.wins.models import Payment, Win, WindowReceipt
from jackpot.wins.queries.paying import payments_on, receipts_on
from jackpot.wins.rules.win_life import WinState

NAMED: Final = """
SELECT e.jackpot_id, e.seq, e.kind, e.seal, e.paid, e.winners, e.win_id
  FROM unnest(%s::bigint[], %s::bigint[]) AS n (jackpot_id, seq)
  JOIN jackpot_entry e ON e.jackpot_id = n.jackpot_id AND e.seq = n.seq
"""
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
    wins = list(_given_on(premises, day))
    entries = _entries((win.jackpot_id, win.award_seq) for win in wins if win.award_seq is not None)
    slips = slip_lines(_first(premises, day), [_facts(win, entries) for win in wins])
    windows = [*_payments(premises, day), *_receipts(premises, day)]
    return [*slips, *windows, *_unrecorded(premises, day, snapshots)]


def _first(premises: Property, day: date) -> int | None:
    """The number that the first slip of the day must carry."""
    before = Win.objects.filter(premises=premises, gaming_day__lt=day).aggregate(last=Max("slip"))["last"]
    return 1 if before is None else int(before) + 1


def _given_on(premises: Property, day: date) -> QuerySet[Any]:
    """The slips of a day without their pages' long records."""
    printed = Exists(WinPage.objects.filter(win=OuterRef("pk")))
    rows = Win.objects.filter(premises=premises, gaming_day=day, slip__isnull=False).annotate(printed=printed)
    return rows.only("slip", "amount", "state", "award_seq", "jackpot_id").order_by("slip")


class NamedEntry(NamedTuple):
    """What the books say at a number that a record names."""

    kind: str
    seal: str
    paid: Money
    winners: Money
    win_id: int | None


def _entries(named: Iterable[tuple[int, int]]) -> dict[tuple[int, int], NamedEntry]:
    """By jackpot and number, all of them in one trip."""
    pairs = list(named)
    (rows,) = ask_together([(NAMED, [[id_ for id_, _ in pairs], [seq for _, seq in pairs]])])
    return {
        (id_, seq): NamedEntry(kind, bytes(seal).hex(), Money(units_of(paid)), Money(units_of(winners)), win_id)
        for id_, seq, kind, seal, paid, winners, win_id in rows
    }


def _facts(win: Any, entries: Mapping[tuple[int, int], NamedEntry]) -> SlipFacts:
    assert win.slip is not None, "only slips are compared"
    assert win.amount_money is not None, "a slip has its amount"
    return SlipFacts(win.slip, win.amount_money, _owed(win, entries), printed=win.printed)


def _owed(win: Win, entries: Mapping[tuple[int, int], NamedEntry]) -> Money | None:
    """What the books say the winner is owed; before the key is turned to RUN that is what was fixed."""
    if win.award_seq is None:
        return win.amount_money if win.state in (WinState.LOGGED, WinState.BACKED_OUT) else None
    entry = entries.get((win.jackpot_id, win.award_seq))
    return None if entry is None or entry.win_id != win.pk else entry.winners


def _payments(premises: Property, day: date) -> Iterator[CloseLine]:
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
    if payment.seal_found() != payment.seal:
        yield "The record of the payment does not match its seal."
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
        yield "The record of the receipt does not match its seal."
    jackpot = receipt.payment.win.jackpot
    if entry is None or entry.kind != EntryKind.RECEIPT or entry.seal != receipt.entry_seal:
        yield f"Entry {receipt.entry} of {jackpot.code} is not the one that the receipt names."
    elif -entry.paid.units != units_of(receipt.gross):
        yield f"Entry {receipt.entry} moved {-entry.paid}."


def _unrecorded(premises: Property, day: date, snapshots: Sequence[DaySnapshot]) -> Iterator[CloseLine]:
    """What the books paid, or took back, on the day without a record of it."""
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
