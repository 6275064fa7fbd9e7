"""What each decision of a player is worth: the 169 starting hands, and any flop or river."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from jackpot.refusals import NotUnderstood
from tables.calculation.desk import IN_A_REQUEST, desk
from tables.calculation.job import Job
from tables.games.cards import parse_cards, refuse_twice
from tables.games.game import Game, NotInThisGame
from tables.games.packs import BetTable
from tables.games.registry import part_of_game


@dataclass(frozen=True, slots=True)
class StartingHandsAnswer:
    """One row a starting hand, the highest first; none while they are counted."""

    rows: list[dict[str, Any]]
    percent: int = 100

    @property
    def ready(self) -> bool:
        return self.percent == 100


def starting_hands(game: Game) -> StartingHandsAnswer:
    """The 169 starting hands with what a raise and a check are worth in antes."""
    # Asked first: a game without decisions is refused before anything is counted.
    part_of_game(game.code, "decisions")
    question = {"do": "holes", "game": game.code, "bet": "blind", "table": _blind(game).code}
    job = desk().ask(question, lane="long", wait=IN_A_REQUEST)
    if job.answer is None:
        return StartingHandsAnswer([], job.percent)
    return StartingHandsAnswer([_row(hole) for hole in job.answer["holes"]])


def decision(game: Game, hole: str, board: str) -> Job:
    """The flop or river decision for these cards; cards that cannot lie so are refused before anything is counted."""
    part_of_game(game.code, "decisions")
    mine, theirs = parse_cards(hole, game.hole_cards, "the hand"), parse_cards(board, None, "the board")
    refuse_twice({"the hand": mine, "the board": theirs})
    if len(theirs) not in (3, 5):
        raise NotUnderstood(
            f"The board has {len(theirs)} cards. Give the 3 of the flop or all 5; before the flop the table of "
            "starting hands says what to do.",
            "board",
        )
    # The order of the cards changes nothing, so all orders share one answer.
    cards = {"hole": " ".join(sorted(map(str, mine))), "board": " ".join(sorted(map(str, theirs)))}
    # Somebody waits for it with the cards in view: in the short lane it queues behind no sheet that takes minutes.
    question = {"do": "decide", "game": game.code, "bet": "blind", "table": _blind(game).code, **cards}
    return desk().ask(question, lane="short", wait=IN_A_REQUEST)


def _blind(game: Game) -> BetTable:
    table = next((table for table in game.tables if table.bet == "blind"), None)
    if table is None:
        raise NotInThisGame(f"{game.title} has no base game to decide in.")
    return table


def _row(hole: dict[str, str]) -> dict[str, Any]:
    worth = {name: Fraction(hole[name]) for name in ("raise_4x", "raise_3x", "check")}
    best = "4x" if worth["raise_4x"] > worth["check"] else "check"
    told = {name: str(value) for name, value in worth.items()}
    return {"name": hole["name"], "hands": int(hole["hands"]), **told, "best": best}
