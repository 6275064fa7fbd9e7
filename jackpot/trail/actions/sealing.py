"""Lines of the trail get their number and seal after their commit, each house its own chain."""

from __future__ import annotations

from itertools import groupby
from typing import Final

from django.db import connection, transaction

from jackpot.property.models.property import Property
from jackpot.trail.models import Trail, TrailSeal, UnsealedTrail
from jackpot.trail.queries import chained
from jackpot.trail.rules.chain import NO_SEAL_BEFORE, OF_THE_SERVER, seal_of_line

AT_ONCE: Final = 2_000
SEALING: Final = 7_307_190_431  # the lock's number: one sealer at a time, the others come again


def seal_trail() -> int:
    """One round: what was committed since goes to the end of its chain, in the order of the lines. Who is second to the
    lock leaves it to the first."""
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT pg_try_advisory_xact_lock(%s)", [SEALING])
        if not cursor.fetchone()[0]:
            return 0
        lines = sorted(_waiting(), key=lambda line: (line.premises_id or OF_THE_SERVER, line.pk))
        if not lines:
            return 0
        rows: list[TrailSeal] = []
        for chain, of_house in groupby(lines, key=lambda line: line.premises_id or OF_THE_SERVER):
            rows += _sealed(chain, list(of_house))
        TrailSeal.objects.bulk_create(rows)
        # Only what was sealed: a place whose line is gone stays in the queue, and the proof names it.
        UnsealedTrail.objects.filter(pk__in=[line.pk for line in lines]).delete()
    return len(rows)


def _waiting() -> list[Trail]:
    """The first lines of the queue. Places whose line is gone take no part of a round: else enough of them end it."""
    lines: list[Trail] = []
    last, more = 0, True
    while more and len(lines) < AT_ONCE:
        queue = UnsealedTrail.objects.filter(line__gt=last).order_by("line")
        places = list(queue.values_list("line", flat=True)[:AT_ONCE])
        lines += Trail.objects.filter(pk__in=places).order_by("pk")
        last, more = places[-1] if places else last, len(places) == AT_ONCE
    return lines[:AT_ONCE]


def _sealed(chain: int, lines: list[Trail]) -> list[TrailSeal]:
    last = TrailSeal.objects.filter(chain=chain).order_by("-number").first()
    number, before = (last.number, bytes(last.seal)) if last is not None else (0, NO_SEAL_BEFORE)
    house = house_of(chain)
    rows = []
    for line in lines:
        number += 1
        before = seal_of_line(before, house, number, chained(line))
        rows.append(TrailSeal(chain=chain, number=number, line=line.pk, seal=before))
    return rows


def house_of(chain: int) -> str:
    return "" if chain == OF_THE_SERVER else str(Property.objects.values_list("code", flat=True).get(pk=chain))
