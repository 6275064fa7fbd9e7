"""What can be asked of the office: wins with their slips, pages with their copies, printers with their queues."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import QuerySet

from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.authority.models import AUTHORITY
from jackpot.property.queries import of_house
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState
from jackpot.terms.models.terms_change import TERMS
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import WinState

LISTED: Final = 50


def adjustments(person: Any, kind: str = "") -> QuerySet[Adjustment]:
    """What people of the house asked for and what became of it; of one kind, where that is one."""
    rows = Adjustment.objects.select_related(
        "premises", "jackpot__premises", "jackpot__version", "other", "win", "asked_by", "decided_by", "withdrawn_by",
        "card", "cause__win",
    ).prefetch_related("pages", "entries__jackpot")  # fmt: skip
    return of_house(rows.filter(kind=kind) if kind in set(Adjusting) else rows, person)


def once_at(person: Any, **about: str) -> QuerySet[Request]:
    """A request by what its address was made of before all kinds had one page: its number, of a jackpot or a house."""
    rows = of_house(Request.objects.all(), person)
    if "code" in about:
        return rows.filter(kind=TERMS, jackpot__code=about["code"], number=int(about["change"]))
    if "change" in about:
        return rows.filter(kind=AUTHORITY, number=int(about["change"]))
    return rows.filter(kind__in=list(Adjusting), pk=int(about["number"]))


def of_the_meter(person: Any) -> QuerySet[Win]:
    """The newest awards that stand and were a part of a meter."""
    rows = Win.objects.filter(part=True, state__in=[WinState.OWED, WinState.PAID]).select_related("jackpot__premises")
    return of_house(rows, person).order_by("-slip")[:LISTED]


def gifts(person: Any, win: Win) -> QuerySet[Adjustment]:
    """Adjustments in force that raised the meter of this win's jackpot after it was awarded."""
    rows = adjustments(person).filter(
        kind=Adjusting.ADJUST, state=RequestState.IN_FORCE, account="meter", amount__gt=0, jackpot_id=win.jackpot_id,
        entries__seq__gt=win.award_seq or 0,
    )  # fmt: skip
    return rows.order_by("-id")
