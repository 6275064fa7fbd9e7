"""Coin-ins that were kept back: which tables, why, how many rounds and how much money; and what a round says of it."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any

from django.db.models import Count, Max, Min, Q, Sum
from django.utils import timezone

from jackpot.money import Money, units_of
from jackpot.property.queries import of_house
from jackpot.refusals import NotAllowedNow
from tables.floor.models.table import Table
from tables.rounds.models.kept_back import KeptBack, KeptState
from tables.rounds.models.round import Round
from tables.rounds.rules.pace import AcceptedAlone


@dataclass(frozen=True, slots=True)
class KeptAtTable:
    """What waits at one table."""

    table: str
    rounds: int
    chips: int
    total: Money
    why: str
    first: int
    last: int
    begun: datetime
    ended: datetime


def waiting_at(person: Any, table_code: str | None = None) -> list[KeptAtTable]:
    """By table, for people of its house: what a supervisor has to accept or refuse."""
    rows = of_house(KeptBack.objects.filter(state=KeptState.WAITING), person, "table__premises")
    if table_code is not None:
        rows = rows.filter(table__code=table_code)
    summed = rows.order_by("table__code").values("table__code").annotate(
        rounds=Count("id"), all_chips=Sum("chips"), money=Sum("total"), first=Min("number"), last=Max("number"),
        begun=Min("played_at"), ended=Max("played_at"),
    )  # fmt: skip
    whys = _whys(rows) if summed else {}
    return [
        KeptAtTable(
            each["table__code"], each["rounds"], each["all_chips"], Money(units_of(each["money"])),
            whys[each["table__code"]], each["first"], each["last"], each["begun"], each["ended"],
        )
        for each in summed
    ]  # fmt: skip


def accepted_alone(table: Table, person: Any, now: datetime) -> AcceptedAlone:
    """Rounds accepted today without a second person: at this table by anybody, by this person at any table."""
    began = table.premises.day_begins(table.premises.gaming_day(now))
    # Since the day's own beginning, not for 24 hours: limits of one person are limits of a gaming day.
    alone = KeptBack.objects.filter(state=KeptState.ACCEPTED, second=None, decided_at__gte=began)
    here, theirs = Count("pk", filter=Q(table=table)), Count("pk", filter=Q(decided_by=person))
    found = alone.filter(Q(table=table) | Q(decided_by=person)).aggregate(here=here, theirs=theirs)
    return AcceptedAlone(found["here"], found["theirs"])


def _whys(rows: Any) -> dict[str, str]:
    """All reasons of a table in one text; mostly it is one."""
    found: dict[str, list[str]] = {}
    for code, why in rows.order_by("table__code", "why").values_list("table__code", "why").distinct():
        found.setdefault(code, []).append(why)
    return {code: "; ".join(reasons) for code, reasons in found.items()}


def busiest(table_id: int, days: int = 14) -> tuple[int, int]:
    """What the table really played: the most rounds in a minute and in ten, of those that nobody had to judge."""
    since = timezone.now() - timedelta(days=days)
    # What nobody believed must not become the measure of what is believed.
    judged = Q(kept_back=KeptState.WAITING) | Q(kept_back=KeptState.REFUSED)
    played = Round.objects.filter(table_id=table_id, opened_at__gte=since).exclude(judged)
    moments = [told or opened for told, opened in played.order_by("number").values_list("played_at", "opened_at")]
    return _most_within(moments, 60), _most_within(moments, 600)


def _most_within(moments: Iterable[datetime], seconds: int) -> int:
    most, window = 0, list[datetime]()
    for moment in moments:
        window.append(moment)
        while (moment - window[0]).total_seconds() >= seconds:
            window.pop(0)
        most = max(most, len(window))
    return most


def refuse_kept_back(round_: Round, table_code: str) -> None:
    """Nothing is won or taken back on a round whose coin-in has not been accepted."""
    if round_.kept_back == KeptState.WAITING:
        why = (
            f"The coin-in of round {round_.number} at {table_code} is kept back: it came faster than a table can deal. "
            "A supervisor accepts or refuses it on the pit page first."
        )
        raise NotAllowedNow(why, "kept_back")
    if round_.kept_back == KeptState.REFUSED:
        why = (
            f"The coin-in of round {round_.number} at {table_code} was refused; nothing was counted and nothing is won."
        )
        raise NotAllowedNow(why, "coin_in_refused")
