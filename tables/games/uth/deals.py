"""Deals that exist: which hole cards hold which rows on every board, and the rounds that cost most."""

from __future__ import annotations

from collections.abc import Iterator
from functools import lru_cache
from itertools import combinations
from typing import TYPE_CHECKING

from jackpot.laboratory.outcomes import Witness
from tables.games.cards import DECK, PlayingCard
from tables.games.evaluator import categories
from tables.games.poker import Category
from tables.games.uth.boards import HOLES, Batch, batches, hole_places
from tables.games.uth.hands import Spot

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIXED_ROWS = ("straight_flush", "four_of_a_kind", "full_house")
PROGRESSIVE_ROWS = ("royal_first_5", "royal_first_7", "royal_community", *FIXED_ROWS)
Pattern = tuple[int, ...]


def rows_held(batch: Batch) -> dict[str, NDArray[np.bool_]]:
    """Per row: which hole pairs of which boards hold it. A royal by both hole cards may lie on the flop or not."""
    kinds = categories(batch.values)
    royal = kinds == Category.ROYAL_FLUSH
    number = royal.sum(axis=1, keepdims=True)
    return {
        "royal_first_5": royal & (number == 1),
        "royal_first_7": royal & (number < HOLES),
        "royal_community": royal & (number == HOLES),
        **{row: kinds == Category[row.upper()] for row in FIXED_ROWS},
    }


def held_by_card(held: NDArray[np.bool_]) -> NDArray[np.int64]:
    """How many of the hole pairs held contain each of the 47 cards."""
    import numpy as np

    first, second = hole_places()
    square = np.zeros((len(held), 47, 47), dtype=bool)
    square[:, first, second] = held
    square[:, second, first] = held
    by_card: NDArray[np.int64] = square.sum(axis=2)
    return by_card


def find_witnesses(most_seats: int) -> dict[int, tuple[Witness, ...]]:
    """For each number of seats the costliest deals that exist: none is dealt in which every seat does at least as
    well. Rows below the royals are taken in rank order."""
    candidates = list(_candidates())
    return {seats: _frontier(candidates, seats) for seats in range(1, most_seats + 1)}


def _candidates() -> Iterator[tuple[Pattern, tuple[PlayingCard, ...]]]:
    """One board, in rank order of what it could bring, for each way in which rows come together on it."""
    import numpy as np

    seen: set[tuple[int, ...]] = set()
    for batch in batches():
        held = rows_held(batch)
        counts = np.stack([held[row].sum(axis=1) for row in PROGRESSIVE_ROWS], axis=1)
        spread = np.stack([(held_by_card(held[row]) > 0).sum(axis=1) for row in PROGRESSIVE_ROWS[:5]], axis=1)
        for place in np.unique(np.concatenate([counts, spread], axis=1), axis=0, return_index=True)[1]:
            shape = (*counts[place].tolist(), *spread[place].tolist())
            # Boards with equal counts and spreads offer the same deals; one of them is enough.
            if shape not in seen:
                seen.add(shape)
                yield tuple(counts[place].tolist()), _royal_first([DECK[card] for card in batch.boards[place]])


def _royal_first(board: list[PlayingCard]) -> tuple[PlayingCard, ...]:
    """The same board with its highest suited cards as the flop, so that a royal may lie on it."""
    suit = max("cdhs", key=lambda suit: sum(card.suit == suit and card.rank >= 10 for card in board))
    return tuple(sorted(board, key=lambda card: (card.suit != suit or card.rank < 10, -card.rank)))


def _frontier(candidates: list[tuple[Pattern, tuple[PlayingCard, ...]]], seats: int) -> tuple[Witness, ...]:
    best: dict[Pattern, Witness] = {}
    for counts, board in sorted(candidates, key=lambda candidate: candidate[0], reverse=True):
        bound = tuple(min(seats, count) for count in counts)
        # What the board could bring at most is beaten already, so it need not be dealt out.
        if any(_at_least(found, bound, seats) for found in best):
            continue
        found, witness = _dealt(board, seats)
        if not any(_at_least(other, found, seats) for other in best):
            best = {other: kept for other, kept in best.items() if not _at_least(found, other, seats)}
            best[found] = witness
    return tuple(best.values())


def _at_least(found: Pattern, other: Pattern, seats: int) -> bool:
    """Whether a deal costs at least as much as another at every meter: parts row by row, then fixed rows in rank
    order, as far as the seats reach."""
    parts = min(sum(other[:2]), seats)
    if found[0] < min(other[0], seats) or sum(found[:2]) < parts:
        return False
    left = seats - parts
    return all(sum(found[2:end]) >= min(sum(other[2:end]), left) for end in range(3, len(found) + 1))


def _dealt(board: tuple[PlayingCard, ...], seats: int) -> tuple[Pattern, Witness]:
    """Deals the seats their hole cards: as many of each row as the cards allow, the highest row first."""
    used: set[PlayingCard] = set()
    held: list[tuple[str, str | None]] = []
    for row, holes in _holes_by_row(board).items():
        for hole in _most_disjoint(holes, used, seats - len(held)):
            used.update(hole)
            held.append((f"{hole[0]} {hole[1]}", row))
    pattern = tuple(sum(row == wanted for _, row in held) for wanted in PROGRESSIVE_ROWS)
    return pattern, Witness(" ".join(map(str, board)), tuple(held))


@lru_cache(maxsize=128)
def _holes_by_row(board: tuple[PlayingCard, ...]) -> dict[str, list[tuple[PlayingCard, PlayingCard]]]:
    by_row: dict[str, list[tuple[PlayingCard, PlayingCard]]] = {row: [] for row in PROGRESSIVE_ROWS}
    for hole in combinations([card for card in DECK if card not in board], 2):
        row = _row_of(Spot(hole, board))
        if row:
            by_row[row].append(hole)
    return by_row


def _row_of(spot: Spot) -> str | None:
    if spot.is_royal_on_board:
        return "royal_community"
    if spot.hand.category == Category.ROYAL_FLUSH:
        return "royal_first_5" if spot.is_royal_on_flop else "royal_first_7"
    name = spot.hand.category.name.lower()
    return name if name in FIXED_ROWS else None


def _most_disjoint(
    holes: list[tuple[PlayingCard, PlayingCard]], used: set[PlayingCard], wanted: int
) -> list[tuple[PlayingCard, PlayingCard]]:
    free = [hole for hole in holes if not used & set(hole)]
    return _grown([], free, wanted)


def _grown(
    chosen: list[tuple[PlayingCard, PlayingCard]], free: list[tuple[PlayingCard, PlayingCard]], wanted: int
) -> list[tuple[PlayingCard, PlayingCard]]:
    if len(chosen) == wanted or not free:
        return chosen
    taken = free[0]
    with_first = _grown([*chosen, taken], [hole for hole in free if not set(hole) & set(taken)], wanted)
    # Few holes are searched through; many always hold enough that share no card.
    if len(with_first) == wanted or len(free) > 8:
        return with_first
    return max(with_first, _grown(chosen, free[1:], wanted), key=len)
