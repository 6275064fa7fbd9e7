"""A WebSocket towards an address where nothing speaks is refused, whatever is asked for; it is no fault of ours."""

from __future__ import annotations

import socket
from typing import Any

from tests.patience import PATIENCE

NOWHERE = (
    "/", "/ws", "/ws/", "/ws/signs", "/ws/signs/", "/ws/signs//", "/ws/signs/WALL/", "/ws/signs/WALL/x",
    "/ws/signs/a%2Fb",
    "/ws/signs/%00", "/ws/signs/..%2f..", "/ws/signs/%0A", "/ws/signs/%FF", "/ws/signs/" + "x" * 4000, "/ws/tables/",
    "/ws/tables/UTH-01/", "/ws/tables//", "/ws/tables/%00", "/ws/pit/", "//ws/signs/WALL", "/api/v1/feed/?wait=5",
)  # fmt: skip


def status_of(live: Any, path: str) -> bytes:
    with socket.create_connection(("127.0.0.1", live.port), PATIENCE) as line:
        line.sendall(
            f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
            f"Origin: http://127.0.0.1:{live.port}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            "Sec-WebSocket-Version: 13\r\n\r\n".encode()
        )
        return line.recv(12)


def test_nothing_speaks_there_and_nothing_breaks(live: Any) -> None:
    answered = {path[:40]: status_of(live, path) for path in NOWHERE}
    assert {path: status for path, status in answered.items() if status[9:10] not in (b"1", b"4")} == {}
