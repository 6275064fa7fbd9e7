"""Every round of the base game played perfectly, counted by what it ends in: the distribution of the net result, how
often the Blind is paid, and which hands a fold gives away."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from tables.games.cache import remembered
from tables.games.evaluator import build_tables, categories
from tables.games.game import Progress
from tables.games.packs import BetTable, ToOne
from tables.games.poker import Category
from tables.games.uth.base_game import BaseGame, lines_seal, solve, starting_hands, summed
from tables.games.uth.base_sums import COLUMNS, Met, Sums, met_by_dealer, pair_number, river_values, three_number
from tables.games.uth.boards import AGAINST, ALL_BOARDS, BATCH, BOARDS, HOLES, Batch, batches, hole_places

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FLOPS: Final = 10  # of a board
ROUNDS: Final = ALL_BOARDS * HOLES * AGAINST * FLOPS
RAISES: Final = (4, 2, 1)
ENDINGS: Final = ("won", "won_unqualified", "tied", "lost", "lost_unqualified")
Counts = Mapping[str, int]


@dataclass(frozen=True, slots=True)
class WholeGame:
    """Of all rounds (flops told apart): how many end so at which play wager with which hand of the player; of the
    folded ones which hand was given up, which was beaten, and which hand of the dealer it would have beaten."""

    ended: Counts
    folded: Counts
    folded_beaten: Counts

    @property
    def rounds(self) -> int:
        return sum(self.ended.values()) + sum(self.folded.values())

    def nets(self, blind: BetTable) -> dict[Fraction, int]:
        """What a round brings in antes, and in how many rounds."""
        pays = {line.hand: line.pays.times for line in blind.lines if isinstance(line.pays, ToOne)}
        found: Counter[Fraction] = Counter({Fraction(-2): sum(self.folded.values())})
        for key, count in self.ended.items():
            raised, ending, hand = key.split("/")
            found[_net(int(raised), ending, pays.get(hand, Fraction(0)))] += count
        return {net: count for net, count in sorted(found.items(), reverse=True) if count}

    def blind_wins(self, hand: str) -> int:
        """In how many rounds the Blind is won with this hand."""
        return sum(self.ended.get(f"{raised}/{how}/{hand}", 0) for raised in RAISES for how in ENDINGS[:2])

    def plain(self) -> dict[str, Any]:
        return {name: dict(getattr(self, name)) for name in self.__slots__}

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> WholeGame:
        return cls(**{name: {key: int(count) for key, count in plain[name].items()} for name in cls.__slots__})


def count_rounds(blind: BetTable, folder: Path | None = None, progress: Progress | None = None) -> WholeGame:
    """Every round under a blind pay table, counted once and kept in the folder."""
    return remembered(
        folder,
        f"{blind.game}-whole-game",
        lines_seal(blind),
        calculate=lambda: _counted(blind, folder, progress or (lambda _: None)),
        plain=WholeGame.plain,
        from_plain=WholeGame.from_plain,
    )


def _net(raised: int, ending: str, blind: Fraction) -> Fraction:
    match ending:
        case "won":
            return raised + 1 + blind
        case "won_unqualified":
            return raised + blind
        case "lost":
            return Fraction(-raised - 2)
        case "lost_unqualified":
            return Fraction(-raised - 1)
        case _:
            return Fraction(0)


def _counted(blind: BetTable, folder: Path | None, progress: Progress) -> WholeGame:
    """First what is best to do is found, then every board is looked at once more and played so."""
    sums = summed(blind, lambda part: progress(part / 2))
    # The sums are handed on: summing all boards is the longest part, and both ask for the same.
    tally = _Tally(sums, solve(blind, folder, sums=sums), blind)
    for done, batch in enumerate(batches(), start=1):
        tally.add(batch)
        progress(0.5 + min(1.0, done * BATCH / BOARDS) / 2)
    return tally.outcome()


class _Tally:
    """Rounds by play wager, ending and the player's hand; folded rounds by the hand given up and the hand beaten."""

    def __init__(self, sums: Sums, base: BaseGame, blind: BetTable) -> None:
        import numpy as np

        self.sums, self.blind, self.raises = sums, blind, sums.flop_raises()
        self.four = np.zeros(self.raises.shape[1], dtype=bool)
        for name, members in starting_hands().items():
            self.four[members] = base.hole(name).advice == "4x"
        self.ended = {(raised, how): np.zeros(len(Category), dtype=np.int64) for raised in RAISES for how in ENDINGS}
        self.folded, self.beaten = np.zeros((2, len(Category)), dtype=np.int64)

    def add(self, batch: Batch) -> None:
        import numpy as np

        kinds, met = categories(batch.values), met_by_dealer(batch)
        plays = river_values(batch, self.blind)[:, :, COLUMNS.index("played")].astype(bool)
        four, twice = self._raised(batch)
        weights = batch.weights[:, None]
        times = {
            4: weights * np.where(four, FLOPS, 0),
            2: weights * np.where(four, 0, twice),
            1: weights * np.where(four | ~plays, 0, FLOPS - twice),
        }
        endings = dict(zip(ENDINGS, _endings(met), strict=True))
        for raised, how in self.ended:
            self.ended[raised, how] += _by_hand(kinds, endings[how] * times[raised])
        folds = weights * np.where(four | plays, 0, FLOPS - twice)
        self.folded += _by_hand(kinds, folds * AGAINST)
        self.beaten += _by_hand(kinds, folds * (met.losses + met.losses_unqualified))
        self._dealers_beaten(batch, kinds, met, folds)

    def outcome(self) -> WholeGame:
        names = [kind.name.lower() for kind in Category]
        ended = {
            f"{raised}/{how}/{name}": int(count)
            for (raised, how), found in self.ended.items()
            for name, count in zip(names, found, strict=True)
        }
        folded, beaten = ({n: int(c) for n, c in zip(names, of, strict=True)} for of in (self.folded, self.beaten))
        game = WholeGame(ended, folded, beaten)
        assert game.rounds == ROUNDS, "every round ends once"
        return game

    def _raised(self, batch: Batch) -> tuple[NDArray[np.bool_], NDArray[np.int64]]:
        """For each hole pair of each board: whether it is raised at once, and on how many of the ten flops then."""
        import numpy as np

        first, second = hole_places()
        holes = pair_number(batch.rest[:, first], batch.rest[:, second])
        twice = np.zeros(holes.shape, dtype=np.int64)
        for three in combinations(range(5), 3):
            flops = three_number(batch.boards[:, three])
            turned = self.sums.hole_turned[self.sums.flop_suiting[flops][:, None], holes]
            twice += self.raises[self.sums.flop_kind[flops][:, None], turned]
        return self.four[holes], twice

    def _dealers_beaten(self, batch: Batch, kinds: NDArray[np.uint8], met: Met, folds: NDArray[np.int64]) -> None:
        """A folded hand may have beaten the dealer. Only from three of a kind up does a line ask for it, so only the
        boards on which such a hand is folded are looked at."""
        import numpy as np

        lowest = Category.THREE_OF_A_KIND
        won = met.wins + met.wins_unqualified
        asked = (folds > 0) & (kinds >= lowest) & (won > 0)
        rows = np.nonzero(asked.any(axis=1))[0]
        if not len(rows):
            return
        values, kinds, won = batch.values[rows], kinds[rows], won[rows]
        times = np.where(asked[rows], folds[rows], 0)
        starts = build_tables(7).first_of_category
        lower = _sharing_none(values < starts[lowest])
        for kind in range(lowest, len(Category)):
            dealers = _sharing_none(kinds == kind)
            # A dealer of a lower kind is beaten whole; of the player's own kind, whoever of it is left.
            beaten = np.where(kinds > kind, dealers, np.where(kinds == kind, won - lower, 0))
            self.beaten[kind] += int((times * beaten).sum())
            lower = lower + dealers


def _endings(met: Met) -> tuple[NDArray[np.int64], ...]:
    ties = AGAINST - met.wins - met.wins_unqualified - met.losses - met.losses_unqualified
    return met.wins, met.wins_unqualified, ties, met.losses, met.losses_unqualified


def _sharing_none(chosen: NDArray[np.bool_]) -> NDArray[np.int64]:
    """For each hole pair: how many of the chosen pairs share no card with it."""
    import numpy as np

    first, second = hole_places()
    square = np.zeros((len(chosen), 47, 47), dtype=np.int64)
    square[:, first, second] = chosen
    square[:, second, first] = chosen
    by_card = square.sum(axis=2)
    counts: NDArray[np.int64] = chosen.sum(axis=1)[:, None] - by_card[:, first] - by_card[:, second] + chosen
    return counts


def _by_hand(kinds: NDArray[np.uint8], counts: NDArray[np.int64]) -> NDArray[np.int64]:
    import numpy as np

    # A batch's sums stay far below 2 to the 53rd, so the doubles of bincount are exact.
    return np.bincount(kinds.ravel(), weights=counts.ravel(), minlength=len(Category)).astype(np.int64)
