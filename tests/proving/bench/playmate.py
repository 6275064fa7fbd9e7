"""A server of a few lines that speaks the device protocol, keeps score, and believes nobody without a proof."""

from __future__ import annotations

import socket
import threading
import time
from collections import Counter
from collections.abc import Iterator, MutableMapping
from contextlib import contextmanager
from typing import Any

import orjson
import uvicorn

from tables.gateway.messages import proof_of, read_message, signature_of

NONCE = "5ca1ab1e"


class Playmate:
    """Answers hello, coin_in and end of any table; `heard` counts verbs, `wrong` collects what it could not believe."""

    def __init__(self, secret: bytes, refuse_round: int = 0) -> None:
        self.secret, self.refuse_round = secret, refuse_round
        self.heard: Counter[str] = Counter()
        self.wrong: list[str] = []
        self.open_rounds: dict[str, int] = {}
        self.rounds: dict[str, list[int]] = {}
        self.sequences: dict[str, int] = {}

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        if scope["type"] == "http":
            body = (await receive())["body"]
            self._check_signature(scope, body)
            answer = self._answer(scope["path"], body)
            headers = [(b"content-length", b"%d" % len(answer))]
            await send({"type": "http.response.start", "status": 200, "headers": headers})
            await send({"type": "http.response.body", "body": answer})
        elif scope["type"] == "websocket":
            await self._converse(scope, receive, send)

    async def _converse(self, scope: MutableMapping[str, Any], receive: Any, send: Any) -> None:
        await receive()
        await send({"type": "websocket.accept"})
        await send({"type": "websocket.send", "text": orjson.dumps({"do": "challenge", "nonce": NONCE}).decode()})
        while (event := await receive())["type"] == "websocket.receive":
            message = read_message(event["text"])
            if message.do == "hello":
                device, version = message.words["device"], message.words["version"]
                if message.words["proof"] != proof_of(self.secret, NONCE, scope["path"], device, version):
                    self.wrong.append("proof")
            pushed = orjson.dumps({"do": "meters", "meters": {"GRAND": "20001.40"}, "long": "x" * 300})
            await send({"type": "websocket.send", "text": pushed.decode()})
            await send({"type": "websocket.send", "text": self._answer(scope["path"], event["text"]).decode()})

    def _check_signature(self, scope: MutableMapping[str, Any], body: bytes) -> None:
        headers = {name.decode(): value.decode() for name, value in scope["headers"]}
        device, sequence = headers["x-device"], int(headers["x-sequence"])
        if sequence <= self.sequences.get(device, 0):
            self.wrong.append("sequence")
        self.sequences[device] = sequence
        expected = signature_of(self.secret, "POST", scope["path"], headers["x-time"], sequence, body)
        if headers["x-signature"] != expected:
            self.wrong.append("signature")

    def _answer(self, path: str, body: bytes | str) -> bytes:
        message = read_message(body)
        self.heard[message.do] += 1
        fields: dict[str, Any] = {"ok": True}
        match message.do:
            case "hello":
                fields |= {"next_round": 117, "open_round": self.open_rounds.get(path)}
            case "coin_in":
                number, _ = message.round(), message.seats()
                if number == self.refuse_round:
                    return orjson.dumps({"id": message.id, "ok": False, "code": "held", "why": 'It is "held".'})
                self.rounds.setdefault(path, []).append(number)
                fields |= {"round": number, "repeat": False}
            case "end":
                fields |= {"round": message.round(), "next_round": message.round() + 1, "repeat": False}
        return orjson.dumps({"id": message.id, **fields})


@contextmanager
def served(application: Any) -> Iterator[int]:
    """The playmate behind a real server on a port of its own."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        server = uvicorn.Server(
            uvicorn.Config(application, ws="websockets-sansio", lifespan="off", log_level="error", access_log=False)
        )
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started:
            time.sleep(0.01)
        yield int(listener.getsockname()[1])
        server.should_exit = True
        thread.join(10)
