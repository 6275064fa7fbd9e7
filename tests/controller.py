"""A table controller for tests: signs what it says over HTTP, or keeps a WebSocket, exactly as hardware would."""

from __future__ import annotations

import json
import time
from typing import Any

from websockets.sync.client import ClientConnection, connect

from tables.floor.models.device import Device
from tables.gateway.messages import proof_of, signature_of
from tables.setup.actions.enrol import enrol, invite
from tests.patience import PATIENCE


def secret_for(device: Device) -> bytes:
    """Enrols the device with a one-time code, as a technician and the box would."""
    return bytes.fromhex(enrol(code=invite(device=device, by="tests")).secret_hex)


class HttpController:
    """Signs each message with a sequence that rises."""

    patience = PATIENCE

    def __init__(self, live: Any, device: Device, secret: bytes) -> None:
        self.live, self.device, self.secret = live, device, secret
        assert device.table is not None
        self.path = f"/api/v1/tables/{device.table.code}/messages"
        self.sequence = 0

    def headers(self, body: bytes, **changed: str) -> dict[str, str]:
        self.sequence += 1
        time_text = changed.get("time", str(int(time.time() * 1000)))
        sequence = int(changed.get("sequence", self.sequence))
        signature = signature_of(self.secret, "POST", self.path, time_text, sequence, body)
        return {
            "X-Device": self.device.code,
            "X-Time": time_text,
            "X-Sequence": str(sequence),
            "X-Signature": changed.get("signature", signature),
            "Content-Type": "application/json",
        }

    def send(self, body: bytes, **changed: str) -> tuple[int, dict[str, Any]]:
        answer: tuple[int, dict[str, Any]] = self.live.post(
            self.path, body, self.headers(body, **changed), self.patience
        )
        return answer

    def say(self, **message: Any) -> tuple[int, dict[str, Any]]:
        return self.send(json.dumps(message).encode())


class SocketController:
    """Connects, answers the challenge, then one answer for every message; pushes are put aside."""

    def __init__(self, live: Any, device: Device, secret: bytes, *, version: str = "2.0.0") -> None:
        assert device.table is not None
        self.path = f"/ws/tables/{device.table.code}"
        self.pushed: list[dict[str, Any]] = []
        self._connecting = connect(live.ws_url + self.path, compression=None)
        self.socket: ClientConnection = self._connecting.__enter__()
        nonce = self.hear()["nonce"]
        proof = proof_of(secret, nonce, self.path, device.code, version)
        self.greeting = self.say(do="hello", device=device.code, version=version, profile="card", proof=proof)

    def hear(self) -> dict[str, Any]:
        heard: dict[str, Any] = json.loads(self.socket.recv(timeout=PATIENCE))
        return heard

    def say(self, **message: Any) -> dict[str, Any]:
        self.socket.send(json.dumps({"id": 7, **message}))
        while True:
            heard = self.hear()
            if heard.get("id") == 7 or heard.get("ok") is False:
                return heard
            self.pushed.append(heard)

    def close(self) -> None:
        self._connecting.__exit__(None, None, None)
