"""The client's wire over real sockets: refusals are exceptions, what may pass is tried again, the token stays."""

from __future__ import annotations

import json
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, date, datetime
from decimal import Decimal
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any

import pytest

from fairmeter_client import (
    Clash,
    FairmeterRefused,
    House,
    HouseUnreachable,
    NotAHouse,
    NotAllowedHere,
    NotFoundHere,
    NotUnderstoodThere,
    TokenNotTaken,
    TryAgainLater,
)
from fairmeter_client.wire import Asked, Wire, written


@dataclass
class OtherSide:
    """Answers in turn, the last for ever: a status, the body, and headers."""

    answers: list[tuple[int, bytes, dict[str, str]]]
    heard: list[tuple[str, str]] = field(default_factory=list)
    port: int = 0

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}"


@contextmanager
def answering(*answers: tuple[int, bytes, dict[str, str]]) -> Iterator[OtherSide]:
    told = OtherSide(list(answers))

    class Speaks(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            told.heard.append((self.path, self.headers.get("Authorization", "")))
            status, body, headers = told.answers.pop(0) if len(told.answers) > 1 else told.answers[0]
            self.send_response(status)
            for name, value in {**headers, "Content-Length": str(len(body))}.items():
                self.send_header(name, value)
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_: Any) -> None: ...

    server = ThreadingHTTPServer(("127.0.0.1", 0), Speaks)
    told.port = server.server_address[1]
    thread = threading.Thread(target=server.serve_forever, args=[0.02], daemon=True)
    thread.start()
    try:
        yield told
    finally:
        server.shutdown()
        server.server_close()
        thread.join()


def refused(status: int, code: str, **headers: str) -> tuple[int, bytes, dict[str, str]]:
    return status, json.dumps({"ok": False, "code": code, "why": f"Because of {code}."}).encode(), headers


FINE = (200, b'{"code": "GRAND"}', {})
LATER = (503, refused(503, "unavailable")[1], {"Retry-After": "2"})


@pytest.mark.parametrize(
    ("status", "raised"),
    [
        (400, NotUnderstoodThere), (401, TokenNotTaken), (403, NotAllowedHere), (404, NotFoundHere), (409, Clash),
        (410, FairmeterRefused),
    ],
)  # fmt: skip
def test_a_refusal_is_an_exception_with_its_sentence(status: int, raised: type[FairmeterRefused]) -> None:
    with answering(refused(status, "no_reason")) as side, pytest.raises(raised) as problem:
        House(side.url, "fm_x").jackpot("GRAND")
    assert (problem.value.code, problem.value.status, str(problem.value)) == (
        "no_reason", status, "Because of no_reason.",
    )  # fmt: skip
    assert side.heard == [("/api/v1/jackpots/GRAND/", "Bearer fm_x")], "and is not tried again"


def test_what_may_pass_is_tried_again_as_the_house_says() -> None:
    waits: list[float] = []
    with answering(LATER, LATER, FINE) as side:
        assert Wire(side.url, "fm_x", sleep=waits.append).read("jackpots/GRAND/") == {"code": "GRAND"}
    assert (waits, len(side.heard)) == ([2, 2], 3)
    with answering(LATER) as side, pytest.raises(TryAgainLater, match="Because of unavailable"):
        Wire(side.url, "fm_x", tries=2, sleep=waits.append).read("jackpots/")
    with answering((502, b"<h1>Bad Gateway</h1>", {}), FINE) as side:
        assert Wire(side.url, "fm_x", sleep=waits.append).read("jackpots/GRAND/") == {"code": "GRAND"}
    with pytest.raises(HouseUnreachable, match="does not answer"):
        Wire(side.url, "fm_x", tries=3, sleep=waits.append).read("jackpots/")
    assert waits[-2:] == [1.0, 2.0]


def test_a_redirect_is_not_followed_with_the_token() -> None:
    with answering(FINE) as elsewhere, answering((302, b"", {"Location": f"{elsewhere.url}/api/v1/feed/"})) as side:
        with pytest.raises(NotAHouse, match="answered 302"):
            House(side.url, "fm_x").feed()
        assert elsewhere.heard == []
    with answering((200, b"<h1>A printer</h1>", {})) as side, pytest.raises(NotAHouse, match="no JSON"):
        House(side.url, "fm_x").feed()


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (True, "true"), (7, "7"), ("GRAND", "GRAND"), (Decimal("20001.40"), "20001.40"), (Decimal("1E+3"), "1000"),
        (date(2026, 11, 18), "2026-11-18"), (datetime(2026, 11, 18, 21, tzinfo=UTC), "2026-11-18T21:00:00+00:00"),
    ],
)  # fmt: skip
def test_values_are_written_as_the_api_reads_them(value: Asked, text: str) -> None:
    assert written(value) == text


def test_what_cannot_be_meant_is_refused_before_it_is_sent() -> None:
    with pytest.raises(ValueError, match="Say the zone"):
        written(datetime(2026, 11, 18, 21))  # noqa: DTZ001  this is what is refused
    for url in ("fairmeter.example", "ftp://fairmeter.example", "https://", "https://fairmeter.example/?x=1"):
        with pytest.raises(ValueError, match="no address of a house"):
            House(url, "fm_x")
    with pytest.raises(ValueError, match="no address of the API"):
        Wire("https://fairmeter.example", "fm_x").read_address("https://elsewhere.example/api/v1/feed/")
