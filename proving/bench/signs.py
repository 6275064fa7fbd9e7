"""`bench signs`: from commit to the wall while coin-ins run, and what a delivered message costs beside group_send."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Final

from proving.bench.cpu import TICKS
from proving.bench.figures import Better, FigureQuestion, Window
from proving.bench.measured import measured
from proving.bench.results import Result
from proving.bench.rounds import Contender, MeasurePlan
from proving.bench.wall import PACE, Wall
from proving.gates import Gate, equal
from proving.house import house

FEW: Final = 500
MANY: Final = 2_000
SMOKE: Final = 50
WINDOW: Final = 4.0  # seconds: sixteen messages to every sign
SMOKE_WINDOW: Final = 1.0
ALONE: Final = "coin-ins, no sign"
BESIDE: Final = "500 signs"
CROWD: Final = "2,000 signs"
FULL: Final = "500 signs, coin-ins at full load"
PEER: Final = "group_send to 500"


def p99(window: Window) -> float:
    return window.p99_ms


def p50(window: Window) -> float:
    return window.p50_ms


def per_message(listened: Window, alone: Window) -> float:
    """Server CPU that listening adds, per delivered message, in µs."""
    added = _cores(listened) - _cores(alone)
    return added / listened.rate * 1e6


def beside_group_send(listened: Window, alone: Window, peer: Window) -> float:
    theirs = max(peer.python_cpu, 1 / TICKS) / peer.events * 1e6  # the kernel counts in ticks; a smoke may see none
    return per_message(listened, alone) / theirs


def _cores(window: Window) -> float:
    return (window.python_cpu + window.database_cpu) / window.seconds


QUESTIONS: Final = (
    FigureQuestion("commit to 500 signs, p99", (BESIDE,), p99, 300, 500, Better.LOWER, "ms"),
    FigureQuestion("commit to 2,000 signs, p99", (CROWD,), p99, 400, 700, Better.LOWER, "ms"),
    FigureQuestion("commit to 500 signs, p50", (BESIDE,), p50, unit="ms"),
    FigureQuestion("commit to 2,000 signs, p50", (CROWD,), p50, unit="ms"),
    FigureQuestion("commit to 500 signs at full load, p99", (FULL,), p99, unit="ms"),
    FigureQuestion("CPU per message to 500 signs", (BESIDE, ALONE), per_message, unit="µs"),
    FigureQuestion("CPU per message to 2,000 signs", (CROWD, ALONE), per_message, unit="µs"),
    FigureQuestion(
        "CPU per message, 500 signs / group_send", (BESIDE, ALONE, PEER), beside_group_send,
        1 / 8, 1 / 4, Better.LOWER,
    ),
)  # fmt: skip


def measure(pace: MeasurePlan, say: Callable[[str], None]) -> Result:
    """A smoke hangs fifty signs wherever a run hangs five hundred or two thousand."""
    pace = replace(pace, window=SMOKE_WINDOW if pace.smoke else WINDOW)
    with house() as ours:
        say("Making the house: PostgreSQL, the casino, its signs, the peer …")
        if pace.smoke:
            say(f"A smoke hangs {SMOKE} signs wherever the table says 500 or 2,000.")
        wall = Wall(ours, pace, SMOKE if pace.smoke else FEW)
        contenders = _contenders(wall)
        return measured("signs", ours, pace, contenders, QUESTIONS, lambda: _gates(wall), say)


def _contenders(wall: Wall) -> dict[str, Contender]:
    few, many = (SMOKE, SMOKE) if wall.pace.smoke else (FEW, MANY)
    return {
        ALONE: wall.alone,
        BESIDE: lambda: wall.listened(few, PACE),
        CROWD: lambda: wall.listened(many, PACE),
        FULL: lambda: wall.listened(few, 0),
        PEER: lambda: wall.peered(few),
    }


def _gates(wall: Wall) -> Iterator[Gate]:
    yield equal("signs that were cut off", 0, wall.closed)
    yield equal("entries that a sign never showed, nor a newer one", 0, wall.late)
    yield equal("versions that went backwards on a sign", 0, wall.fell)
