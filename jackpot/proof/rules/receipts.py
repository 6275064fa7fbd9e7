"""What came back over the windows: every receipt in the books has its record, and follows a payment in error."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from datetime import date
from typing import NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import text_of_units
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.hits import WinFound
from jackpot.proof.rules.kept import KeptEntry
from jackpot.proof.rules.payments import PaymentFound


class ReceiptFound(NamedTuple):
    """A receipt's record; amounts in units. `sealed` is whether it still gives its own seal."""

    entry: int
    entry_seal: str
    slip: int
    day: date
    gross: int
    withheld: int
    net: int
    sealed: bool = True


def check_receipts(
    code: str,
    kept: Iterable[KeptEntry],
    receipts: Iterable[ReceiptFound],
    payments: Iterable[PaymentFound],
    wins: Mapping[str, WinFound],
    findings: Findings,
) -> None:
    """In the order of the books: paid, backed out, and then back, until the player owes nothing more."""
    records, paid_by = {each.entry: each for each in receipts}, {each.entry: each for each in payments}
    paid: dict[str, PaymentFound] = {}
    undone: set[str] = set()
    came_back: Counter[str] = Counter()
    whole: set[str] = set()  # wins whose payment came back to the last cent: the tax is given back there, once
    for entry in kept:
        row, where = entry.row, f"{code}/{entry.row.seq}"
        if row.kind == EntryKind.PAY and row.seq in paid_by:
            paid[row.win] = paid_by[row.seq]
        elif row.kind == EntryKind.BACK_OUT:
            undone.add(row.win)
        elif row.kind == EntryKind.RECEIPT:
            record, payment = records.pop(row.seq, None), paid.get(row.win) if row.win in undone else None
            if record is None or payment is None:
                what = "the record of this receipt" if record is None else "the payment in error that comes back"
                findings.add(Promise.PAYMENT, where, what, "one", "none")
                continue
            came_back[row.win] += record.net
            last = came_back[row.win] == payment.net and row.win not in whole
            whole |= {row.win} if last else set()
            released = payment.withheld if last else 0
            said = _compared(entry, record, payment, (came_back[row.win], released), wins.get(row.win))
            for what, expected, found in said:
                if expected != found:
                    findings.add(Promise.PAYMENT, where, what, expected, found)
    for seq in sorted(records):
        what = f"the entry of the receipt for slip {records[seq].slip}"
        findings.add(Promise.PAYMENT, f"{code}/{seq}", what, "a receipt", "none")


def _compared(
    entry: KeptEntry, record: ReceiptFound, payment: PaymentFound, so_far: tuple[int, int], win: WinFound | None
) -> list[tuple[str, object, object]]:
    came_back, withheld = so_far
    return [
        ("the seal in the record of this receipt", entry.row.seal, record.entry_seal),
        ("the gaming day of this receipt", entry.row.day, record.day.isoformat()),
        ("the sum of this receipt", text_of_units(-entry.moved.paid), text_of_units(record.gross)),
        ("what came over the window", text_of_units(record.gross - record.withheld), text_of_units(record.net)),
        ("what it gives back of the tax withheld", text_of_units(withheld), text_of_units(record.withheld)),
        # Nobody gives back more than came to them over the window.
        ("what came back of the payment", text_of_units(min(came_back, payment.net)), text_of_units(came_back)),
        ("the slip of this receipt", None if win is None else win.slip, record.slip),
        ("the seal of the record of this receipt", "that of what it says", "that of what it says" if record.sealed
         else "another"),
    ]  # fmt: skip
