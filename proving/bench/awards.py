"""`bench awards`: what an approval takes while coin-ins run at full load, twenty a second."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from proving.bench.clients import Client
from proving.bench.coin_in import CoinInScene
from proving.bench.cpu import Used
from proving.bench.figures import Better, FigureQuestion, Window, percentile
from proving.bench.measured import measured
from proving.bench.results import Result
from proving.bench.rounds import MeasurePlan
from proving.gates import Gate, counted, equal
from proving.house import NotCarriedOut, ProvingHouse, house
from proving.scene import CARD
from proving.wires import BenchPerson, BenchTable

LOADED: Final = "awards beside full coin-in"
ALONE: Final = "awards alone"
A_SECOND: Final = 20
WINDOW: Final = 6.0  # seconds: 120 awards, so that a p99 is not simply the worst
LONGER: Final = 1.5  # seconds by which the players outlast the last award
CARDS: Final = {"board": "9h Th Jh 2c 2d", "seats": [{"seat": 3, "cards": "7h 8h"}]}
AWARDS: Final = b"""
SELECT count(*), count(DISTINCT win_id), count(DISTINCT w.slip), max(w.slip)
  FROM jackpot_entry e JOIN jackpot_win w ON w.id = e.win_id WHERE e.kind = 'award'
"""

QUESTIONS: Final = (
    FigureQuestion(
        "award beside full coin-in, p50", (LOADED,), lambda window: window.p50_ms, 3, 10, Better.LOWER, "ms"
    ),
    FigureQuestion(
        "award beside full coin-in, p99", (LOADED,), lambda window: window.p99_ms, 50, 100, Better.LOWER, "ms"
    ),
    FigureQuestion("award alone, p50", (ALONE,), lambda window: window.p50_ms, unit="ms"),
    FigureQuestion("award alone, p99", (ALONE,), lambda window: window.p99_ms, unit="ms"),
)


@dataclass
class Approvals:
    """Hits that wait, and how long each approval took."""

    boxes: Sequence[BenchTable]
    floor: BenchPerson
    milliseconds: list[float] = field(default_factory=list)
    made: int = 0

    def prepare(self) -> None:
        """A straight flush at every table, marked, asked for, its cards typed; the marks are the order of the queue."""
        for box in self.boxes:
            box.round += 1
            box.say(do="coin_in", seats=[3])
            box.say(do="mark", seat=3, hand="straight_flush")
            asked = box.say(do="confirm")
            self.floor.acts(f"/api/v1/wins/{asked['hits'][0]['id']}/verify/", CARDS)

    def approve(self, until: float) -> None:
        """Twenty a second by the clock, each from the swipe to the answer; what comes after `until` is not counted.

        Hits for a part of one meter are settled one after the other, so nobody swipes before the last has its answer.
        """
        due = time.perf_counter()
        for box in self.boxes:
            time.sleep(max(0.0, due - time.perf_counter()))
            began = time.perf_counter()
            wins = box.say(do="card", card=CARD)["wins"]
            ended = time.perf_counter()
            if ended < until:
                self.milliseconds.append((ended - began) * 1000)
            self.made += len(wins)
            due += 1 / A_SECOND

    def finish(self) -> None:
        for box in self.boxes:
            box.say(do="end")


class AwardsRun:
    """The house with its players and the tables at which hits wait."""

    def __init__(self, ours: ProvingHouse, pace: MeasurePlan) -> None:
        self.house, self.pace = ours, pace
        self.floor = CoinInScene(ours, pace, hits=int(pace.window * A_SECOND))
        scene = self.floor.scene
        port = ours.open_door()
        self.boxes = [BenchTable(port, told) for told in scene["hits"]]
        self.desk = BenchPerson(port, scene["supervisor"])
        self._roster = self.floor.roster("http", "S", [port])
        self.made = 0

    def loaded(self) -> Window:
        """The players' window, with the awards' times in it."""
        approvals = self._prepared()
        milliseconds = [round(seconds * 1000) for seconds in (self.pace.warm_up, self.pace.window + LONGER)]
        players = Client([self.floor.programs["http"], self._roster, *milliseconds, 0])
        try:
            players.wait_for("begin")
            first, began = self.house.usage(), time.perf_counter()
            approvals.approve(began + self.pace.window + LONGER)
            players.wait_for("end")
            used = Used.between(first, self.house.usage())
            report = players.report()
        finally:
            players.stop()
        self.floor.told["S"].add(report)
        played = report["coin_ins"] + report["ends"]
        return self._window(approvals, played, used, report["cpu_seconds"])

    def alone(self) -> Window:
        approvals = self._prepared()
        first = self.house.usage()
        approvals.approve(time.perf_counter() + 2 * self.pace.window)
        used = Used.between(first, self.house.usage())
        return self._window(approvals, len(approvals.milliseconds), used)

    def _prepared(self) -> Approvals:
        approvals = Approvals(self.boxes, self.desk)
        approvals.prepare()
        return approvals

    def _window(self, approvals: Approvals, events: int, used: Used, client_cpu: float = 0.0) -> Window:
        approvals.finish()
        self.floor.told["S"].coin_ins += len(self.boxes)
        self.floor.told["S"].ends += len(self.boxes)
        self.made += approvals.made
        if not approvals.milliseconds or not events:
            raise NotCarriedOut("Not one award was answered within its window, or nobody played beside them.")
        python = sum(cpu for name, cpu in used.servers.items() if name != "database")
        return Window(
            events, used.seconds, python, used.servers["database"], client_cpu, used.foreign_cores(client_cpu),
            percentile(approvals.milliseconds, 0.5), percentile(approvals.milliseconds, 0.99),
        )  # fmt: skip


def measure(pace: MeasurePlan, say: Callable[[str], None]) -> Result:
    pace = replace(pace, window=pace.window if pace.smoke else WINDOW)
    with house() as ours:
        say("Making the house: PostgreSQL, the casino, tables at which hits wait …")
        awards = AwardsRun(ours, pace)
        contenders = {ALONE: awards.alone, LOADED: awards.loaded}
        return measured("awards", ours, pace, contenders, QUESTIONS, lambda: _gates(ours, awards), say)


def _gates(ours: ProvingHouse, awards: AwardsRun) -> Iterator[Gate]:
    with ours.connect() as connection:
        yield from counted(connection, {"S": awards.floor.told["S"]})
        row = connection.execute(AWARDS).fetchone()
        yield equal("awards: entries, wins, slips, last slip = approvals", (awards.made,) * 4, row)
