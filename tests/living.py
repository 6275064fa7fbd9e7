"""A web server in a thread of the test's own process, on a port of its own."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import dataclass

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


@contextlib.contextmanager
def living(application: object = "config.asgi:application", port: int = 0) -> Iterator[Live]:
    """On a free port, or on the one a server before it had."""
    with socket.create_server(("127.0.0.1", port)) as listener:
        server = uvicorn.Server(web_config(application))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, name="live server", daemon=True)
        thread.start()
        deadline = time.monotonic() + 20
        while not server.started:
            if not thread.is_alive() or time.monotonic() > deadline:
                raise RuntimeError("The live server did not start; its log says why.")
            time.sleep(0.01)
        yield Live(listener.getsockname()[1])
        server.should_exit = True
        thread.join(20)
