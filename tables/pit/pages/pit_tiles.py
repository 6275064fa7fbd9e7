"""The pit's board as values: each table with its open hits, and all hits of the house in their order."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType
from typing import Any, Final

from jackpot.money import ZERO, Money
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import LIT, WinState
from tables.rounds.models.round import Round
from tables.setup.pages.tiles import Tile, tile

HIT_WORDS: Final[Mapping[str, str]] = {
    WinState.MARKED: "marked",
    WinState.ASKED: "approval needed",
    WinState.LOGGED: "key to RUN",
}
LIT_WORDS: Final = ("which seats?", "say which seats hold it")
PARKED_WORDS: Final = ("parked", "the round is over; settle it")
NEXT_STEP: Final[Mapping[str, str]] = {
    WinState.MARKED: "the dealer marks; wait for CONFIRM or JPH",
    WinState.ASKED: "waits for a card",
    WinState.LOGGED: "approved; turn the key to RUN",
}


@dataclass(frozen=True, slots=True)
class TileHits:
    """The open hits of one round, as one thing to settle."""

    table: str
    round: int
    seats: str
    names: str
    state: str
    words: str
    step: str
    since: datetime
    place: int
    lit: bool
    parked: bool
    amount: Money | None  # as it would be approved in its turn, or as it is fixed


@dataclass(frozen=True, slots=True)
class PitTile:
    tile: Tile
    coin_in_at: datetime | None
    key_at_jph: str
    hits: TileHits | None


def round_hits(
    wins: Iterable[Win],
    running: Collection[tuple[str, int]] | None = None,
    asked: Mapping[int, Money] = MappingProxyType({}),
) -> list[TileHits]:
    """Open hits by round, the earliest mark first; of several states the one that somebody must act on counts.

    A hit of a round that does not run any more is parked, or was claimed late.
    """
    rounds: dict[tuple[str, int], list[Win]] = {}
    for win in wins:
        rounds.setdefault((win.table_code, win.round_number), []).append(win)
    # Hits of different jackpots have no number in common: the clock orders this list, never what is paid.
    ordered = sorted(rounds.values(), key=lambda each: min(win.marked_at for win in each))
    return [_hits(place, each, running, asked) for place, each in enumerate(ordered, start=1)]


def pit_tile(table: Any, last: Round | None, hits: TileHits | None, now: datetime) -> PitTile:
    return PitTile(tile(table, last, now), last.opened_at if last else None, table.key_at_jph, hits)


def _hits(
    place: int, wins: list[Win], running: Collection[tuple[str, int]] | None, asked: Mapping[int, Money]
) -> TileHits:
    states = {win.state for win in wins}
    state = next(each for each in (WinState.LOGGED, WinState.ASKED, WinState.MARKED) if each in states)
    parked = running is not None and (wins[0].table_code, wins[0].round_number) not in running
    lit = state == WinState.MARKED and any(win.seat == LIT for win in wins)
    words, step = PARKED_WORDS if parked else LIT_WORDS if lit else (HIT_WORDS[state], NEXT_STEP[state])
    return TileHits(
        table=wins[0].table_code,
        round=wins[0].round_number,
        seats=_spoken(sorted({win.seat for win in wins} - {LIT})),
        names=", ".join(dict.fromkeys(win.line_name for win in wins)),
        state=state,
        words=words,
        step=step,
        since=min(win.marked_at for win in wins),
        place=place,
        lit=lit,
        parked=parked,
        amount=_amount(wins, asked),
    )


def _amount(wins: list[Win], asked: Mapping[int, Money]) -> Money | None:
    """All of the round together; nothing before CONFIRM or JPH."""
    amounts = [amount for win in wins if (amount := win.amount_money or asked.get(win.id)) is not None]
    return sum(amounts, ZERO) if amounts else None


def _spoken(seats: list[int]) -> str:
    if not seats:
        return "seats not said"
    return f"seat {seats[0]}" if len(seats) == 1 else f"seats {', '.join(map(str, seats))}"
