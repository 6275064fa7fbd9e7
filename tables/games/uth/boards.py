"""Every board there is, and every pair of hole cards on it: the ground of all exact figures of this game.

Suits are equal, so of 2,598,960 boards only 134,459 differ; each stands for as many as its weight says.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

from tables.games.evaluator import build_tables, values_of_sums

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

BOARDS = 134_459
ALL_BOARDS = 2_598_960
HOLES = 1_081  # pairs of the 47 cards that a board leaves
AGAINST = 990  # pairs of the 45 cards that a board and two hole cards leave
BATCH = 128  # boards: their squares of 47 by 47 still fit the cache


class Batch(NamedTuple):
    """Some boards, their weights, the 47 cards left over and the value of each of the 1,081 hole pairs."""

    boards: NDArray[np.uint8]
    weights: NDArray[np.int64]
    rest: NDArray[np.uint8]
    values: NDArray[np.uint16]


class Contest(NamedTuple):
    """For every hole pair against all 990 others that share no card with it: how many it beats, loses to, and how
    many of the 990 are no pair (a dealer who does not qualify)."""

    below: NDArray[np.int32]
    above: NDArray[np.int32]
    without_pair: NDArray[np.int32]


@cache
def hole_places() -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """The 1,081 pairs of places in the 47 cards left."""
    import numpy as np

    first, second = np.triu_indices(47, 1)
    return first, second


@cache
def canonical_boards() -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """One board for each way to look at it, and how many boards look the same."""
    import numpy as np

    boards = np.array(list(combinations(range(52), 5)), dtype=np.uint8)
    kinds = suit_patterns(boards)
    _, first, weights = np.unique(kinds, return_index=True, return_counts=True)
    assert (len(first), weights.sum()) == (BOARDS, ALL_BOARDS), "five cards make 134,459 boards up to suits"
    return boards[first], weights


def suit_patterns(cards: NDArray[np.uint8]) -> NDArray[np.uint64]:
    """One number per row, the same for rows that differ only in which suit is which."""
    import numpy as np

    held = np.zeros((len(cards), 4), dtype=np.uint64)
    rows = np.arange(len(cards))
    for column in cards.T:
        held[rows, column & 3] += np.uint64(1) << (column >> 2).astype(np.uint64)
    # Sorted by what each suit holds, the suits lose their names: boards that look the same get one number.
    held.sort(axis=1)
    shifts = np.arange(4, dtype=np.uint64) * np.uint64(13)
    patterns: NDArray[np.uint64] = (held << shifts).sum(axis=1, dtype=np.uint64)
    return patterns


def batches() -> Iterator[Batch]:
    """All canonical boards, some at a time, so that a batch stays in the processor's cache."""
    boards, weights = canonical_boards()
    for start in range(0, len(boards), BATCH):
        chosen = boards[start : start + BATCH]
        rest = cards_left(chosen)
        yield Batch(chosen, weights[start : start + BATCH], rest, hole_values(chosen, rest))


def cards_left(boards: NDArray[np.uint8]) -> NDArray[np.uint8]:
    import numpy as np

    free = np.ones((len(boards), 52), dtype=bool)
    np.put_along_axis(free, boards.astype(np.intp), values=False, axis=1)
    return np.nonzero(free)[1].reshape(len(boards), 52 - boards.shape[1]).astype(np.uint8)


def hole_values(boards: NDArray[np.uint8], rest: NDArray[np.uint8]) -> NDArray[np.uint16]:
    """The class of the best five of seven for every hole pair on every board."""
    import numpy as np

    tables = build_tables(7)
    first, second = hole_places()
    left, left_masks = tables.summands[rest], tables.masks[rest]
    on_board = tables.summands[boards].sum(axis=1, dtype=np.uint32)
    board_masks = tables.masks[boards].sum(axis=1, dtype=np.uint64)

    def masks_at(at: NDArray[np.integer]) -> NDArray[np.uint64]:
        board, hole = at // HOLES, at % HOLES
        masks: NDArray[np.uint64] = (
            board_masks[board] + left_masks[board, first[hole]] + left_masks[board, second[hole]]
        )
        return masks

    return values_of_sums(left[:, first] + left[:, second] + on_board[:, None], 7, masks_at)


def contest(values: NDArray[np.uint16]) -> Contest:
    """Every hole pair against every other. Pairs that share a card cannot meet: they are counted by card and
    taken off; a pair shares both cards only with itself, which is neither below nor above."""
    import numpy as np

    first, second = hole_places()
    square = _square(values)
    below, above = _strictly(values)
    card_below, card_above = _strictly_by_card(square)
    no_pair = values < build_tables(7).first_of_category[1]
    by_card = _square(no_pair).sum(axis=2, dtype=np.int32)
    without_pair = no_pair.sum(axis=1, dtype=np.int32)[:, None] - by_card[:, first] - by_card[:, second] + no_pair
    return Contest(
        below - card_below[:, first, second] - card_below[:, second, first],
        above - card_above[:, first, second] - card_above[:, second, first],
        without_pair.astype(np.int32),
    )


def _square(values: NDArray[np.generic]) -> NDArray[np.generic]:
    """By card and card; the diagonal, a card with itself, stays zero."""
    import numpy as np

    first, second = hole_places()
    square = np.zeros((len(values), 47, 47), dtype=values.dtype)
    square[:, first, second] = values
    square[:, second, first] = values
    return square


def _strictly(values: NDArray[np.generic]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """For each entry of a row: how many entries of the row are strictly lower, and strictly higher."""
    import numpy as np

    size = values.shape[-1]
    bits = np.uint32(size - 1).item().bit_length()
    # Value and place in one number: one sort orders both, and places come back without a second look-up.
    packed = (values.astype(np.uint32) << np.uint32(bits)) | np.arange(size, dtype=np.uint32)
    packed.sort(axis=-1)
    places = (packed & np.uint32((1 << bits) - 1)).astype(np.intp)
    ordered = packed >> np.uint32(bits)
    starts = np.zeros(values.shape, dtype=np.int32)
    starts[..., 1:] = np.where(ordered[..., 1:] != ordered[..., :-1], np.arange(1, size, dtype=np.int32), 0)
    np.maximum.accumulate(starts, axis=-1, out=starts)
    ends = np.full(values.shape, size, dtype=np.int32)
    ends[..., :-1] = np.where(ordered[..., 1:] != ordered[..., :-1], np.arange(1, size, dtype=np.int32), size)
    ends = np.minimum.accumulate(ends[..., ::-1], axis=-1)[..., ::-1]
    lower, higher = np.empty_like(starts), np.empty_like(starts)
    np.put_along_axis(lower, places, starts, axis=-1)
    np.put_along_axis(higher, places, size - ends, axis=-1)
    return lower, higher


def _strictly_by_card(square: NDArray[np.generic]) -> tuple[NDArray[np.int32], NDArray[np.int32]]:
    """Among the 46 pairs that hold one card. The diagonal's zero lies below all of them and is taken off."""
    # All classes are above zero, so the diagonal is the lowest entry of every row.
    lower, higher = _strictly(square)
    return lower - 1, higher
