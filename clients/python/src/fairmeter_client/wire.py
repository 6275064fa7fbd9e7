"""One question to the house, over HTTP: the token goes to its address and nowhere else, and refusals are exceptions."""

from __future__ import annotations

import json
import time
import urllib.error
import urllib.request
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from decimal import Decimal
from http.client import HTTPException
from typing import Any, Final
from urllib.parse import urlencode, urlsplit

from fairmeter_client.errors import HouseUnreachable, NotAHouse, TryAgainLater, refusal

Asked = str | int | bool | Decimal | date | datetime
LARGEST_ANSWER: Final = 64 * 1024 * 1024


class StayHere(urllib.request.HTTPRedirectHandler):
    """A redirect would carry the token to whoever answers there."""

    def redirect_request(self, *_: Any, **__: Any) -> None:
        return None


@dataclass(frozen=True)
class Wire:
    """Where a house is and how long one waits for it. Reading again harms nothing, so what may pass is tried again."""

    url: str
    token: str
    timeout: float = 30.0
    tries: int = 4
    sleep: Callable[[float], None] = time.sleep
    opener: urllib.request.OpenerDirector = field(default_factory=lambda: urllib.request.build_opener(StayHere))

    def __post_init__(self) -> None:
        parts = urlsplit(self.url)
        if parts.scheme not in ("http", "https") or not parts.hostname or parts.query or parts.fragment:
            raise ValueError(f"{self.url!r} is no address of a house. Write one such as https://fairmeter.example.")

    def read(self, path: str, asked: Mapping[str, Asked | None] | None = None) -> Any:
        """What stands at an address below /api/v1/. Lost connections and 503 are tried again, ever later."""
        question = urlencode({name: written(value) for name, value in (asked or {}).items() if value is not None})
        address = f"/api/v1/{path}" + (f"?{question}" if question else "")
        return self.read_address(address)

    def read_address(self, address: str) -> Any:
        """The same for an address as the house itself writes it, such as that of a next page."""
        if not address.startswith("/api/v1/"):
            raise ValueError(f"{address!r} is no address of the API.")
        for attempt in range(1, self.tries + 1):
            try:
                return self._read_once(address)
            except TryAgainLater as later:
                if attempt == self.tries:
                    raise
                self.sleep(later.seconds)
            except HouseUnreachable:
                if attempt == self.tries:
                    raise
                self.sleep(2.0 ** (attempt - 1))
        raise AssertionError("the last attempt answers or raises")

    def _read_once(self, address: str) -> Any:
        headers = {"Accept": "application/json", "Authorization": f"Bearer {self.token}"}
        request = urllib.request.Request(self.url.rstrip("/") + address, headers=headers)
        try:
            with self.opener.open(request, timeout=self.timeout) as answer:
                return parsed(answer.read(LARGEST_ANSWER))
        except urllib.error.HTTPError as refused:
            with refused:
                raise self._refused(refused) from None
        except (OSError, HTTPException) as trouble:
            raise HouseUnreachable(f"{self.url} does not answer: {trouble}") from trouble

    def _refused(self, answer: urllib.error.HTTPError) -> Exception:
        """A refusal of the house speaks JSON; a gate in front of it, or somebody else, does not."""
        try:
            told = parsed(answer.read(LARGEST_ANSWER))
        except NotAHouse:
            told = None
        if isinstance(told, dict) and "why" in told:
            retry = answer.headers.get("Retry-After")
            return refusal(answer.code, str(told.get("code", "")), str(told["why"]), retry)
        if answer.code >= 500:
            return HouseUnreachable(f"{self.url} answered {answer.code}: what stands before the house, not the house.")
        return NotAHouse(f"{self.url} answered {answer.code} and is no Fairmeter. Check the address.")


def parsed(body: bytes) -> Any:
    try:
        return json.loads(body)
    except ValueError:
        raise NotAHouse("The answer is no JSON. Is this the address of a Fairmeter?") from None


def written(value: Asked) -> str:
    """A value as the API reads it: true, 2026-11-18, 2026-11-18T21:04:11+00:00, 20001.40."""
    match value:
        case bool():
            return "true" if value else "false"
        case datetime():
            if value.tzinfo is None:
                raise ValueError("Say the zone of a moment: datetime.now(UTC), not datetime.now().")
            return value.isoformat()
        case date():
            return value.isoformat()
        case Decimal():
            return format(value, "f")
    return str(value)
