"""What windows paid: every payment in the books has its record, of the same sum, split as the tax of its day says."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import Money, text_of_units
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.hits import WinFound
from jackpot.proof.rules.kept import KeptEntry
from jackpot.proof.rules.proof import KnownVersion
from jackpot.property.rules.tax import SlipSum, TaxRule, slip_sum


class PaymentFound(NamedTuple):
    """A payment's record; amounts in units. `sealed` is whether it still gives its own seal."""

    entry: int
    entry_seal: str
    slip: int
    day: date
    gross: int
    withheld: int
    net: int
    reported: bool
    digits: int
    sealed: bool = True


def check_payments(
    code: str,
    kept: Iterable[KeptEntry],
    payments: Iterable[PaymentFound],
    about: tuple[Mapping[str, WinFound], Mapping[str, KnownVersion], Sequence[TaxRule]],
    findings: Findings,
) -> None:
    """Every payment has its record, and every record its entry."""
    records = {payment.entry: payment for payment in payments}
    for entry in (entry for entry in kept if entry.row.kind == EntryKind.PAY):
        where, payment = f"{code}/{entry.row.seq}", records.pop(entry.row.seq, None)
        if payment is not None:
            _check(where, entry, payment, about, findings)
        else:
            findings.add(Promise.PAYMENT, where, "the record of this payment", "one", "none")
    # What is left has no entry: somebody wrote a record of a payment that the books do not know.
    for seq in sorted(records):
        findings.add(Promise.PAYMENT, f"{code}/{seq}", f"the entry of slip {records[seq].slip}", "a payment", "none")


def _check(
    where: str,
    entry: KeptEntry,
    payment: PaymentFound,
    about: tuple[Mapping[str, WinFound], Mapping[str, KnownVersion], Sequence[TaxRule]],
    findings: Findings,
) -> None:
    wins, versions, rules = about
    win = wins.get(entry.row.win)
    said: list[tuple[str, object, object]] = [
        ("the seal in the record of this payment", entry.row.seal, payment.entry_seal),
        ("the gaming day of this payment", entry.row.day, payment.day.isoformat()),
        ("the sum of this payment", text_of_units(entry.moved.paid), text_of_units(payment.gross)),
    ]
    if not payment.sealed:
        said.append(("the seal of the record of this payment", "that of what it says", "another"))
    version = None if win is None else versions.get(win.version)
    if win is not None:
        said.append(("the slip of this payment", win.slip, payment.slip))
    if win is not None and version is not None and version.terms is not None:
        due = _split(win, version.terms.wager, payment, rules)
        said += [
            ("what was withheld of this payment", text_of_units(due.withheld.units), text_of_units(payment.withheld)),
            ("what the player got of this payment", text_of_units(due.net.units), text_of_units(payment.net)),
            ("whether this payment is reported", due.reported, payment.reported),
        ]
    for what, expected, found in said:
        if expected != found:
            findings.add(Promise.PAYMENT, where, what, expected, found)


def _split(win: WinFound, wager: Money, payment: PaymentFound, rules: Sequence[TaxRule]) -> SlipSum:
    """As the window had to split it: the rule of the gaming day of payment, on the sum that the record names."""
    gross, told = Money(payment.gross), win.page.get("difference")
    was = Money.of(told["was"]) if told else None
    difference = None if was is None else (was, was + gross)
    return slip_sum(rules, payment.day, gross, wager, payment.digits, difference)
