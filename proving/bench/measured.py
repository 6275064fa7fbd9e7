"""One run of a bench in one house: its rounds, what they answer, and its gates, the proof of the books last."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from proving.bench.figures import FigureQuestion, answered
from proving.bench.machine import facts
from proving.bench.results import Result
from proving.bench.rounds import Contender, MeasurePlan, play, summary
from proving.gates import Gate, prove, proven
from proving.house import ProvingHouse


def measured(
    name: str, ours: ProvingHouse, pace: MeasurePlan, contenders: Mapping[str, Contender],
    questions: Sequence[FigureQuestion], gates: Callable[[], Iterable[Gate]], say: Callable[[str], None],
) -> Result:  # fmt: skip
    """A smoke judges no figure; `gates` are looked at when every round was played."""

    def before(number: int) -> None:
        ours.checkpoint()
        say(f"Round {number + 1} of {pace.rounds} …")

    rounds = play(contenders, pace.rounds, before)
    return Result(
        name, pace, facts(ours.version(), ours.places.data),
        [answered(question, rounds, judged=not pace.smoke) for question in questions],
        [*gates(), proven(prove(ours))], [summary(each, rounds) for each in contenders], rounds,
    )  # fmt: skip
