"""Acts of two people against their entries: every signed entry has its request, of the amount that was signed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Final, NamedTuple

from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.kinds import STATES, TRANSFERS, spoken_movement
from jackpot.money import Money, text_of_units
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.kept import KeptEntry
from jackpot.proof.rules.proof import KnownVersion

SIGNED: Final = STATES | TRANSFERS | {EntryKind.ADJUST, EntryKind.DIFFERENCE}
KINDS: Final[Mapping[Adjusting, frozenset[str]]] = {
    Adjusting.ADJUST: frozenset({EntryKind.ADJUST}),
    Adjusting.TRANSFER: TRANSFERS,
    Adjusting.SUSPEND: frozenset({EntryKind.SUSPEND}),
    Adjusting.RESUME: frozenset({EntryKind.RESUME}),
    Adjusting.RETIRE: TRANSFERS | {EntryKind.RETIRE},
    Adjusting.BACK_OUT: frozenset({EntryKind.BACK_OUT}),
    Adjusting.DIFFERENCE: frozenset({EntryKind.DIFFERENCE}),
    Adjusting.UNDERPAYMENT: frozenset({EntryKind.DIFFERENCE}),
}


class SignedAct(NamedTuple):
    """One entry that two people signed for; the amount in units, as it was asked for."""

    entry: int
    name: str
    kind: str
    account: str
    amount: int | None
    pays: bool
    request: str = ""  # as the entry must have sealed it, where two people signed
    day: str = ""  # of its entries, as its row says


class TakenReading(NamedTuple):
    """What two people read off the old system; exact amounts as text."""

    meter: str
    reserve: str
    overflow: str
    house_seed: str


def check_reading(code: str, kept: Iterable[KeptEntry], reading: TakenReading | None, findings: Findings) -> None:
    """Entry 1 of a jackpot that was taken over brings what was read, no cent more."""
    for entry in kept:
        if entry.row.kind == EntryKind.TAKE_OVER and reading is not None:
            demanded = money_of.take_over(*map(Money.of, reading))
            if demanded != entry.moved:
                where, told = f"{code}/{entry.row.seq}", (spoken_movement(demanded), spoken_movement(entry.moved))
                findings.add(Promise.ADJUSTMENT, where, "what the reading of the old system brings", *told)


def check_signed(
    code: str,
    kept: Iterable[KeptEntry],
    acts: Iterable[SignedAct],
    versions: Mapping[str, KnownVersion],
    findings: Findings,
) -> None:
    """Both ways: no entry without its request, no approved request without its entry."""
    signed = {act.entry: act for act in acts}
    for entry in kept:
        if entry.row.kind not in SIGNED and entry.row.kind != EntryKind.BACK_OUT:
            continue
        where, act = f"{code}/{entry.row.seq}", signed.pop(entry.row.seq, None)
        if act is not None:
            _check(where, entry, act, versions.get(entry.row.version), findings)
        elif entry.row.kind in SIGNED:
            findings.add(
                Promise.ADJUSTMENT, where, f"who signed this {entry.row.kind}", "a request that was approved", "none"
            )
    for seq, act in sorted(signed.items()):
        findings.add(Promise.ADJUSTMENT, f"{code}/{seq}", f"the entry of {act.name}", act.kind, "none of its kind")


def _check(where: str, entry: KeptEntry, act: SignedAct, version: KnownVersion | None, findings: Findings) -> None:
    kind, terms = entry.row.kind, version and version.terms
    if act.request not in ("", entry.row.request):
        findings.add(Promise.ADJUSTMENT, where, f"the words of {act.name}", act.request, entry.row.request)
    if act.day not in ("", entry.row.day):
        findings.add(Promise.ADJUSTMENT, where, f"the gaming day of {act.name}", entry.row.day, act.day)
    if kind not in KINDS[Adjusting(act.kind)]:
        findings.add(Promise.ADJUSTMENT, where, f"the entry of {act.name}", act.kind, kind)
    elif kind == EntryKind.ADJUST and act.amount is not None and terms is not None:
        demanded = money_of.adjust(act.amount, act.account, entry.before, terms)
        if demanded != entry.moved:
            expected, found = spoken_movement(demanded), spoken_movement(entry.moved)
            findings.add(Promise.ADJUSTMENT, where, f"what {act.name} moved", expected, found)
    elif kind == EntryKind.DIFFERENCE:
        signed = act.amount if act.pays and act.amount is not None else 0
        if signed != entry.moved.winners:
            expected, found = text_of_units(signed), text_of_units(entry.moved.winners)
            findings.add(Promise.ADJUSTMENT, where, f"what {act.name} owes", expected, found)
