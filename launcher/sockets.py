"""The server's WebSockets, with one thing ASGI has no word for: the same ready-made frame written to many of them."""

from __future__ import annotations

from typing import Final

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

READY_FRAMES: Final = "ready_frames"


class SocketProtocol(WebSocketsSansIOProtocol):
    """A sign is told four times a second; making and compressing each frame anew cost more than all else about it."""

    def handle_connect(self, event: Request) -> None:
        super().handle_connect(event)
        if self.response.status_code == 101:  # the application's task was made and has not begun
            self.scope["extensions"][READY_FRAMES] = {"write": self.write_frame}

    def write_frame(self, frame: bytes) -> bool:
        """False, and nothing is written, while the client does not keep up or is no longer there."""
        ready = self.handshake_complete and not self.close_sent and not self.disconnected
        if not ready or not self.writable.is_set() or self.transport.is_closing():
            return False
        self.transport.write(frame)
        return True
