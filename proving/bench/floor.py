"""`bench floor`: what a coin-in costs at a casino's own pace, where a batch holds one message, beside all else that
a running house does: signs, pages that people keep open, and a worker that prints."""

from __future__ import annotations

import http.client
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any, Final

from proving.bench.clients import Client, compile_client, watched, write_roster
from proving.bench.cpu import Used
from proving.bench.figures import Better, FigureQuestion, Window
from proving.bench.measured import measured
from proving.bench.pages import approved_hits, wait_until_sent
from proving.bench.results import Result
from proving.bench.rounds import MeasurePlan
from proving.gates import Acknowledged, Gate, counted, equal
from proving.house import NotCarriedOut, ProvingHouse, house
from proving.wires import HOST, BenchPerson, BenchTable

TABLES: Final = 200
SIGNS: Final = 50
PACE: Final = 8  # messages a second over all tables: what two hundred real ones say
OPEN_PAGES: Final = ("/pit/", "/pit/", "/pit/", "/tables/", "/tables/")
LOOKS_EVERY: Final = 2.0  # seconds, as the pages themselves ask
PRINTS_EVERY: Final = 2.0
WINDOW: Final = 20.0
SMOKE_WINDOW: Final = 3.0
STILL: Final = "the house without a message"
HTTP: Final = "signed HTTP at 8 a second"
SOCKET: Final = "WebSocket at 8 a second"


def of_a_message(playing: Window, still: Window) -> float:
    """Server CPU that the play adds to the house, per message, in ms."""
    added = _cores(playing) - _cores(still)
    return added / playing.rate * 1000


def _cores(window: Window) -> float:
    return (window.python_cpu + window.database_cpu) / window.seconds


def _questions(kind: str, name: str) -> tuple[FigureQuestion, ...]:
    return (
        FigureQuestion(f"CPU a message adds, {name}", (kind, STILL), of_a_message, 0.6, 1.5, Better.LOWER, "ms"),
        FigureQuestion(f"answered, {name}, p50", (kind,), lambda window: window.p50_ms, 2, 6, Better.LOWER, "ms"),
        FigureQuestion(f"answered, {name}, p99", (kind,), lambda window: window.p99_ms, 8, 40, Better.LOWER, "ms"),
    )


QUESTIONS: Final = (
    *_questions(HTTP, "HTTP"), *_questions(SOCKET, "WebSocket"),
    FigureQuestion("CPU of the whole house without a message", (STILL,), _cores, unit="cores"),
)  # fmt: skip


class FloorScene:
    """Tables, signs, a worker, people with a page open, and one of them printing."""

    def __init__(self, ours: ProvingHouse, pace: MeasurePlan) -> None:
        self.house, self.told = ours, Acknowledged()
        self.window = SMOKE_WINDOW if pace.smoke else WINDOW
        self.programs = {name: compile_client(name) for name in ("http", "socket", "signs")}
        scene = ours.scene(tables={"S": 20 if pace.smoke else TABLES}, signs=5 if pace.smoke else SIGNS, hits=1)
        self.tables: Sequence[Mapping[str, str]] = scene["tables"]["S"]
        self.signs: Sequence[Mapping[str, str]] = scene["signs"]
        self.port = ours.open_door()
        ours.work()
        self.desk = BenchPerson(self.port, scene["cashier"])
        self.supervisor: Mapping[str, str] = scene["supervisor"]
        (self.win,) = approved_hits(BenchTable(self.port, scene["hits"][0]), 1)
        self.pages = self.closed = 0
        self.trouble: list[str] = []

    def still(self) -> Window:
        with self._signs_hang(), self._people():
            time.sleep(1.0)
            first = self.house.usage()
            time.sleep(self.window)
            used = Used.between(first, self.house.usage())
        return _window(used, 1, used.seconds, 0.0, {})

    def played(self, kind: str) -> Window:
        """Every message alone: at eight a second hardly two of them meet."""
        path = "/api/v1/tables/{}/messages" if kind == "http" else "/ws/tables/{}"
        lines = [(self.port, path.format(each["place"]), each["device"], each["secret"]) for each in self.tables]
        roster = write_roster(self.house.places.data / f"floor-{kind}", lines)
        with self._signs_hang(), self._people():
            client = Client([self.programs[kind], roster, 1000, round(self.window * 1000), PACE])
            used, report = watched(client, self.house.usage)
        self.told.add(report)
        messages = report["coin_ins"] + report["ends"]
        if not messages:
            raise NotCarriedOut(f"Not one message was answered in a window. {report['first_refusal']}".strip())
        return _window(used, messages, report["seconds"], report["cpu_seconds"], report)

    @contextmanager
    def _signs_hang(self) -> Iterator[None]:
        lines = [(self.port, f"/ws/signs/{sign['place']}", sign["cookie"]) for sign in self.signs]
        roster = write_roster(self.house.places.data / "walls", lines)
        lasts = round((self.window + 3) * 1000)
        client = Client([self.programs["signs"], roster, 0, lasts, self.house.places.data / "arrivals"])
        try:
            client.wait_for("ready")
            yield
        finally:
            client.stop()

    @contextmanager
    def _people(self) -> Iterator[None]:
        """Pages that ask again and again, and a desk that prints a copy every other second."""
        over = threading.Event()
        cookie = "; ".join(f"{name}={value}" for name, value in self.supervisor.items())
        people = [threading.Thread(target=self._looks, args=(path, cookie, over)) for path in OPEN_PAGES]
        people.append(threading.Thread(target=self._prints, args=(over,)))
        for person in people:
            person.start()
        try:
            yield
        finally:
            over.set()
            for person in people:
                person.join()
            wait_until_sent(self.house)

    def _looks(self, path: str, cookie: str, over: threading.Event) -> None:
        connection = http.client.HTTPConnection(HOST, self.port, timeout=30)
        while not over.is_set():
            connection.request("GET", path, headers={"Cookie": cookie, "Accept": "text/html"})
            answer = connection.getresponse()
            answer.read()
            if answer.status != 200:
                self.trouble.append(f"{path}: {answer.status}")
            over.wait(LOOKS_EVERY)
        connection.close()

    def _prints(self, over: threading.Event) -> None:
        while not over.is_set():
            words = {"form": "letter", **({"reason": f"copy {self.pages}"} if self.pages else {})}
            try:
                self.desk.acts(f"/api/v1/wins/{self.win}/copies/", words)
                self.pages += 1
            except NotCarriedOut as problem:
                self.trouble.append(str(problem))
            over.wait(PRINTS_EVERY)


def _window(used: Used, messages: int, seconds: float, client_cpu: float, report: Mapping[str, Any]) -> Window:
    python = sum(cpu for name, cpu in used.servers.items() if name != "database")
    return Window(
        messages, seconds, python, used.servers["database"], client_cpu, used.foreign_cores(client_cpu),
        report.get("p50_ms", 0.0), report.get("p99_ms", 0.0),
    )  # fmt: skip


def measure(pace: MeasurePlan, say: Callable[[str], None]) -> Result:
    with house() as ours:
        say("Making the house: PostgreSQL, the casino, signs, people, the worker …")
        scene = FloorScene(ours, pace)
        contenders: dict[str, Callable[[], Window]] = {
            STILL: scene.still, HTTP: lambda: scene.played("http"), SOCKET: lambda: scene.played("socket"),
        }  # fmt: skip
        return measured("floor", ours, pace, contenders, QUESTIONS, lambda: _gates(scene), say)


def _gates(scene: FloorScene) -> Iterator[Gate]:
    """The table of the hit plays its one round by hand, under the same letter."""
    told = scene.told
    told.coin_ins, told.ends = told.coin_ins + 1, told.ends + 1
    yield equal("pages and prints that were refused", [], scene.trouble)
    printed = Gate("copies were printed meanwhile")
    printed.must(scene.pages > 0, "the desk printed nothing")
    yield printed
    with scene.house.connect() as connection:
        yield from counted(connection, {"S": told})
