"""`bench coin-in`: messages of the full product beside a naive view and beside what PostgreSQL alone can do."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

from proving.bench import peer, pgbench
from proving.bench.clients import Client, compile_client, watched, write_roster
from proving.bench.figures import Better, FigureQuestion, Window, rate_ratio
from proving.bench.measured import measured
from proving.bench.results import Result
from proving.bench.rounds import Contender, MeasurePlan
from proving.gates import Acknowledged, Gate, counted, equal
from proving.house import NotCarriedOut, ProvingHouse, house

TABLES: Final = 200
HTTP: Final = "HTTP messages"
SOCKET: Final = "WebSocket messages"
HTTP_TWO: Final = "HTTP, two jackpots a table"
SOCKET_TWO: Final = "WebSocket, two jackpots a table"
HTTP_PAIR: Final = "HTTP, two web processes"
SOCKET_PAIR: Final = "WebSocket, two web processes"
NAIVE: Final = "naive DRF view"
NAIVE_COIN_INS: Final = "naive DRF view, coin-ins only"
HOT_ROW: Final = "pgbench, hot row"
BATCH: Final = "pgbench, batches of 50"
CLIENT_MAY_COST: Final = 10.0  # µs an event; beyond it a client measures itself


def per_round(window: Window) -> float:
    """A round is two messages: coin_in and end."""
    return 2 * window.server_us


QUESTIONS: Final = (
    rate_ratio(HTTP, NAIVE, "HTTP messages / naive DRF view", aim=40, floor=15),
    FigureQuestion(
        "HTTP messages / naive coin-ins alone", (HTTP, NAIVE_COIN_INS), lambda ours, theirs: ours.rate / theirs.rate
    ),
    rate_ratio(HTTP, HOT_ROW, "HTTP messages / pgbench hot row", aim=3, floor=1.5),
    rate_ratio(SOCKET, BATCH, "WebSocket messages / pgbench batches of 50", aim=0.25, floor=0.12),
    FigureQuestion("server CPU per round, HTTP", (HTTP,), per_round, 140, 240, Better.LOWER, "µs"),
    FigureQuestion("server CPU per round, WebSocket", (SOCKET,), per_round, 100, 200, Better.LOWER, "µs"),
    rate_ratio(HTTP_TWO, HTTP, "two jackpots a table / one, HTTP", aim=0.7, floor=0.5),
    rate_ratio(SOCKET_TWO, SOCKET, "two jackpots a table / one, WebSocket", aim=0.7, floor=0.5),
    FigureQuestion("two web processes / one, HTTP", (HTTP_PAIR, HTTP), lambda two, one: two.rate / one.rate),
    FigureQuestion("two web processes / one, WebSocket", (SOCKET_PAIR, SOCKET), lambda two, one: two.rate / one.rate),
    FigureQuestion(
        "client CPU per message, HTTP", (HTTP,), lambda window: window.client_cpu / window.events * 1e6,
        CLIENT_MAY_COST, CLIENT_MAY_COST, Better.LOWER, "µs",
    ),
)  # fmt: skip


class CoinInScene:
    """The casino's tables, the ways to speak for them, and what they were told."""

    def __init__(self, ours: ProvingHouse, pace: MeasurePlan, hits: int = 0) -> None:
        self.house, self.pace = ours, pace
        self.programs = {name: compile_client(name) for name in ("http", "socket")}
        self.told = {"S": Acknowledged(), "D": Acknowledged()}
        self.scene = ours.scene(tables=dict.fromkeys(self.told, 40 if pace.smoke else TABLES), hits=hits)
        self.tables: dict[str, list[dict[str, str]]] = self.scene["tables"]

    def roster(self, kind: str, letter: str, ports: list[int]) -> Path:
        """Which table speaks to which port: the tables take turns among the web processes."""
        path = "/api/v1/tables/{}/messages" if kind == "http" else "/ws/tables/{}"
        lines = [
            (ports[number % len(ports)], path.format(table["place"]), table["device"], table["secret"])
            for number, table in enumerate(self.tables[letter])
        ]
        return write_roster(self.house.places.data / f"{kind}-{letter}-{len(ports)}", lines)

    def contender(self, kind: str, letter: str, ports: list[int]) -> Contender:
        roster = self.roster(kind, letter, ports)
        return lambda: self.measure(kind, roster, self.told[letter])

    def measure(self, kind: str, roster: Path, told: Acknowledged, *more: str) -> Window:
        times = (round(self.pace.warm_up * 1000), round(self.pace.window * 1000))
        used, report = watched(Client([self.programs[kind], roster, *times, 0, *more]), self.house.usage)
        told.add(report)
        if not report["coin_ins"] + report["ends"]:
            raise NotCarriedOut(f"Not one message was answered in a window. {report['first_refusal']}".strip())
        python = sum(cpu for name, cpu in used.servers.items() if name != "database")
        return Window(
            report["coin_ins"] + report["ends"], report["seconds"], python, used.servers["database"],
            report["cpu_seconds"], used.foreign_cores(report["cpu_seconds"]), report["p50_ms"], report["p99_ms"],
        )  # fmt: skip


def measure(pace: MeasurePlan, say: Callable[[str], None]) -> Result:
    """Everything is up before the first window; the gates come after the last one."""
    with house() as ours:
        say("Making the house: PostgreSQL, the casino, the peer, two web processes …")
        floor, naive_told = CoinInScene(ours, pace), Acknowledged()
        contenders = _contenders(ours, floor, naive_told)
        return measured("coin-in", ours, pace, contenders, QUESTIONS, lambda: _gates(ours, floor, naive_told), say)


def _contenders(ours: ProvingHouse, floor: CoinInScene, naive_told: Acknowledged) -> dict[str, Contender]:
    pace = floor.pace
    pgbench.prepare(ours)
    naive = write_roster(ours.places.data / "naive", peer.start(ours))
    one, two = ours.open_door(), ours.open_door()
    return {
        BATCH: lambda: pgbench.measure(ours, pgbench.BATCH, pace.warm_up, pace.window),
        HOT_ROW: lambda: pgbench.measure(ours, pgbench.HOT_ROW, pace.warm_up, pace.window),
        NAIVE: lambda: floor.measure("http", naive, naive_told),
        NAIVE_COIN_INS: lambda: floor.measure("http", naive, naive_told, "coin-ins"),
        HTTP: floor.contender("http", "S", [one]),
        SOCKET: floor.contender("socket", "S", [one]),
        HTTP_TWO: floor.contender("http", "D", [one]),
        SOCKET_TWO: floor.contender("socket", "D", [one]),
        HTTP_PAIR: floor.contender("http", "S", [one, two]),
        SOCKET_PAIR: floor.contender("socket", "S", [one, two]),
    }


def _gates(ours: ProvingHouse, floor: CoinInScene, naive_told: Acknowledged) -> Iterator[Gate]:
    """A peer that loses messages would be a poor one to beat."""
    with ours.connect() as connection:
        yield from counted(connection, floor.told)
    yield equal("naive: rounds = acknowledged coin-ins", naive_told.coin_ins, peer.count_rounds(ours))
