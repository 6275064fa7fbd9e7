"""Which hit is first on a jackpot, and from which entry it counts. Every act, query and screen asks here.

Only marks that still stand are told to these rules: one taken back, rejected, outranked or fallen ranks nobody.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class StandingMark:
    """A mark of an open hit, as the queue of one jackpot sees it."""

    place: Hashable  # its table and round
    seq: int  # the entry of the mark, or of the lit key that it came from
    frozen: int  # the entry whose balances it counts from
    part: bool  # paid as a part of the meter
    logged: bool = False  # fixed at J-POT: the meter moves at RUN
    front: int | None = None  # the entry by which two people let it pass
    at_approval: bool = False  # its terms freeze and rank when the card is accepted


@dataclass(frozen=True, slots=True)
class QueueTurn:
    """A round in the queue of one jackpot."""

    place: Hashable
    mark: int
    logged: bool
    front: int | None
    at_approval: bool


@dataclass(frozen=True, slots=True)
class PaidAct:
    """An act that held a part and has moved the meter: by which mark it ranked, and whether it was let pass."""

    mark: int
    front: bool = False


def rank(marks: Iterable[StandingMark]) -> int:
    """Of one round: its earliest mark of a part. A round without a part does not queue; it only knows what came before.

    A tray hit marked earlier gives no rank. What a round was paid for earlier stands no longer among its open marks,
    so a new mark ranks by itself, behind that payment.
    """
    return _earliest(marks).seq


def frozen_entry(marks: Iterable[StandingMark]) -> int:
    """Of one round: the entry its basis counts from. A passed hit was moved to the frozen entry of what passed it."""
    of_parts = list(marks)
    parts = [mark for mark in of_parts if mark.part]
    return min(mark.frozen for mark in parts or of_parts)


def queue(marks: Iterable[StandingMark]) -> list[QueueTurn]:
    """Every round with a part of the meter, first of all first."""
    rounds: dict[Hashable, list[StandingMark]] = {}
    for mark in marks:
        if mark.part:
            rounds.setdefault(mark.place, []).append(mark)
    return sorted((_turn(place, parts) for place, parts in rounds.items()), key=_order)


def ahead(marks: Iterable[StandingMark], place: Hashable) -> list[QueueTurn]:
    """The rounds that must be settled before this one; a fixed award never waits."""
    turns = queue(marks)
    mine = next((turn for turn in turns if turn.place == place), None)
    return [turn for turn in turns if mine is not None and turn.place != place and comes_before(turn, mine)]


def comes_before(one: QueueTurn, other: QueueTurn) -> bool:
    """Between another's J-POT and RUN nobody counts; then come those let pass, the last word first; then the marks.

    What freezes at approval has no rank before its card is accepted: it waits for what was frozen at a mark, and
    nothing waits for it.
    """
    if one.logged or other.logged:
        return one.logged
    if one.front != other.front:
        return (one.front or 0) > (other.front or 0)
    if one.at_approval:
        return False
    return other.at_approval or one.mark < other.mark


def passed_by(marks: Iterable[StandingMark], place: Hashable, frozen: int) -> list[Hashable]:
    """The rounds still open that an act frozen at this entry has passed: they count from that entry from now on."""
    rounds: dict[Hashable, list[StandingMark]] = {}
    for mark in marks:
        rounds.setdefault(mark.place, []).append(mark)
    waiting = {each: own for each, own in rounds.items() if each != place and any(mark.part for mark in own)}
    return [each for each, own in waiting.items() if frozen_entry(own) < frozen]


def is_counted(paid: PaidAct, mark: int, *, part: bool) -> bool:
    """Whether the movements of a paid act, posted after the frozen entry of a round, lower that round's basis.

    Its movements all rank with it, fixed awards and envy too. Who was let pass ranks before whom it passed; a round
    without a part was passed by nobody.
    """
    return paid.mark < mark or (part and paid.front)


def _turn(place: Hashable, parts: Sequence[StandingMark]) -> QueueTurn:
    fronts = [mark.front for mark in parts if mark.front is not None]
    return QueueTurn(
        place, rank(parts), any(mark.logged for mark in parts), max(fronts, default=None),
        any(mark.at_approval for mark in parts),
    )  # fmt: skip


def _order(turn: QueueTurn) -> tuple[bool, int, bool, int]:
    return not turn.logged, -(turn.front or 0), turn.at_approval, turn.mark


def _earliest(marks: Iterable[StandingMark]) -> StandingMark:
    all_marks = list(marks)
    parts = [mark for mark in all_marks if mark.part]
    return min(parts or all_marks, key=lambda mark: mark.seq)
