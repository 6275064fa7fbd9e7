"""A wire to PostgreSQL that can be cut right behind a COMMIT: the server has it, and nobody hears the answer.

And a cable to a table that can be pulled: nothing gets through, and nobody is told.
"""

from __future__ import annotations

import contextlib
import socket
import threading
from collections.abc import Iterator
from urllib.parse import quote, urlsplit, urlunsplit

from psycopg.conninfo import conninfo_to_dict


class CutWire:
    """Forwards bytes both ways. `cut_after` names what a connection must have sent before its COMMIT is the one."""

    def __init__(self, url: str) -> None:
        told = conninfo_to_dict(url)
        self._server = (str(told["host"]), int(str(told.get("port") or 5432)))
        self._listener = socket.create_server(("127.0.0.1", 0))
        port = self._listener.getsockname()[1]
        parts = urlsplit(url)
        who = parts.netloc.rpartition("@")[0]
        password_in = quote(str(told.get("passfile", "")), safe="")
        plainly = f"sslmode=disable&gssencmode=disable&passfile={password_in}"
        self.url = urlunsplit((parts.scheme, f"{who}@127.0.0.1:{port}", parts.path, plainly, ""))
        self._cut_after: bytes | None = None
        self.cuts = 0
        threading.Thread(target=self._accept, name="cut wire", daemon=True).start()

    def cut_after(self, words: str) -> None:
        """The next COMMIT of a connection that sent these words since its last one has no answer."""
        self._cut_after = words.encode()

    def close(self) -> None:
        self._listener.close()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                threading.Thread(target=self._serve, args=[client], daemon=True).start()

    def _serve(self, client: socket.socket) -> None:
        place, port = self._server
        server = socket.socket(socket.AF_UNIX if place.startswith("/") else socket.AF_INET)
        server.connect(f"{place}/.s.PGSQL.{port}" if place.startswith("/") else (place, port))
        silent = threading.Event()
        back = threading.Thread(target=self._answers, args=[server, client, silent], daemon=True)
        back.start()
        said = b""
        with contextlib.suppress(OSError), client, server:
            while heard := client.recv(65_536):
                said += heard
                if b"COMMIT" in heard:
                    if self._cut_after is not None and self._cut_after in said:
                        self._cut_after, self.cuts = None, self.cuts + 1
                        silent.set()
                    said = b""
                server.sendall(heard)
                if silent.is_set():
                    back.join(10)  # the server has answered: what was committed is committed
                    return

    @staticmethod
    def _answers(server: socket.socket, client: socket.socket, silent: threading.Event) -> None:
        with contextlib.suppress(OSError):
            while heard := server.recv(65_536):
                if silent.is_set():
                    return
                client.sendall(heard)


@contextlib.contextmanager
def cut_wire(url: str) -> Iterator[CutWire]:
    wire = CutWire(url)
    try:
        yield wire
    finally:
        wire.close()


class Cable:
    """Between a table and the server. While it is pulled what is said falls on the floor; no line is closed."""

    def __init__(self, port: int) -> None:
        self._server_port, self._pulled = port, threading.Event()
        self._listener = socket.create_server(("127.0.0.1", 0))
        self._lines: list[socket.socket] = []
        self.port: int = self._listener.getsockname()[1]
        threading.Thread(target=self._accept, name="cable", daemon=True).start()

    def pull(self) -> None:
        self._pulled.set()

    def plug_in(self) -> None:
        """What was lost is lost: no line of before goes on with a gap in it."""
        for line in self._lines:
            with contextlib.suppress(OSError):
                line.shutdown(socket.SHUT_RDWR)
        self._lines.clear()
        self._pulled.clear()

    def close(self) -> None:
        with contextlib.suppress(OSError):
            self._listener.shutdown(socket.SHUT_RDWR)  # else its thread goes on waiting on a closed socket
        self._listener.close()
        self.plug_in()

    def _accept(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                client, _ = self._listener.accept()
                server = socket.create_connection(("127.0.0.1", self._server_port))
                self._lines += [client, server]
                for one, other in ((client, server), (server, client)):
                    threading.Thread(target=self._carry, args=[one, other], daemon=True).start()

    def _carry(self, one: socket.socket, other: socket.socket) -> None:
        with contextlib.suppress(OSError), one:
            while heard := one.recv(65_536):
                if not self._pulled.is_set():
                    other.sendall(heard)
            other.shutdown(socket.SHUT_RDWR)


@contextlib.contextmanager
def cable(port: int) -> Iterator[Cable]:
    line = Cable(port)
    try:
        yield line
    finally:
        line.close()
