"""What a caller sends is here, whole, before its page takes a turn: who sends slowly holds a line and no page.

A turn is of everybody. As long as a caller's own bytes are awaited nothing shared is held; so two dozen callers that
send a letter a second keep nobody from a page. What is larger than a form waits in a file, and files have turns of
their own: who holds all of those keeps other files out, and no page.
"""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from tempfile import TemporaryFile
from typing import IO, Final

from config.turns import CallersInTurn
from tables.gateway.asgi import Event, Receive, Scope

OF_A_FORM: Final = 65_536  # bytes that are kept in memory
FILES_AT_ONCE: Final = 48  # 16 MB each at most
FILES_OF_ONE_ADDRESS: Final = 12
PART: Final = 65_536


class WholeBodies:
    """One per server."""

    def __init__(self) -> None:
        self._files = CallersInTurn(FILES_AT_ONCE, FILES_OF_ONE_ADDRESS)

    @asynccontextmanager
    async def whole(self, scope: Scope, receive: Receive) -> AsyncIterator[Receive | None]:
        """From where the application hears the body, as if it came now; nothing where the caller went away."""
        first: list[bytes] = []
        more = await _read(receive, first.append, OF_A_FORM)
        if more is None:
            yield None
        elif not more:
            yield _heard_anew(first, None, receive)
        else:
            address = (scope.get("client") or ("",))[0]
            async with self._files.turn(address, scope["path"]):
                with TemporaryFile() as kept:
                    more = await _read(receive, kept.write, None)
                    kept.seek(0)
                    yield None if more is None else _heard_anew(first, kept, receive)


async def _read(receive: Receive, keep: object, most: int | None) -> bool | None:
    """Whether more is to come behind this much; None where the caller went away."""
    assert callable(keep)
    had = 0
    while most is None or had < most:
        event = await receive()
        if event["type"] != "http.request":
            return None
        part = event.get("body", b"")
        had += len(part)
        keep(part)
        if not event.get("more_body", False):
            return False
    return True


def _heard_anew(first: list[bytes], kept: IO[bytes] | None, receive: Receive) -> Receive:
    """In parts, and behind the last one whatever the caller does."""
    parts = [b"".join(first)]

    async def hear() -> Event:
        if parts:
            part = parts.pop()
            if kept is None:
                return {"type": "http.request", "body": part, "more_body": False}
            following = kept.read(PART)
            if following:
                parts.append(following)
            return {"type": "http.request", "body": part, "more_body": bool(following)}
        return await receive()

    return hear
