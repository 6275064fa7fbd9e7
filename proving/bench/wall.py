"""The signs on the wall, the tables that play meanwhile, and one window of either."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np

from proving.bench.arrivals import Lag, lag, read_arrivals
from proving.bench.clients import Client, compile_client, watched, write_roster
from proving.bench.cpu import Used
from proving.bench.figures import Window
from proving.bench.rounds import MeasurePlan
from proving.house import NotCarriedOut, ProvingHouse, free_port

PACE: Final = 100  # messages a second: a dozen times what two hundred real tables say
PLAYING: Final = 40
SETTLING: Final = 1.5  # seconds from the first coin-in to the warm-up
SMOKE_SETTLING: Final = 0.5
ENTRIES: Final = b"""
SELECT e.seq, (extract(epoch FROM e.occurred_at) * 1000000)::bigint * 1000
  FROM jackpot_entry e JOIN jackpot_jackpot j ON j.id = e.jackpot_id
 WHERE j.code = 'GRAND' AND e.occurred_at BETWEEN to_timestamp(%s) AND to_timestamp(%s) ORDER BY e.seq
"""
NO_LAG: Final = Lag(0, 0.0, 0.0, 0, 0)


class Wall:
    """`closed`, `late` and `fell` add up what must never happen, over all windows."""

    def __init__(self, ours: ProvingHouse, pace: MeasurePlan, signs: int) -> None:
        self.house, self.pace = ours, pace
        self.settling = SMOKE_SETTLING if pace.smoke else SETTLING
        self.programs = {name: compile_client(name) for name in ("socket", "signs")}
        scene = ours.scene(tables={"S": PLAYING}, signs=signs)
        self.signs: list[dict[str, str]] = scene["signs"]
        self.tables: list[dict[str, str]] = scene["tables"]["S"]
        self.web = ours.open_door()
        self.peer = free_port()
        served = ("--ws", "websockets-sansio", "--loop", "uvloop", "--log-level", "warning")
        words = (
            "uvicorn",
            "proving.bench.broadcast:application",
            "--host",
            "127.0.0.1",
            "--port",
            str(self.peer),
            *served,
        )
        ours.serve("peer", *words, port=self.peer)
        self.closed = self.late = self.fell = 0

    def alone(self) -> Window:
        """Coin-ins at the usual pace and nobody looking: what listening costs is the difference."""
        with self._playing(PACE):
            time.sleep(self.settling)
            first = self.house.usage()
            time.sleep(self.pace.window)
            used = Used.between(first, self.house.usage())
        return _window(used, round(PACE * used.seconds), used.seconds, 0.0, NO_LAG)

    def listened(self, sockets: int, messages_a_second: int) -> Window:
        """All sockets hang first; where there are fewer signs, several screens hang as the same sign."""
        hung = [self.signs[number % len(self.signs)] for number in range(sockets)]
        roster = write_roster(
            self.house.places.data / f"signs-{sockets}",
            [(self.web, f"/ws/signs/{sign['place']}", sign["cookie"]) for sign in hung],
        )
        with self._hung(roster) as signs, self._playing(messages_a_second):
            used, report = watched(signs, self.house.usage)
        found = self._lag(report)
        self.closed, self.late, self.fell = (
            self.closed + report["closed"], self.late + found.late, self.fell + found.fell
        )  # fmt: skip
        return _window(used, report["messages"], report["seconds"], report["cpu_seconds"], found)

    def peered(self, sockets: int) -> Window:
        roster = write_roster(self.house.places.data / f"peers-{sockets}", [(self.peer, "/", "-")] * sockets)
        with self._hung(roster) as signs:
            used, report = watched(signs, self.house.usage)
        return _window(used, report["messages"], report["seconds"], report["cpu_seconds"], NO_LAG)

    @contextmanager
    def _hung(self, roster: Path) -> Iterator[Client]:
        times = (round((self.settling + self.pace.warm_up) * 1000), round(self.pace.window * 1000))
        client = Client([self.programs["signs"], roster, *times, self.house.places.data / "arrivals"])
        try:
            client.wait_for("ready")
            yield client
        finally:
            client.stop()

    @contextmanager
    def _playing(self, messages_a_second: int) -> Iterator[None]:
        """Tables play until the block ends, in the middle of a round; 0 a second is as fast as they are answered."""
        lines = [(self.web, f"/ws/tables/{each['place']}", each["device"], each["secret"]) for each in self.tables]
        roster = write_roster(self.house.places.data / "tables", lines)
        lasts = round((self.pace.window + self.pace.warm_up + 2 * SETTLING) * 1000)
        client = Client([self.programs["socket"], roster, 1, lasts, messages_a_second])
        try:
            client.wait_for("begin")
            yield
        finally:
            client.stop()

    def _lag(self, report: dict[str, Any]) -> Lag:
        with self.house.connect() as connection:
            span = [report["began_at"], report["began_at"] + report["seconds"]]
            rows = connection.execute(ENTRIES, span).fetchall()
        return lag(read_arrivals(self.house.places.data / "arrivals"), np.array(rows, dtype=np.int64).reshape(-1, 2))


def _window(used: Used, events: int, seconds: float, client_cpu: float, found: Lag) -> Window:
    if not events:
        raise NotCarriedOut("Not one message arrived in a window. Is the machine overloaded?")
    python = sum(cpu for name, cpu in used.servers.items() if name != "database")
    return Window(
        events, seconds, python, used.servers["database"], client_cpu, used.foreign_cores(client_cpu),
        found.p50_ms, found.p99_ms,
    )  # fmt: skip
