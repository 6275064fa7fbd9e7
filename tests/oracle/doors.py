"""The doors of a running house, as boxes and people use them: signed HTTP, sockets, REST. Nothing of the product."""

from __future__ import annotations

import hashlib
import hmac
import http.client
import itertools
import json
import time
from dataclasses import dataclass
from typing import Any
from urllib.parse import urlencode

from websockets.sync.client import connect

_names = itertools.count(1)
Answer = dict[str, Any]


PAUSE = 2.0
BUSY, SAY_AGAIN = 503, (0.5, 1.0, 2.0, 4.0)


class Broken(AssertionError):
    """A door that answered what no door may answer."""


@dataclass(frozen=True)
class Box:
    """What an enrolled table controller knows of itself."""

    table: str
    device: str
    secret: bytes


class Wire:
    """One kept HTTP connection."""

    def __init__(self, port: int) -> None:
        self.connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.asked_at = time.monotonic()

    def ask(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, Any]:
        """On a new line after a pause: the server hangs up on one that is silent for some seconds."""
        if time.monotonic() - self.asked_at > PAUSE:
            self.connection.close()
        self.asked_at = time.monotonic()
        self.connection.request(method, path, body, headers)
        heard = self.connection.getresponse()
        return heard.status, heard.read(), heard.headers

    def ask_again(self, method: str, path: str, body: bytes | None, headers: dict[str, str]) -> tuple[int, bytes, Any]:
        """503 says: the same again, in a moment. A starved machine says so too, and whoever asks does as it is told."""
        for pause in SAY_AGAIN:
            answer = self.ask(method, path, body, headers)
            if answer[0] != BUSY:
                return answer
            time.sleep(pause)
        raise ConnectionError(f"{path} was busy {len(SAY_AGAIN)} times: {answer[1][:300]!r}")

    def close(self) -> None:
        self.connection.close()


class SignedBox:
    """A controller that signs each message."""

    def __init__(self, port: int, box: Box) -> None:
        self.wire, self.box, self.sequence = Wire(port), box, int(time.time() * 1000)

    def say(self, message: Answer) -> Answer:
        path, body = f"/api/v1/tables/{self.box.table}/messages", json.dumps({"id": next(_names), **message}).encode()
        self.sequence += 1
        at = str(int(time.time() * 1000))
        line = f"POST\n{path}\n{at}\n{self.sequence}\n{hashlib.sha256(body).hexdigest()}"
        headers = {
            "X-Device": self.box.device, "X-Time": at, "X-Sequence": str(self.sequence),
            "X-Signature": hmac.new(self.box.secret, line.encode(), "sha256").hexdigest(),
            "Content-Type": "application/json",
        }  # fmt: skip
        return json.loads(self.wire.ask("POST", path, body, headers)[1])  # type: ignore[no-any-return]

    def close(self) -> None:
        self.wire.close()


class SocketBox:
    """A controller on a WebSocket; what is pushed meanwhile is heard and put aside."""

    def __init__(self, port: int, box: Box, profile: str) -> None:
        path = f"/ws/tables/{box.table}"
        # Without pings: on a starved machine an answer may take longer than they wait, and that is no disagreement.
        self.entered = connect(f"ws://127.0.0.1:{port}{path}", compression=None, ping_interval=None)
        self.socket = self.entered.__enter__()
        nonce = json.loads(self.socket.recv(timeout=30))["nonce"]
        proof = hmac.new(box.secret, f"{nonce}|{path}|{box.device}|2.0.0".encode(), "sha256").hexdigest()
        hello = self.say({"do": "hello", "device": box.device, "version": "2.0.0", "profile": profile, "proof": proof})
        assert hello["ok"], hello

    def say(self, message: Answer) -> Answer:
        name = next(_names)
        self.socket.send(json.dumps({"id": name, **message}))
        while True:
            heard: Answer = json.loads(self.socket.recv(timeout=30))
            if heard.get("id") == name:
                return heard
            assert "id" not in heard or heard["id"] is None, heard
            assert heard.get("ok") is not False, heard

    def close(self) -> None:
        self.entered.__exit__(None, None, None)


class Desk:
    """A person who is signed in, at the API."""

    def __init__(self, port: int, cookies: dict[str, str]) -> None:
        self.wire, self.cookies = Wire(port), dict(cookies)

    @classmethod
    def signed_in(cls, port: int, name: str, password: str) -> Desk:
        desk = cls(port, {})
        desk._keep(desk.wire.ask("GET", "/sign-in/", None, {})[2])
        told = {"username": name, "password": password, "csrfmiddlewaretoken": desk.cookies["csrftoken"]}
        headers = {"Cookie": desk._cookie(), "Content-Type": "application/x-www-form-urlencoded"}
        status, _, heard = desk.wire.ask("POST", "/sign-in/", urlencode(told).encode(), headers)
        assert status == 302, f"{name} could not sign in: {status}"
        desk._keep(heard)
        return desk

    def _keep(self, heard: Any) -> None:
        for cookie in heard.get_all("Set-Cookie", []):
            name, _, value = cookie.partition(";")[0].partition("=")
            self.cookies[name] = value

    def _cookie(self) -> str:
        return "; ".join(f"{name}={value}" for name, value in self.cookies.items())

    def look(self, path: str) -> Any:
        status, body, _ = self.wire.ask_again("GET", path, None, {"Cookie": self._cookie()})
        if status != 200:
            raise Broken(f"{path} answered {status}: {body[:300]!r}")
        return json.loads(body)

    def post(self, path: str, told: Answer) -> Answer:
        headers = {
            "Cookie": self._cookie(), "X-CSRFToken": self.cookies["csrftoken"], "Content-Type": "application/json",
            "Idempotency-Key": f"oracle-{next(_names):08d}-{time.monotonic_ns()}",
        }  # fmt: skip
        status, body, _ = self.wire.ask_again("POST", path, json.dumps(told).encode(), headers)
        answer: Answer = json.loads(body)
        if status >= 500 or answer["ok"] is not (status < 300):
            raise Broken(f"{path} answered {status}: {body[:300]!r}")
        return answer

    def close(self) -> None:
        self.wire.close()
