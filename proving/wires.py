"""Who speaks in a bench or drill besides the crowd's C programs: controllers over either wire, and people at a browser.

The protocol itself is told in the simulator (tables/simulator/wires.py); here it is cut off without a goodbye.
"""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import itertools
import json
import ssl
import time
from collections.abc import Mapping
from datetime import datetime
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from proving.house import NotCarriedOut
from tables.gateway.messages import signature_of
from tables.simulator.wires import Answer, AnswerLost, Controller, SocketWire, confirmed

PATIENCE: Final = 15.0
VERSION: Final = "2.0.0"
HOST: Final = "127.0.0.1"


def controller_of(told: Mapping[str, Any]) -> Controller:
    """A device as the scene tells of it: a table's controller, or a sign."""
    return Controller(told["device"], told["place"], VERSION, "card", bytes.fromhex(told["secret"]))


class MessageSignature:
    """Every request is signed anew, with a higher sequence and the same body."""

    def __init__(self, device: Controller) -> None:
        self.device, self.path = device, f"/api/v1/tables/{device.table}/messages"
        self._sequences = itertools.count(time.time_ns() // 1_000_000)
        self._server_is_ahead = 0  # milliseconds; a box follows the clock that a refusal `clock` tells it

    def headers(self, body: bytes) -> dict[str, str]:
        moment, sequence = str(time.time_ns() // 1_000_000 + self._server_is_ahead), next(self._sequences)
        signature = signature_of(self.device.secret, "POST", self.path, moment, sequence, body)
        return {
            "Content-Type": "application/json", "X-Device": self.device.device, "X-Time": moment,
            "X-Sequence": str(sequence), "X-Signature": signature,
        }  # fmt: skip

    def follow(self, at: str) -> None:
        self._server_is_ahead = round((datetime.fromisoformat(at).timestamp() - time.time()) * 1000)


class CutWire(Protocol):
    async def hello(self) -> Answer: ...

    async def ask(self, message: Mapping[str, Any]) -> Answer: ...

    def cut(self) -> None: ...


class CutSocket(SocketWire):
    """A WebSocket that may vanish in the middle of a word; every hello dials anew."""

    def __init__(self, url: str, device: Controller) -> None:
        super().__init__(url, device)

    async def hello(self) -> Answer:
        self.cut()
        return await super().hello()

    def cut(self) -> None:
        if self._socket is not None:
            self._socket.transport.abort()
            self._socket = None


class CutHttp:
    """Signed HTTP on one kept connection, without a thread: forty of them are to load the house, not the client.

    Connections of one device share its signature: a number is used once, whichever server hears it.
    """

    def __init__(self, url: str, signature: MessageSignature) -> None:
        parts = urlsplit(url)
        self._host, self._port = parts.hostname, parts.port
        self._tls = ssl.create_default_context() if parts.scheme == "https" else None
        self._signature, self._device = signature, signature.device
        self._streams: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def hello(self) -> Answer:
        words = {"device": self._device.device, "version": VERSION, "profile": "card"}
        return await self.ask({"id": 0, "do": "hello", **words})

    async def ask(self, message: Mapping[str, Any]) -> Answer:
        try:
            async with asyncio.timeout(PATIENCE):
                answer = await self._post(json.dumps(message).encode())
        except (OSError, TimeoutError, asyncio.IncompleteReadError, ValueError) as problem:
            self.cut()
            raise AnswerLost(str(problem)) from problem
        if answer.get("code") == "clock":
            self._signature.follow(answer["at"])
            raise AnswerLost("The server has another time. The same is signed with that one.")
        return confirmed(answer)

    async def _post(self, body: bytes) -> Answer:
        if self._streams is None:
            self._streams = await asyncio.open_connection(self._host, self._port, ssl=self._tls)
        reader, writer = self._streams
        headers = {"Host": HOST, "Content-Length": str(len(body)), **self._signature.headers(body)}
        lines = [f"POST {self._signature.path} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
        writer.write("\r\n".join([*lines, "", ""]).encode() + body)
        head = await reader.readuntil(b"\r\n\r\n")
        length = next(line for line in head.lower().split(b"\r\n") if line.startswith(b"content-length:"))
        answer: Answer = json.loads(await reader.readexactly(int(length.split(b":")[1])))
        return answer

    def cut(self) -> None:
        if self._streams is not None:
            with contextlib.suppress(RuntimeError):  # the loop is closing and closes it itself
                self._streams[1].transport.abort()
            self._streams = None


class BenchTable:
    """A table's controller that waits for every answer: kept connection, every message signed."""

    def __init__(self, port: int, told: Mapping[str, Any]) -> None:
        self._signature = MessageSignature(controller_of(told))
        self._connection = http.client.HTTPConnection(HOST, port, timeout=30)
        self.round = 0

    def say(self, **words: Any) -> Answer:
        body = json.dumps({**words, "round": self.round}).encode()
        return _answered(self._connection, self._signature.path, body, self._signature.headers(body))


class BenchPerson:
    """A person whose session is open."""

    def __init__(self, port: int, cookies: Mapping[str, str]) -> None:
        self._connection = http.client.HTTPConnection(HOST, port, timeout=30)
        self._headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "X-CSRFToken": cookies["csrftoken"],
            "Content-Type": "application/json",
        }

    def acts(self, path: str, words: Mapping[str, Any]) -> Answer:
        return _answered(self._connection, path, json.dumps(words).encode(), self._headers)


def _answered(connection: http.client.HTTPConnection, path: str, body: bytes, headers: Mapping[str, str]) -> Answer:
    connection.request("POST", path, body, dict(headers))
    response = connection.getresponse()
    answer: Answer = json.loads(response.read())
    if not answer.get("ok"):
        raise NotCarriedOut(f"{path} was refused ({response.status}): {answer.get('why')}")
    return answer
