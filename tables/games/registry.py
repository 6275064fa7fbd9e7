"""The games that stand in this folder: each sub-folder that offers a GAME is one."""

from functools import cache
from importlib import import_module
from importlib.util import find_spec
from pkgutil import iter_modules
from typing import Any

import tables.games as shelf
from jackpot.terms.rules.paytable import PayTable
from tables.games.game import Game, NotInThisGame
from tables.games.jackpot_lines import judged_table
from tables.games.line_order import refuse_wrong_order


@cache
def find_games() -> dict[str, Game]:
    """Every game by its code. A new folder is found at the next start; nothing else need know of it."""
    # By name, so that two processes list the games in the same order.
    folders = sorted(module.name for module in iter_modules(shelf.__path__) if module.ispkg)
    games = [import_module(f"{shelf.__name__}.{folder}").GAME for folder in folders]
    return {game.code: game for game in games}


def find_game(code: str) -> Game:
    games = find_games()
    if code not in games:
        raise NotInThisGame(f"There is no game {code} here; there is {', '.join(games)}.")
    return games[code]


def refuse_unreached(pay_table: PayTable) -> None:
    """A jackpot's lines, stated or chosen, of which a game knows that one takes another's hands."""
    for game in find_games().values():
        table = judged_table(game, pay_table)
        if table is not None:
            refuse_wrong_order(game, table.bet, table.lines)


def part_of_game(code: str, part: str) -> Any:
    """What a game offers beyond its bets is a module of its folder: settling, collections, a base game, procedures."""
    game = find_game(code)
    name = f"{game.judge.__module__.rpartition('.')[0]}.{part}"
    # Asked before it is loaded: an import error inside a part must not look like a game without that part.
    if find_spec(name) is None:
        raise NotInThisGame(f"{game.title} has no {part.replace('_', ' ')}.")
    return import_module(name)
