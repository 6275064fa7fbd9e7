"""What a table's own box is told of its hits while people at the pit decide: read once a second, few questions."""

from __future__ import annotations

from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, NamedTuple

from jackpot.database.raw import ask_together
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import OPEN, WinState
from tables.hits.queries.table_state import Facts, table_states
from tables.hits.rules.lamps import notice
from tables.rounds.models.round import Round
from tables.rounds.queries.played import fetch_further

RUNNING: Final = """
SELECT t.code, t.id, last.number, last.seats, t.wagers
  FROM tables_table t
 CROSS JOIN LATERAL (
   SELECT r.number, r.state, r.seats FROM tables_round r WHERE r.table_id = t.id ORDER BY r.number DESC LIMIT 1) last
 WHERE t.code = ANY(%s) AND last.state = 'open'
"""
WON = frozenset({WinState.LOGGED, WinState.OWED, WinState.PAID})


class RunningRound(NamedTuple):
    """The round that runs at a table, and how many wagers the table takes."""

    table_id: int
    number: int
    seats: str
    wagers: int


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
    running = _running(table_codes)
    hit = set(Win.objects.filter(state__in=OPEN).values_list("table_code", flat=True)) & set(table_codes)
    # Boxes are told every second and hits are rare: a floor without one is not looked at table by table.
    close = table_states(hit | set(shown)) if hit or shown else {}
    further = _further(running)
    seats = {code: round_.seats for code, round_ in running.items()}
    return {code: _progress(seats.get(code), further.get(code, {}), close.get(code)) for code in table_codes}


def _running(table_codes: Collection[str]) -> dict[str, RunningRound]:
    """By table, its last round if that is open: no other can be. However long it has played, that is one key."""
    (rows,) = ask_together([(RUNNING, [list(table_codes)])])
    return {code: RunningRound(*row) for code, *row in rows}


def _further(running: Mapping[str, RunningRound]) -> dict[str, dict[str, str]]:
    """By table with several wagers: what is played of the further ones in its running round."""
    keys = [(each.table_id, each.number) for each in running.values() if each.wagers > 1]
    rounds = list(Round.objects.filter(pk__in=keys).select_related("table")) if keys else []
    fetch_further(rounds)
    return {round_.table.code: {each.wager: each.seats for each in round_.further} for round_ in rounds}


def _progress(counted: str | None, further: Mapping[str, str], standing: Facts | None) -> Progress:
    if standing is None:
        return Progress(counted, NO_WIN, (), "", further)
    round_: dict[str, Any] = standing["open_round"] or {"round": None, "hits": [], "signed": []}
    hits, parked = round_["hits"], standing["parked"]
    win = {"round": round_["round"], "hits": hits, "parked": parked, "signed": round_["signed"]}
    winners = tuple(hit["seat"] for hit in hits if hit["state"] in WON and hit["seat"])
    won = [hit for hit in hits if hit["state"] in WON and hit["seat"]]
    won_on = {
        hit["jackpot"]: frozenset(each["seat"] for each in won if each["jackpot"] == hit["jackpot"]) for hit in won
    }
    return Progress(counted, win, winners, notice(hits, parked, standing["key_at_jph"]), further, won_on)
