"""One web process: uvicorn on a socket that the launcher holds.

python -m launcher.web --socket FD [--ready FD] [--certificate FILE --key FILE]
"""

from __future__ import annotations

import argparse
import gc
import os
import socket
import sys
from collections.abc import Callable, Sequence
from typing import Any, Final

import uvicorn
from uvicorn.importer import import_from_string
from websockets.http11 import Request

from launcher.guarded_http import CallerLimits, guarded
from launcher.straight import LARGEST_MESSAGE, STRAIGHT, StraightSocket

READY_FRAMES: Final = "ready_frames"


class SocketProtocol(StraightSocket):
    """A sign is told four times a second; making and compressing each frame anew cost more than all else about it."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:  # the application's task was made and has not begun
            self.scope["extensions"][READY_FRAMES] = {"write": self.write_frame}
            self.scope["extensions"][STRAIGHT] = {"let": self.let_straight}

    on_end: Callable[[], None] | None = None  # whoever counted this connection hears that it is over

    def connection_lost(self, exc: Exception | None) -> None:
        if self.on_end is not None:
            self.on_end()
        super().connection_lost(exc)

    def write_frame(self, frame: bytes) -> bool:
        """False, and nothing is written, while the client does not keep up or is no longer there."""
        ready = self.handshake_complete and not self.close_sent and not self.disconnected
        if not ready or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True


SECONDS_FOR_LAST_ANSWERS = 3
# The thread of the books waits for the database six times a batch; each time it comes back it must not wait five
# milliseconds more (Python's default) for the event loop to let go.
THREADS_TAKE_TURNS = 0.0005


def web_config(
    application: Any = "config.asgi:application", *, limits: CallerLimits | None = None, **more: Any
) -> uvicorn.Config:  # fmt: skip
    """The same server for the product, the tests and the benches."""
    return uvicorn.Config(
        application,
        http=guarded(limits or CallerLimits.of_this_process()),
        loop="uvloop",
        ws=SocketProtocol,
        ws_per_message_deflate=False,  # a frame made once serves every sign; half a kilobyte needs no packing
        ws_max_size=LARGEST_MESSAGE,
        log_level="error",  # what a caller sent wrongly is the caller's; a 4xx is no warning of ours
        access_log=False,
        server_header=False,
        date_header=False,
        timeout_keep_alive=75,  # a table is quiet between rounds; its connection should not be made anew for each
        proxy_headers=bool(os.environ.get("FORWARDED_ALLOW_IPS")),
        timeout_graceful_shutdown=SECONDS_FOR_LAST_ANSWERS,
        **more,
    )


class AnnouncedServer(uvicorn.Server):
    """Says when it has begun to accept."""

    def __init__(self, config: uvicorn.Config, ready: int | None) -> None:
        super().__init__(config)
        self.ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        await super().startup(sockets)
        leave_the_program_alone()
        sys.setswitchinterval(THREADS_TAKE_TURNS)
        if self.ready is not None:
            os.write(self.ready, b".")
            os.close(self.ready)


def leave_the_program_alone() -> None:
    """Modules and tables of routes never become garbage; searching them again and again cost 8 % of a full load."""
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 100)


def main(arguments: Sequence[str]) -> None:
    parser = argparse.ArgumentParser(prog="launcher.web")
    parser.add_argument("--socket", type=int, required=True)
    parser.add_argument("--ready", type=int)
    parser.add_argument("--certificate")
    parser.add_argument("--key")
    wishes = parser.parse_args(arguments)
    os.environ["FAIRMETER_USE"] = "web"  # its connections have the deadlines of a web
    application = import_from_string("config.asgi:application")
    if (os.cpu_count() or 1) > 1:
        application.work_beside()
    config = web_config(application, ssl_certfile=wishes.certificate, ssl_keyfile=wishes.key)
    AnnouncedServer(config, wishes.ready).run(sockets=[socket.socket(fileno=wishes.socket)])


if __name__ == "__main__":
    main(sys.argv[1:])
