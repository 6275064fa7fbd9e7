"""One judgement of everything that is being verified on a jackpot: the pure settlement of all its open acts.

What a sign, a console, the hit's page and the API say of hits that nobody has approved yet comes from here, so they all
agree. It is computed anew whenever the jackpot moves, and never stored.

Acts that hold a part of the meter are settled in the order of their queue, each from what the one before it left. An
act without a part never waits: it is judged as if its card came now. For the live figure such acts come after all
parts: whichever is approved first, the wall has not promised more than is then there.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from itertools import accumulate
from typing import Final

from jackpot.books.rules.movement import NOTHING, Balances, Movement
from jackpot.money import ZERO, Money
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules import rank
from jackpot.wins.rules.rank import PaidAct, StandingMark
from jackpot.wins.rules.settlement import Award, Hit, OverflowReturn, Pot, settle, still_frozen

AFTER_ALL: Final = 2**63  # no entry has this number: what is only judged counts as posted after every frozen entry


@dataclass(frozen=True, slots=True)
class Point:
    """Where a jackpot stood after an entry."""

    meter: int
    reserve: int
    overflow: int


@dataclass(frozen=True, slots=True)
class Ranked:
    """What an act that holds a part has moved, by the number of the entry."""

    seq: int
    by: PaidAct
    meter: int
    reserve: int
    resets: Sequence[OverflowReturn] = ()


@dataclass(frozen=True, slots=True)
class OpenAct:
    """The hits of one round on one jackpot that were asked for, or approved while the key is not back at RUN."""

    place: Hashable
    hits: Sequence[Hit]
    marks: Sequence[StandingMark]
    terms: Terms
    seats: Sequence[int]

    @property
    def has_part(self) -> bool:
        return any(mark.part for mark in self.marks)

    @property
    def mark(self) -> int:
        return rank.rank(self.marks)

    @property
    def frozen(self) -> int | None:
        """None: it counts from the newest entry when it is approved."""
        open_still = any(mark.at_approval and not mark.logged for mark in self.marks)
        return None if open_still else rank.frozen_entry(self.marks)

    def frozen_at(self, entry: int) -> OpenAct:
        return replace(self, marks=[replace(mark, frozen=max(mark.frozen, entry)) for mark in self.marks])


@dataclass(frozen=True, slots=True)
class ActInTurn:
    """One act in its turn: what it is paid, and where the jackpot stands before and after."""

    act: OpenAct
    awards: Sequence[Award]
    before: Balances
    after: Balances

    @property
    def total(self) -> Money:
        return sum((award.amount for award in self.awards), ZERO)


@dataclass(frozen=True, slots=True)
class Judgement:
    """Every open act of a jackpot in the order of settling, and where the jackpot stands after all of them."""

    settled: tuple[ActInTurn, ...]
    after: Balances

    @property
    def live(self) -> Money:
        """What a further top hit would be worth."""
        return Money(self.after.meter)

    def of(self, place: Hashable) -> list[ActInTurn]:
        return [each for each in self.settled if each.act.place == place]


@dataclass(frozen=True, slots=True)
class OpenPot:
    """A jackpot with hits being verified: where it stands, what is asked of it, and what those hits count from."""

    live: Balances
    acts: Sequence[OpenAct]
    points: Mapping[int, Point]
    moved: Sequence[Ranked]
    in_force: Terms
    waiting: Terms | None = None  # of the version that the next reset puts in force

    def paid(self, act: OpenAct, awards: Sequence[Award]) -> OpenPot:
        """The jackpot once this act has moved it; whoever was passed counts from where the act counted."""
        moves = reduce(Movement.with_also, (award.moves for award in awards), NOTHING)
        stood = accumulate((award.moves for award in awards), Balances.after, initial=self.live)
        resets = [award.took_back(before) for award, before in zip(awards, stood, strict=False)]
        fronts = [mark.front for mark in act.marks if mark.front is not None]
        by = PaidAct(act.mark, bool(fronts))
        was_reset = any(award.resets for award in awards)
        left = [each for each in self.acts if each is not act]
        if fronts and act.frozen is not None:
            marks = [mark for each in left for mark in each.marks]
            passed = rank.passed_by(marks, act.place, act.frozen)
            left = [each.frozen_at(act.frozen) if each.place in passed else each for each in left]
        return replace(
            self,
            live=self.live.after(moves),
            acts=left,
            moved=[*self.moved, Ranked(AFTER_ALL, by, moves.meter, moves.reserve, resets)]
            if act.has_part
            else self.moved,
            in_force=(self.waiting or self.in_force) if was_reset else self.in_force,
            waiting=None if was_reset else self.waiting,
        )

    def settle(self, act: OpenAct) -> list[Award]:
        """What this act is paid if its card comes now."""
        return settle(self._pot(act), act.hits, act.terms, act.seats)

    def _pot(self, act: OpenAct) -> Pot:
        live, by = self.live, self.waiting or self.in_force
        if act.frozen is None:
            return Pot(live, live.meter, live.reserve, live.overflow, by, self.in_force)
        point, counted = self.points[act.frozen], self._counted(act, act.frozen)
        return Pot(
            live,
            point.meter + sum(each.meter for each in counted),
            max(point.reserve + sum(each.reserve for each in counted), 0),
            still_frozen(point.overflow, (reset for each in counted for reset in each.resets)),
            by,
            self.in_force,
        )

    def _counted(self, act: OpenAct, frozen: int) -> list[Ranked]:
        since = [each for each in self.moved if each.seq > frozen]
        return [each for each in since if rank.is_counted(each.by, act.mark, part=act.has_part)]


def judge(pot: OpenPot) -> Judgement:
    """Settles all open acts one after another."""
    start, settled = pot, []
    for place in in_turn(pot.acts):
        for act in [each for each in pot.acts if each.place == place]:
            # Each from what the one before it left, as the cards would come one after the other.
            awards = pot.settle(act)
            after = pot.paid(act, awards)
            settled.append(ActInTurn(act, awards, pot.live, after.live) if act.has_part else _now(start, act))
            pot = after
    return Judgement(tuple(settled), pot.live)


def in_turn(acts: Iterable[OpenAct]) -> list[Hashable]:
    """The rounds that queue, first of all first; then those that never wait, by their marks."""
    open_acts = list(acts)
    queued = [turn.place for turn in rank.queue(mark for act in open_acts for mark in act.marks)]
    others = sorted((act for act in open_acts if act.place not in queued), key=lambda act: act.mark)
    return list(dict.fromkeys([*queued, *(act.place for act in others)]))


def _now(pot: OpenPot, act: OpenAct) -> ActInTurn:
    """An act that never waits, as paid at once."""
    awards = pot.settle(act)
    return ActInTurn(act, awards, pot.live, pot.paid(act, awards).live)
