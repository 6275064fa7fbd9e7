"""Acts of two people against their entries, and the jackpot's state against the last act that changed it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, JackpotState
from jackpot.books.rules import movement as money_of
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.books.rules.kinds import STATES, TRANSFERS, spoken_movement
from jackpot.books.rules.movement import Balances, Movement
from jackpot.money import ZERO, text_of_units, units_of
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.proof import KnownVersion
from jackpot.requests.models import RequestEntry
from jackpot.requests.rules.life import RequestState

SIGNED: Final = STATES | TRANSFERS | {EntryKind.ADJUST, EntryKind.DIFFERENCE}
KINDS: Final[Mapping[Adjusting, frozenset[str]]] = {
    Adjusting.ADJUST: frozenset({EntryKind.ADJUST}),
    Adjusting.TRANSFER: TRANSFERS,
    Adjusting.SUSPEND: frozenset({EntryKind.SUSPEND}),
    Adjusting.RESUME: frozenset({EntryKind.RESUME}),
    Adjusting.RETIRE: TRANSFERS | {EntryKind.RETIRE},
    Adjusting.BACK_OUT: frozenset({EntryKind.BACK_OUT}),
    Adjusting.DIFFERENCE: frozenset({EntryKind.DIFFERENCE}),
}
LEADS_TO: Final[Mapping[str, JackpotState]] = {
    EntryKind.SUSPEND: JackpotState.SUSPENDED,
    EntryKind.RESUME: JackpotState.OPEN,
    EntryKind.RETIRE: JackpotState.RETIRED,
}


def prove_adjustments(jackpot: Jackpot, versions: Mapping[str, KnownVersion], findings: Findings) -> None:
    """Every signed entry has its request, every approved request its entries, of the amount that was signed."""
    signed = _signed(jackpot)
    kinds = SIGNED | ({EntryKind.BACK_OUT} if signed else frozenset())
    rows = Entry.objects.filter(jackpot=jackpot, kind__in=kinds).order_by("seq")
    entries = {entry.seq: entry for entry in rows}
    for entry in entries.values():
        row = signed.pop(entry.seq, None)
        where = f"{jackpot.code}/{entry.seq}"
        if row is not None:
            _check(where, entry, row, versions.get(str(entry.version_id)), findings)
        elif entry.kind in SIGNED:
            findings.add(
                Promise.ADJUSTMENT, where, f"who signed this {entry.kind}", "a request that was approved", "none"
            )
    for seq, row in sorted(signed.items()):
        findings.add(Promise.ADJUSTMENT, f"{jackpot.code}/{seq}", f"the entry of {row}", row.kind, "none of its kind")
    _check_state(jackpot, [entry.kind for entry in entries.values()], findings)


def _signed(jackpot: Jackpot) -> dict[int, Adjustment]:
    """By the number of its entry in this jackpot's books."""
    acts = RequestEntry.objects.filter(request__adjustment__isnull=False, request__state=RequestState.IN_FORCE)
    rows = acts.filter(jackpot=jackpot)
    signed = rows.select_related("request__adjustment").order_by("id")
    return {each.seq: each.request.adjustment for each in signed}


def _check(where: str, entry: Entry, row: Adjustment, version: KnownVersion | None, findings: Findings) -> None:
    if entry.kind not in KINDS[Adjusting(row.kind)]:
        findings.add(Promise.ADJUSTMENT, where, f"the entry of {row}", row.kind, entry.kind)
    elif (
        entry.kind == EntryKind.ADJUST and row.amount is not None and version is not None and version.terms is not None
    ):
        demanded = money_of.adjust(units_of(row.amount), row.account, _before(entry), version.terms)
        if demanded != entry.movement:
            what = f"what {row} moved"
            findings.add(Promise.ADJUSTMENT, where, what, spoken_movement(demanded), spoken_movement(entry.movement))
    elif entry.kind == EntryKind.DIFFERENCE:
        signed = row.amount_money if row.pays and row.amount_money is not None else ZERO
        if signed.units != entry.movement.winners:
            found = text_of_units(entry.movement.winners)
            findings.add(Promise.ADJUSTMENT, where, f"what {row} owes", signed, found)


def _before(entry: Entry) -> Balances:
    movement: Movement = entry.movement
    return entry.after.after(movement.reversed())


def _check_state(jackpot: Jackpot, kinds: list[str], findings: Findings) -> None:
    last = next((kind for kind in reversed(kinds) if kind in LEADS_TO), None)
    expected = JackpotState.OPEN if last is None else LEADS_TO[last]
    if jackpot.state != expected:
        findings.add(
            Promise.JACKPOT, jackpot.code, "the state in the jackpot's row", expected.value, jackpot.state
        )  # fmt: skip
