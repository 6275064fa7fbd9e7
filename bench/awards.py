"""`bench awards`: what an approval takes while coin-ins run at full load, twenty a second."""

from __future__ import annotations

import http.client
import itertools
import json
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final

from bench.awards_scene import CARD
from bench.clients import NotMeasured
from bench.coin_in import Floor
from bench.cpu import Used
from bench.figures import Better, Question, Window, answered, percentile
from bench.gates import Gate, checked, gate
from bench.house import House, house
from bench.machine import facts
from bench.proof import seals_whole
from bench.results import Result
from bench.rounds import Pace, play, summary
from tables.devices.messages import signature_of

LOADED: Final = "awards beside full coin-in"
ALONE: Final = "awards alone"
A_SECOND: Final = 20
WINDOW: Final = 6.0  # seconds: 120 awards, so that a p99 is not simply the worst
AWARDS: Final = b"""
SELECT count(*), count(DISTINCT win_id), count(DISTINCT w.slip), max(w.slip)
  FROM jackpot_entry e JOIN jackpot_win w ON w.id = e.win_id WHERE e.kind = 'award'
"""

QUESTIONS: Final = (
    Question("award beside full coin-in, p50", (LOADED,), lambda window: window.p50_ms, 3, 10, Better.LOWER, "ms"),
    Question("award beside full coin-in, p99", (LOADED,), lambda window: window.p99_ms, 50, 100, Better.LOWER, "ms"),
    Question("award alone, p50", (ALONE,), lambda window: window.p50_ms, unit="ms"),
    Question("award alone, p99", (ALONE,), lambda window: window.p99_ms, unit="ms"),
)


class Box:
    """A table's controller: a kept connection, every message signed."""

    _sequences = itertools.count(1)

    def __init__(self, port: int, told: dict[str, str]) -> None:
        self._told, self._secret = told, bytes.fromhex(told["secret"])
        self._path = f"/api/v1/tables/{told['table']}/messages"
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.round = 0

    def say(self, **words: Any) -> dict[str, Any]:
        body = json.dumps({**words, "round": self.round}).encode()
        moment, sequence = str(int(time.time() * 1000)), next(self._sequences)
        signature = signature_of(self._secret, "POST", self._path, moment, sequence, body)
        headers = {
            "X-Device": self._told["device"], "X-Time": moment, "X-Sequence": str(sequence), "X-Signature": signature,
        }  # fmt: skip
        self._connection.request("POST", self._path, body, headers)
        answer: dict[str, Any] = json.loads(self._connection.getresponse().read())
        if not answer.get("ok"):
            raise NotMeasured(f"{self._told['table']}: {answer.get('why')}")
        return answer


@dataclass
class Approvals:
    """Hits that wait, and how long each approval took."""

    boxes: Sequence[Box]
    milliseconds: list[float] = field(default_factory=list)
    made: int = 0

    def prepare(self) -> None:
        """A straight flush at every table, marked and asked for; the order of the marks is the order of the queue."""
        for box in self.boxes:
            box.round += 1
            box.say(do="coin_in", seats=[3])
            box.say(do="mark", seat=3, hand="straight_flush")
            box.say(do="confirm")

    def approve(self) -> None:
        """Twenty a second by the clock; one that was late takes its delay into the figure of nobody else."""
        due = time.perf_counter()
        for box in self.boxes:
            time.sleep(max(0.0, due - time.perf_counter()))
            began = time.perf_counter()
            wins = box.say(do="card", card=CARD)["wins"]
            self.milliseconds.append((time.perf_counter() - began) * 1000)
            self.made += len(wins)
            due += 1 / A_SECOND

    def finish(self) -> None:
        for box in self.boxes:
            box.say(do="end")


class Awards:
    """The house with its players and the tables at which hits wait."""

    def __init__(self, ours: House, pace: Pace) -> None:
        self.house, self.pace = ours, pace
        self.floor = Floor(ours, pace)
        tables = json.loads(ours.run("bench.awards_scene", str(int(pace.window * A_SECOND))))
        port = ours.serve_product()
        self.boxes = [Box(port, told) for told in tables]
        self._load = self.floor.contender("http", "S", [port])
        self.made = 0

    def loaded(self) -> Window:
        """The players' window, with the awards' times in it."""
        told: list[Window] = []
        load = threading.Thread(target=lambda: told.append(self._load()))
        return self._measured(load, lambda: told[0] if told else None)

    def alone(self) -> Window:
        began, first = time.perf_counter(), self.house.usage()

        def window() -> Window:
            used = Used.between(first, self.house.usage())
            python = sum(cpu for name, cpu in used.servers.items() if name != "database")
            seconds = time.perf_counter() - began
            return Window(len(self.boxes), seconds, python, used.servers["database"], foreign=used.foreign_cores())

        return self._measured(None, window)

    def _measured(self, load: threading.Thread | None, window: Callable[[], Window | None]) -> Window:
        approvals = Approvals(self.boxes)
        approvals.prepare()
        if load is not None:
            load.start()
            time.sleep(self.pace.warm_up + 0.1)
        approvals.approve()
        if load is not None:
            load.join()
        found = window()
        approvals.finish()
        self.floor.told["S"].coin_ins += len(self.boxes)
        self.floor.told["S"].ends += len(self.boxes)
        self.made += approvals.made
        if found is None:
            raise NotMeasured("The players stopped before the awards did.")
        times = approvals.milliseconds
        return replace(found, p50_ms=percentile(times, 0.5), p99_ms=percentile(times, 0.99))


def measure(pace: Pace, say: Callable[[str], None]) -> Result:
    pace = replace(pace, window=pace.window if pace.smoke else WINDOW)
    with house() as ours:
        say("Making the house: PostgreSQL, the casino, tables at which hits wait …")
        awards = Awards(ours, pace)
        contenders = {ALONE: awards.alone, LOADED: awards.loaded}

        def before(number: int) -> None:
            ours.checkpoint()
            say(f"Round {number + 1} of {pace.rounds} …")

        rounds = play(contenders, pace.rounds, before)
        return Result(
            "awards", pace, facts(ours.version(), ours.folder),
            [answered(question, rounds, judged=not pace.smoke) for question in QUESTIONS],
            list(_gates(ours, awards)), [summary(name, rounds) for name in contenders], rounds,
        )  # fmt: skip


def _gates(ours: House, awards: Awards) -> Iterator[Gate]:
    with ours.connect() as connection:
        yield from checked(connection, {"S": awards.floor.told["S"]})
        row = connection.execute(AWARDS).fetchone()
        yield gate("awards: entries, wins, slips, last slip = approvals", (awards.made,) * 4, row)
    yield seals_whole(ours)
