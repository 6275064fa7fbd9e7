"""A web server in a thread of the test's own process, on a port of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import uvicorn

from launcher.web import web_config
from tests.patience import PATIENCE


@dataclass(frozen=True)
class Live:
    """Where the running server is found."""

    port: int

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"

    @property
    def ws_url(self) -> str:
        return f"ws://127.0.0.1:{self.port}"

    def post(self, path: str, body: bytes, headers: dict[str, str], patience: float) -> tuple[int, dict[str, Any]]:
        """The status and what was answered; a refusal is an answer too."""
        request = urllib.request.Request(self.url + path, body, headers)
        try:
            with urllib.request.urlopen(request, timeout=patience) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)


_seen_at: list[int] = []


def same_port() -> int:
    """Where the pages before were, so that a browser knows their style sheets and scripts; 0 when somebody is there."""
    with contextlib.suppress(OSError), socket.create_server(("127.0.0.1", _seen_at[0] if _seen_at else 0)) as there:
        _seen_at[:] = [there.getsockname()[1]]
        return _seen_at[0]
    _seen_at.clear()
    return 0


class PromptServer(uvicorn.Server):
    """Comes and goes when it is told to. uvicorn itself looks ten times a second, and hundreds of tests would wait."""

    def __init__(self, config: uvicorn.Config) -> None:
        super().__init__(config)
        self.decided = threading.Event()  # it serves, or it never will

    def run(self, sockets: list[socket.socket] | None = None) -> None:
        try:
            super().run(sockets)
        finally:
            self.decided.set()

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        self.decided.set()

    async def main_loop(self) -> None:
        self._loop, self._told_to_go = asyncio.get_running_loop(), asyncio.Event()
        await self._told_to_go.wait()

    async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
        """As uvicorn does it: nobody new, last answers for as long as the product gives them, then the application."""
        for server in self.servers:
            server.close()
        for connection in list(self.server_state.connections):
            connection.shutdown()
        try:
            await asyncio.wait_for(self._last_answers(), self.config.timeout_graceful_shutdown)
        except TimeoutError:
            for task in self.server_state.tasks:
                task.cancel()
        await self.lifespan.shutdown()

    async def _last_answers(self) -> None:
        while self.server_state.connections or self.server_state.tasks:  # noqa: ASYNC110 - uvicorn tells nobody
            await asyncio.sleep(0.002)

    def go(self) -> None:
        self._loop.call_soon_threadsafe(self._told_to_go.set)


@contextlib.contextmanager
def living(application: object = "config.asgi:application", port: int = 0) -> Iterator[Live]:
    """On a free port, or on the one a server before it had."""
    from jackpot.proof.actions.high_water import guard

    guard.forget()  # how far the books of another test were is nobody's memory here
    guard.path.unlink(missing_ok=True)
    with socket.create_server(("127.0.0.1", port)) as listener:
        server = PromptServer(web_config(application))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="live server", daemon=True)
        thread.start()
        if not server.decided.wait(PATIENCE) or not server.started:
            raise RuntimeError("The live server did not start; its log says why.")
        try:
            yield Live(listener.getsockname()[1])
        finally:
            server.go()
            thread.join(PATIENCE)
