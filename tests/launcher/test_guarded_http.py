"""Endless headers, slow callers and too many of them, on the real server: each ends alone, nobody else waits."""

from __future__ import annotations

import contextlib
import socket
import threading
import time
from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
import uvicorn

from launcher.guarded_http import CallerLimits, Callers, open_files
from launcher.web import web_config
from tests.patience import PATIENCE, until

SMALL = CallerLimits(
    header=4096, headers=20, address=1024, header_seconds=0.6, body=10_000, body_seconds=0.8, connections=60,
    connections_of_one=12,
)  # fmt: skip
HEARD: list[int] = []  # bytes of each body that reached the application


async def echo(scope: Any, receive: Any, send: Any) -> None:
    """Reads the whole body and says how long it was."""
    if scope["type"] == "lifespan":
        while (await receive())["type"] != "lifespan.shutdown":
            await send({"type": "lifespan.startup.complete"})
        await send({"type": "lifespan.shutdown.complete"})
        return
    if scope["type"] == "websocket":
        await receive()
        await send({"type": "websocket.accept"})
        while (await receive())["type"] != "websocket.disconnect":
            pass
        return
    length, more = 0, True
    while more:
        message = await receive()
        if message["type"] == "http.disconnect":
            return
        length, more = length + len(message.get("body", b"")), message.get("more_body", False)
    HEARD.append(length)
    await send({"type": "http.response.start", "status": 200, "headers": [(b"content-length", b"2")]})
    await send({"type": "http.response.body", "body": b"ok"})


@contextlib.contextmanager
def served(limits: CallerLimits) -> Iterator[int]:
    with socket.create_server(("127.0.0.1", 0), backlog=200) as listener:
        server = uvicorn.Server(web_config(echo, limits=limits))
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        until(lambda: server.started, "the server listens")
        try:
            yield listener.getsockname()[1]
        finally:
            server.should_exit = True
            thread.join(PATIENCE)


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with served(SMALL) as number:
        yield number


@contextlib.contextmanager
def caller(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=PATIENCE) as line:
        yield line


def answer(line: socket.socket) -> bytes:
    """What comes until the other side ends; a reset is an end too."""
    got = b""
    with contextlib.suppress(ConnectionError):
        while part := line.recv(4096):
            got += part
    return got


def streamed(line: socket.socket, piece: bytes, most: int) -> int:
    """Sends the same again and again; how many bytes went before the other side ended it."""
    sent = 0
    line.setblocking(True)
    with contextlib.suppress(ConnectionError, TimeoutError):
        while sent < most:
            sent += line.send(piece)
    return sent


def works(port: int) -> bool:
    with caller(port) as line:
        line.sendall(b"GET /health HTTP/1.1\r\nhost: here\r\nconnection: close\r\n\r\n")
        return answer(line).startswith(b"HTTP/1.1 200")


def test_one_header_without_an_end_is_cut_off_and_nobody_waits(port: int) -> None:
    with caller(port) as line:
        line.sendall(b"GET / HTTP/1.1\r\nhost: here\r\nx-long: ")
        sent = streamed(line, b"a" * 4096, 50_000_000)
        assert sent < 20_000_000, "what the kernel holds between two sockets, and no more"
        told = answer(line)
        assert told == b"" or b" 431 " in told
    assert works(port)


@pytest.mark.parametrize(
    ("request_", "status"),
    [
        (b"GET / HTTP/1.1\r\nhost: here\r\nx-long: " + b"a" * 5000 + b"\r\n\r\n", b" 431 "),
        (b"GET / HTTP/1.1\r\nhost: here\r\n" + b"".join(b"x-%d: y\r\n" % n for n in range(30)) + b"\r\n", b" 431 "),
        (b"GET /" + b"a" * 2000 + b" HTTP/1.1\r\nhost: here\r\n\r\n", b" 414 "),
        (b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 10001\r\n\r\n", b" 413 "),
        (b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 99999999999999999999999999\r\n\r\n", b" 4"),
        (
            b"POST / HTTP/1.1\r\nhost: here\r\ntransfer-encoding: chunked\r\n\r\n"
             b"7d0\r\n" + b"a" * 2000 + b"\r\n" + (b"7d0\r\n" + b"a" * 2000 + b"\r\n") * 6,
            b" 413 ",
        ),
    ],
    ids=["a long header", "many headers", "a long address", "a large body", "an absurd length", "endless chunks"],
)  # fmt: skip
def test_what_is_too_large_is_refused_by_its_name(port: int, request_: bytes, status: bytes) -> None:
    before = len(HEARD)
    with caller(port) as line:
        line.sendall(request_)
        assert status in answer(line).split(b"\r\n")[0] + b" "
    assert len(HEARD) == before, "nothing of it reached the application"
    assert works(port)


def test_headers_and_bodies_that_drip_are_given_up(port: int) -> None:
    for begin in (
        b"GET / HTTP/1.1\r\nhost: here\r\n",
        b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 500\r\n\r\n",
        b"",
        b"GET / HTTP/1.1\r\nhost: here\r\n\r\n" + b"GET / HTTP/1.1\r\n",
    ):
        with caller(port) as line:
            line.sendall(begin)
            ended = threading.Event()
            dripping = threading.Thread(target=_drip, args=(line, ended), daemon=True)
            dripping.start()
            assert b" 408 " in answer(line) or ended.wait(PATIENCE)
            ended.set()
            dripping.join(PATIENCE)


def _drip(line: socket.socket, ended: threading.Event) -> None:
    while not ended.wait(0.1):
        try:
            line.sendall(b"\r\n" if ended.is_set() else b"x")
        except OSError:
            ended.set()


def test_slow_loris_takes_only_its_own_places_and_gives_them_back(port: int) -> None:
    """Forty half-open connections of one address: twelve have a place, and after a moment those are free again."""
    with contextlib.ExitStack() as stack:
        for _ in range(40):
            line = stack.enter_context(caller(port))
            with contextlib.suppress(OSError):
                line.sendall(b"GET / HTTP/1.1\r\nx: ")
        until(lambda: works(port), "the places are free again")
        assert works(port)


def test_a_web_socket_keeps_its_place_until_it_ends() -> None:
    with served(replace(SMALL, connections_of_one=2)) as port:
        upgrade = (
            b"GET /ws HTTP/1.1\r\nhost: here\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
            b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n"
        )
        with caller(port) as first, caller(port) as second:
            for line in (first, second):
                line.sendall(upgrade)
                assert line.recv(4096).startswith(b"HTTP/1.1 101")
            time.sleep(SMALL.header_seconds * 1.5)
            with caller(port) as third:
                assert b" 503 " in answer(third), "two are there already, and stay however long"
        until(lambda: works(port), "their places are free again")


@pytest.mark.parametrize("method", [b"GET", b"POST"])
@pytest.mark.parametrize(
    "behind",
    [b"content-length: 2\r\n\r\n{}", b"content-length: 900\r\n\r\n", b"transfer-encoding: chunked\r\n\r\n"],
)
def test_a_web_socket_that_begins_with_a_body_holds_no_place(port: int, method: bytes, behind: bytes) -> None:
    """The library answers nothing to such a head, and no alarm of ours was set any more: it stayed for ever."""
    head = (
        b" /ws HTTP/1.1\r\nhost: here\r\nupgrade: websocket\r\nconnection: upgrade\r\n"
        b"sec-websocket-version: 13\r\nsec-websocket-key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
    )
    with caller(port) as line:
        line.sendall(method + head + behind)
        assert answer(line).startswith(b"HTTP/1.1 4")
    assert works(port)


def test_places_are_counted_by_address_and_a_proxy_speaks_for_everybody() -> None:
    callers = Callers(replace(SMALL, connections=5, connections_of_one=2, trusted=frozenset({"10.0.0.1"})))
    assert [callers.comes("10.0.0.9") for _ in range(3)] == [True, True, False]
    callers.goes("10.0.0.9")
    assert callers.comes("10.0.0.9")
    assert [callers.comes("10.0.0.1") for _ in range(4)] == [True, True, True, False], "all together have an end too"


def test_the_limits_follow_what_the_machine_gives(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("FAIRMETER_CONNECTIONS_PER_ADDRESS", raising=False)
    whole = CallerLimits.of_this_process()
    assert whole.connections < open_files()
    assert whole.connections_of_one == whole.connections // 4
    monkeypatch.setenv("FAIRMETER_CONNECTIONS_PER_ADDRESS", "7")
    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.0.0.1,10.0.0.2")
    told = CallerLimits.of_this_process()
    assert (told.connections_of_one, told.trusted) == (7, {"10.0.0.1", "10.0.0.2"})


def test_whoever_keeps_to_it_is_served_again_and_again(port: int) -> None:
    with caller(port) as line:
        for _ in range(50):
            line.sendall(b"POST / HTTP/1.1\r\nhost: here\r\ncontent-length: 900\r\n\r\n" + b"a" * 900)
            assert line.recv(4096).startswith(b"HTTP/1.1 200")
        assert HEARD[-1] == 900
