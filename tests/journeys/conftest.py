from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import pytest

from tests.indoors import Indoors
from tests.journeys.room import Room, RoomIndoors


@pytest.fixture
def room(live: Any) -> Iterator[Room]:
    with contextlib.ExitStack() as closing:
        yield Room(live, closing, first=0)


@pytest.fixture
def room_indoors(indoors: Indoors) -> RoomIndoors:
    return RoomIndoors(indoors)


@pytest.fixture(params=["HTTP first", "WebSocket first"])
def either(live: Any, request: pytest.FixtureRequest) -> Iterator[Room]:
    with contextlib.ExitStack() as closing:
        yield Room(live, closing, first=request.param == "WebSocket first")
