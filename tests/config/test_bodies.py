"""Who sends slowly holds a line and no page; what was sent comes to the page whole, as it was."""

from __future__ import annotations

import asyncio
import contextlib
import os
import socket
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from config import bodies, turns
from config.bodies import FILES_OF_ONE_ADDRESS, OF_A_FORM, WholeBodies
from config.turns import AT_ONCE, OF_ONE_ADDRESS, Crowded
from tests.patience import PATIENCE


@contextlib.contextmanager
def a_slow_one(live: Any, address: str, path: str) -> Iterator[socket.socket]:
    """It announces a long body and sends one letter of it."""
    with socket.socket() as line:
        line.bind((address, 0))
        line.connect(("127.0.0.1", live.port))
        line.sendall(
            f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nContent-Length: 90000\r\n"
            "Content-Type: application/x-www-form-urlencoded\r\n\r\na".encode()
        )
        yield line


def status_of(live: Any, address: str, path: str = "/sign-in/") -> bytes:
    with socket.socket() as line:
        line.settimeout(PATIENCE)
        line.bind((address, 0))
        line.connect(("127.0.0.1", live.port))
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{live.port}\r\nConnection: close\r\n\r\n".encode())
        return line.recv(12)


@pytest.mark.parametrize("path", ["/sign-in/", "/api/v1/people-requests/", "/verify/", "/office/requests/1/evidence/"])
def test_as_many_slow_senders_as_there_are_turns_keep_nobody_from_a_page(
    live: Any, path: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turns, "LONGEST_WAIT", 1.0)
    with contextlib.ExitStack() as slow:
        for place in range(AT_ONCE):
            address = f"127.0.0.{2 + place // OF_ONE_ADDRESS}"
            slow.enter_context(a_slow_one(live, address, path))
        # What the slow ones sent is there before what is asked now.
        assert status_of(live, "127.0.0.9") == b"HTTP/1.1 200"
        assert status_of(live, "127.0.0.2") == b"HTTP/1.1 200", "nor anybody who asks from where they are"


def heard(parts: list[bytes], *, gone: bool = False) -> bytes | None:
    """What an application hears of these parts, read to the end; None where it is not asked at all."""
    events: list[dict[str, Any]] = [{"type": "http.request", "body": part, "more_body": True} for part in parts]
    if gone:
        events.append({"type": "http.disconnect"})
    else:
        events[-1]["more_body"] = False

    async def receive() -> Any:
        return events.pop(0)

    async def play() -> bytes | None:
        async with WholeBodies().whole({"client": ("here", 1), "path": "/"}, receive) as whole:
            assert events == []
            if whole is None:
                return None
            told, more = b"", True
            while more:
                event = await whole()
                assert event["type"] == "http.request"
                told, more = told + event["body"], event["more_body"]
            return told

    return asyncio.run(play())


@pytest.mark.parametrize("size", [0, 1, OF_A_FORM - 1, OF_A_FORM, OF_A_FORM + 1, 2 * OF_A_FORM, 1_000_003])
@pytest.mark.parametrize("part", [1009, OF_A_FORM, 5_000_000])
def test_it_comes_whole_and_as_it_was(size: int, part: int) -> None:
    sent = os.urandom(size)
    assert heard([sent[at : at + part] for at in range(0, size, part)] or [b""]) == sent


@pytest.mark.parametrize("size", [10, 3 * OF_A_FORM])
def test_who_goes_away_meanwhile_asks_nothing(size: int) -> None:
    assert heard([b"x" * size], gone=True) is None


def test_files_have_turns_of_their_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(turns, "LONGEST_WAIT", 0.05)

    async def play() -> None:
        held, over = WholeBodies(), asyncio.Event()

        def sends(large: bool) -> Callable[[], Any]:
            parts = [b"x" * (OF_A_FORM if large else 5)]

            async def receive() -> Any:
                if parts:
                    return {"type": "http.request", "body": parts.pop(), "more_body": large}
                await over.wait()
                return {"type": "http.disconnect"}

            return receive

        async def taken(large: bool, address: str) -> bool:
            async with held.whole({"client": (address, 1), "path": "/"}, sends(large)) as whole:
                return whole is not None

        slow = [asyncio.ensure_future(taken(True, "a")) for _ in range(FILES_OF_ONE_ADDRESS)]
        await asyncio.sleep(0.01)
        with pytest.raises(Crowded):
            await taken(True, "a")
        assert await taken(False, "a"), "a form is no file"
        over.set()
        assert await asyncio.gather(*slow) == [False] * len(slow)

    assert bodies.FILES_AT_ONCE > FILES_OF_ONE_ADDRESS
    asyncio.run(play())
