"""What a controller tells of a hand, read strictly: its round, the bank, and every spot with its wagers."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import Any, Final

from jackpot.money import ZERO, Money
from jackpot.reading import read_amount, read_whole
from tables.player_dealer.rules.action import LARGEST_WAGER, SpotAction, ToldAction

MOST_SEATS: Final = 9
MOST_WAGERS: Final = 9
_WAGER: Final = re.compile(r"[a-z][a-z_]{0,19}", re.ASCII)


class NotAnAction(ValueError):
    """A word of `action` that cannot be read; the message says how it is written."""


def read_action(round_number: int, bank: object, bets: object) -> ToldAction:
    """{"seat": 3, "wager": "500"} and [{"seat": 1, "wagers": {"ante": "25", "blind": "25"}}]; seats come in order."""
    stands = _entries(bank, "bank", {"seat", "wager"})
    if not isinstance(bets, list) or not 1 <= len(bets) <= MOST_SEATS:
        raise NotAnAction("“bets” must list the seats that bet, one to nine, each with its wagers.")
    spots = sorted((_spot(each) for each in bets), key=lambda spot: spot.seat)
    return ToldAction(
        round_number, _seat(stands["seat"]), _amount(stands["wager"], "player-dealer's wager"), tuple(spots)
    )


def _spot(told: object) -> SpotAction:
    spot = _entries(told, "bets", {"seat", "wagers"})
    wagers = spot["wagers"]
    if not isinstance(wagers, Mapping) or not 1 <= len(wagers) <= MOST_WAGERS:
        raise NotAnAction('“wagers” must be an object such as {"ante": "25", "blind": "25"}.')
    strange = next((name for name in wagers if not _WAGER.fullmatch(name)), None)
    if strange is not None:
        raise NotAnAction(f"“{str(strange)[:20]}” is no wager. Write it like ante, blind, trips or bad_beat.")
    return SpotAction(_seat(spot["seat"]), {name: _amount(wagers[name], name) for name in sorted(wagers)})


def _entries(told: object, what: str, keys: set[str]) -> Mapping[str, Any]:
    if not isinstance(told, Mapping) or set(told) != keys:
        raise NotAnAction(f"“{what}” takes exactly {' and '.join(sorted(keys))}.")
    return told


def _seat(told: object) -> int:
    try:
        return read_whole(told, "seat", 1, MOST_SEATS)
    except ValueError as why:
        raise NotAnAction(str(why)) from None


def _amount(told: object, what: str) -> Money:
    try:
        return read_amount(told, what.replace("_", " "), least=ZERO, most=LARGEST_WAGER)
    except ValueError as why:
        raise NotAnAction(str(why)) from None
