"""What strains one house without killing it: a halted database, a stuck lock, a crowd at the door, a flood."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import resource
import signal
import socket
import threading
import time
from collections.abc import AsyncIterator, Callable, Coroutine, Mapping, Sequence
from typing import Any, Final

import psycopg
from websockets.asyncio.client import ClientConnection
from websockets.exceptions import ConnectionClosed

from launcher.children import wait_until
from proving.drill.faults import Fault, FaultsDrilled, strike_all
from proving.drill.kill import ASSERTED, Say
from proving.house import HOUSE_OF_ONE, NotCarriedOut, ProvingHouse, house
from proving.processes import children_of, signal_one
from proving.wires import HOST, controller_of
from tables.simulator.wires import AnswerLost, Controller, ServerRefusal, dial

KINDS: Final = ("worker", "paused", "connections", "lock", "half-open", "flood", "deaf")
TABLES, SIGNS = 12, 4
CROWD: Final = 10_000
SPARE_FILES: Final = 400  # what the two of us need besides the crowd
HALF_A_HEAD: Final = b"POST /api/v1/tables/S-001/messages HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: "
LOCKED: Final = b"SELECT 1 FROM jackpot_jackpot WHERE code = 'GRAND' FOR UPDATE"


class Strain:
    """Strikes and cures, by the name of what strains. Everything goes to loopback and ends with the drill."""

    def __init__(self, ours: ProvingHouse, made: Mapping[str, Any], pause: float) -> None:
        self.ours, self.made, self.pause = ours, made, pause
        self.held = contextlib.ExitStack()

    def fault(self, kind: str) -> Fault:
        pause, let_go = self.pause, self.held.close
        match kind:
            case "worker":
                return Fault("worker killed", 5, self.kill_worker, calm=self.worker_is_back)
            case "paused":
                name = f"PostgreSQL halted for {pause:.0f} s"
                return Fault(name, 5, self.halt_postgres, let_go, pause, stands=True)
            case "connections":
                return Fault("every free connection taken", 5, self.take_connections, let_go, 5)
            case "lock":
                return Fault("a jackpot's row locked by somebody", 5, self.lock_row, let_go, pause, stands=True)
            case "half-open":
                return Fault("a crowd that says half a header", 5, self.crowd, let_go, 8)
            case "flood":
                return Fault("a controller that floods", 5, self.flood, let_go, 8)
            case "deaf":
                return Fault("a sign that never reads", 5, self.deaf_sign, let_go, 8)
        raise NotCarriedOut(f"There is no strain called {kind}: {', '.join(KINDS)}.")

    def kill_worker(self) -> float:
        worker = next(child for child in self.ours.children if child.name == "worker")
        if worker.process is not None:
            worker.process.kill()
        return time.monotonic()

    def worker_is_back(self) -> None:
        def back() -> bool:
            self.ours.look_after()
            return any(child.name == "worker" and child.alive for child in self.ours.children)

        if not wait_until(back, 30.0):
            raise NotCarriedOut("The worker did not come back.")

    def halt_postgres(self) -> float:
        """The postmaster first: it would start new ones."""
        process = self.ours.server.process
        assert process is not None
        everything = [process.pid, *children_of(process.pid)]
        self.held.callback(signal_all, everything, signal.SIGCONT)
        signal_all(everything, signal.SIGSTOP)
        return time.monotonic()

    def take_connections(self) -> float:
        with contextlib.suppress(psycopg.OperationalError):
            while True:
                self.held.enter_context(psycopg.connect(self.ours.server.addresses.app, connect_timeout=2))
        return time.monotonic()

    def lock_row(self) -> float:
        connection = psycopg.connect(self.ours.server.superuser_url.replace("/postgres?", "/fairmeter?"))
        self.held.callback(connection.close)
        connection.execute(LOCKED)
        return time.monotonic()

    def crowd(self) -> float:
        began = time.monotonic()
        for _ in range(crowd_size()):
            caller = socket.create_connection((HOST, self.ours.ports[0]), timeout=5)
            self.held.callback(caller.close)
            caller.sendall(HALF_A_HEAD)
        return began

    def deaf_sign(self) -> float:
        return self._beside(self._deaf)

    def flood(self) -> float:
        return self._beside(self._flood)

    def _beside(self, peer: Callable[[], Coroutine[Any, Any, None]]) -> float:
        """A peer with a loop of its own, until the fault is over."""
        over = threading.Event()
        thread = threading.Thread(target=lambda: asyncio.run(_until(over, peer)), daemon=True)
        thread.start()
        self.held.callback(thread.join, 10)
        self.held.callback(over.set)
        return time.monotonic()

    async def _deaf(self) -> None:
        """Says hello and then reads nothing."""
        sign = controller_of(self.made["deaf"])
        async with self._dialled(f"/ws/signs/{sign.table}", sign) as connection:
            connection.transport.pause_reading()
            await asyncio.Event().wait()

    async def _flood(self) -> None:
        """Beats and nonsense as fast as the socket takes them, never waiting for an answer; again when it is closed."""
        device = controller_of(self.made["flooding"])
        while True:
            with contextlib.suppress(AnswerLost, ServerRefusal, ConnectionClosed, OSError):
                async with self._dialled(f"/ws/tables/{device.table}", device) as connection:
                    for number in itertools.count():
                        await connection.send(json.dumps({"id": number, "do": "beat" if number % 2 else "nonsense"}))
            await asyncio.sleep(0.05)

    @contextlib.asynccontextmanager
    async def _dialled(self, path: str, device: Controller) -> AsyncIterator[ClientConnection]:
        """Cut off without a goodbye, however it ends."""
        connection, words = await dial(f"ws://{HOST}:{self.ours.ports[0]}{path}", device)
        try:
            await connection.send(json.dumps({"id": 0, "do": "hello", **words}))
            yield connection
        finally:
            connection.transport.abort()
            await asyncio.sleep(0)


async def _until(over: threading.Event, peer: Callable[[], Coroutine[Any, Any, None]]) -> None:
    playing = asyncio.create_task(peer())
    await asyncio.to_thread(over.wait)
    playing.cancel()
    with contextlib.suppress(asyncio.CancelledError):
        await playing


def crowd_size() -> int:
    """Ten thousand, or what this machine allows one process to hold open."""
    return max(0, min(CROWD, resource.getrlimit(resource.RLIMIT_NOFILE)[0] - SPARE_FILES))


def signal_all(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        signal_one(pid, number)


def drill_strain(kinds: Sequence[str], *, tables: int, seed: int, pause: float, say: Say) -> FaultsDrilled:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))  # the web inherits it, as its unit in deploy/ says
    with house() as ours:
        made = ours.scene(tables={"S": tables + 1}, signs=SIGNS + 1, shown=["GRAND"])
        told = {"tables": made["tables"]["S"][:-1], "signs": made["signs"][:-1]}
        ours.open_door()
        ours.work()
        strain = Strain(ours, {"flooding": made["tables"]["S"][-1], "deaf": made["signs"][-1]}, pause)
        say(f"{tables} tables and {SIGNS} signs, seed {seed}; a crowd is {crowd_size():,} sockets.")
        drilled = FaultsDrilled("strain", HOUSE_OF_ONE)
        with strain.held:
            strike_all(ours, told, [strain.fault(kind) for kind in kinds], drilled, seed, say)
        drilled.settings = ours.settings(*ASSERTED)
        return drilled
