"""What every board adds to the base game's sums.

Every sum is kept in whole numbers: in half antes (the blind pays 3 to 2) over the dealer's 990 hands. A board stands
for all that look the same; its ten flops are turned to the canonical suits of each, and what suits leave open is
evened out at the end, so nothing is estimated.
"""

from __future__ import annotations

from fractions import Fraction
from itertools import combinations, permutations
from math import comb
from typing import TYPE_CHECKING, NamedTuple

from tables.games.evaluator import build_tables, categories
from tables.games.game import NotInThisGame
from tables.games.packs import BetTable, ToOne
from tables.games.poker import Category
from tables.games.uth.boards import AGAINST, Batch, contest, hole_places, suit_patterns

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

HALF_ANTES = 2
SUITINGS = tuple(permutations(range(4)))


COLUMNS = ("base", "play", "river", "played", "base_squared", "base_by_play", "play_squared", "river_squared")


class Sums:
    """Per canonical flop and hole pair, over all turns and rivers: what is won without the play wager, what each unit
    of play adds, what the river decision is worth, on how many rivers it is to play, and the squares of all these."""

    def __init__(self) -> None:
        import numpy as np

        self.flop_kind, self.chosen, self.flop_suiting, self.flop_weights = _flop_kinds()
        self.hole_turned = _holes_turned()
        # 64 bits hold the largest squares only up to a Blind of `LARGEST_BLIND`; above it a table is refused before.
        self.totals = np.zeros((len(self.chosen), comb(52, 2), len(COLUMNS)), dtype=np.int64)

    def add(self, batch: Batch, blind: BetTable) -> None:
        """Adds a batch of boards under each of the ten flops that a board can have."""
        first, second = hole_places()
        won = river_values(batch, blind) * batch.weights[:, None, None]
        holes = pair_number(batch.rest[:, first], batch.rest[:, second])
        # Hole pairs of one board are all different, so a plain add at their numbers loses nothing.
        for three in combinations(range(5), 3):
            flops = three_number(batch.boards[:, three])
            for row, flop in enumerate(flops):
                turned = self.hole_turned[self.flop_suiting[flop]][holes[row]]
                self.totals[self.flop_kind[flop]][turned] += won[row]

    def even_out(self) -> None:
        """Adds the sums of all hole pairs that the suits of a flop do not tell apart: 24 times the exact sum."""
        flops = _all_flops()[self.chosen]
        keeps = [(_turned(flops, number) == flops).all(axis=1) for number in range(len(SUITINGS))]
        for kind, totals in enumerate(self.totals):
            turns = [self.hole_turned[number] for number, kept in enumerate(keeps) if kept[kind]]
            self.totals[kind] = sum(totals[turn] for turn in turns)

    def flop_raises(self) -> NDArray[np.bool_]:
        """Per canonical flop and hole pair whether raising twice is worth more. A tie between two options is worth the
        same; checking keeps the smaller wager."""
        base, play, river = (self.totals[:, :, COLUMNS.index(name)] for name in ("base", "play", "river"))
        raises: NDArray[np.bool_] = base + 2 * play > river
        return raises


class Met(NamedTuple):
    """For each hole pair: how many of the 990 dealer's hands it beats and loses to, with a pair and without."""

    wins: NDArray[np.int64]
    wins_unqualified: NDArray[np.int64]
    losses: NDArray[np.int64]
    losses_unqualified: NDArray[np.int64]


def met_by_dealer(batch: Batch) -> Met:
    import numpy as np

    met = contest(batch.values)
    no_pair = batch.values < build_tables(7).first_of_category[Category.ONE_PAIR]
    tied = AGAINST - met.below - met.above
    below = np.where(no_pair, met.below, met.without_pair)
    above = np.where(no_pair, met.without_pair - met.below - tied, 0)
    return Met(*(part.astype(np.int64) for part in (met.below - below, below, met.above - above, above)))


def river_values(batch: Batch, blind: BetTable) -> NDArray[np.int64]:
    """The columns for each hole pair on each board, in half antes. A dealer without a pair takes and pays no ante."""
    import numpy as np

    met, pays = met_by_dealer(batch), blind_half_antes(blind)[categories(batch.values)]
    ante, won, lost = HALF_ANTES, HALF_ANTES + pays, 2 * HALF_ANTES
    base = met.wins * won + met.wins_unqualified * pays - met.losses * lost - met.losses_unqualified * ante
    play = ante * (met.wins + met.wins_unqualified - met.losses - met.losses_unqualified)
    squared = met.wins * won**2 + met.wins_unqualified * pays**2 + met.losses * lost**2
    squared += met.losses_unqualified * ante**2
    crossed = ante * (met.wins * won + met.wins_unqualified * pays + met.losses * lost + met.losses_unqualified * ante)
    play_squared = ante**2 * sum(met)
    fold = 2 * HALF_ANTES
    # Folding loses ante and blind whatever the dealer holds; at equal worth the hand is given up.
    plays = base + play > -fold * AGAINST
    river = np.where(plays, base + play, -fold * AGAINST)
    river_squared = np.where(plays, squared + 2 * crossed + play_squared, fold**2 * AGAINST)
    columns = [base, play, river, plays, squared, crossed, play_squared, river_squared]
    stacked: NDArray[np.int64] = np.stack(columns, axis=2, dtype=np.int64)
    return stacked


def blind_half_antes(blind: BetTable) -> NDArray[np.int64]:
    """By category: what a winning blind of one ante is paid."""
    import numpy as np

    pays: NDArray[np.int64] = np.zeros(len(Category), dtype=np.int64)
    for line in blind.lines:
        half_antes = line.pays.times * HALF_ANTES if isinstance(line.pays, ToOne) else Fraction(1, 2)
        if half_antes.denominator != 1:
            raise NotInThisGame(
                f"“{line.name}” of {blind.code} pays {line.pays}. The base game is counted for a Blind that pays whole "
                "or half antes and comes back: write “3 to 2” or “50 to 1”."
            )
        pays[Category[line.hand.upper()]] = half_antes.numerator
    return pays


def _flop_kinds() -> tuple[NDArray[np.intp], NDArray[np.intp], NDArray[np.intp], NDArray[np.int64]]:
    """For each of 22,100 flops its kind; for each kind the flop chosen to stand for it; for each flop the suiting
    that turns it to the chosen one; and how many flops each kind has."""
    import numpy as np

    flops = _all_flops()
    _, chosen, kind, weights = np.unique(
        suit_patterns(flops), return_index=True, return_inverse=True, return_counts=True
    )
    suiting = np.full(len(flops), -1, dtype=np.intp)
    for number in range(len(SUITINGS)):
        reaches = three_number(_turned(flops, number)) == chosen[kind]
        suiting[(suiting < 0) & reaches] = number
    assert (suiting >= 0).all(), "every flop turns to the chosen one of its kind"
    return kind, chosen, suiting, weights


def _all_flops() -> NDArray[np.uint8]:
    """All rising triples in colexicographic order, as `three_number` counts them."""
    import numpy as np

    falling = np.array(list(combinations(range(51, -1, -1), 3)), dtype=np.uint8)
    return falling[::-1, ::-1]


def all_holes() -> NDArray[np.uint8]:
    """All rising pairs in colexicographic order, as `pair_number` counts them."""
    import numpy as np

    falling = np.array(list(combinations(range(51, -1, -1), 2)), dtype=np.uint8)
    return falling[::-1, ::-1]


def _turned(cards: NDArray[np.uint8], suiting: int) -> NDArray[np.uint8]:
    """The same cards with their suits turned, rising again."""
    import numpy as np

    suits = np.array(SUITINGS[suiting], dtype=np.uint8)
    turned: NDArray[np.uint8] = np.sort((cards & 0xFC) | suits[cards & 3], axis=1)
    return turned


def _holes_turned() -> NDArray[np.intp]:
    """For each suiting and hole pair: the number of the pair with its suits turned."""
    import numpy as np

    return np.array([pair_number(*_turned(all_holes(), number).T) for number in range(len(SUITINGS))])


def pair_number(low: NDArray[np.uint8], high: NDArray[np.uint8]) -> NDArray[np.intp]:
    import numpy as np

    upper = high.astype(np.intp)
    numbers: NDArray[np.intp] = low.astype(np.intp) + upper * (upper - 1) // 2
    return numbers


def three_number(cards: NDArray[np.uint8]) -> NDArray[np.intp]:
    import numpy as np

    top = cards[:, 2].astype(np.intp)
    numbers: NDArray[np.intp] = pair_number(cards[:, 0], cards[:, 1]) + top * (top - 1) * (top - 2) // 6
    return numbers
