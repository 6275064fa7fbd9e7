from __future__ import annotations

import asyncio
import itertools
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from tables.signs.audience import BEAT_EVERY, GAP, WHOLE_EVERY, Audience, Listener, Words, spread
from tests.patience import PATIENCE

Heard = TypeVar("Heard")


def played(scene: Coroutine[Any, Any, Heard]) -> Heard:
    """In a thread of its own: a browser test before this one may have left a loop in the main thread."""
    with ThreadPoolExecutor(1) as pool:
        return pool.submit(asyncio.run, scene).result()


class Box:
    """A client that takes what it is sent, or does not until it is let."""

    def __init__(self, slow: bool = False) -> None:
        self.heard: list[str] = []
        self.closed: list[int] = []
        self.ready = asyncio.Event()
        if not slow:
            self.ready.set()

    async def take(self, words: str) -> None:
        await self.ready.wait()
        self.heard.append(words)

    async def close(self, code: int) -> None:
        self.closed.append(code)


def joined(audience: Audience) -> Listener:
    listener = Listener(Box().take)
    audience.join(listener)
    return listener


def test_a_newcomer_is_told_at_once_even_when_nothing_changed() -> None:
    audience = Audience("WALL-1")
    first = joined(audience)
    assert audience.listeners_due("state 1", now=0) == [first]
    second = joined(audience)
    assert audience.listeners_due("state 1", now=0.01) == [second]


def test_a_hundred_changes_in_a_second_are_told_at_most_four_times_and_the_last_one_is_told() -> None:
    audience = Audience("WALL-1")
    joined(audience)
    told_at = [tick / 100 for tick in range(200) if audience.listeners_due(f"state {min(tick, 100)}", now=tick / 100)]
    assert all(later - earlier >= GAP for earlier, later in itertools.pairwise(told_at))
    assert sum(at < 1.0 for at in told_at) <= 4
    assert audience.told == "state 100"


def test_the_first_change_after_a_quiet_time_waits_for_nothing() -> None:
    audience = Audience("WALL-1")
    listener = joined(audience)
    audience.listeners_due("state 1", now=0)
    assert audience.listeners_due("state 2", now=5.0) == [listener]


def test_the_whole_is_repeated_every_ten_seconds_and_a_beat_says_i_am_here_in_between() -> None:
    audience = Audience("WALL-1")
    listener = joined(audience)
    audience.listeners_due("state 1", now=0)
    beats = [tick for tick in range(1, 10) if audience.wants_beat(float(tick))]
    assert beats == [3, 6, 9]
    assert BEAT_EVERY < 4
    assert audience.listeners_due("state 1", now=WHOLE_EVERY) == [listener]


def test_a_slow_client_keeps_only_the_newest_words() -> None:
    async def scene() -> list[str]:
        box = Box(slow=True)
        listener = Listener(box.take)
        pump = asyncio.create_task(listener.pump())
        for number in range(50):
            await spread([listener], Words(f"words {number}"))
            await asyncio.sleep(0)
        box.ready.set()
        await asyncio.sleep(0.01)
        pump.cancel()
        return box.heard

    assert played(scene()) == ["words 0", "words 49"]


def test_a_slow_client_holds_up_no_other() -> None:
    async def scene() -> list[str]:
        slow, quick = Box(slow=True), Box()
        listeners = [Listener(slow.take), Listener(quick.take)]
        pumps = [asyncio.create_task(listener.pump()) for listener in listeners]
        for words in ("first", "second"):
            await spread(listeners, Words(words))
            await asyncio.sleep(0.01)
        for pump in pumps:
            pump.cancel()
        return quick.heard

    assert played(scene()) == ["first", "second"]


def test_a_beat_never_displaces_a_figure_that_waits() -> None:
    async def scene() -> list[str]:
        box = Box()
        listener = Listener(box.take)
        listener.give(Words("figure"))
        listener.give_beat(Words("beat"))
        pump = asyncio.create_task(listener.pump())
        await asyncio.sleep(0.01)
        pump.cancel()
        return box.heard

    assert played(scene()) == ["figure"]


def test_a_dismissed_client_is_closed_with_its_reason() -> None:
    async def scene() -> list[int]:
        box = Box()
        listener = Listener(box.take, box.close)
        listener.dismiss(4401)
        await asyncio.wait_for(listener.pump(), PATIENCE)
        return box.closed

    assert played(scene()) == [4401]


def test_a_client_that_keeps_up_gets_the_ready_made_frame_at_once() -> None:
    frames: list[bytes] = []
    words = Words("figure")
    listener = Listener(Box().take, write=lambda frame: frames.append(frame) is None)
    listener.give(words)
    assert frames == [b"\x81\x06figure"]


def test_words_never_overtake_older_ones_that_still_wait() -> None:
    async def scene() -> list[str]:
        box, keeps_up = Box(slow=True), False

        def write(frame: bytes) -> bool:
            if keeps_up:
                box.heard.append(frame[2:].decode())
            return keeps_up

        listener = Listener(box.take, write=write)
        pump = asyncio.create_task(listener.pump())
        listener.give(Words("first"))
        await asyncio.sleep(0)
        keeps_up = True
        listener.give(Words("second"))
        box.ready.set()
        await asyncio.sleep(0.01)
        listener.give(Words("third"))
        pump.cancel()
        return box.heard

    assert played(scene()) == ["first", "second", "third"]
