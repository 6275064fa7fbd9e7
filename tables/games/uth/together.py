"""What several seats on one board hold together.

Which boards come how often is counted exactly. How rows fall to seats that cannot share a card is dealt at random on
boards of each kind, and then tilted so that every seat keeps its exact chance of every row.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING

from tables.games.evaluator import categories
from tables.games.uth.boards import HOLES, cards_left, hole_places, hole_values

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Counts = tuple[int, ...]
BOARDS_AT_ONCE = 48
MORE_FOR_COMMON_KINDS = 64
DEALS_ON_A_BOARD = 512
TILTS = 40


def deal_together(
    boards: NDArray[np.uint8], hits: Sequence[int], of_category: Mapping[int, int], most_seats: int
) -> dict[int, dict[Counts, float]]:
    """On boards of one kind, for each number of seats from two up: how likely each count of rows is.

    `hits` says on how many of 1,081 hole pairs each row comes, `of_category` which column a category's row has.
    """
    import numpy as np

    # Always the same deals: the laboratory must tell two people the same.
    dice = np.random.default_rng(52)
    if not any(hits):
        return {seats: {(0,) * len(hits): 1.0} for seats in range(2, most_seats + 1)}
    chosen = boards[dice.permutation(len(boards))[: BOARDS_AT_ONCE + len(boards) // MORE_FOR_COMMON_KINDS]]
    rows = np.concatenate(
        [
            _dealt_rows(chosen[start : start + BOARDS_AT_ONCE], of_category, len(hits), most_seats, dice)
            for start in range(0, len(chosen), BOARDS_AT_ONCE)
        ]
    )
    return {seats: _tilted(rows[:, :seats], hits) for seats in range(2, most_seats + 1)}


def _dealt_rows(
    boards: NDArray[np.uint8], of_category: Mapping[int, int], columns: int, seats: int, dice: np.random.Generator
) -> NDArray[np.int64]:
    """The row of each seat in many deals on each of these boards; `columns` stands for no row."""
    import numpy as np

    first, second = hole_places()
    values = hole_values(boards, cards_left(boards))
    row_of = np.array([of_category.get(category, columns) for category in range(10)])
    square = np.zeros((len(boards), 47, 47), dtype=np.int64)
    square[:, first, second] = square[:, second, first] = row_of[categories(values)]
    deals = dice.random((len(boards), DEALS_ON_A_BOARD, 47)).argsort(axis=2)[:, :, : 2 * seats]
    board = np.arange(len(boards))[:, None, None]
    rows: NDArray[np.int64] = square[board, deals[:, :, 0::2], deals[:, :, 1::2]]
    return rows.reshape(-1, seats)


def _tilted(rows: NDArray[np.int64], hits: Sequence[int]) -> dict[Counts, float]:
    """The counts of the deals, weighted so that each row comes as often as it exactly does."""
    import numpy as np

    columns, seats = len(hits), rows.shape[1]
    counts = np.stack([(rows == column).sum(axis=1) for column in range(columns)], axis=1)
    # As one number a row: sorting rows takes many times as long.
    places = 8 ** np.arange(columns)[::-1]
    packed, often = np.unique(counts @ places, return_counts=True)
    found = packed[:, None] // places % 8
    wanted = np.array(hits) * seats / HOLES
    weights = often / often.sum()
    for _ in range(TILTS):
        for column in np.flatnonzero(found.sum(axis=0)):
            weights = _tilt(weights, found[:, column], wanted[column], seats)
    return {tuple(row): chance for row, chance in zip(found.tolist(), weights.tolist(), strict=True)}


def _tilt(weights: NDArray[np.float64], counts: NDArray[np.int64], wanted: float, seats: int) -> NDArray[np.float64]:
    """One step of proportional fitting of the mean of one count; a count that never varies is left alone."""
    if wanted in (0, seats) or counts.min() == counts.max():
        return weights
    tilted: NDArray[np.float64] = weights * (wanted / (weights @ counts)) ** counts
    tilted /= tilted.sum()
    return tilted
