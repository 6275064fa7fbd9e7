"""Small messages without a task: from the parser to whoever counts them, and the answer back on the same line.

A task, its queue and its events cost more than all that is done for a coin-in. Whoever serves such messages says so in
the state of the lifespan (HTTP) or on a line that it has accepted (WebSocket), and takes them or leaves them one by
one; what is left, and everything else, goes uvicorn's own way. Parsing, keep-alive and limits are the same on both.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from typing import Any, Final, Protocol

from uvicorn.protocols.http.httptools_impl import STATUS_LINE, HttpToolsProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.protocol import State

from launcher.whole import whole_request, whole_text

STRAIGHT: Final = "straight"
LARGEST_MESSAGE: Final = 64 * 1024
Headers = Sequence[tuple[bytes, bytes]]
SayAnswer = Callable[[int, Headers, bytes], None]
SayFrame = Callable[[bytes], None]


class StraightDoor(Protocol):
    """Who takes requests without a task."""

    def takes(self, method: bytes, address: bytes) -> bool:
        """Whether a request to this address may be one."""

    def post(self, address: bytes, headers: Headers, body: bytes, say: SayAnswer) -> bool:
        """False: nothing has happened, and the request goes the ordinary way."""


class StraightCycle:
    """What uvicorn must know of a request that is under way without a task: it queues what comes behind it."""

    def __init__(self, protocol: StraightHttp, keep_alive: bool) -> None:
        self.response_complete = self.disconnected = False
        self.keep_alive = keep_alive
        self.message_event = self
        self._protocol = protocol

    def set(self) -> None:
        """Nobody waits for more of it."""

    def say(self, status: int, headers: Headers, body: bytes) -> None:
        protocol = self._protocol
        self.response_complete = True
        if self.disconnected or protocol.transport.is_closing():
            return
        head = [STATUS_LINE[status]]
        for name, value in (*protocol.server_state.default_headers, *headers):
            head += (name, b": ", value, b"\r\n")
        head.append(b"\r\n" if self.keep_alive else b"connection: close\r\n\r\n")
        protocol.transport.write(b"".join(head) + body)
        if not self.keep_alive:
            protocol.transport.close()
        protocol.on_response_complete()


class StraightHttp(HttpToolsProtocol):
    """uvicorn's protocol; a message that its door takes never becomes a task."""

    _kept: bytes | None = None  # the body of a request that may go straight
    _half_heard = False  # the parser is within a message
    _rests_since = 0.0

    def goes_straight(self, data: bytes) -> bool:
        """A whole plain message that its door takes; no parser sees it."""
        door = self.app_state.get(STRAIGHT)
        if door is None or self._half_heard or self.flow.write_paused or not self._is_free():
            return False
        request = whole_request(data)
        if request is None or len(request.body) > LARGEST_MESSAGE or not door.takes(b"POST", request.address):
            return False
        return self._post(request.address, request.headers, request.body, keep_alive=True)

    def on_response_complete(self) -> None:
        """uvicorn makes an alarm for each answer and takes it back with the next message; here one rings on."""
        self._rests_since = self.loop.time()
        if self.timeout_keep_alive_task is None or self.pipeline or self.transport.is_closing():
            super().on_response_complete()
        else:
            self.server_state.total_requests += 1
            self.flow.resume_reading()

    def timeout_keep_alive_handler(self) -> None:
        left = self._rests_since + self.timeout_keep_alive - self.loop.time()
        if not self._is_free():
            left = self.timeout_keep_alive  # its answer will be said when it is known
        if left > 0:
            self.timeout_keep_alive_task = self.loop.call_later(left, self.timeout_keep_alive_handler)
        else:
            super().timeout_keep_alive_handler()

    def on_message_begin(self) -> None:
        self._half_heard = True
        super().on_message_begin()

    def on_headers_complete(self) -> None:
        door = self.app_state.get(STRAIGHT)
        if door is not None and self._is_plain() and door.takes(self.parser.get_method(), self.url):
            self._kept = b""
        else:
            super().on_headers_complete()

    def _is_plain(self) -> bool:
        """Nothing else is under way on this line, and nothing is asked for before its body."""
        busy = self.expect_100_continue or self.flow.write_paused or self.parser.should_upgrade()
        return self._is_free() and not busy

    def _is_free(self) -> bool:
        return self.cycle is None or self.cycle.response_complete

    def on_body(self, body: bytes) -> None:
        if self._kept is None:
            super().on_body(body)
            return
        self._kept += body
        if len(self._kept) > LARGEST_MESSAGE:
            self._go_the_ordinary_way()

    def on_message_complete(self) -> None:
        self._half_heard = False
        if self._kept is not None:
            keep_alive = self.parser.get_http_version() != "1.0" and self.parser.should_keep_alive()
            if self._post(self.url, self.headers, self._kept, keep_alive):
                self._kept = None
                return
            self._go_the_ordinary_way()
        super().on_message_complete()

    def _post(self, address: bytes, headers: Headers, body: bytes, keep_alive: bool) -> bool:
        before: Any = self.cycle
        cycle: Any = StraightCycle(self, keep_alive)
        # Before the door is asked: it may say the answer before it returns.
        self.cycle = cycle
        taken: bool = self.app_state[STRAIGHT].post(address, headers, body, cycle.say)
        if not taken:
            self.cycle = before
        return taken

    def _go_the_ordinary_way(self) -> None:
        kept, self._kept = self._kept, None
        super().on_headers_complete()
        if kept:
            super().on_body(kept)


class StraightSocket(WebSocketsSansIOProtocol):
    """One message is under way at a time, straight or not, so answers keep the order of what they answer."""

    def __init__(self, *words: Any, **more: Any) -> None:
        super().__init__(*words, **more)
        self._hear: Callable[[bytes, SayFrame], bool] | None = None
        self._held: deque[tuple[Any, bytes]] = deque()  # what came behind a message that is under way
        self._under_way = self._catching_up = False
        self._app_waits = False

    def shutdown(self) -> None:
        """uvicorn says goodbye also to a line that is saying it just now; the library does not say it twice."""
        if self.handshake_complete and self.conn.state is not State.OPEN:
            self.close_sent = True
        super().shutdown()

    def let_straight(self, hear: Callable[[bytes, SayFrame], bool]) -> None:
        """From now on `hear` is asked first; False leaves the message to the application."""
        self._hear = hear

    async def receive(self) -> Any:
        self._app_waits = True
        try:
            return await super().receive()
        finally:
            self._app_waits = False

    def send_receive_event_to_app(self) -> None:
        if self._under_way:
            self._held.append((self.curr_msg_data_type, b"".join(self.frames)))
            self.frames = []
            if not self.read_paused:
                self.read_paused = True
                self.transport.pause_reading()
        elif not self._goes_straight():
            super().send_receive_event_to_app()

    def data_received(self, data: bytes) -> None:
        if self._hear is None or not self._is_whole(data):
            super().data_received(data)

    def _is_whole(self, data: bytes) -> bool:
        """A whole message that its door takes; the library, which is within none, does not see it."""
        library = self.conn
        within = library.reader.buffer or library.current_size is not None or library.close_rcvd is not None
        if within or self._under_way or self._held:
            return False
        words = whole_text(data)
        if words is None or len(words) > LARGEST_MESSAGE:
            return False
        before = self.curr_msg_data_type, self.frames
        self.curr_msg_data_type, self.frames = "text", [words]
        if self._goes_straight():
            return True
        self.curr_msg_data_type, self.frames = before
        return False

    def _goes_straight(self) -> bool:
        idle = self._app_waits and self.queue.empty()
        if self._hear is None or not idle or self.curr_msg_data_type != "text":
            return False
        if self.close_sent or not self.writable.is_set():
            return False
        self._under_way = True
        if not self._hear(b"".join(self.frames), self._say):
            self._under_way = False
            return False
        self.frames = []
        return True

    def _say(self, body: bytes) -> None:
        self._under_way = False
        if not (self.close_sent or self.disconnected or self.transport.is_closing()):
            self.transport.write(text_frame(body))
        if self._held and not self._catching_up:
            self._catch_up()

    def _catch_up(self) -> None:
        half_heard = self.curr_msg_data_type, self.frames  # the first fragments of what comes next
        self._catching_up = True
        while self._held and not self._under_way:
            self.curr_msg_data_type, data = self._held.popleft()
            self.frames = [data]
            if not self._goes_straight():
                super().send_receive_event_to_app()
        self._catching_up = False
        self.curr_msg_data_type, self.frames = half_heard
        if self.read_paused and not self._held and self.queue.empty():
            self.read_paused = False
            self.transport.resume_reading()


def text_frame(body: bytes) -> bytes:
    """A whole text message as a server sends it."""
    size = len(body)
    if size < 126:
        return b"\x81" + size.to_bytes(1, "big") + body
    if size < 65_536:
        return b"\x81\x7e" + size.to_bytes(2, "big") + body
    return b"\x81\x7f" + size.to_bytes(8, "big") + body
