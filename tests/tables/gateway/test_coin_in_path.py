"""A coin-in is told in few places: how many files it goes through from its bytes to the stored answer, and how often
it changes from one to another. The queue, the socket and the sign are not part of it."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from tables.gateway.logbook import Logbook
from tables.gateway.messages import read_message
from tables.gateway.speakers import Speaker
from tables.gateway.verbs import Answer, GatewayServices, Session, count
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import IN_HOUSE, DeviceRequest, Outcome
from tables.setup.actions.enrol import enrol, invite
from tests.builders import a_casino

pytestmark = pytest.mark.django_db

PROJECT = Path(__file__).parents[3]
ROOMS = ("jackpot", "tables", "accounting", "config")
MOST_FILES, MOST_CHANGES = 15, 51  # two of the latter are the savepoint within a test’s transaction


class WalkOfControl:
    """The files that control is in, one after the other; frames of other people's code belong to who called them."""

    def __init__(self) -> None:
        self.entered: list[str] = []

    @property
    def files(self) -> set[str]:
        return set(self.entered)

    @contextmanager
    def followed(self) -> Iterator[None]:
        sys.setprofile(self._event)
        try:
            yield
        finally:
            sys.setprofile(None)

    def _event(self, frame: FrameType, event: str, _: Any) -> None:
        if event != "call":
            return
        file = _own(frame)
        caller = frame.f_back
        while caller is not None and _own(caller) is None:
            caller = caller.f_back
        if file is not None and (caller is None or _own(caller) != file):
            self.entered.append(file)


def _own(frame: FrameType) -> str | None:
    path = Path(frame.f_code.co_filename)
    if not path.is_relative_to(PROJECT):
        return None
    name = path.relative_to(PROJECT)
    return str(name) if name.parts[0] in ROOMS else None


class InLine:
    """The queue left out: what is submitted is posted at once, in this thread."""

    def submit(self, request: DeviceRequest, tell: Callable[[Outcome | Exception], None]) -> None:
        tell(post_messages([request])[0])


def heard(services: GatewayServices, speaker: Speaker, body: bytes) -> bytes:
    """What the device hears. Nothing here ever waits, so no loop is needed to drive it."""
    said, message = list[Answer](), read_message(body)
    count(services, speaker, message, message.counted_act(), Session(), IN_HOUSE, said.append)
    return said[0].body


def test_a_coin_in_is_told_in_few_files() -> None:
    device = a_casino().controller
    enrol(code=invite(device=device, by="tests"))
    speaker = Speaker(device.id, device.code, "UTH-01", (), 0)
    with ThreadPoolExecutor(1) as pool:
        services = GatewayServices(InLine(), pool, Logbook(pool))  # type: ignore[arg-type]
        heard(services, speaker, b'{"id":1,"do":"coin_in","round":1,"seats":[1,2,5]}')  # the terms are read once
        heard(services, speaker, b'{"id":2,"do":"end","round":1}')
        walk = WalkOfControl()
        with walk.followed():
            body = heard(services, speaker, b'{"id":3,"do":"coin_in","round":2,"seats":[1,2,5]}')
    assert body == (
        b'{"id":3,"repeat":false,"ok":true,"round":2,"coin_in":{"seats":[1,2,5],"total":"3.00"},'
        b'"meters":{"GRAND":"10004.20"}}'
    )
    figures = f"{len(walk.files)} files, {len(walk.entered)} changes of file: {walk.entered}"
    print(figures)  # noqa: T201 - a figure of the house, read with -rP
    assert len(walk.files) <= MOST_FILES, figures
    assert len(walk.entered) <= MOST_CHANGES, figures
