"""The machine and the decks of a table: a shuffler whose steps its game knows, and decks whose backs differ."""

from __future__ import annotations

from collections.abc import Sequence

from jackpot.refusals import NotUnderstood
from tables.floor.models.table import Bank
from tables.games.game import NotInThisGame
from tables.games.registry import part_of_game

DECKS_IN_TURN = 2


def check_equipment(code: str, game: str, shuffler: str, bank: str, colours: Sequence[str]) -> None:
    _check_shuffler(code, game, shuffler)
    _check_decks(code, bank, colours)


def _check_shuffler(code: str, game: str, shuffler: str) -> None:
    """One that the game has steps for: with another the console would show those of every machine."""
    try:
        known = part_of_game(game, "procedure").procedures().shufflers
    except NotInThisGame:
        return
    if shuffler and shuffler not in known:
        listed = "; ".join(f"{key} ({label})" for key, label in known.items())
        raise NotUnderstood(f"{code}: “{shuffler}” is no shuffler of this game. Write one of: {listed}.", "shuffler")


def _check_decks(code: str, bank: str, colours: Sequence[str]) -> None:
    """Decks go in turn, so their backs must be told apart; where a player banks there are two [001:20–23]."""
    plain = [colour.strip().casefold() for colour in colours]
    twice = next((colour for colour, same in zip(colours, plain, strict=True) if plain.count(same) > 1), None)
    if twice is not None:
        why = f"{code}: two decks are {twice}. The decks go in turn, so give each a colour of its own."
        raise NotUnderstood(why, "deck_colours")
    if bank == Bank.PLAYER_DEALER and colours and len(colours) != DECKS_IN_TURN:
        why = (
            f"{code}: where a player banks two decks of two colours go in turn, not {len(colours)}. "
            "Write both, such as red, blue; or none."
        )
        raise NotUnderstood(why, "deck_colours")
