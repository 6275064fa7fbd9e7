"""No caller is left without a word: an answer that has not begun in time is “not sure”; the work goes on behind it.

The database ends what takes too long, but a commit that waits for a standby it leaves alone. So do we: cancelled, it
would be believed. The thread finishes, and whoever says it again hears what came of it.
"""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest

from config.turns import CallersInTurn, Crowded, say_crowded
from jackpot.web.pages.certain import marked
from jackpot.web.pages.errors import in_doubt
from tables.gateway.asgi import Receive, Scope, Send

ANSWER_WITHIN: Final = 45.0  # seconds, below what proxies and browsers wait
_left_behind: set[asyncio.Task[None]] = set()


class TooLate(Exception):
    """Nobody knows yet what comes of it."""


async def answered_in_time(
    application: Any, turns: CallersInTurn, scope: Scope, receive: Receive, send: Send
) -> None:  # fmt: skip
    """The application's answer, or 503 when it has not begun; what it says after that nobody hears."""
    begun, given_up = False, False

    async def say(event: dict[str, Any]) -> None:
        nonlocal begun
        begun = True
        if not given_up:
            await send(event)

    async def in_turn() -> None:
        address = (scope.get("client") or ("",))[0]
        async with turns.turn(address, scope["path"]):
            await application(scope, receive, say)

    work = asyncio.ensure_future(in_turn())
    try:
        await asyncio.wait([work], timeout=ANSWER_WITHIN)
        if begun or work.done():
            await work
            return
    except Crowded:
        await say_crowded(scope["path"], scope["method"], send)
        return
    except asyncio.CancelledError:
        work.cancel()
        raise
    given_up = True
    _left_behind.add(work)
    work.add_done_callback(_left_behind.discard)
    await _say_that_it_is_late(scope, send)


async def _say_that_it_is_late(scope: Scope, send: Send) -> None:
    request = ASGIRequest(scope, BytesIO())
    response = in_doubt(request, TooLate(f"no answer within {ANSWER_WITHIN:.0f} s"))
    marked(request, response)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    headers += [(b"set-cookie", cookie.OutputString().encode()) for cookie in response.cookies.values()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
