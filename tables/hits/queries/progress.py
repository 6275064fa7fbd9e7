"""What a table's own box is told of its hits while people at the pit decide: read once a second, few questions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN, WinState
from tables.hits.queries.table_state import Facts, table_states
from tables.hits.rules.lamps import notice
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries.played import hold_further

WON = frozenset({WinState.LOGGED, WinState.OWED, WinState.PAID})


@dataclass(frozen=True, slots=True)
class Progress:
    """The running round's seats (None: no round runs), the hits, who has won, what is waited for."""

    counted: str | None
    win: Facts
    winners: tuple[int, ...]
    notice: str
    further: Mapping[str, str] = field(default_factory=dict)  # seats of each further wager that is played
    won_on: Mapping[str, frozenset[int]] = field(default_factory=dict)  # winning seats by jackpot


NO_WIN: Facts = {"round": None, "hits": [], "parked": [], "signed": []}


def progress_of(*, table_codes: Collection[str], shown: Collection[str]) -> dict[str, Progress]:
    """By table. Only tables with an open hit, or whose box was told of one, are looked at closely."""
    rows = Round.objects.filter(table__code__in=table_codes, state=RoundState.OPEN).values_list("table__code", "seats")
    running = dict(rows)
    hit = set(Win.objects.filter(state__in=OPEN, table_code__in=table_codes).values_list("table_code", flat=True))
    close = table_states(hit | set(shown)) if hit or shown else {}
    further = _further(table_codes)
    return {
        code: replace(_progress(running.get(code), close.get(code)), further=further.get(code, {}))
        for code in table_codes
    }


def _further(table_codes: Collection[str]) -> dict[str, dict[str, str]]:
    """By table with several wagers: what is played of the further ones in its running round."""
    rows = Round.objects.filter(table__code__in=table_codes, table__wagers__gt=1, state=RoundState.OPEN)
    running = list(rows.select_related("table"))
    hold_further(running)
    return {round_.table.code: {each.wager: each.seats for each in round_.further} for round_ in running}


def _progress(counted: str | None, standing: Facts | None) -> Progress:
    if standing is None:
        return Progress(counted, NO_WIN, (), "")
    round_: dict[str, Any] = standing["open_round"] or {"round": None, "hits": [], "signed": []}
    hits, parked = round_["hits"], standing["parked"]
    win = {"round": round_["round"], "hits": hits, "parked": parked, "signed": round_["signed"]}
    winners = tuple(hit["seat"] for hit in hits if hit["state"] in WON and hit["seat"])
    won = [hit for hit in hits if hit["state"] in WON and hit["seat"]]
    won_on = {
        hit["jackpot"]: frozenset(each["seat"] for each in won if each["jackpot"] == hit["jackpot"]) for hit in won
    }
    return Progress(counted, win, winners, notice(hits, parked, standing["key_at_jph"]), won_on=won_on)
