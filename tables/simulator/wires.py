"""How a controller reaches the server: over a WebSocket it keeps, or over signed HTTP requests."""

from __future__ import annotations

import asyncio
import http.client
import json
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any, Final, Protocol
from urllib.parse import urlsplit

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake, InvalidMessage

from tables.gateway.messages import proof_of, signature_of

ANSWER_WITHIN: Final = 10.0
ASK_AGAIN: Final = frozenset({"unknown", "busy"})  # the server does not know what came of it; the repeat will tell
SAID_GOODBYE: Final = range(4400, 4500)  # closed by the server for a reason that connecting again does not cure
REPLACED: Final = 4409  # somebody else speaks for the table now

Answer = dict[str, Any]


class AnswerLost(Exception):
    """No answer: what was asked may or may not have happened. Ask the same again."""


class ServerRefusal(Exception):
    """A refusal; nothing happened."""

    def __init__(self, code: str, why: str) -> None:
        super().__init__(why)
        self.code, self.why = code, why


@dataclass(frozen=True, slots=True)
class Controller:
    """An enrolled device, the table it speaks for, and the card of the dealer who works there."""

    device: str
    table: str
    version: str
    profile: str
    secret: bytes
    badge: str = ""
    key: str = ""
    marks: dict[str, str] = field(default_factory=dict)  # how high the books of its jackpots were seen

    def keeps(self, said: Answer) -> Answer:
        """The highest mark of each jackpot, by the number in front. Hardware keeps it where a power cut leaves it."""
        for code, mark in said.get("marks", {}).items():
            if code not in self.marks or int(mark.partition(":")[0]) > int(self.marks[code].partition(":")[0]):
                self.marks[code] = mark
        return said

    def with_marks(self, message: Mapping[str, Any]) -> Mapping[str, Any]:
        """Told with each hello and beat."""
        return {**message, "marks": self.marks} if message["do"] in ("hello", "beat") and self.marks else message


class ControllerWire(Protocol):
    async def hello(self) -> Answer: ...

    async def ask(self, message: Mapping[str, Any]) -> Answer: ...

    async def close(self) -> None: ...


def enrol(url: str, code: str) -> tuple[str, str, bytes]:
    """Trades a one-time code for (device, table, secret)."""
    with_answer = _Http(url)
    try:
        status, answer = with_answer.post("/api/v1/devices/enrol", json.dumps({"code": code}).encode(), {})
    finally:
        with_answer.close()
    if status != http.client.OK:
        raise ServerRefusal(answer.get("code", "refused"), answer.get("why", f"The server answered {status}."))
    return answer["device"], answer["table"] or "", bytes.fromhex(answer["secret"])


async def dial(url: str, device: Controller) -> tuple[ClientConnection, dict[str, str]]:
    """A WebSocket that has been challenged, and the words of a hello that answer the challenge."""
    try:
        # A proxy of the surroundings is for the world outside; and short words are not worth packing.
        socket = await connect(url, compression=None, open_timeout=ANSWER_WITHIN, proxy=None)
        challenge = json.loads(await asyncio.wait_for(socket.recv(), ANSWER_WITHIN))
    except (OSError, TimeoutError, InvalidHandshake, InvalidMessage, ConnectionClosed) as problem:
        raise AnswerLost(str(problem)) from problem
    proof = proof_of(device.secret, challenge["nonce"], urlsplit(url).path, device.device, device.version)
    words = {"device": device.device, "version": device.version, "profile": device.profile, "proof": proof}
    return socket, words


class SocketWire:
    """The first message answers the server's challenge; then one answer for every message."""

    def __init__(self, url: str, controller: Controller) -> None:
        parts = urlsplit(url)
        scheme = "wss" if parts.scheme == "https" else "ws"
        self._url = f"{scheme}://{parts.netloc}/ws/tables/{controller.table}"
        self._controller = controller
        self._socket: ClientConnection | None = None

    async def hello(self) -> Answer:
        self._socket, words = await dial(self._url, self._controller)
        return self._controller.keeps(await self.ask({"id": 1, "do": "hello", **words}))

    async def ask(self, message: Mapping[str, Any]) -> Answer:
        if self._socket is None:
            raise AnswerLost("Not connected.")
        try:
            await self._socket.send(json.dumps(self._controller.with_marks(message)))
            return confirmed(await asyncio.wait_for(self._answer_to(message["id"]), ANSWER_WITHIN))
        except ConnectionClosed as closed:
            if closed.rcvd is not None and closed.rcvd.code in SAID_GOODBYE:
                word = "replaced" if closed.rcvd.code == REPLACED else "goodbye"
                raise ServerRefusal(word, closed.rcvd.reason) from closed
            raise AnswerLost(str(closed)) from closed
        except (OSError, TimeoutError) as problem:
            raise AnswerLost(str(problem)) from problem

    async def _answer_to(self, id_: int) -> Answer:
        """What the server pushes meanwhile (meters, state) is no answer; one to words it could not read has no id."""
        assert self._socket is not None
        while True:
            said: Answer = json.loads(await self._socket.recv())
            if said.get("id") == id_ or said.get("ok") is False:
                return said
            self._controller.keeps(said)

    async def close(self) -> None:
        if self._socket is not None:
            await self._socket.close()


class HttpWire:
    """Every request is signed anew, with a higher sequence and the same body."""

    def __init__(self, url: str, controller: Controller) -> None:
        self._path = f"/api/v1/tables/{controller.table}/messages"
        self._controller = controller
        self._http = _Http(url)
        # Above whatever an earlier evening has spent, without a memory of it.
        self._sequence = time.time_ns() // 1_000_000

    async def hello(self) -> Answer:
        told = self._controller
        words = {"device": told.device, "version": told.version, "profile": told.profile}
        return told.keeps(await self.ask({"id": 1, "do": "hello", **words}))

    async def ask(self, message: Mapping[str, Any]) -> Answer:
        body = json.dumps(self._controller.with_marks(message)).encode()
        try:
            status, answer = await asyncio.to_thread(self._http.post, self._path, body, self._signed(body))
        except (OSError, http.client.HTTPException, ValueError) as problem:
            self._http.close()
            raise AnswerLost(str(problem)) from problem
        if status == http.client.SERVICE_UNAVAILABLE:
            raise AnswerLost(answer.get("why", "The server is busy."))
        return confirmed(answer)

    def _signed(self, body: bytes) -> dict[str, str]:
        self._sequence += 1
        now = datetime.now(UTC).isoformat()
        signature = signature_of(self._controller.secret, "POST", self._path, now, self._sequence, body)
        return {
            "X-Device": self._controller.device,
            "X-Time": now,
            "X-Sequence": str(self._sequence),
            "X-Signature": signature,
        }

    async def close(self) -> None:
        self._http.close()


class _Http:
    """One kept connection of the standard library."""

    def __init__(self, url: str) -> None:
        parts = urlsplit(url)
        kind = http.client.HTTPSConnection if parts.scheme == "https" else http.client.HTTPConnection
        self._connection = kind(parts.netloc, timeout=ANSWER_WITHIN)

    def post(self, path: str, body: bytes, headers: Mapping[str, str]) -> tuple[int, Answer]:
        self._connection.request("POST", path, body, {"Content-Type": "application/json", **headers})
        response = self._connection.getresponse()
        answer = json.loads(response.read())
        return response.status, answer if isinstance(answer, dict) else {}

    def close(self) -> None:
        self._connection.close()


def confirmed(answer: Answer) -> Answer:
    if answer.get("ok"):
        return answer
    code = str(answer.get("code", "refused"))
    why = str(answer.get("why", "The server refused without a reason."))
    raise AnswerLost(why) if code in ASK_AGAIN else ServerRefusal(code, why)
