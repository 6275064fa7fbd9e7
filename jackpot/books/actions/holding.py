"""Jackpots whose row somebody holds for longer than a batch waits: what is kept in memory so that others play on.

Coin-ins of all jackpots go through one lane. A batch that waited its second for a lock asks, without waiting, which of
its jackpots are held; from then on coin-ins that feed one of them are told to come again, until a look finds it free.
"""

from __future__ import annotations

import logging
import time
from collections.abc import Collection
from typing import Any, Final

from django.db import transaction

from jackpot.books import queries
from jackpot.database.raw import ask_together

LOOK_AGAIN_AFTER: Final = 0.5  # seconds in which a held jackpot is not asked for again
A_MOMENT: Final = 0.05  # what is held at both ends of it is no neighbour's short batch
WHY: Final = "Other work holds the books of {codes}. Nothing was counted; say it again in a second."
FREE: Final = "SELECT j.id FROM jackpot_jackpot j WHERE j.id = ANY(%s) FOR NO KEY UPDATE OF j SKIP LOCKED"
NAMES: Final = "SELECT j.id, j.code FROM jackpot_jackpot j WHERE j.id = ANY(%s)"

HELD: Final[dict[int, tuple[str, float]]] = {}  # by id: its code, and since when
_looked_at = 0.0
log = logging.getLogger(__name__)


def look_for_held(jackpot_ids: Collection[int]) -> None:
    """After a wait that was given up: which of these are held now?"""
    held = set(jackpot_ids) - _free(jackpot_ids)
    if held:
        time.sleep(A_MOMENT)
        held -= _free(held)
    _keep(held, jackpot_ids)


def held_among(jackpot_ids: Collection[int]) -> frozenset[int]:
    """Those of them that are still held; a look without waiting, twice a second at most."""
    global _looked_at
    if not HELD:
        return frozenset()
    if time.monotonic() - _looked_at >= LOOK_AGAIN_AFTER:
        _looked_at = time.monotonic()
        known = list(HELD)
        _keep(set(known) - _free(known), known)
    return frozenset(HELD.keys() & set(jackpot_ids))


def why_held(jackpot_ids: Collection[int]) -> str:
    return WHY.format(codes=" and ".join(sorted(HELD[id_][0] for id_ in jackpot_ids if id_ in HELD)))


def held_now() -> dict[str, float]:
    """By code: for how many seconds this process has found it held."""
    now = time.monotonic()
    # A copy: the batch may add to it while a page looks.
    return {code: now - since for code, since in list(HELD.values())}


def held_here(person: Any) -> list[tuple[str, int]]:
    """For people of that house: code, and for how many seconds."""
    held = held_now()
    here = set(queries.jackpots(person).filter(code__in=held).values_list("code", flat=True)) if held else set()
    return [(code, int(seconds)) for code, seconds in sorted(held.items()) if code in here]


def _free(jackpot_ids: Collection[int]) -> set[int]:
    """Whoever holds one is not waited for, and what is free is let go again at once."""
    with transaction.atomic():
        (rows,) = ask_together([(FREE, [sorted(jackpot_ids)])])
    return {id_ for (id_,) in rows}


def _keep(held: set[int], of: Collection[int]) -> None:
    new = held - HELD.keys()
    if new:
        (rows,) = ask_together([(NAMES, [sorted(new)])])
        HELD.update({id_: (code, time.monotonic()) for id_, code in rows})
        log.warning("held by other work: %s", ", ".join(sorted(code for _, code in rows)))
    for id_ in set(of) - held:
        gone = HELD.pop(id_, None)
        if gone is not None:
            log.warning("no longer held: %s, after %.1f s", gone[0], time.monotonic() - gone[1])
