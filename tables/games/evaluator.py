"""Poker hands by the million: numpy twin of `tables/games/poker.py`.

Every card adds one number to its hand. The low nine bits tell the suits, the rest the ranks, both so that no two
different hands of equal size share a sum. One table then holds the class of every rank sum and another that of
every suited set of ranks. Classes run from 1 (7 5 4 3 2) to 7462 (the royal flush): higher is better, equal is equal.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import cache
from itertools import combinations_with_replacement
from typing import TYPE_CHECKING, NamedTuple

from tables.games.poker import Category

# For the types only: loading numpy takes its time, and pages that count nothing must not wait for it.
if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Ints = NDArray[np.integer]
    Values = NDArray[np.uint16]

CLASSES = 7462
# Found by greedy search: no two sets of seven ranks, four of each at most, share a sum.
_RANK_SUMMANDS = (0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181)
# Seven cards of one suit stay below the next summand (7 · 1 < 8, 7 · 8 < 57), so the sum tells how many there are of
# each; and 7 · 57 is below 512, the nine bits.
_SUIT_SUMMANDS = (0, 1, 8, 57)
_SUIT_BITS = 9
# A chunk of sums and its card columns stay in the second-level cache.
_CHUNK = 1 << 15


class RankTables(NamedTuple):
    """What the evaluator looks up for hands of one size; built once a process in a fraction of a second."""

    summands: NDArray[np.uint32]
    masks: NDArray[np.uint64]
    of_ranks: Values
    of_flush: Values
    flush_suit: NDArray[np.int8]
    first_of_category: Values


def evaluate(cards: Ints) -> Values:
    """The class of every row of 5, 6 or 7 card indexes (0 to 51, as `Card.index`)."""
    import numpy as np

    if cards.ndim != 2 or not 5 <= cards.shape[1] <= 7:
        raise ValueError("The evaluator takes rows of 5, 6 or 7 card indexes.")
    values = np.empty(len(cards), dtype=np.uint16)
    for start in range(0, len(cards), _CHUNK):
        columns = np.ascontiguousarray(cards[start : start + _CHUNK].T.astype(np.intp))
        values[start : start + _CHUNK] = _of_columns(columns)
    return values


def values_of_sums(sums: NDArray[np.uint32], size: int, masks_at: Callable[[Ints], NDArray[np.uint64]]) -> Values:
    """Classes from ready sums over `size` cards, for callers that add a board once and many hands to it.

    `masks_at` gives the card masks of the flat positions asked for: only the few suited hands need theirs.
    """
    import numpy as np

    tables = build_tables(size)
    sums = np.ascontiguousarray(sums)  # a view in another order would make ravel copy, and suited hands get lost
    values: Values = tables.of_ranks[sums >> np.uint32(_SUIT_BITS)]
    suits = tables.flush_suit[sums & np.uint32((1 << _SUIT_BITS) - 1)]
    suited = np.flatnonzero(suits >= 0)
    if len(suited):
        shift = suits.ravel()[suited].astype(np.uint64) * np.uint64(13)
        ranks = (masks_at(suited) >> shift) & np.uint64(0x1FFF)
        values.ravel()[suited] = tables.of_flush[ranks.astype(np.intp)]
    return values


def categories(values: Values) -> NDArray[np.uint8]:
    """The category number of every class, as `Category`."""
    import numpy as np

    starts = build_tables(7).first_of_category
    return (np.searchsorted(starts, values, side="right") - 1).astype(np.uint8)


def _of_columns(columns: Ints) -> Values:
    tables = build_tables(len(columns))
    sums = tables.summands.take(columns[0])
    for column in columns[1:]:
        sums += tables.summands.take(column)
    return values_of_sums(
        sums, len(columns), lambda at: tables.masks[columns[:, at]].sum(axis=0, dtype=tables.masks.dtype)
    )


@cache
def build_tables(size: int) -> RankTables:
    """What hands of `size` cards are looked up in; sums of different sizes would collide, so each has its own."""
    import numpy as np

    cards = np.arange(52)
    summands = (np.array(_RANK_SUMMANDS)[cards >> 2] << _SUIT_BITS) + np.array(_SUIT_SUMMANDS)[cards & 3]
    masks = np.uint64(1) << (np.uint64(13) * (cards & 3).astype(np.uint64) + (cards >> 2).astype(np.uint64))
    ladder, flush_scores = _ladder()
    counts = _rank_counts(size)
    sums = counts @ np.array(_RANK_SUMMANDS)
    of_ranks = np.zeros(sums.max() + 1, dtype=np.uint16)
    of_ranks[sums] = np.searchsorted(ladder, _rank_scores(counts)) + 1
    # In seven cards a flush rules out a four and a full house, so it never competes with the ranks.
    of_flush = np.where(flush_scores > 0, np.searchsorted(ladder, flush_scores) + 1, 0).astype(np.uint16)
    first = np.searchsorted(ladder, np.arange(len(Category)) << 20) + 1
    return RankTables(
        summands.astype(np.uint32), masks, of_ranks, of_flush, _flush_suits(size), first.astype(np.uint16)
    )


@cache
def _ladder() -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The scores of all different hands of five in order, and the score of every suited set of ranks."""
    import numpy as np

    flush_scores = _flush_scores()
    ladder = np.unique(np.concatenate([_rank_scores(_rank_counts(5)), flush_scores[flush_scores > 0]]))
    assert len(ladder) == CLASSES, "five cards make 7,462 different hands"
    return ladder, flush_scores


def _rank_counts(size: int) -> NDArray[np.int64]:
    """One row for every set of ranks that a deck can deal: how many of each."""
    import numpy as np

    ranks = np.array(list(combinations_with_replacement(range(13), size)))
    rows = np.arange(len(ranks))
    counts: NDArray[np.int64] = np.zeros((len(ranks), 13), dtype=np.int64)
    for column in ranks.T:
        counts[rows, column] += 1
    possible: NDArray[np.int64] = counts[counts.max(axis=1) <= 4]
    return possible


def _rank_scores(counts: NDArray[np.int64]) -> NDArray[np.int64]:
    """Category and ranks of the best unsuited five, packed four bits a rank."""
    import numpy as np

    left = counts.copy()
    four, three = _take(left, 4), _take(left, 3)
    pair = _take(left, 2)
    next_pair = _take(left, 2)
    second_three = np.where(three > 0, _highest(left >= 3), 0)
    under = np.maximum(np.where(three > 0, pair, 0), second_three)
    straight = _straight_tops(counts > 0)
    score = _packed(Category.HIGH_CARD, [], counts, 5)
    for category, found, made, sizes in (
        (Category.ONE_PAIR, pair > 0, [pair], (2,)),
        (Category.TWO_PAIR, next_pair > 0, [pair, next_pair], (2, 2)),
        (Category.THREE_OF_A_KIND, three > 0, [three], (3,)),
    ):
        score = np.where(found, _packed(category, made, counts, 5 - sum(sizes)), score)
    # Five ranks of four bits stand below the category, whatever the hand is made of.
    score = np.where(straight > 0, (int(Category.STRAIGHT) << 20) + straight, score)
    score = np.where((three > 0) & (under > 0), (int(Category.FULL_HOUSE) << 20) + (three << 4) + under, score)
    return np.where(four > 0, _packed(Category.FOUR_OF_A_KIND, [four], counts, 1), score)


def _take(left: NDArray[np.int64], size: int) -> NDArray[np.int64]:
    """The highest rank (2 to 14, 0 for none) held exactly `size` times, and struck from what is left."""
    import numpy as np

    rank = _highest(left == size)
    rows = np.flatnonzero(rank)
    # Struck, so that the next call finds the next group.
    left[rows, rank[rows] - 2] = 0
    return rank


def _highest(held: NDArray[np.bool_]) -> NDArray[np.int64]:
    import numpy as np

    ranks: NDArray[np.int64] = np.where(held.any(axis=1), 14 - np.argmax(held[:, ::-1], axis=1), 0)
    return ranks


def _packed(
    category: Category, made: list[NDArray[np.int64]], counts: NDArray[np.int64], kickers: int
) -> NDArray[np.int64]:
    import numpy as np

    rows = np.arange(len(counts))
    held = counts > 0
    score = np.full(len(counts), int(category), dtype=np.int64)
    for rank in made:
        score = (score << 4) + rank
        held[rows, rank - 2] = False
    for _ in range(kickers):
        rank = _highest(held)
        held[rows, rank - 2] = False
        score = (score << 4) + rank
    return score << (4 * (5 - len(made) - kickers))


def _straight_tops(held: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The top rank of the best straight, 0 for none; the ace also stands below the two."""
    import numpy as np

    line = np.concatenate([held[:, 12:], held], axis=1)
    tops = np.zeros(len(held), dtype=np.int64)
    for low in range(10):
        tops = np.where(line[:, low : low + 5].all(axis=1), low + 5, tops)
    return tops


def _flush_scores() -> NDArray[np.int64]:
    """By set of ranks in one suit (13 bits): the packed score of its best flush, 0 below five cards."""
    import numpy as np

    held = (np.arange(1 << 13)[:, None] >> np.arange(13)) & 1
    scores = _packed(Category.FLUSH, [], held, 5)
    tops = _straight_tops(held > 0)
    category = np.where(tops == 14, int(Category.ROYAL_FLUSH), int(Category.STRAIGHT_FLUSH))
    return np.where(held.sum(axis=1) < 5, 0, np.where(tops > 0, (category << 20) + tops, scores))


def _flush_suits(size: int) -> NDArray[np.int8]:
    """By suit sum: the suit held five times or more, -1 for none."""
    import numpy as np

    suits = np.full(1 << _SUIT_BITS, -1, dtype=np.int8)
    for held in combinations_with_replacement(range(4), size):
        most = max(range(4), key=held.count)
        if held.count(most) >= 5:
            suits[sum(_SUIT_SUMMANDS[suit] for suit in held)] = most
    return suits
