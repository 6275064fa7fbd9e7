"""Whoever was told “not sure” and looks what came of it hears soon that it is still not certain."""

from __future__ import annotations

import asyncio
from typing import Any

import pytest

from config import deadline
from config.bodies import WholeBodies
from config.turns import CallersInTurn

COOKIE = (b"cookie", b"sessionid=abc; unsure=yes")


def answered(scope: dict[str, Any]) -> int:
    """The status that is heard of an application which never answers."""
    said: list[dict[str, Any]] = []

    async def never(*_: Any) -> None:
        await asyncio.Event().wait()

    async def hear(event: dict[str, Any]) -> None:
        said.append(event)

    async def nothing() -> dict[str, Any]:
        return {"type": "http.request", "body": b"", "more_body": False}

    async def ask() -> None:
        whole = {
            "type": "http",
            "path": "/pit/",
            "query_string": b"",
            "headers": [],
            "client": ("10.0.0.1", 1),
            **scope,
        }
        async with asyncio.timeout(5):
            await deadline.answered_in_time(never, CallersInTurn(), WholeBodies(), whole, nothing, hear)

    asyncio.run(ask())
    return int(said[0]["status"])


@pytest.mark.parametrize(
    ("scope", "soon"),
    [
        ({"method": "GET", "headers": [COOKIE]}, True),
        ({"method": "POST", "headers": [COOKIE]}, False),
        ({"method": "GET", "headers": [(b"cookie", b"sessionid=unsure")]}, False),
    ],
)
def test_a_look_in_doubt_is_given_up_before_all_else_is(
    scope: dict[str, Any], soon: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(deadline, "LOOK_WITHIN", 0.05)
    monkeypatch.setattr(deadline, "ANSWER_WITHIN", 60.0)
    if soon:
        assert answered(scope) == 503
    else:
        with pytest.raises(TimeoutError):
            answered(scope)
