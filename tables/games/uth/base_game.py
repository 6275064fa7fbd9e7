"""The base game played perfectly, by looking at every board, every hand and every dealer's hand."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from fractions import Fraction
from math import comb, sqrt
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tables.games.cache import remembered
from tables.games.cards import RANKS
from tables.games.edge import Published, beside
from tables.games.game import Progress
from tables.games.packs import BetTable, seal
from tables.games.uth.base_sums import HALF_ANTES, SUITINGS, Sums, all_holes
from tables.games.uth.boards import AGAINST, BATCH, BOARDS, batches

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

ALL_HOLES = comb(52, 2)
RUNOUTS = comb(47, 2)
RUNS = comb(50, 3) * RUNOUTS * len(SUITINGS)  # flops, turns and rivers after a hole pair, as often as they are summed
# By this a starting hand's sums are divided: all deals that can follow it, in half antes.
DEALS = RUNS * AGAINST * HALF_ANTES


@dataclass(frozen=True, slots=True)
class HoleValue:
    """A starting hand in antes: raised at once, or checked and then played perfectly; the mean square of what is won
    either way; and how often a checked hand is then raised on the flop and on the river."""

    name: str
    hands: int
    raise_4x: Fraction
    raise_3x: Fraction
    check: Fraction
    raise_4x_squared: Fraction
    check_squared: Fraction
    flop_raises: Fraction
    river_raises: Fraction

    @property
    def best(self) -> Fraction:
        # 3x is never the best: its worth lies between those of 4x and 1x, and checking leaves 1x open.
        return max(self.raise_4x, self.check)

    @property
    def advice(self) -> str:
        return "4x" if self.raise_4x > self.check else "check"

    @property
    def best_squared(self) -> Fraction:
        return self.raise_4x_squared if self.advice == "4x" else self.check_squared

    @property
    def share(self) -> Fraction:
        return Fraction(self.hands, ALL_HOLES)


@dataclass(frozen=True, slots=True)
class BaseGame:
    """The whole game: what each of the 169 starting hands is worth, and what follows from it."""

    holes: tuple[HoleValue, ...]

    @property
    def house_edge(self) -> Fraction:
        """The player's expected loss for each ante of one."""
        return -self._over_all(lambda hole: hole.best)

    @property
    def variance(self) -> Fraction:
        return self._over_all(lambda hole: hole.best_squared) - self.house_edge**2

    @property
    def standard_deviation(self) -> float:
        """Of what a round wins or loses, in antes."""
        return sqrt(self.variance)

    @property
    def raised_before_flop(self) -> Fraction:
        return self._over_all(lambda hole: Fraction(hole.advice == "4x"))

    @property
    def raised_on_flop(self) -> Fraction:
        return self._over_all(lambda hole: hole.flop_raises if hole.advice == "check" else Fraction(0))

    @property
    def raised_on_river(self) -> Fraction:
        return self._over_all(lambda hole: hole.river_raises if hole.advice == "check" else Fraction(0))

    @property
    def folded(self) -> Fraction:
        return 1 - self.raised_before_flop - self.raised_on_flop - self.raised_on_river

    @property
    def average_wager(self) -> Fraction:
        """In antes: ante and blind, and the play wager as often as it is made."""
        return 2 + 4 * self.raised_before_flop + 2 * self.raised_on_flop + self.raised_on_river

    @property
    def element_of_risk(self) -> Fraction:
        """The expected loss for each unit that is put at stake at all."""
        return self.house_edge / self.average_wager

    def hole(self, name: str) -> HoleValue:
        return next(hole for hole in self.holes if hole.name == name)

    def plain(self) -> dict[str, Any]:
        return {"holes": [{name: str(getattr(hole, name)) for name in hole.__slots__} for hole in self.holes]}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> BaseGame:
        def read(hole: Mapping[str, str]) -> HoleValue:
            exact = {name: Fraction(text) for name, text in hole.items() if name not in ("name", "hands")}
            return HoleValue(hole["name"], int(hole["hands"]), **exact)

        return cls(tuple(read(hole) for hole in plain["holes"]))

    def _over_all(self, worth: Callable[[HoleValue], Fraction]) -> Fraction:
        return sum((worth(hole) * hole.share for hole in self.holes), Fraction(0))


def solve(
    blind: BetTable, folder: Path | None = None, progress: Progress | None = None, sums: Sums | None = None
) -> BaseGame:
    """The base game under a blind pay table, from the folder where it was solved before. Tables with equal lines
    share one solution. Whoever has the sums already gives them."""
    return remembered(
        folder,
        f"{blind.game}-base-game",
        lines_seal(blind),
        calculate=lambda: solved(sums) if sums else play_perfectly(blind, progress),
        plain=BaseGame.plain,
        from_plain=BaseGame.from_plain,
    )


def lines_seal(blind: BetTable) -> str:
    """What decides how the base game is played: the lines alone, not whose table it is."""
    return seal({"lines": [[line.hand, str(line.pays)] for line in blind.lines]})


def beside_printed(blind: BetTable, game: BaseGame) -> Published:
    """The printed figure for the whole game beside the exact edge on one ante."""
    what = "whole_game_house_edge_percent"
    return beside(what, blind.published[what], game.house_edge, blind.published.get("explanation", ""))


def play_perfectly(blind: BetTable, progress: Progress | None = None) -> BaseGame:
    """Solves the base game for a blind pay table: river, flop and first decision, each the best of what is open."""
    return solved(summed(blind, progress))


def summed(blind: BetTable, progress: Progress | None = None) -> Sums:
    """The sums over every board, evened out: what the flop decision and the first one are taken from."""
    sums = Sums()
    for done, batch in enumerate(batches(), start=1):
        sums.add(batch, blind)
        if progress:
            progress(min(1.0, done * BATCH / BOARDS))
    sums.even_out()
    return sums


def solved(sums: Sums) -> BaseGame:
    """The flop decision on evened-out sums, then each starting hand over all flops."""
    import numpy as np

    base, play, river, played, squared, crossed, play_squared, river_squared = np.moveaxis(sums.totals, 2, 0)
    raise_2x, raises = base + 2 * play, sums.flop_raises()
    columns = {
        "raise_4x": base + 4 * play,
        "raise_3x": base + 3 * play,
        "check": np.where(raises, raise_2x, river),
        "raise_4x_squared": squared + 8 * crossed + 16 * play_squared,
        "check_squared": np.where(raises, squared + 4 * crossed + 4 * play_squared, river_squared),
        "flop_raises": raises * (RUNOUTS * len(SUITINGS)),
        "river_raises": np.where(raises, 0, played),
    }
    over_flops = {name: (column * sums.flop_weights[:, None]).sum(axis=0) for name, column in columns.items()}
    return BaseGame(tuple(_hole_value(name, members, over_flops) for name, members in starting_hands().items()))


def _hole_value(name: str, members: list[int], over_flops: Mapping[str, NDArray[np.int64]]) -> HoleValue:
    def mean(column: str, whole: int) -> Fraction:
        return Fraction(int(over_flops[column][members].sum()), whole * len(members))

    worth = {column: mean(column, DEALS) for column in ("raise_4x", "raise_3x", "check")}
    squares = {column: mean(column, DEALS * HALF_ANTES) for column in ("raise_4x_squared", "check_squared")}
    often = {column: mean(column, RUNS) for column in ("flop_raises", "river_raises")}
    return HoleValue(name, len(members), **worth, **squares, **often)


def starting_hands() -> dict[str, list[int]]:
    """The 169 starting hands, the highest first, each with the numbers of its hole pairs."""
    members: dict[str, list[int]] = {}
    for number, (low, high) in reversed(list(enumerate(all_holes().tolist()))):
        members.setdefault(_name(low, high), []).append(number)
    return members


def _name(low: int, high: int) -> str:
    """ "AKs", "T9o", "77"."""
    ranks = RANKS[high >> 2] + RANKS[low >> 2]
    if ranks[0] == ranks[1]:
        return ranks
    return ranks + ("s" if low & 3 == high & 3 else "o")
