"""The par sheet of the base game, and what a fold takes from the side bets, from every round that can be played."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from tables.games.edge import net_of
from tables.games.packs import BetTable
from tables.games.par_sheet import ParRow
from tables.games.uth.whole_game import ROUNDS, WholeGame

ROYALS = "royal_"


def base_rows(blind: BetTable, counted: Mapping[str, Any]) -> tuple[int, tuple[ParRow, ...], tuple[ParRow, ...]]:
    """All rounds, by what they bring in antes; and the Blind's lines as often as they are paid."""
    game = WholeGame.from_plain(counted)
    rows = tuple(ParRow(f"net_{net}", _spoken(net), _antes(net), count, net) for net, count in game.nets(blind).items())
    paid = tuple(
        ParRow(line.hand, line.name, str(line.pays), game.blind_wins(line.hand), net_of(line, None, None))
        for line in blind.lines
    )
    return ROUNDS, rows, paid


def forfeited(table: BetTable, counted: Mapping[str, Any]) -> tuple[int, tuple[int, ...]]:
    """Of all rounds: in how many each line of the table was the folded player's."""
    game = WholeGame.from_plain(counted)
    held = game.folded_beaten if table.bet == "bad_beat" else game.folded
    assert not game.folded["royal_flush"], "nobody folds a royal, so its lines lose nothing"
    given_up = [0 if line.hand.startswith(ROYALS) else held[line.hand.removeprefix("beaten_")] for line in table.lines]
    return ROUNDS, tuple(given_up)


def _spoken(net: Fraction) -> str:
    if not net:
        return "Comes back even"
    return f"{'Wins' if net > 0 else 'Loses'} {_plain(abs(net))} {'ante' if abs(net) == 1 else 'antes'}"


def _antes(net: Fraction) -> str:
    return f"{'+' if net > 0 else '−' if net < 0 else ''}{_plain(abs(net))}"


def _plain(antes: Fraction) -> str:
    whole, half = divmod(antes, 1)
    return f"{whole:,}.5" if half else f"{whole:,}"
