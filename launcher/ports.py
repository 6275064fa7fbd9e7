"""The address to listen on, taken before anything else is started."""

from __future__ import annotations

import errno
import ipaddress
import shlex
import socket
from collections.abc import Sequence

from launcher.sentences import CannotStart

BACKLOG = 2048
PORTS_TO_TRY = 100


class PortTaken(CannotStart):
    """Another program listens there; `free` is the next port nobody listens on, if there is one."""

    def __init__(self, address: str, port: int, free: int | None, arguments: Sequence[str]) -> None:
        self.free = free
        words = f"Port {port} on {address} is taken by another program."
        if free is not None:
            again = shlex.join(["python3", "manage.py", "up", *without_port(arguments), "--port", str(free)])
            words += f" The next free one is {free}: {again}"
        super().__init__(words)


def without_port(arguments: Sequence[str]) -> list[str]:
    kept, skip = [], False
    for argument in arguments:
        if skip or argument.startswith("--port="):
            skip = False
        elif argument == "--port":
            skip = True
        else:
            kept.append(argument)
    return kept


def is_loopback(address: str) -> bool:
    if address == "localhost":
        return True
    try:
        return ipaddress.ip_address(address).is_loopback
    except ValueError:
        return False


def listen(address: str, port: int, arguments: Sequence[str] = ()) -> socket.socket:
    """A listening socket that outlives the web process: while it restarts, callers wait instead of being refused."""
    try:
        return _bound(address, port)
    except OSError as why:
        if why.errno == errno.EADDRINUSE:
            raise PortTaken(address, port, next_free(address, port + 1), arguments) from None
        raise CannotStart(f"Fairmeter cannot listen on {address} port {port}: {why.strerror or why}.") from None


def next_free(address: str, start: int) -> int | None:
    for port in range(start, min(start + PORTS_TO_TRY, 65536)):
        try:
            _bound(address, port).close()
        except OSError:
            continue
        return port
    return None


def _bound(address: str, port: int) -> socket.socket:
    family, kind, protocol, _, where = socket.getaddrinfo(address, port, type=socket.SOCK_STREAM)[0]
    listener = socket.socket(family, kind, protocol)
    try:
        # A port on which the last connections are still fading is free for us.
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(where)
        listener.listen(BACKLOG)
    except OSError:
        listener.close()
        raise
    return listener
