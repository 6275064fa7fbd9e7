"""A question to the feed that may wait: answered with the first event, bounded, gone with its asker, judged anew."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Any

import pytest

from accounting.feed.queries import WAITS_HEADER, FeedWait
from config import long_poll
from config.long_poll import LongPoll
from tests.patience import PATIENCE

SCOPE: dict[str, Any] = {"type": "http", "path": "/api/v1/feed/", "query_string": b"after=4&wait=20", "headers": []}


class Pages:
    """Stands for Django: says how long to wait until the head is past the number, then tells the event."""

    def __init__(self, seconds: int = 20) -> None:
        self.head, self.seconds, self.asked, self.status = 4, seconds, 0, 200

    async def __call__(self, _: Any, receive: Any, send: Callable[[Any], Awaitable[None]]) -> None:
        self.asked += 1
        assert (await receive())["type"] == "http.request"
        waits = [(WAITS_HEADER.encode(), str(FeedWait(1, 4, self.seconds)).encode())] if self.head == 4 else []
        headers = [(b"content-type", b"application/json"), *(waits if self.status == 200 else [])]
        await send({"type": "http.response.start", "status": self.status, "headers": headers})
        await send({"type": "http.response.body", "body": b"%d" % self.head})


class Asker:
    """The other end of the wire."""

    def __init__(self) -> None:
        self.heard: list[Any] = []
        self.left = asyncio.Event()
        self.first = True

    async def receive(self) -> Any:
        if self.first:
            self.first = False
            return {"type": "http.request", "body": b"", "more_body": False}
        await self.left.wait()
        return {"type": "http.disconnect"}

    async def send(self, event: Any) -> None:
        self.heard.append(event)


async def until(fact: Callable[[], object]) -> None:
    while not fact():  # noqa: ASYNC110 - a look at a list is no event
        await asyncio.sleep(0.005)


@pytest.fixture(autouse=True)
def quick(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(long_poll, "LOOKS_EVERY", 0.01)


def ask(poll: LongPoll, pages: Pages, asker: Asker) -> asyncio.Task[None]:
    return asyncio.ensure_future(poll(pages, SCOPE, asker.receive, asker.send))


def heads_of(pages: Pages, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The looks that were taken, each as the head of house 1 was then."""
    looks: list[int] = []

    def look() -> dict[int, int]:
        looks.append(pages.head)
        return {1: pages.head}

    monkeypatch.setattr(long_poll, "_heads", look)
    monkeypatch.setattr(long_poll, "_leave", lambda: None)
    return looks


def test_it_is_answered_with_the_first_event_and_the_note_of_the_wait_never_goes_out(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    async def play() -> None:
        pages, asker, poll = Pages(), Asker(), LongPoll()
        looks = heads_of(pages, monkeypatch)
        asked = ask(poll, pages, asker)
        await until(lambda: len(looks) >= 3)
        assert (asker.heard, pages.asked) == ([], 1)
        pages.head = 5
        await asyncio.wait_for(asked, 5)
        assert [event.get("body") for event in asker.heard] == [None, b"5"]
        assert WAITS_HEADER.lower().encode() not in {name.lower() for name, _ in asker.heard[0]["headers"]}
        assert pages.asked == 2

    asyncio.run(play())


def test_one_look_tells_all_and_nobody_looks_when_nobody_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        pages, askers, poll = Pages(), [Asker() for _ in range(30)], LongPoll()
        looks = heads_of(pages, monkeypatch)
        asked = [ask(poll, pages, asker) for asker in askers]
        await until(lambda: len(looks) >= 2)
        assert len(looks) < 30
        pages.head = 5
        await asyncio.wait_for(asyncio.gather(*asked), PATIENCE)
        assert all(asker.heard[-1]["body"] == b"5" for asker in askers)
        await until(lambda: poll._watch is None)
        taken = len(looks)
        await asyncio.sleep(0.1)
        assert len(looks) == taken

    asyncio.run(play())


def test_the_time_ends_it_empty_and_without_another_question(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        pages, asker = Pages(seconds=0), Asker()
        heads_of(pages, monkeypatch)
        await asyncio.wait_for(ask(LongPoll(), pages, asker), PATIENCE)
        assert (asker.heard[-1]["body"], pages.asked) == (b"4", 1)

    asyncio.run(play())


def test_whoever_comes_beside_a_full_house_is_answered_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        pages, poll, first, second = Pages(), LongPoll(most=1), Asker(), Asker()
        looks = heads_of(pages, monkeypatch)
        waits = ask(poll, pages, first)
        await until(lambda: looks)
        await asyncio.wait_for(ask(poll, pages, second), 5)
        assert (second.heard[-1]["body"], first.heard) == (b"4", [])
        pages.head = 5
        await asyncio.wait_for(waits, 5)

    asyncio.run(play())


def test_whoever_leaves_holds_no_place(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        pages, poll, asker = Pages(), LongPoll(), Asker()
        looks = heads_of(pages, monkeypatch)
        waits = ask(poll, pages, asker)
        await until(lambda: looks)
        asker.left.set()
        await asyncio.wait_for(waits, 5)
        assert poll._waiting == {}

    asyncio.run(play())


def test_a_token_that_was_revoked_meanwhile_hears_its_refusal(monkeypatch: pytest.MonkeyPatch) -> None:
    async def play() -> None:
        pages, poll, asker = Pages(), LongPoll(), Asker()
        looks = heads_of(pages, monkeypatch)
        waits = ask(poll, pages, asker)
        await until(lambda: looks)
        pages.head, pages.status = 5, 401
        await asyncio.wait_for(waits, 5)
        assert asker.heard[0]["status"] == 401

    asyncio.run(play())


@pytest.mark.parametrize(
    ("path", "query", "takes"),
    [
        ("/api/v1/feed/", b"after=4&wait=20", True), ("/api/v1/feed/", b"after=4", False),
        ("/api/v1/wins/", b"wait=20", False),
    ],
)  # fmt: skip
def test_only_a_question_to_the_feed_that_would_wait_is_held(path: str, query: bytes, takes: bool) -> None:
    assert LongPoll.takes({**SCOPE, "path": path, "query_string": query}) is takes
