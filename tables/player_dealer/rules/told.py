"""What a controller tells of a hand, read strictly: its round, the bank, every spot with its wagers and its end."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, Final

from jackpot.money import ZERO, Money
from jackpot.reading import read_amount, read_whole
from tables.player_dealer.rules.action import LARGEST_WAGER, SpotAction, ToldAction
from tables.player_dealer.rules.settling import SpotOutcome, ToldOutcome

MOST_SEATS: Final = 9
MOST_WAGERS: Final = 9
LARGEST_DUE: Final = LARGEST_WAGER * 10_000  # the longest published pay is 10,000 to 1
MOST_ON_A_SPOT: Final = 3
_WAGER: Final = re.compile(r"[a-z][a-z_]{0,19}", re.ASCII)


class NotAnAction(ValueError):
    """A word of `action` that cannot be read; the message says how it is written."""


def read_action(round_number: int, bank: object, bets: object) -> ToldAction:
    """{"seat": 3, "wager": "500"} and [{"seat": 1, "wagers": {"ante": "25", "blind": "25"}}]; seats come in order."""
    stands = _entries(bank, "bank", {"seat", "wager"})
    if not isinstance(bets, list) or not 1 <= len(bets) <= MOST_SEATS:
        raise NotAnAction("“bets” must list the seats that bet, one to nine, each with its wagers.")
    # By seat, and wagers by name: the digest of a hand must not hang on the order in which a box wrote it.
    spots = sorted((_spot(each) for each in bets), key=lambda spot: spot.seat)
    return ToldAction(
        round_number, _seat(stands["seat"]), _amount(stands["wager"], "player-dealer's wager"), tuple(spots)
    )


def read_outcome(round_number: int, results: object) -> ToldOutcome:
    """[{"seat": 1, "play": "100", "due": {"ante": "25", "blind": "0", "play": "100", "trips": "-5"}}]."""
    if not isinstance(results, list) or not 1 <= len(results) <= MOST_SEATS:
        raise NotAnAction("“results” must list the spots of the hand, one to nine, each with what its wagers are due.")
    spots = sorted((_outcome(each) for each in results), key=lambda spot: spot.seat)
    return ToldOutcome(round_number, tuple(spots))


def _outcome(told: object) -> SpotOutcome:
    spot = _entries(told, "results", {"seat", "due"}, {"play"})
    due = _named(spot["due"], "due", '{"ante": "25", "blind": "0", "trips": "-5"}')
    play = _amount(spot.get("play", 0), "Play wager")
    return SpotOutcome(_seat(spot["seat"]), play, {name: _due(due[name], name) for name in sorted(due)})


def _due(told: object, what: str) -> Money:
    try:
        return read_amount(told, what.replace("_", " "), least=ZERO - LARGEST_WAGER, most=LARGEST_DUE)
    except ValueError as why:
        raise NotAnAction(str(why)) from None


def _spot(told: object) -> SpotAction:
    spot = _entries(told, "bets", {"seat", "wagers"}, {"players"})
    wagers = _named(spot["wagers"], "wagers", '{"ante": "25", "blind": "25"}')
    amounts = {name: _amount(wagers[name], name) for name in sorted(wagers)}
    return SpotAction(_seat(spot["seat"]), amounts, _whole(spot.get("players", 1), "players", MOST_ON_A_SPOT))


def _named(told: object, what: str, example: str) -> Mapping[str, Any]:
    """Amounts by the name of their wager."""
    if not isinstance(told, Mapping) or not 1 <= len(told) <= MOST_WAGERS:
        raise NotAnAction(f"“{what}” must be an object such as {example}.")
    strange = next((name for name in told if not _WAGER.fullmatch(name)), None)
    if strange is not None:
        raise NotAnAction(f"“{str(strange)[:20]}” is no wager. Write it like ante, blind, trips or bad_beat.")
    return told


def _entries(told: object, what: str, keys: set[str], also: Collection[str] = ()) -> Mapping[str, Any]:
    if not isinstance(told, Mapping) or not keys <= set(told) <= keys | set(also):
        may = f", and may take {' and '.join(sorted(also))}" if also else ""
        raise NotAnAction(f"“{what}” takes exactly {' and '.join(sorted(keys))}{may}.")
    return told


def _seat(told: object) -> int:
    return _whole(told, "seat", MOST_SEATS)


def _whole(told: object, what: str, most: int) -> int:
    try:
        return read_whole(told, what, 1, most)
    except ValueError as why:
        raise NotAnAction(str(why)) from None


def _amount(told: object, what: str) -> Money:
    try:
        return read_amount(told, what.replace("_", " "), least=ZERO, most=LARGEST_WAGER)
    except ValueError as why:
        raise NotAnAction(str(why)) from None
