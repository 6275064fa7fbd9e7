"""The wins of one round."""

from __future__ import annotations

from django.db.models import QuerySet

from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef
from jackpot.wins.rules.win_life import OPEN


def wins_of(place: RoundRef) -> QuerySet[Win]:
    return Win.objects.filter(table_code=place.table_code, round_number=place.round_number)


def open_hits(place: RoundRef) -> int:
    return wins_of(place).filter(state__in=OPEN).count()


def place_of(win: Win) -> RoundRef:
    return RoundRef(win.table_code, win.round_number)
