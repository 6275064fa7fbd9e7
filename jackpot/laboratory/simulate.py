"""The meter played forward, many times. Between two rounds that win a part the meter only rises and pays fixed
awards, so whole stretches are drawn at once and only the rounds that pay are looked at."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.rounds import PartRound, RoundKinds, round_kinds
from jackpot.laboratory.setting import Setting, dollars
from jackpot.money import Money

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[float], None]
TENTH_OF_A_MILLIONTH = 1e-7  # floats of sums that are equal on paper differ by less


@dataclass(slots=True)
class Path:
    """One life of a meter, in dollars: where it stands, what it met, what was seen on the way."""

    meter: float
    reserve: float = 0.0
    rounds: int = 0
    dry_at: int | None = None
    top_hits: list[tuple[int, float]] = field(default_factory=list)
    seen: list[float] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Play:
    """How long a path is followed: so many rounds at most, and by choice only until the first top hit or until it
    runs dry. Going on after it ran dry, the house pays what is lacking and the meter starts from nothing."""

    seats: int
    rounds: int
    until_top_hit: bool = False
    until_dry: bool = True
    checkpoints: Sequence[int] = ()


def play(
    setting: Setting,
    outcomes: Outcomes,
    how: Play,
    *,
    paths: int,
    seed: int,
    start: Money | None = None,
    progress: Progress | None = None,
) -> list[Path]:
    """Plays so many paths from a start (the seed). A path runs dry when a fixed award due exceeds its meter."""
    import numpy as np

    dice = np.random.default_rng(seed)
    table = _Table(setting, round_kinds(setting, outcomes, how.seats), how)
    played = []
    for number in range(paths):
        path = Path(1.0 * dollars(start or setting.seed))
        table.follow(path, dice)
        played.append(path)
        if progress:
            progress((number + 1) / paths)
    return played


def fan(paths: Sequence[Path], checkpoints: Sequence[int], quantiles: Sequence[float]) -> list[list[float]]:
    """For each checkpoint that all paths reached, the meter's quantiles over the paths."""
    import numpy as np

    reached = min(len(path.seen) for path in paths)
    seen = np.array([path.seen[: min(reached, len(checkpoints))] for path in paths])
    rows: list[list[float]] = np.quantile(seen, list(quantiles), axis=0).T.tolist()
    return rows


class _Table:
    """The figures of one setting, as floats: this is statistics, no amount is booked from it."""

    def __init__(self, setting: Setting, kinds: RoundKinds, how: Play) -> None:
        import numpy as np

        wager = dollars(setting.wager)
        self.how, self.kinds = how, kinds
        self.rise = 1.0 * how.seats * wager * setting.rate
        self.reserve_rise = 1.0 * how.seats * wager * setting.reserve_rate
        self.seed = 1.0 * dollars(setting.seed)
        self.limit = 1.0 * dollars(setting.limit) if setting.limit else np.inf
        self.ladder = np.cumsum(kinds.fixed_chances)
        self.part_ladder = np.cumsum(kinds.part_chances)

    def follow(self, path: Path, dice: np.random.Generator) -> None:
        """Stretch after stretch up to the next part, until the path ends."""
        import numpy as np

        self._look(path, 0, np.array([0]), np.array([path.meter]))
        while path.rounds < self.how.rounds:
            quiet = self.how.rounds
            if self.kinds.chance_of_part:
                quiet = int(dice.geometric(self.kinds.chance_of_part)) - 1
            # Waiting times have no memory, so the rest of a stretch may be drawn anew after the meter ran dry.
            part_at = path.rounds + quiet
            while path.rounds < min(part_at, self.how.rounds):
                self._stretch(path, min(part_at, self.how.rounds) - path.rounds, dice)
                if self._ended(path):
                    return
            if part_at < self.how.rounds:
                self._part(path, dice)
                self._look(path, 0, np.array([0]), np.array([path.meter]))
            if self._ended(path):
                return

    def _ended(self, path: Path) -> bool:
        ran_dry = path.dry_at is not None and self.how.until_dry
        return ran_dry or (bool(path.top_hits) and self.how.until_top_hit)

    def _stretch(self, path: Path, rounds: int, dice: np.random.Generator) -> None:
        """So many rounds without a part, or as many as it takes to run dry: looks just before each fixed award."""
        import numpy as np

        at, paid = self._fixed_awards(rounds, dice)
        # Just before its own award: all rises up to there, all earlier awards.
        before = path.meter + at * self.rise - (np.cumsum(paid) - paid)
        if len(at):
            # What rose above the limit went to overflow for good: the highest such excess so far is taken off.
            before = before - np.maximum(np.maximum.accumulate(before) - self.limit, 0.0)
        dry = np.flatnonzero(paid > before + TENTH_OF_A_MILLIONTH)
        if len(dry):
            rounds = int(at[dry[0]])
            path.dry_at = path.dry_at or path.rounds + rounds
            at, paid, before = at[: dry[0] + 1], paid[: dry[0] + 1], before[: dry[0] + 1]
        known_at = np.concatenate([[0], at])
        known = np.concatenate([[path.meter], np.maximum(before - paid, 0.0)])
        self._look(path, rounds, known_at, known)
        path.meter = min(1.0 * known[-1] + (rounds - int(known_at[-1])) * self.rise, self.limit)
        path.reserve += rounds * self.reserve_rise
        path.rounds += rounds

    def _fixed_awards(self, rounds: int, dice: np.random.Generator) -> tuple[NDArray[np.int64], NDArray[np.float64]]:
        """At which of the rounds a fixed award falls due, and how much."""
        import numpy as np

        number = dice.binomial(rounds, self.kinds.chance_of_fixed) if rounds else 0
        at = np.sort(dice.choice(rounds, size=number, replace=False, shuffle=False)) + 1
        return at, self.kinds.fixed[np.searchsorted(self.ladder, dice.random(number) * self.ladder[-1:].sum())]

    def _look(self, path: Path, rounds: int, known_at: NDArray[np.int64], known: NDArray[np.float64]) -> None:
        """Notes the meter at the checkpoints that lie in this stretch."""
        while len(path.seen) < len(self.how.checkpoints):
            wanted = self.how.checkpoints[len(path.seen)] - path.rounds
            if wanted > rounds:
                return
            place = int(known_at.searchsorted(wanted, side="right")) - 1
            path.seen.append(min(1.0 * known[place] + (wanted - int(known_at[place])) * self.rise, self.limit))

    def _part(self, path: Path, dice: np.random.Generator) -> None:
        """One round that wins parts: the fixed awards beside them first, then the parts in rank order."""
        import numpy as np

        which = int(np.searchsorted(self.part_ladder, dice.random() * self.part_ladder[-1]))
        won: PartRound = self.kinds.part_rounds[which]
        path.rounds += 1
        path.meter = min(path.meter + self.rise, self.limit)
        path.reserve += self.reserve_rise
        if won.fixed > path.meter + TENTH_OF_A_MILLIONTH:
            path.dry_at = path.dry_at or path.rounds
        path.meter = max(path.meter - won.fixed, 0.0)
        for part in won.parts:
            award = part * path.meter
            path.meter -= award
            if part == 1:
                path.top_hits.append((path.rounds, award))
                path.meter, path.reserve = self.seed + path.reserve, 0.0
