"""Messages without a task, on the real server: however bytes are cut and mixed, answers keep their order and words."""

from __future__ import annotations

import asyncio
import contextlib
import os
import random
import re
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from typing import Any

import pytest
import uvicorn
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from uvicorn.server import ServerState

from launcher.guarded_http import CallerLimits
from launcher.straight import LARGEST_MESSAGE, STRAIGHT, StraightHttp, text_frame
from launcher.web import web_config
from tests.patience import PATIENCE, until

CASES = int(os.environ.get("FAIRMETER_FUZZ", "40"))
HEADERS = [(b"content-type", b"text/plain")]
UPGRADE = (
    b"GET /line HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


class SometimesStraight:
    """Takes what begins with `now` or `soon`; its answers say the same as the application's."""

    def __init__(self) -> None:
        self.dice = random.Random(1)
        self.straight = 0
        self.ordinary = 0
        self.opens = True

    def takes(self, method: bytes, address: bytes) -> bool:
        return self.opens and method == b"POST" and address == b"/said"

    def post(self, address: bytes, headers: Any, body: bytes, say: Callable[..., None]) -> bool:
        return self._answers(body, lambda: say(200, [*HEADERS, (b"content-length", b"%d" % len(body))], body))

    def frame(self, body: bytes, say: Callable[[bytes], None]) -> bool:
        return self._answers(body, lambda: say(body))

    def _answers(self, body: bytes, answer: Callable[[], None]) -> bool:
        if body.startswith(b"now"):
            answer()
        elif body.startswith(b"soon"):
            asyncio.get_running_loop().call_later(self.dice.random() / 300, answer)
        else:
            return False
        self.straight += 1
        return True

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            scope["state"][STRAIGHT] = self
            while (await receive())["type"] != "lifespan.shutdown":
                await send({"type": "lifespan.startup.complete"})
            await send({"type": "lifespan.shutdown.complete"})
        elif scope["type"] == "websocket":
            await self._socket(scope, receive, send)
        else:
            await self._request(receive, send)

    async def _request(self, receive: Any, send: Any) -> None:
        body, more = b"", True
        while more:
            event = await receive()
            body, more = body + event.get("body", b""), event.get("more_body", False)
        self.ordinary += 1
        await asyncio.sleep(self.dice.random() / 300)
        headers = [*HEADERS, (b"content-length", b"%d" % len(body))]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": body})

    async def _socket(self, scope: Any, receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        scope["extensions"][STRAIGHT]["let"](self.frame)
        while (event := await receive())["type"] == "websocket.receive":
            self.ordinary += 1
            await asyncio.sleep(self.dice.random() / 300)
            await send({"type": "websocket.send", "text": event.get("text") or event["bytes"].decode()})


DOOR = SometimesStraight()


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(web_config(DOOR, limits=CallerLimits())) as at:
        yield at


@contextlib.contextmanager
def served(config: uvicorn.Config) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0), backlog=200) as listener:
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        until(lambda: server.started, "the server listens")
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@contextlib.contextmanager
def caller(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=4) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield line


def request(body: bytes, *more: str, version: str = "1.1", chunked: bool = False) -> bytes:
    length = "Transfer-Encoding: chunked" if chunked else f"Content-Length: {len(body)}"
    head = "\r\n".join([f"POST /said HTTP/{version}", "Host: here", length, *more])
    sent = b"%x\r\n%b\r\n0\r\n\r\n" % (len(body), body) if chunked else body
    return head.encode() + b"\r\n\r\n" + sent


def send_cut(line: socket.socket, whole: bytes, dice: random.Random) -> None:
    """In pieces of any size, as networks do."""
    while whole:
        size = dice.choice([1, 2, 7, 40, 300, len(whole)])
        line.sendall(whole[:size])
        whole = whole[size:]


def bodies_of(line: socket.socket, many: int) -> list[bytes]:
    got, found = b"", list[bytes]()
    while len(found) < many:
        match = re.match(rb"HTTP/1\.1 200 .*?content-length: (\d+)(?=\r\n).*?\r\n\r\n", got, re.DOTALL)
        if match is not None and len(got) >= match.end() + int(match[1]):
            end = match.end() + int(match[1])
            found.append(got[match.end() : end])
            got = got[end:]
            continue
        part = line.recv(65_536)
        assert part, (many, found, got)
        got += part
    return found


def words(dice: random.Random, many: int) -> list[bytes]:
    return [
        dice.choice([b"now ", b"soon ", b"ordinary "]) + b"%d " % number + b"x" * dice.choice([0, 1, 120, 130, 5000])
        for number in range(many)
    ]


@pytest.mark.parametrize("seed", range(CASES))
def test_requests_behind_each_other_are_answered_in_their_order(port: int, seed: int) -> None:
    dice = random.Random(seed)
    said = words(dice, 12)
    whole = b"".join(request(each, chunked=dice.random() < 0.3) for each in said)
    with caller(port) as line:
        send_cut(line, whole, dice)
        assert bodies_of(line, len(said)) == said


@pytest.mark.parametrize("seed", range(CASES))
def test_frames_behind_each_other_are_answered_in_their_order(port: int, seed: int) -> None:
    dice = random.Random(seed)
    said = words(dice, 25)
    with socket_line(port) as line:
        send_cut(line, b"".join(masked(each, dice) for each in said), dice)
        assert frames_of(line, len(said)) == said


@pytest.mark.parametrize("first", [b"now ", b"soon ", b"ordinary "])
@pytest.mark.parametrize("second", [b"now ", b"soon ", b"ordinary "])
def test_what_is_half_heard_stays_half_heard_while_others_are_answered(port: int, first: bytes, second: bytes) -> None:
    third = b"now then"
    with socket_line(port) as line:
        for _ in range(5):
            line.sendall(b"".join(frame(0x81, each) for each in (first, second)) + frame(0x01, third[:3]))
            assert frames_of(line, 2) == [first, second]
            line.sendall(frame(0x80, third[3:]))
            assert frames_of(line, 1) == [third]


@contextlib.contextmanager
def socket_line(port: int) -> Iterator[socket.socket]:
    with caller(port) as line:
        line.sendall(UPGRADE)
        assert b" 101 " in line.recv(4096)
        yield line


def masked(body: bytes, dice: random.Random) -> bytes:
    """A client's text, whole or in two fragments; the mask of zeros is a mask."""
    at = dice.randrange(len(body)) if dice.random() < 0.2 else None
    parts = [(0x81, body)] if at is None else [(0x01, body[:at]), (0x80, body[at:])]
    return b"".join(frame(first, part) for first, part in parts)


def frame(first: int, part: bytes) -> bytes:
    size = bytes([0x80 | len(part)]) if len(part) < 126 else bytes([0x80 | 126]) + struct.pack(">H", len(part))
    return bytes([first]) + size + bytes(4) + part


def frames_of(line: socket.socket, many: int) -> list[bytes]:
    got, found = b"", list[bytes]()
    while len(found) < many:
        if len(got) >= 4:
            assert got[0] == 0x81, got[:20]
            start, size = (2, got[1]) if got[1] < 126 else (4, int.from_bytes(got[2:4], "big"))
            if len(got) >= start + size:
                found.append(got[start : start + size])
                got = got[start + size :]
                continue
        part = line.recv(65_536)
        assert part, (many, found, got)
        got += part
    return found


@pytest.mark.parametrize(
    "asked",
    [
        request(b"now a"),
        request(b"soon b", "Connection: close"),
        request(b"soon c", version="1.0"),
        request(b"now d", "Connection: keep-alive", version="1.0"),
        request(b"soon e", chunked=True),
        request(b"soon f", "Expect: 100-continue"),
        request(b"now " + b"g" * LARGEST_MESSAGE),
        request(b""),
    ],
)
def test_the_same_request_hears_the_same_bytes_on_either_way(port: int, asked: bytes) -> None:
    heard = []
    for DOOR.opens in (False, True):
        with caller(port) as line:
            line.sendall(asked)
            line.settimeout(0.5)
            got = b""
            with contextlib.suppress(TimeoutError):
                while part := line.recv(200_000):
                    got += part
            heard.append(got)
    assert heard[0] == heard[1]
    assert b" 200 OK" in heard[0]


def test_both_ways_were_gone(port: int) -> None:
    before = DOOR.straight, DOOR.ordinary
    with caller(port) as line:
        line.sendall(request(b"soon") + request(b"ordinary"))
        bodies_of(line, 2)
        line.sendall(request(b"soon"))
        bodies_of(line, 1)
    assert (DOOR.straight - before[0], DOOR.ordinary - before[1]) == (2, 1)


def test_whoever_leaves_before_the_answer_disturbs_nobody(port: int) -> None:
    for _ in range(20):
        with caller(port) as line:
            line.sendall(request(b"soon gone") * 2)
    with caller(port) as line:
        line.sendall(request(b"soon here"))
        assert bodies_of(line, 1) == [b"soon here"]


@pytest.mark.parametrize("size", [0, 1, 125, 126, 127, 65_535, 65_536])
def test_a_frame_says_its_size(size: int) -> None:
    from websockets.frames import Frame, Opcode

    assert text_frame(b"x" * size) == Frame(Opcode.TEXT, b"x" * size).serialize(mask=False)


@pytest.mark.parametrize("seed", range(4))
def test_whole_messages_and_cut_ones_take_turns_on_a_line(
    port: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    dice, parsed, begin = random.Random(seed), list[int](), StraightHttp.on_message_begin
    monkeypatch.setattr(StraightHttp, "on_message_begin", lambda self: (parsed.append(1), begin(self))[1])
    said, cut = words(dice, 60), 0
    with caller(port) as line:
        for each in said:
            whole, is_cut = request(each), dice.random() < 0.4
            cut += is_cut or not each.startswith((b"now", b"soon"))
            if is_cut:
                begun = len(parsed)
                line.sendall(whole[:9])
                until(lambda begun=begun: len(parsed) > begun, "the first part is read alone")  # type: ignore[misc]
            line.sendall(whole[9:] if is_cut else whole)
            assert bodies_of(line, 1) == [each]
    assert 0 < cut <= len(parsed) < len(said)  # a long one may come in pieces by itself


@pytest.mark.parametrize("seed", range(4))
def test_whole_frames_and_cut_ones_take_turns_on_a_line(
    port: int, seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:  # fmt: skip
    dice, read = random.Random(seed), list[int]()
    receive = WebSocketsSansIOProtocol.data_received
    noted = lambda self, data: (read.append(1), receive(self, data))[1]  # noqa: E731
    monkeypatch.setattr(WebSocketsSansIOProtocol, "data_received", noted)
    with socket_line(port) as line:
        before = len(read)
        for each in (said := words(dice, 60)):
            whole = masked(each, dice)
            at = dice.choice([1, 3, 7, len(whole)])
            for part in (whole[:at], whole[at:]):
                line.sendall(part)
                time.sleep(0.002 * (at < len(whole)))
            assert frames_of(line, 1) == [each]
        assert len(read) - before > 0
    assert any(each.startswith(b"now") for each in said)


def test_a_line_that_rests_is_ended_and_one_that_speaks_is_not() -> None:
    config = web_config(DOOR, limits=CallerLimits())
    config.timeout_keep_alive = 1
    with served(config) as port:
        until(lambda: speaks_and_rests(port), "a machine that does not sleep longer than the alarm")


def speaks_and_rests(port: int) -> bool:
    """Whether all that was said came before the alarm of the answer before; else nothing was shown."""
    with caller(port) as line:
        answered = time.monotonic()
        for _ in range(4):  # longer than the alarm of the first answer
            if time.monotonic() - answered > 0.9:
                return False
            line.sendall(request(b"now here"))
            assert bodies_of(line, 1) == [b"now here"]
            answered = time.monotonic()
            time.sleep(0.5)
        line.settimeout(PATIENCE)
        assert line.recv(10) == b""
    return True


def test_a_server_that_stops_while_a_line_says_goodbye_only_ends_it() -> None:
    """Both say it at once: the client's close has been read and answered, and the line is not yet gone."""

    class Line(asyncio.Transport):
        closed = False

        def write(self, data: Any) -> None:
            self.said = data

        def close(self) -> None:
            self.closed = True

        def is_closing(self) -> bool:
            return self.closed

        def pause_reading(self) -> None: ...

        def resume_reading(self) -> None: ...

    async def told() -> Line:
        config = web_config(DOOR, limits=CallerLimits())
        config.load()
        socket = config.ws_protocol_class(config=config, server_state=ServerState(), app_state={})
        line = Line()
        socket.connection_made(line)
        socket.data_received(UPGRADE)
        socket.handshake_complete = True
        socket.data_received(frame(0x88, b"\x03\xe8"))
        socket.shutdown()
        return line

    assert asyncio.run(told()).closed
