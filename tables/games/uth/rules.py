"""Where rule books differ: every contradiction is a switch with a value, never an `if` on a place."""

from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from typing import Literal

from tables.games.limits import BetRefused, CountGames, dollars, refuse_games
from tables.games.packs import BetTable
from tables.games.player_dealer import Model

BASE = ("ante", "blind", "play")
SIDE_BETS = ("trips", "bad_beat", "pairs", "progressive")
Action = Literal["fold", "1x", "2x", "3x", "4x"]
MULTIPLES: Mapping[Action, int] = {"fold": 0, "1x": 1, "2x": 2, "3x": 3, "4x": 4}

AfterFold = Literal["live", "dead"]
LosersOrder = Literal["ante_play_blind", "play_ante_blind"]
BadBeatNeeds = Literal["as_printed", "ante_blind", "ante_blind_trips"]


@dataclass(frozen=True, slots=True)
class HouseRules:
    """The switches of one table; the defaults are ours, each other value stands in some rule book."""

    seats: int = 7
    settling_order: Literal["right_to_left", "clockwise"] | tuple[int, ...] = "right_to_left"
    losers_order: LosersOrder = "ante_play_blind"
    bad_beat_needs: BadBeatNeeds = "as_printed"
    bad_beat_after_fold: AfterFold = "live"
    progressive_after_fold: AfterFold = "live"
    folded_ante_when_dealer_fails: Literal["lost", "returned"] = "lost"
    model: Model = "net"
    fixed_awards_from: Literal["tray", "meter"] = "tray"
    most_games: int = 4
    count_games: CountGames = "base_is_one"


def refuse_bets(
    wagers: Mapping[str, Fraction], tables: Mapping[str, BetTable], rules: HouseRules, *, player_dealer: bool = False
) -> None:
    """What a player puts down before the deal: equal ante and blind, each side bet with what it needs, four games."""
    refuse_unplayable(wagers, tables)
    for bet in SIDE_BETS:
        if bet in wagers:
            _refuse_without(bet, _needs(bet, tables[bet], rules), wagers)
    if player_dealer and "progressive" in wagers:
        raise BetRefused("A jackpot cannot hang on a player-dealer table: the house may have no interest in its game.")
    refuse_games(wagers, BASE, rules.most_games, rules.count_games)


def refuse_unplayable(wagers: Mapping[str, Fraction], tables: Mapping[str, BetTable]) -> None:
    """Wagers that could not even be settled."""
    for name, amount in wagers.items():
        if name == "play":
            raise BetRefused("The play wager follows from what the player does; leave it out of the wagers.")
        if name not in (*BASE, *SIDE_BETS):
            raise BetRefused(f"There is no wager {name}; there is {', '.join(('ante', 'blind', *SIDE_BETS))}.")
        if amount <= 0:
            raise BetRefused(f"The {name} of {dollars(amount)} is no wager; leave it out or make it more than nothing.")
        if name in SIDE_BETS and name not in tables:
            raise BetRefused(f"The table has no {name.replace('_', ' ')} pay table in force; take the wager back.")
    if "ante" not in wagers or wagers.get("ante") != wagers.get("blind"):
        ante, blind = (dollars(wagers.get(name, Fraction(0))) for name in ("ante", "blind"))
        raise BetRefused(f"Ante and blind must be equal and stand both: the ante is {ante}, the blind {blind}.")


def _needs(bet: str, table: BetTable, rules: HouseRules) -> tuple[str, ...]:
    if bet != "bad_beat" or rules.bad_beat_needs == "as_printed":
        return table.needs
    return ("ante", "blind") if rules.bad_beat_needs == "ante_blind" else ("ante", "blind", "trips")


def _refuse_without(bet: str, needs: tuple[str, ...], wagers: Mapping[str, Fraction]) -> None:
    missing = [name for name in needs if name not in wagers]
    if missing:
        raise BetRefused(f"The {bet.replace('_', ' ')} wager needs a {missing[0]} wager beside it.")
