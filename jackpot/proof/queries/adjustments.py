"""The acts of two people that the proof holds against their entries, and the state that the last of them led to."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jackpot.adjusting.models import Adjustment, CoverSuspension
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, JackpotState
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import units_of
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.signed import SignedAct
from jackpot.requests.models import RequestEntry
from jackpot.requests.rules.life import RequestState

LEADS_TO: Final[Mapping[str, JackpotState]] = {
    EntryKind.SUSPEND: JackpotState.SUSPENDED,
    EntryKind.RESUME: JackpotState.OPEN,
    EntryKind.RETIRE: JackpotState.RETIRED,
}

SPOKEN_OF: Final = ("", "__jackpot", "__other", "__asked_by", "__decided_by")


def acts_of(jackpot: Jackpot) -> list[SignedAct]:
    """What two people approved, once for each entry that it wrote in this jackpot's books; and what a switch did."""
    # Only what counts: a request that was refused or waits has written no entry.
    acts = RequestEntry.objects.filter(request__adjustment__isnull=False, request__state=RequestState.IN_FORCE)
    rows = acts.filter(jackpot=jackpot).select_related(*(f"request__adjustment{each}" for each in SPOKEN_OF))
    # Nobody signed these: the house's switch was, once for all, and the row that it left stands for a request.
    alone = CoverSuspension.objects.filter(jackpot=jackpot).select_related("jackpot").order_by("id")
    by_switch = [SignedAct(each.seq, str(each), EntryKind.SUSPEND, "meter", None, False) for each in alone]
    return [_act(each.seq, each.request.adjustment) for each in rows.order_by("id")] + by_switch


def _act(seq: int, row: Adjustment) -> SignedAct:
    amount = None if row.amount is None else units_of(row.amount)
    approved_by = "" if row.decided_by is None else row.decided_by.username
    day = "" if row.gaming_day is None else row.gaming_day.isoformat()
    return SignedAct(seq, str(row), row.kind, row.account, amount, row.pays, row.sealed(approved_by).hex(), day)


def check_state(jackpot: Jackpot, findings: Findings) -> None:
    rows = Entry.objects.filter(jackpot=jackpot, kind__in=list(LEADS_TO)).order_by("seq")
    last = rows.values_list("kind", flat=True).last()
    # A jackpot begins open, and nothing but these entries makes it anything else.
    expected = JackpotState.OPEN if last is None else LEADS_TO[last]
    if jackpot.state != expected:
        what = "the state in the jackpot's row"
        findings.add(Promise.JACKPOT, jackpot.code, what, expected.value, jackpot.state)
