"""Who speaks in a benchmark besides the crowd: a table's controller, and a person at a browser. Kept connections."""

from __future__ import annotations

import http.client
import itertools
import json
import time
from collections.abc import Mapping
from typing import Any

from proving.bench.clients import NotMeasured
from tables.gateway.messages import signature_of


class Box:
    """A table's controller: every message signed."""

    _sequences = itertools.count(1)

    def __init__(self, port: int, told: Mapping[str, str]) -> None:
        self._told, self._secret = told, bytes.fromhex(told["secret"])
        self._path = f"/api/v1/tables/{told['table']}/messages"
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self.round = 0

    def say(self, **words: Any) -> dict[str, Any]:
        body = json.dumps({**words, "round": self.round}).encode()
        moment, sequence = str(int(time.time() * 1000)), next(self._sequences)
        signature = signature_of(self._secret, "POST", self._path, moment, sequence, body)
        headers = {
            "X-Device": self._told["device"], "X-Time": moment, "X-Sequence": str(sequence), "X-Signature": signature,
        }  # fmt: skip
        return _said(self._connection, self._path, body, headers)


class Desk:
    """A person whose session is open."""

    def __init__(self, port: int, cookies: Mapping[str, str]) -> None:
        self._connection = http.client.HTTPConnection("127.0.0.1", port, timeout=30)
        self._headers = {
            "Cookie": "; ".join(f"{name}={value}" for name, value in cookies.items()),
            "X-CSRFToken": cookies["csrftoken"],
            "Content-Type": "application/json",
        }

    def acts(self, path: str, words: Mapping[str, Any]) -> dict[str, Any]:
        return _said(self._connection, path, json.dumps(words).encode(), self._headers)


def _said(connection: http.client.HTTPConnection, path: str, body: bytes, headers: Mapping[str, str]) -> dict[str, Any]:
    connection.request("POST", path, body, dict(headers))
    response = connection.getresponse()
    answer: dict[str, Any] = json.loads(response.read())
    if not answer.get("ok"):
        raise NotMeasured(f"{path} was refused ({response.status}): {answer.get('why')}")
    return answer
