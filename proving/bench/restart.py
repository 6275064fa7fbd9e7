"""`bench restart`: a web process that begins anew, and the whole floor that comes back to it at once."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

from proving.bench.clients import Client, compile_client, watched, write_roster
from proving.bench.cpu import Used
from proving.bench.figures import Better, FigureQuestion, Window
from proving.bench.measured import measured
from proving.bench.results import Result
from proving.bench.rounds import MeasurePlan
from proving.gates import Acknowledged, Gate, counted, equal
from proving.house import ProvingHouse, house

FLOOR: Final = 500  # tables, and as many signs
STORED: Final = 70  # rounds that each table kept through an outage of an hour
SMOKE: Final = 20
SMOKE_STORED: Final = 3
CALM: Final = 8  # messages a second of the whole floor, once it was greeted
START: Final = "a web process"
HELLO: Final = "tables over WebSocket, and signs"
HTTP_HELLO: Final = "tables over signed HTTP"
CATCH_UP: Final = "stored rounds"
LONGEST: Final = 120_000  # milliseconds


def seconds(window: Window) -> float:
    return window.seconds


def cpu_seconds(window: Window) -> float:
    return window.python_cpu + window.database_cpu


def cpu_of_each(window: Window) -> float:
    return window.server_us / 1000


QUESTIONS: Final = (
    FigureQuestion("a web process starts, to its first word", (START,), seconds, 2, 4, Better.LOWER, "s"),
    FigureQuestion("CPU of that start", (START,), cpu_seconds, unit="s"),
    FigureQuestion("500 tables and 500 signs greeted", (HELLO,), seconds, 2, 4, Better.LOWER, "s"),
    FigureQuestion("CPU of a greeting, WebSocket or sign", (HELLO,), cpu_of_each, unit="ms"),
    FigureQuestion("500 tables greeted over signed HTTP", (HTTP_HELLO,), seconds, 2, 4, Better.LOWER, "s"),
    FigureQuestion("CPU of a greeting, signed HTTP", (HTTP_HELLO,), cpu_of_each, unit="ms"),
    FigureQuestion("35,000 stored rounds caught up", (CATCH_UP,), seconds, 4, 8, Better.LOWER, "s"),
    FigureQuestion("CPU of a stored round", (CATCH_UP,), cpu_of_each, unit="ms"),
)  # fmt: skip


class RestartScene:
    """One web process on a socket that outlives it, and everybody who comes back."""

    def __init__(self, ours: ProvingHouse, pace: MeasurePlan) -> None:
        self.house, self.pace, self.told = ours, pace, Acknowledged()
        self.programs = {name: compile_client(name) for name in ("http", "socket", "signs")}
        wanted = SMOKE if pace.smoke else FLOOR
        scene = ours.scene(tables={"S": wanted}, signs=wanted)
        self.tables: list[dict[str, str]] = scene["tables"]["S"]
        self.signs: list[dict[str, str]] = scene["signs"]
        self.port = ours.open_door()
        self.closed = 0

    def started(self) -> Window:
        """From the start of the program until it says that it accepts."""
        lasted = self.house.start_anew()
        used = self.house.usage().servers
        python = sum(cpu for name, cpu in used.items() if name != "database")
        return Window(1, lasted, python)

    def greeted(self) -> Window:
        """From the first one who dials until the last one has heard where it stands; nobody of them is known yet."""
        self.house.start_anew()
        return self._counted(2 * len(self.tables), self._come_back)

    def _come_back(self) -> tuple[float, float]:
        signs = Client([self.programs["signs"], self._walls(), 0, 100, self.house.places.data / "arrivals"])
        report = self._played("socket", 0, 200, CALM)
        for word in ("ready", "begin", "end"):
            signs.wait_for(word)
        lit = signs.report()
        signs.stop()
        self.closed += lit["closed"]
        return max(report["greeted_ms"], lit["lit_ms"]) / 1000, report["cpu_seconds"] + lit["cpu_seconds"]

    def greeted_over_http(self) -> Window:
        self.house.start_anew()
        return self._counted(len(self.tables), lambda: self._hello("http"))

    def _hello(self, kind: str) -> tuple[float, float]:
        report = self._played(kind, 0, 200, CALM)
        return report["greeted_ms"] / 1000, report["cpu_seconds"]

    def caught_up(self) -> Window:
        """What every table kept through the outage, told as fast as it is answered, greetings included."""
        stored = SMOKE_STORED if self.pace.smoke else STORED

        def tell() -> tuple[float, float]:
            report = self._played("socket", 0, LONGEST, 0, f"stored={stored}")
            return report["seconds"] + report["greeted_ms"] / 1000, report["cpu_seconds"]

        return self._counted(stored * len(self.tables), tell)

    def _counted(self, events: int, act: Callable[[], tuple[float, float]]) -> Window:
        first = self.house.usage()
        lasted, client_cpu = act()
        used = Used.between(first, self.house.usage())
        python = sum(cpu for name, cpu in used.servers.items() if name != "database")
        foreign = used.foreign_cores(0.0)  # a client that has ended is one of our own children
        return Window(events, lasted, python, used.servers["database"], client_cpu, foreign)

    def _played(self, kind: str, warm_up: int, window: int, pace: int, *more: str) -> dict[str, Any]:
        _, report = watched(
            Client([self.programs[kind], self._roster(kind), warm_up, window, pace, *more]), self.house.usage
        )  # fmt: skip
        self.told.add(report)
        return report

    def _roster(self, kind: str) -> Path:
        path = "/api/v1/tables/{}/messages" if kind == "http" else "/ws/tables/{}"
        lines = [(self.port, path.format(each["place"]), each["device"], each["secret"]) for each in self.tables]
        return write_roster(self.house.places.data / f"floor-{kind}", lines)

    def _walls(self) -> Path:
        lines = [(self.port, f"/ws/signs/{sign['place']}", sign["cookie"]) for sign in self.signs]
        return write_roster(self.house.places.data / "walls", lines)


def measure(pace: MeasurePlan, say: Callable[[str], None]) -> Result:
    """A smoke has twenty tables and signs wherever the table says 500."""
    with house() as ours:
        say("Making the house: PostgreSQL, the casino, its tables and signs …")
        scene = RestartScene(ours, pace)
        contenders = {
            START: scene.started, HELLO: scene.greeted, HTTP_HELLO: scene.greeted_over_http, CATCH_UP: scene.caught_up,
        }  # fmt: skip
        return measured("restart", ours, pace, contenders, QUESTIONS, lambda: _gates(scene), say)


def _gates(scene: RestartScene) -> Iterator[Gate]:
    yield equal("signs that were cut off", 0, scene.closed)
    with scene.house.connect() as connection:
        yield from counted(connection, {"S": scene.told})
