"""What each decision is worth with the cards on the table, by looking at every deal that is left."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import TYPE_CHECKING, Final

from tables.games.cards import PlayingCard, cards_in_words, refuse_twice
from tables.games.evaluator import build_tables, categories, evaluate
from tables.games.game import NotInThisGame, Progress
from tables.games.packs import BetTable
from tables.games.poker import Category
from tables.games.uth.base_sums import HALF_ANTES, Met, blind_half_antes
from tables.games.uth.boards import AGAINST

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

RUNOUTS: Final = 1_081  # of turn and river
BATCH: Final = 64  # boards of 990 dealer's hands


@dataclass(frozen=True, slots=True)
class DecisionValue:
    """One thing that may be done and what it is worth in antes on average."""

    action: str
    worth: Fraction


@dataclass(frozen=True, slots=True)
class DecisionSpot:
    """What may be done, the best of it, and how the deals that are left end for the player when nobody folds."""

    values: tuple[DecisionValue, ...]
    deals: int
    wins: int
    ties: int
    losses: int

    @property
    def best(self) -> str:
        """At equal worth the smaller wager; they stand from the smallest up."""
        return max(self.values, key=lambda value: value.worth).action


def decide_spot(
    hole: Sequence[PlayingCard], board: Sequence[PlayingCard], blind: BetTable, progress: Progress | None = None
) -> DecisionSpot:
    """The flop decision (raise 2x or check) or the river decision (play 1x or fold)."""
    if len(hole) != 2:
        raise NotInThisGame(f"The player has {cards_in_words(len(hole))}; it needs 2.")
    refuse_twice({"the hand": tuple(hole), "the board": tuple(board)})
    match len(board):
        case 3:
            return _on_the_flop(hole, board, blind, progress)
        case 5:
            return _on_the_river(hole, board, blind)
        case other:
            raise NotInThisGame(
                f"The board has {cards_in_words(other)}; give the 3 of the flop or all 5. Before the flop the table of "
                "starting hands says what to do."
            )


def _on_the_river(hole: Sequence[PlayingCard], board: Sequence[PlayingCard], blind: BetTable) -> DecisionSpot:
    import numpy as np

    sums = _sums(np.array([[card.index for card in (*hole, *board)]], dtype=np.uint8), blind)
    fold, play = Fraction(-2), Fraction(int(sums.play[0]), AGAINST * HALF_ANTES)
    values = (DecisionValue("fold", fold), DecisionValue("1x", play))
    return DecisionSpot(values, AGAINST, *sums.contest())


def _on_the_flop(
    hole: Sequence[PlayingCard], flop: Sequence[PlayingCard], blind: BetTable, progress: Progress | None
) -> DecisionSpot:
    import numpy as np

    held = [card.index for card in (*hole, *flop)]
    left = [card for card in range(52) if card not in held]
    sevens = np.array([[*held, *two] for two in combinations(left, 2)], dtype=np.uint8)
    check = raised = 0
    contest = np.zeros(3, dtype=np.int64)
    for start in range(0, len(sevens), BATCH):
        sums = _sums(sevens[start : start + BATCH], blind)
        check += int(np.maximum(sums.play, -2 * HALF_ANTES * AGAINST).sum())
        raised += int((sums.play + sums.each_more).sum())
        contest += np.array(sums.contest())
        if progress:
            progress(min(1.0, (start + BATCH) / len(sevens)))
    deals = RUNOUTS * AGAINST
    worth = (Fraction(total, deals * HALF_ANTES) for total in (check, raised))
    values = tuple(DecisionValue(action, value) for action, value in zip(("check", "2x"), worth, strict=True))
    return DecisionSpot(values, deals, *contest.tolist())


@dataclass(frozen=True, slots=True)
class _PlayedSums:
    """Per board, in half antes over the dealer's 990 hands: playing once, and what each further play wager adds."""

    play: NDArray[np.int64]
    each_more: NDArray[np.int64]
    met: Met

    def contest(self) -> tuple[int, int, int]:
        wins = int((self.met.wins + self.met.wins_unqualified).sum())
        losses = int((self.met.losses + self.met.losses_unqualified).sum())
        return wins, len(self.play) * AGAINST - wins - losses, losses


def _sums(sevens: NDArray[np.uint8], blind: BetTable) -> _PlayedSums:
    """Rows of two hole cards and five of the board, each against every dealer's hand that is left."""
    import numpy as np

    mine = evaluate(sevens)
    dealers = np.array([_against(row) for row in sevens.tolist()], dtype=np.uint8)
    theirs = evaluate(dealers.reshape(-1, 7)).reshape(len(sevens), AGAINST)
    no_pair = theirs < build_tables(7).first_of_category[Category.ONE_PAIR]
    below, above = theirs < mine[:, None], theirs > mine[:, None]
    parts = (below & ~no_pair, below & no_pair, above & ~no_pair, above & no_pair)
    met = Met(*(part.sum(axis=1, dtype=np.int64) for part in parts))
    pays, won = blind_half_antes(blind)[categories(mine)], met.wins + met.wins_unqualified
    lost = met.losses + met.losses_unqualified
    each_more = HALF_ANTES * (won - lost)
    base = HALF_ANTES * (met.wins - met.losses) + pays * won - HALF_ANTES * lost
    return _PlayedSums(base + each_more, each_more, met)


def _against(seven: list[int]) -> list[list[int]]:
    left = [card for card in range(52) if card not in seven]
    return [[*two, *seven[2:]] for two in combinations(left, 2)]
