from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.journeys.room import Room


@pytest.fixture
def room(live: Any) -> Iterator[Room]:
    with contextlib.ExitStack() as closing:
        yield Room(live, closing, first=0)


@pytest.fixture(params=["HTTP first", "WebSocket first"])
def either(live: Any, request: pytest.FixtureRequest) -> Iterator[Room]:
    with contextlib.ExitStack() as closing:
        yield Room(live, closing, first=request.param == "WebSocket first")
