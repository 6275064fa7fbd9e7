"""Hits and wins as lists show them, and what surveillance ticked off of a round."""

from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet

from jackpot.people.models import Operator
from jackpot.property.queries import of_house
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import OPEN
from tables.hits.models.surveillance import SurveillanceTick
from tables.rounds.models.round import Round


def wins_of(person: Any) -> QuerySet[Win]:
    rows = Win.objects.select_related("jackpot__premises", "premises", "payment__tax_rule", "payment__payer")
    rows = rows.prefetch_related("payment__receipts__taker")
    return of_house(rows, person, "jackpot__premises")


def touched_by(person: Operator) -> Q:
    """Hits that somebody marked, asked for, signed for or paid; each part has an index of its own."""
    signed = Signature.objects.filter(operator=person).values("win")
    return Q(marker=person) | Q(asker=person) | Q(payer=person) | Q(pk__in=signed)


def open_wins(person: Any) -> list[Win]:
    """Hits that are not settled, in the order in which they were marked; the small index of open wins answers."""
    return list(wins_of(person).filter(state__in=OPEN).order_by("marked_at", "jackpot_id", "mark_seq"))


def ticks_at(round_: Round) -> list[SurveillanceTick]:
    """What surveillance ticked off at a round's hits."""
    rows = SurveillanceTick.objects.filter(premises=round_.table.premises_id, table_code=round_.table.code)
    return list(rows.filter(round_number=round_.number).select_related("operator"))
