"""The exact chance of every pay line, by looking at every deal that matters."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING

from tables.games.cards import DECK
from tables.games.census import Census, remembered_census
from tables.games.evaluator import categories
from tables.games.game import NotInThisGame, Progress
from tables.games.packs import BetTable, PrintedLine
from tables.games.poker import Category
from tables.games.uth.boards import AGAINST, ALL_BOARDS, BATCH, BOARDS, HOLES, batches, contest
from tables.games.uth.hands import Spot, winning_line
from tables.games.uth.situations import ROYAL_LINES, royal_spots

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

SHOWDOWNS = ALL_BOARDS * HOLES * AGAINST
ROYALS_ON_FIVE_GIVEN_CARDS = Fraction(4, ALL_BOARDS)


def line_chances(table: BetTable, progress: Progress | None = None, folder: Path | None = None) -> tuple[Fraction, ...]:
    """The probability of each line of a table, in the table's order; the first fulfilled line takes the hand.

    The hands of seven cards are the same for every table: counted once, they are kept in the folder.
    """
    match table.bet:
        case "trips":
            return tuple(_made(Category[line.hand.upper()], progress, folder) for line in table.lines)
        case "progressive":
            royals = {**dict.fromkeys(ROYAL_LINES, Fraction(0)), **_royal_lines(table)}
            return tuple(
                royals[line.hand] if line.hand in royals else _made(Category[line.hand.upper()], progress, folder)
                for line in table.lines
            )
        case "pairs":
            return _pairs(table)
        case "blind" | "bad_beat":
            return _showdown(table, progress)
        case other:
            raise NotInThisGame(f"No chances are known for the bet {other}.")


def _made(category: Category, progress: Progress | None, folder: Path | None) -> Fraction:
    census = _sevens(progress, folder)
    return Fraction(census.hands[category], census.total)


def _sevens(progress: Progress | None, folder: Path | None) -> Census:
    if not _COUNTED:
        _COUNTED.append(remembered_census(7, folder, progress))
    return _COUNTED[0]


_COUNTED: list[Census] = []


def _royal_lines(table: BetTable) -> dict[str, Fraction]:
    """The predicates themselves say which line each way to hold a royal wins; a table may leave some of them out."""
    lines = Counter(_hand_of(winning_line(table, spot)) for spot in royal_spots())
    return {hand: ways * ROYALS_ON_FIVE_GIVEN_CARDS for hand, ways in lines.items() if hand is not None}


def _pairs(table: BetTable) -> tuple[Fraction, ...]:
    """All 1,326 pairs of hole cards; the dealer's 1,225 are dealt only where the line depends on them."""
    won: Counter[str | None] = Counter()
    for hole in combinations(DECK, 2):
        try:
            won[_hand_of(winning_line(table, Spot(hole, ())))] += comb(50, 2)
        except NotInThisGame:  # only the line that looks at the dealer asks for cards
            others = combinations([card for card in DECK if card not in hole], 2)
            won.update(_hand_of(winning_line(table, Spot(hole, (), dealer))) for dealer in others)
    return tuple(Fraction(won[line.hand], comb(52, 2) * comb(50, 2)) for line in table.lines)


def _hand_of(line: PrintedLine | None) -> str | None:
    return line.hand if line else None


def _showdown(table: BetTable, progress: Progress | None) -> tuple[Fraction, ...]:
    """Player and dealer both play to the end: won with this hand (blind), or this hand beaten (bad beat)."""
    won_with, beaten = _counted_showdowns(progress)
    counts = won_with if table.bet == "blind" else beaten
    kinds = [Category[line.hand.removeprefix("beaten_").upper()] for line in table.lines]
    return tuple(Fraction(counts[kind], SHOWDOWNS) for kind in kinds)


def _counted_showdowns(progress: Progress | None) -> tuple[dict[Category, int], dict[Category, int]]:
    """Over every board, hole pair and dealer's pair. A hand is beaten as often as the player's as the dealer's."""
    import numpy as np

    if "won_with" not in _COUNTED_SHOWDOWNS:
        won, lost = np.zeros(len(Category), dtype=np.int64), np.zeros(len(Category), dtype=np.int64)
        for done, batch in enumerate(batches(), start=1):
            met, kinds = contest(batch.values), categories(batch.values)
            won += _weighted(met.below, kinds, batch.weights)
            lost += _weighted(met.above, kinds, batch.weights)
            if progress:
                progress(min(1.0, done * BATCH / BOARDS))
        _COUNTED_SHOWDOWNS["won_with"] = {kind: int(won[kind]) for kind in Category}
        _COUNTED_SHOWDOWNS["beaten"] = {kind: 2 * int(lost[kind]) for kind in Category}
    return _COUNTED_SHOWDOWNS["won_with"], _COUNTED_SHOWDOWNS["beaten"]


def _weighted(met: NDArray[np.int32], kinds: NDArray[np.uint8], weights: NDArray[np.int64]) -> NDArray[np.int64]:
    """By category of the hand: its meetings, each board as often as it stands for."""
    import numpy as np

    # A batch's sums stay far below 2 to the 53rd, so the doubles of bincount are exact.
    sums = np.bincount(kinds.ravel(), weights=(met * weights[:, None]).ravel(), minlength=len(Category))
    return sums.astype(np.int64)


_COUNTED_SHOWDOWNS: dict[str, dict[Category, int]] = {}
