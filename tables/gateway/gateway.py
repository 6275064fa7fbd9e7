"""The gateway: table controllers speak here, before Django's request machinery, in the same process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier
from typing import NamedTuple

from django.db import connection

from tables.gateway import http, sockets
from tables.gateway.acting import ACTORS, ActingLines, serve_act
from tables.gateway.asgi import Receive, Scope, Send
from tables.gateway.batcher import Batcher
from tables.gateway.beside import SideProcess
from tables.gateway.logbook import Logbook
from tables.gateway.posting import PostingLine, serve_batch
from tables.gateway.straight import StraightGate
from tables.gateway.verbs import GatewayServices
from tables.gateway.watch import FloorWatch


class Beside(NamedTuple):
    """The processes of one gateway: one posts its batches, the other does the acts of its devices."""

    posting: SideProcess
    acting: SideProcess

    @classmethod
    def begin(cls) -> Beside:
        """Before this process has a thread, an event loop or a connection."""
        coin_ins_and_ends = [serve_batch, serve_batch]
        return cls(SideProcess.begin(coin_ins_and_ends), SideProcess.begin([serve_act] * ACTORS))

    def batcher(self) -> Batcher:
        coin_ins, ends = self.posting.lines
        return Batcher(None, PostingLine(coin_ins), PostingLine(ends))

    def close(self) -> None:
        for process in self:
            process.close()


class Gateway:
    """One per process, made when the server starts and closed when it stops."""

    def __init__(self, beside: Beside | None = None) -> None:
        pool = ThreadPoolExecutor(max_workers=ACTORS, thread_name_prefix="acts")
        self._pool = pool
        self._beside = beside
        batcher = beside.batcher() if beside is not None else Batcher()
        acting = ActingLines(beside.acting.lines) if beside is not None else None
        self._services = GatewayServices(batcher, pool, Logbook(pool), acting)
        self.straight = StraightGate(self._services)
        self._http = http.HttpDoor(self._services)
        self._sockets = sockets.SocketDoor(self._services, self.straight.frame)
        self._watch = FloorWatch(self._services, self._sockets)

    def takes(self, scope: Scope) -> bool:
        path: str = scope.get("path", "")
        if scope["type"] == "http":
            return path.startswith(http.PREFIX) and path.endswith(http.SUFFIX)
        return scope["type"] == "websocket" and path.startswith(sockets.PREFIX)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        door = self._http if scope["type"] == "http" else self._sockets
        await door(scope, receive, send)

    def start(self) -> None:
        self._watch.start()

    async def close(self) -> None:
        """Lets the commit under way finish and writes what the logbook still holds."""
        await self._watch.stop()
        await self._sockets.consoles.stop()
        await self._services.batcher.close()
        if self._beside is not None:
            self._beside.close()
        await self._services.logbook.write()
        hang_up_all(self._pool, ACTORS)
        self._pool.shutdown(wait=True)


def hang_up_all(pool: ThreadPoolExecutor, threads: int) -> None:
    """Closes the database connection of every thread of a pool; the barrier makes each thread take exactly one turn."""
    together = Barrier(threads)

    def hang_up() -> None:
        together.wait(timeout=10)
        connection.close()

    wait([pool.submit(hang_up) for _ in range(threads)])
