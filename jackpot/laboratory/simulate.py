"""The meter played forward, many lives side by side: from one round that draws on it to the next, all lives at once."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from math import factorial, log, log1p
from typing import TYPE_CHECKING, Any

from jackpot.laboratory.lives import Lives, Play
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.rounds import AwardTurn, RoundKind, round_kinds
from jackpot.laboratory.setting import LabSetting, dollars
from jackpot.money import Money

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Figures = NDArray[np.float64]
    Places = NDArray[np.int64]

Progress = Callable[[float], None]
HAIR = 1e-7  # floats of sums that are equal on paper differ by less
# Dry is what shows no whole cent, as in the books.
LESS_THAN_A_CENT = 0.01 - HAIR
AT_ONCE = 400_000  # rounds drawn together: lives times steps
OF_A_STEP = 500  # lives that cost as much as the step itself
LOOKS_A_LIFE = 400  # where hits are rare, the meter is looked at this often between two top awards all the same


def play(
    setting: LabSetting,
    outcomes: Outcomes,
    how: Play,
    *,
    paths: int,
    seed: int,
    start: Money | None = None,
    progress: Progress | None = None,
) -> Lives:
    """Plays so many lives from a start (the seed). A life runs dry when an award due exceeds its meter."""
    import numpy as np

    kinds = round_kinds(setting, outcomes, how.seats)
    table = _Table(setting, kinds, how)
    felt = _Felt(table, paths, 1.0 * dollars(setting.seed if start is None else start))
    # The same seed plays the same lives: what somebody signed can be played again.
    dice = np.random.default_rng(seed)
    while len(felt.life):
        felt.play_on(table.drawn(dice, len(felt.life)))
        felt.compress()
        if progress:
            progress(felt.progress())
    return felt.lives


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Some steps of every life: how many rounds to the next one that matters, what kind it is, what it takes."""

    gaps: Figures
    kinds: Places
    dues: Figures


class _Table:
    """The figures of one setting, as floats: this is statistics, no amount is booked from it."""

    def __init__(self, setting: LabSetting, kinds: tuple[RoundKind, ...], how: Play) -> None:
        import numpy as np

        chip = how.seats * dollars(setting.wager)
        self.how, self.kinds, self.policy = how, kinds, setting.policy
        self.rise, self.reserve_rise = 1.0 * chip * setting.rate, 1.0 * chip * setting.reserve_rate
        self.repay_rise = self.rise * setting.repay_rate
        self.seed = 1.0 * dollars(setting.seed)
        self.limit = None if setting.limit is None else 1.0 * dollars(setting.limit)
        self.restarts = setting.restarts
        top = sum(kind.chance for kind in kinds if any(turn.top for turn in kind.turns))
        hits = sum(kind.chance for kind in kinds)
        # Rounds in which nothing is due, only the meter is looked at.
        looks = max(LOOKS_A_LIFE * top - hits, 0.0) if how.top_hits else 0.0
        looks = min(max(looks, 0.0 if hits else 1 / max(how.rounds, 1)), max(1.0 - hits, 0.0))
        chances = np.array([*(kind.chance for kind in kinds), looks])
        self.chance = chances.sum()
        self.ladder = np.cumsum(chances)[:-1] / self.chance
        self.due = np.array([*(kind.due if kind.plain else 0.0 for kind in kinds), 0.0])
        self.moving = np.array([*(not kind.plain for kind in kinds), False])
        self.mean_cycle = 1 / top if top else 0.0

    def work(self, lives: int) -> float:
        """Steps times what a step costs, in rounds: the longest life decides how many steps there are."""
        often, longest = self.how.top_hits, 1.0
        for _ in range(60 if often else 0):
            # All lives but one have seen their top awards: a gamma number of so many cycles.
            longest = log(lives * sum(longest**hit / factorial(hit) for hit in range(often)))
        played = max(self.how.rounds, often * self.mean_cycle)
        return OF_A_STEP * max(self.how.rounds, longest * self.mean_cycle) + lives * played if played else 1.0

    def drawn(self, dice: np.random.Generator, lives: int) -> _Drawn:
        import numpy as np

        # As many steps as fit a bounded memory: few lives are drawn far ahead, many a little at a time.
        shape = (min(1024, max(16, AT_ONCE // lives)), lives)
        gaps = dice.standard_exponential(shape)
        # Cut to whole rounds an exponential number is geometric: so many rounds go by without a hit.
        np.floor(np.divide(gaps, -log1p(-self.chance) if self.chance < 1 else np.inf, out=gaps), out=gaps)
        kinds = self.ladder.searchsorted(dice.random(shape), side="right")
        return _Drawn(gaps + 1, kinds, self.due[kinds])


class _Felt:
    """Where every life stands. Arrays are as long as the lives that are still played; `life` says which they are."""

    def __init__(self, table: _Table, paths: int, start: float) -> None:
        import numpy as np

        def none(*shape: int) -> Figures:
            return np.zeros(shape or (paths,))

        self.table, self.life = table, np.arange(paths)
        self.meter, self.at = np.full(paths, min(start, table.limit or start)), none()
        self.reset_at, self.drawn, self.owed, self.over = none(), none(), none(), none()
        self.house, self.since_house, self.looked, self.since_step = none(), none(), none(), none()
        self.since_over, self.steps = none(), 0
        self.next_checkpoint, self.ended = np.zeros(paths, dtype=np.int64), np.zeros(paths, dtype=bool)
        self.dry = np.zeros(paths, dtype=bool)
        self.watches, self.work, self.all_work = table.how.top_hits > 0, 0.0, table.work(paths)
        self.checkpoints = np.array(table.how.checkpoints, dtype=np.float64)
        cycles = max(table.how.top_hits, 1)
        self.lives = Lives(
            np.full(paths, np.nan), none(), none(), np.zeros(paths, dtype=np.int64), none(), none(),
            none(len(self.checkpoints), paths), *(none(cycles, paths) for _ in range(6)),
        )  # fmt: skip

    def progress(self) -> float:
        """The work done of what it will be, as far as that can be known: the last top award is a matter of luck."""
        return min(self.work / self.all_work, 0.99) if len(self.life) else 1.0

    def play_on(self, drawn: _Drawn) -> None:
        """Step by step through what was drawn. A life that has reached its end is left as it stands."""
        import numpy as np

        reached = np.cumsum(drawn.gaps, axis=0)
        self.work += (OF_A_STEP + len(self.life)) * reached[-1].mean()
        reached += self.at
        moving = self.table.moving[drawn.kinds]
        self._stop_at_the_end(reached, drawn, moving)
        crossed, moves = self._crossed(reached), set(np.flatnonzero(moving.any(axis=1)).tolist())
        rises = drawn.gaps * self.table.rise
        # Without limit and advance a rise is one addition, and most of the time is spent on rises.
        free = self.table.limit is None and not self.table.restarts
        for step, rise in enumerate(rises):
            if step in crossed:
                self._look(*crossed[step])
            if free:
                self.meter += rise
            else:
                self._rise(rise, drawn.gaps[step])
            self.at = reached[step]
            if self.watches:
                self.steps += 1
                self.looked += self.meter
            self.meter -= drawn.dues[step]
            if self.meter.min() < LESS_THAN_A_CENT:
                self._short(drawn.dues[step], drawn.kinds[step])
            if step in moves:
                lives = np.flatnonzero(moving[step])
                self._moving(lives, drawn.kinds[step][lives])

    def compress(self) -> None:
        """Lives that have ended leave the arrays."""
        import numpy as np

        how = self.table.how
        over = (self.at >= how.rounds) & (self.lives.tops[self.life] >= how.top_hits)
        self._note_end(np.flatnonzero(over))
        if not self.ended.any():
            return
        stays = ~self.ended
        for name in (
            "life", "meter", "at", "reset_at", "drawn", "owed", "over", "house", "since_house", "looked", "since_step",
            "since_over", "next_checkpoint", "ended", "dry",
        ):  # fmt: skip
            setattr(self, name, getattr(self, name)[stays])

    def _stop_at_the_end(self, reached: Figures, drawn: _Drawn, moving: Any) -> None:
        """Behind the last round nothing is due any more; the last rise ends there."""
        import numpy as np

        last = self.table.how.rounds
        if self.table.how.top_hits or reached[-1].max() <= last:
            return
        behind = reached > last
        drawn.dues[behind] = 0.0
        moving[behind] = False
        np.minimum(reached, last, out=reached)
        drawn.gaps[:] = np.diff(reached, axis=0, prepend=self.at[None, :])

    def _crossed(self, reached: Figures) -> dict[int, tuple[Places, Places]]:
        """By step: which lives pass which checkpoint before it."""
        import numpy as np

        if not len(self.checkpoints):
            return {}
        passed = self.checkpoints.searchsorted(reached, side="left")
        if not self.table.how.top_hits:
            passed[reached >= self.table.how.rounds] = len(self.checkpoints)
        before = np.vstack([self.next_checkpoint, passed[:-1]])
        more = np.maximum(passed - before, 0)
        self.next_checkpoint = passed[-1]
        steps, lives = np.nonzero(more)
        often = more[steps, lives]
        # A life may pass several between two hits: each is one place.
        within = np.arange(often.sum()) - (np.cumsum(often) - often).repeat(often)
        points = before[steps, lives].repeat(often) + within
        steps, lives = steps.repeat(often), lives.repeat(often)
        bounds = np.flatnonzero(np.diff(steps)) + 1
        parts = zip(*(np.split(column, bounds) for column in (steps, lives, points)), strict=True)
        return {int(step[0]): (life, point) for step, life, point in parts if len(step)}

    def _look(self, lives: Places, points: Places) -> None:
        """The meter at a checkpoint that lies before the next hit."""
        import numpy as np

        table = self.table
        risen = self.meter[lives] + (self.checkpoints[points] - self.at[lives]) * (
            table.rise - np.where(self.owed[lives] > 0, table.repay_rise, 0.0)
        )
        self.lives.seen[points, self.life[lives]] = risen if table.limit is None else np.minimum(risen, table.limit)

    def _rise(self, rise: Figures, gap: Figures) -> None:
        """All coin-ins up to the next hit: above the limit to overflow, of an advance the stated part back."""
        import numpy as np

        table = self.table
        before = self.meter
        self.meter = before + rise
        if table.limit is not None:
            over = np.maximum(self.meter - table.limit, 0.0)
            self.meter -= over
            self._to_overflow(slice(None), over)
        if table.restarts and self.owed.any():
            repaid = np.minimum(np.minimum(gap * table.repay_rise, self.owed), self.meter - before)
            self.meter -= repaid
            self.owed -= repaid
            self.house -= repaid

    def _to_overflow(self, lives: Any, over: Figures) -> None:
        if self.table.policy.overflow == "revenue":
            self.house[lives] -= over
        else:
            self.over[lives] += over

    def _short(self, dues: Figures, kinds: Places) -> None:
        """A fixed award that leaves the meter dry: what lacks comes from the declared source."""
        import numpy as np

        if self.table.restarts:
            dry = np.flatnonzero((self.meter < LESS_THAN_A_CENT) & (dues > 0))
            # Put back first: it is paid once more below, award by award, as each of them may restart the meter.
            self.meter[dry] += dues[dry]
            self._moving(dry, kinds[dry])
            return
        self._lack(slice(None), np.maximum(-self.meter, 0.0))
        np.maximum(self.meter, 0.0, out=self.meter)

    def _lack(self, lives: Any, lack: Figures) -> None:
        """From the reserve as far as it goes, then from the house; or by switch from the house at once."""
        import numpy as np

        fresh = (lack > HAIR) & ~self.dry[lives]
        if fresh.any():
            self._note_dry(np.arange(len(self.life))[lives][fresh])
        if self.table.policy.shortfall != "house":
            taken = np.minimum(lack, self._reserve(lives))
            self.drawn[lives] += taken
            lack = lack - taken
        self.house[lives] += lack

    def _note_dry(self, lives: Places) -> None:
        """The first time only, and not of a life that has ended."""
        self.dry[lives] = True
        still = lives[~self.ended[lives]]
        self.lives.dry_at[self.life[still]] = self.at[still]
        if self.table.how.until_dry:
            self._note_end(still)

    def _reserve(self, lives: Any) -> Figures:
        import numpy as np

        kept: Figures = (self.at[lives] - self.reset_at[lives]) * self.table.reserve_rise - self.drawn[lives]
        return np.maximum(kept, 0.0)

    def _moving(self, lives: Places, kinds: Places) -> None:
        """Rounds whose awards are paid one after the other, kind by kind."""
        import numpy as np

        for kind in np.unique(kinds):
            same = lives[kinds == kind]
            for turn in self.table.kinds[int(kind)].turns:
                self._turn(same, turn)

    def _turn(self, lives: Places, turn: AwardTurn) -> None:
        import numpy as np

        award = np.maximum(turn.fixed, turn.part * self.meter[lives])
        if turn.tray:
            # The tray's fixed sum is in the exact figures already: only what it is lifted by comes on top.
            self.house[lives] += award - turn.fixed
            return
        left = self.meter[lives] - award
        short = left < -HAIR
        if short.any():
            self._lack(lives[short], -left[short])
        self.meter[lives] = np.maximum(left, 0.0)
        if turn.top:
            self._reset(lives)
        elif self.table.restarts:
            dry = lives[left < LESS_THAN_A_CENT]
            self._fill(dry, np.full(len(dry), self.table.seed))
            self.owed[dry] += self.table.seed
            self.house[dry] += self.table.seed

    def _reset(self, lives: Places) -> None:
        """The seed, the reserve and, by switch, what lies in overflow; the cycle that ends here is noted."""
        released = self._reserve(lives)
        returned = self.over[lives] * (self.table.policy.overflow_at_reset == "all")
        self.over[lives] -= returned
        self._fill(lives, self.table.seed + released + returned)
        self._note_cycle(lives)
        self.reset_at[lives], self.drawn[lives] = self.at[lives], 0.0

    def _fill(self, lives: Places, amount: Figures) -> None:
        import numpy as np

        filled = self.meter[lives] + amount
        limit = self.table.limit
        if limit is not None:
            over = np.minimum(np.maximum(filled - limit, 0.0), amount)
            filled = filled - over
            self._to_overflow(lives, over)
        self.meter[lives] = filled

    def _note_cycle(self, lives: Places) -> None:
        seen, own = self.lives, self.life[lives]
        if not self.watches:
            seen.tops[own] += 1
            return
        counts = lives[seen.tops[own] < self.table.how.top_hits]
        own = self.life[counts]
        place = (seen.tops[own], own)
        seen.looks[place], seen.looked[place] = self.steps - self.since_step[counts], self.looked[counts]
        seen.cycle_house[place] = self.house[counts] - self.since_house[counts]
        seen.cycle_drawn[place] = self.drawn[counts]
        seen.cycle_overflow[place] = self.over[counts] - self.since_over[counts]
        seen.cycle_rounds[place] = self.at[counts]
        self.since_house[counts], self.since_over[counts] = self.house[counts], self.over[counts]
        self.since_step[counts], self.looked[counts] = self.steps, 0.0
        seen.tops[own] += 1
        reached = (seen.tops[own] == self.table.how.top_hits) & (self.at[counts] >= self.table.how.rounds)
        self._note_end(counts[reached])

    def _note_end(self, lives: Places) -> None:
        """What a life has come to when it ends; what is drawn for it afterwards counts for nothing."""
        fresh = lives[self.lives.rounds[self.life[lives]] == 0]
        own = self.life[fresh]
        self.lives.rounds[own], self.lives.meter[own] = self.at[fresh], self.meter[fresh]
        self.lives.house[own], self.lives.to_overflow[own] = self.house[fresh], self.over[fresh]
        self.ended[fresh] = True
