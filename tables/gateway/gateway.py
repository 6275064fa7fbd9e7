"""The gateway: table controllers speak here, before Django's request machinery, in the same process."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor, wait
from threading import Barrier
from typing import Final

from django.db import connection

from tables.gateway import http, sockets
from tables.gateway.asgi import Receive, Scope, Send
from tables.gateway.batcher import Batcher
from tables.gateway.logbook import Logbook
from tables.gateway.straight import StraightGate
from tables.gateway.verbs import GatewayServices
from tables.gateway.watch import FloorWatch

ACTORS: Final = 4


class Gateway:
    """One per process, made when the server starts and closed when it stops."""

    def __init__(self) -> None:
        pool = ThreadPoolExecutor(max_workers=ACTORS, thread_name_prefix="acts")
        self._pool = pool
        self._services = GatewayServices(Batcher(), pool, Logbook(pool))
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
