"""Somebody outside the house: signs in over HTTP and reads what the API tells; or a box sign that listens."""

from __future__ import annotations

import http.cookiejar
import json
import time
import urllib.error
import urllib.parse
import urllib.request
from typing import Any

from django.test import Client
from websockets.sync.client import connect

from jackpot.books.models.jackpot import Jackpot
from jackpot.property.models.property import Property
from tables.gateway.messages import proof_of
from tables.setup.actions.floor import DeviceFacts, register_device
from tests.builders import a_person, a_sign
from tests.controller import secret_for
from tests.patience import PATIENCE

PASSWORD = "plain words for a journey"


class Visitor:
    """Somebody in a browser of the own: a session by name and password, JSON in and out."""

    def __init__(self, url: str, username: str, password: str = PASSWORD) -> None:
        self._url = url
        self._jar = http.cookiejar.CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._jar))
        self._opener.open(f"{self._url}/sign-in/", timeout=PATIENCE).close()
        words = {"username": username, "password": password, "csrfmiddlewaretoken": self._token()}
        told = urllib.parse.urlencode({**words, "next": "/api/v1/jackpots/"}).encode()
        self._opener.open(f"{self._url}/sign-in/", told, timeout=PATIENCE).close()

    def _token(self) -> str:
        return next(cookie.value or "" for cookie in self._jar if cookie.name == "csrftoken")

    def posts(self, path: str, **words: Any) -> tuple[int, dict[str, Any]]:
        headers = {"Content-Type": "application/json", "X-CSRFToken": self._token()}
        asked = urllib.request.Request(f"{self._url}/api/v1/{path}", json.dumps(words).encode(), headers)
        try:
            with self._opener.open(asked, timeout=PATIENCE) as answer:
                return answer.status, json.load(answer)
        except urllib.error.HTTPError as refused:
            with refused:
                return refused.code, json.load(refused)

    def presses(self, page: str, **form: str) -> None:
        """A form of a page; what it answers stands on the page after it."""
        told = urllib.parse.urlencode({**form, "csrfmiddlewaretoken": self._token()}).encode()
        self._opener.open(f"{self._url}/{page}", told, timeout=PATIENCE).close()


class Auditor(Visitor):
    """Reads the books as any program would: a session, JSON, nothing else."""

    def __init__(self, live: Any, premises: Property) -> None:
        a_person("auditor", may=("see", "read_books"), password=PASSWORD, premises=premises)
        super().__init__(live.url, "auditor")

    def reads(self, path: str) -> Any:
        with self._opener.open(f"{self._url}/api/v1/{path}", timeout=PATIENCE) as answer:
            return json.load(answer)

    def balances(self, code: str = "GRAND") -> dict[str, str]:
        balances: dict[str, str] = self.reads(f"jackpots/{code}/")["balances"]
        return balances

    def entries(self, code: str = "GRAND") -> int:
        """Counted one by one, page after page: their numbers must be 1, 2, 3 … without a gap."""
        numbers: list[int] = []
        path: str | None = f"jackpots/{code}/entries/?order=seq"
        while path is not None:
            page = self.reads(path)
            numbers += [entry["seq"] for entry in page["results"]]
            path = page["next"] and page["next"].partition("/api/v1/")[2]
        assert numbers == list(range(1, len(numbers) + 1))
        return len(numbers)

    def proves(self, *codes: str) -> bool:
        verdicts = [self.reads(f"jackpots/{code}/proof/") for code in codes or ("GRAND",)]
        assert all(verdict["holds"] for verdict in verdicts), verdicts
        return True


class AuditorIndoors(Auditor):
    """The same reader of the same API, without a server: Django's own client signs in and asks."""

    def __init__(self, premises: Property) -> None:
        a_person("auditor", may=("see", "read_books"), password=PASSWORD, premises=premises)
        self._client = Client()
        signed_in = self._client.post("/sign-in/", {"username": "auditor", "password": PASSWORD})
        assert signed_in.status_code == 302, signed_in.content

    def reads(self, path: str) -> Any:
        answer = self._client.get(f"/api/v1/{path}")
        assert answer.status_code == 200, answer.content
        return answer.json()


class BoxSign:
    """A sign without a browser: answers the challenge, then hears figures."""

    def __init__(self, live: Any, code: str, *jackpots: Jackpot) -> None:
        a_sign(code, *jackpots)
        device = register_device(code=f"{code}-D", facts=DeviceFacts(kind="sign", sign=code), by="tests")
        path = f"/ws/signs/{code}"
        self._connecting = connect(live.ws_url + path, compression=None)
        self._socket = self._connecting.__enter__()
        nonce = json.loads(self._socket.recv(timeout=PATIENCE))["nonce"]
        proof = proof_of(secret_for(device), nonce, path, device.code, "2.0.0")
        self._socket.send(json.dumps({"do": "hello", "device": device.code, "version": "2.0.0", "proof": proof}))

    def hears(self, **amounts: str) -> list[dict[str, Any]]:
        """Listens until every meter shows this; returns all that was heard on the way."""
        heard = []
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            said = json.loads(self._socket.recv(timeout=PATIENCE))
            if "meters" in said:
                heard.append(said)
                if {meter["code"]: meter["amount"] for meter in said["meters"]} == amounts:
                    return heard
        raise AssertionError(f"The sign never heard {amounts}; last it heard {heard[-1:]}")

    def heard(self) -> dict[str, Any]:
        """The next whole frame."""
        while "meters" not in (said := json.loads(self._socket.recv(timeout=PATIENCE))):
            pass
        frame: dict[str, Any] = said
        return frame

    def says(self, **report: Any) -> None:
        self._socket.send(json.dumps(report))

    def close(self) -> None:
        self._connecting.__exit__(None, None, None)
