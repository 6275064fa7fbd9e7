"""The log holds no secret, however it came there; and what a caller did wrong is no line of ours."""

from __future__ import annotations

import json
import logging
import logging.config
from io import BytesIO
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from jackpot.web.logs import JsonLine, Line, Unsaid, unsaid

CANARIES = (
    "canary-pass word", "274916", "6000000000000201", "canarysecret0123456789", "tok_canary_abcdefgh", "s3ssioncanary",
)  # fmt: skip


@pytest.mark.parametrize(
    "text",
    [
        "POST {'password': 'canary-pass word', 'username': 'ann'}",
        'body={"card": "6000000000000201", "pin": "274916"}',
        "swiped %B6000000000000201^DOE/J^2912? at UTH-01",
        "swiped ;6000000000000201=99121010000000000000?",
        "card 6000000000000201 is odd",
        "Authorization: Bearer tok_canary_abcdefgh",
        "Cookie: sessionid=s3ssioncanary; csrftoken=canarysecret0123456789",
        "postgresql://fairmeter:canarysecret0123456789@db/fairmeter refused",
        "secret=canarysecret0123456789&pin=274916",
        "{'first-pin': '274916', 'second-pin': '274916'}",
    ],
)
def test_canaries_leave_no_trace(text: str) -> None:
    told = unsaid(text)
    assert "••••" in told
    assert not [canary for canary in CANARIES if canary in told], told


@pytest.mark.parametrize(
    "text",
    ["UTH-01 round 118: 1234.56 of 10000.00", "entry 88213 of GRAND", "2026-11-19 12:01:02", "job 123456789 done"],
)
def test_what_the_floor_speaks_of_stays_readable(text: str) -> None:
    assert unsaid(text) == text


def through(formatter: logging.Formatter, **more: Any) -> str:
    record = logging.LogRecord("jackpot", logging.ERROR, __file__, 1, "pin=%s of %s", ("274916", "ann"), None, **more)
    try:
        raise ValueError("password='canary-pass word'")
    except ValueError as fault:
        record.exc_info = (type(fault), fault, fault.__traceback__)
    assert Unsaid().filter(record)
    return formatter.format(record)


def test_messages_and_tracebacks_are_cleaned_in_both_forms() -> None:
    line, told = through(Line()), json.loads(through(JsonLine()))
    assert "pin=••••" in line
    assert (told["says"], told["level"]) == ("pin=•••• of ann", "error")
    assert "ValueError" in told["trace"]
    for text in (line, str(told)):
        assert not [canary for canary in CANARIES if canary in text], text


@pytest.mark.django_db
def test_wrong_callers_write_no_line_of_ours(capfd: pytest.CaptureFixture[str]) -> None:
    """Thirty-six thousand warnings a day hide the one that matters."""
    logging.config.dictConfig(settings.LOGGING)
    client = Client(raise_request_exception=False)
    for path in ("/nowhere/", "/api/v1/nowhere/", "/signs/%00/", "/office/people/"):
        assert client.get(path).status_code < 500
    client.get("/", headers={"host": "evil.example"})
    client.post("/sign-in/", {f"field-{number}": "x" for number in range(2_000)})
    client.post("/sign-in/", {f"file-{number}": BytesIO(b"x") for number in range(200)})
    Client(enforce_csrf_checks=True).post("/sign-in/", {"username": "ann", "password": "canary-pass word"})
    assert capfd.readouterr().err == ""
