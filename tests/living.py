"""A web server in a thread of the test's own process, on a port of its own."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import threading
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import uvicorn

from launcher.web import web_config


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


class PromptServer(uvicorn.Server):
    """Goes when it is told to. uvicorn itself looks ten times a second, which hundreds of tests would wait for."""

    async def main_loop(self) -> None:
        self._loop, self._told_to_go = asyncio.get_running_loop(), asyncio.Event()
        await self._told_to_go.wait()

    def go(self) -> None:
        self._loop.call_soon_threadsafe(self._told_to_go.set)


@contextlib.contextmanager
def living(application: object = "config.asgi:application", port: int = 0) -> Iterator[Live]:
    """On a free port, or on the one a server before it had."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        server = PromptServer(web_config(application))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="live server", daemon=True)
        thread.start()
        deadline = time.monotonic() + 20
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                raise RuntimeError("The live server did not start; its log says why.")
            time.sleep(0.01)
        try:
            yield Live(listener.getsockname()[1])
        finally:
            server.go()
            thread.join(20)
