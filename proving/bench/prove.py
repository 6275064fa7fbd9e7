"""`bench prove`: how fast the books are added and sealed again, on one core."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from proving.bench.coin_in import CoinInScene
from proving.bench.cpu import Used
from proving.bench.figures import FigureQuestion, Window, answered
from proving.bench.machine import facts
from proving.bench.results import Result
from proving.bench.rounds import MeasurePlan, play, summary
from proving.gates import counted, prove, proven
from proving.house import ProvingHouse, house

BOOKS: Final = "prove"
FILL: Final = 10.0  # seconds of coin-ins, so that there is something to prove


def per_core(window: Window) -> float:
    """Entries a second of the proving program's own CPU."""
    return window.events / window.python_cpu


QUESTIONS: Final = (
    FigureQuestion("entries proven a second, one core", (BOOKS,), per_core, 200_000, 50_000, unit="/s"),
    FigureQuestion("entries proven a second, by the clock", (BOOKS,), lambda window: window.rate, unit="/s"),
)


def measure(pace: MeasurePlan, say: Callable[[str], None]) -> Result:
    with house() as ours:
        say("Making the house and filling its books …")
        floor = CoinInScene(ours, MeasurePlan(1, 0.1, 0.5 if pace.smoke else FILL, pace.smoke))
        floor.contender("socket", "S", [ours.open_door()])()
        rounds = play({BOOKS: lambda: _proof(ours)}, pace.rounds, lambda number: say(f"Round {number + 1} …"))
        with ours.connect() as connection:
            gates = [*counted(connection, floor.told), proven(prove(ours))]
        return Result(
            "prove", pace, facts(ours.version(), ours.places.data),
            [answered(question, rounds, judged=not pace.smoke) for question in QUESTIONS],
            gates, [summary(BOOKS, rounds)], rounds,
        )  # fmt: skip


def _proof(ours: ProvingHouse) -> Window:
    first = ours.usage()
    proven: dict[str, Any] = prove(ours, times=1)
    used = Used.between(first, ours.usage())
    run = proven["runs"][0]
    return Window(
        proven["entries"], run["seconds"], run["cpu_seconds"], used.servers["database"], foreign=used.foreign_cores()
    )
