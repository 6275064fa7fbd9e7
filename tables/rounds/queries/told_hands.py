"""What the proof and the export of rounds know of hands that players banked: a subject above tells it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, NamedTuple

from jackpot.proof.rules.findings import Findings

HandLine = dict[str, Any]


class HandsKnown(NamedTuple):
    """Who makes their lines, and who judges them."""

    lines: Callable[[], Iterator[HandLine]]
    judge: Callable[[Iterable[HandLine], Findings], int]


_KNOWN: list[HandsKnown] = []


def hands_are_known_to(known: HandsKnown) -> None:
    """Said once, when the floor's subjects are ready."""
    _KNOWN[:] = [known]


def hand_lines() -> Iterator[HandLine]:
    for known in _KNOWN:
        yield from known.lines()


def judge_hands(lines: Iterable[HandLine], findings: Findings) -> int:
    """How many there were."""
    return sum(known.judge(lines, findings) for known in _KNOWN)
