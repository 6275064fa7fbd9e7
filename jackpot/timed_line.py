"""A conversation with a stranger that ends when its time is over, whatever is said meanwhile.

A limit of a socket is one of each wait: who tells one letter a second never meets it. So every line is known here, and
all of them are cut from a thread beside it; what waits for the next word then hears that the line is closed.
"""

from __future__ import annotations

import contextlib
import http.client
import socket
import threading
from collections.abc import Iterator
from time import monotonic
from typing import Any


class TimedLine:
    """The lines of one conversation, and when it ends."""

    def __init__(self, seconds: float) -> None:
        self.seconds, self.ends = seconds, monotonic() + seconds
        self.over = threading.Event()
        self._handles: list[socket.socket] = []
        self._cut = threading.Timer(seconds, self.cut)
        self._cut.daemon = True

    @property
    def left(self) -> float:
        return max(0.001, self.ends - monotonic())

    def opened(self, where: tuple[str, int], _timeout: object = None, _source: object = None) -> socket.socket:
        """As `socket.create_connection` is called by the libraries that speak over it."""
        return self.known(socket.create_connection(where, self.left))

    def known(self, line: socket.socket) -> socket.socket:
        self._handles.append(line.dup())  # TLS takes the line over; this handle still reaches it
        if self.over.is_set():  # it was over while this line came up
            self.cut()
        return line

    def cut(self) -> None:
        self.over.set()
        for handle in self._handles:
            with contextlib.suppress(OSError):
                handle.shutdown(socket.SHUT_RDWR)

    def carry(self, connection: http.client.HTTPConnection) -> http.client.HTTPConnection:
        """A client of HTTP that speaks over lines of this conversation."""
        connection._create_connection = self.opened  # type: ignore[attr-defined]  # the library's own seam, for tunnels
        return connection

    def __enter__(self) -> TimedLine:
        self._cut.start()
        return self

    def __exit__(self, *_: Any) -> None:
        self._cut.cancel()
        for handle in self._handles:
            handle.close()


@contextlib.contextmanager
def within(seconds: float) -> Iterator[TimedLine]:
    """Cut when it is over, it is that and no other trouble that is told."""
    with TimedLine(seconds) as line:
        try:
            yield line
        except (OSError, http.client.HTTPException, ValueError) as trouble:
            if line.over.is_set():
                raise TimeoutError(f"no answer within {seconds:g} seconds") from trouble
            raise
        if line.over.is_set():  # half an answer, cut in two by ourselves
            raise TimeoutError(f"no answer within {seconds:g} seconds")
