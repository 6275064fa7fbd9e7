"""How the drill's controllers speak: a kept WebSocket, or signed requests over a kept HTTP connection.

Written apart from the simulator's: a drill that shares its client with what it judges would share its mistakes.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import time
from dataclasses import dataclass
from typing import Any, Final, Protocol

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tables.gateway.messages import proof_of, signature_of

PATIENCE: Final = 15.0
VERSION: Final = "2.0.0"
NOT_CONFIRMED: Final = frozenset({"unknown", "busy"})

Answer = dict[str, Any]


class Lost(Exception):
    """No answer came: what was said may or may not have been counted."""


class SaidNo(Exception):
    """The server refused; in a drill nobody gives it a reason to."""


@dataclass(frozen=True, slots=True)
class Box:
    """An enrolled device: a table's controller, or a sign."""

    place: str
    device: str
    secret: bytes
    meters: tuple[str, ...]

    @classmethod
    def of(cls, told: dict[str, Any]) -> Box:
        return cls(told["place"], told["device"], bytes.fromhex(told["secret"]), tuple(told["meters"]))


class Wire(Protocol):
    async def hello(self) -> Answer: ...

    async def say(self, body: bytes) -> Answer: ...

    def cut(self) -> None: ...


async def challenged(port: int, path: str, box: Box) -> ClientConnection:
    """A WebSocket whose challenge has been answered; what comes back is still to be read."""
    try:
        socket = await connect(
            f"ws://127.0.0.1:{port}{path}", compression=None, open_timeout=PATIENCE, proxy=None, ping_interval=None
        )
        async with asyncio.timeout(PATIENCE):
            nonce = json.loads(await socket.recv())["nonce"]
            proof = proof_of(box.secret, nonce, path, box.device, VERSION)
            words = {"device": box.device, "version": VERSION, "profile": "card", "proof": proof}
            await socket.send(json.dumps({"id": 0, "do": "hello", **words}))
    except (OSError, TimeoutError, InvalidHandshake, InvalidMessage, ConnectionClosed, KeyError) as problem:
        raise Lost(str(problem)) from problem
    return socket


class SocketWire:
    """One WebSocket; an answer is known by the id it brings back, all else was pushed."""

    def __init__(self, port: int, box: Box) -> None:
        self._port, self._box = port, box
        self._path = f"/ws/tables/{box.place}"
        self._socket: ClientConnection | None = None

    async def hello(self) -> Answer:
        self.cut()
        self._socket = await challenged(self._port, self._path, self._box)
        return await self._answer_to(0)

    async def say(self, body: bytes) -> Answer:
        if self._socket is None:
            raise Lost("not connected")
        try:
            await self._socket.send(body.decode())
        except (ConnectionClosed, OSError) as problem:
            raise Lost(str(problem)) from problem
        return await self._answer_to(json.loads(body)["id"])

    async def _answer_to(self, id_: int) -> Answer:
        assert self._socket is not None
        try:
            async with asyncio.timeout(PATIENCE):
                while (answer := json.loads(await self._socket.recv())).get("id") != id_:
                    pass
        except (ConnectionClosed, OSError, TimeoutError) as problem:
            raise Lost(str(problem)) from problem
        return confirmed(answer)

    def cut(self) -> None:
        if self._socket is not None:
            self._socket.transport.abort()
            self._socket = None


class HttpWire:
    """A retry is signed anew, with a higher sequence and the same body."""

    def __init__(self, port: int, box: Box) -> None:
        self._port, self._box = port, box
        self._path = f"/api/v1/tables/{box.place}/messages"
        self._sequence = time.time_ns() // 1_000_000
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def hello(self) -> Answer:
        words = {"id": 0, "do": "hello", "device": self._box.device, "version": VERSION, "profile": "card"}
        return await self.say(json.dumps(words).encode())

    async def say(self, body: bytes) -> Answer:
        try:
            async with asyncio.timeout(PATIENCE):
                return confirmed(await self._post(body))
        except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError) as problem:
            self.cut()
            raise Lost(str(problem)) from problem

    async def _post(self, body: bytes) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._streams
        writer.write(self._request(body))
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        answer: Answer = json.loads(await reader.readexactly(int(length.split(b":")[1])))
        return answer

    def _request(self, body: bytes) -> bytes:
        self._sequence += 1
        now = str(time.time_ns() // 1_000_000)
        signature = signature_of(self._box.secret, "POST", self._path, now, self._sequence, body)
        lines = (
            f"POST {self._path} HTTP/1.1", "Host: 127.0.0.1", "Content-Type: application/json",
            f"Content-Length: {len(body)}", f"X-Device: {self._box.device}", f"X-Time: {now}",
            f"X-Sequence: {self._sequence}", f"X-Signature: {signature}", "", "",
        )  # fmt: skip
        return "\r\n".join(lines).encode() + body

    def cut(self) -> None:
        if self._streams is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closing and closes it itself
                self._streams[1].transport.abort()
            self._streams = None


def confirmed(answer: Answer) -> Answer:
    if answer.get("ok"):
        return answer
    words = f"{answer.get('code')}: {answer.get('why')}"
    raise Lost(words) if answer.get("code") in NOT_CONFIRMED else SaidNo(words)
