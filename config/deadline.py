"""No caller is left without a word: an answer that has not begun in time is “not sure”; the work goes on behind it.

The database ends what takes too long, but a commit that waits for a standby it leaves alone. So do we: cancelled, it
would be believed. The thread finishes, and whoever says it again hears what came of it.
"""

from __future__ import annotations

import asyncio
from io import BytesIO
from typing import Any, Final

from django.core.handlers.asgi import ASGIRequest

from config.bodies import WholeBodies
from config.turns import CallersInTurn, Crowded, say_crowded
from jackpot.web.pages.certain import UNSURE, marked
from jackpot.web.pages.errors import in_doubt
from jackpot.web.rules.doubt import READING
from tables.gateway.asgi import Receive, Scope, Send

ANSWER_WITHIN: Final = 45.0  # seconds, below what proxies and browsers wait
LOOK_WITHIN: Final = 10.0  # of who was told “not sure” and looks what came of it: it has to be certain, and asks anew
_left_behind: set[asyncio.Task[None]] = set()


class TooLate(Exception):
    """Nobody knows yet what comes of it."""


async def answered_in_time(
    application: Any, turns: CallersInTurn, bodies: WholeBodies, scope: Scope, receive: Receive, send: Send
) -> None:
    """The application's answer to what was sent; until that is there nothing is begun, and no time runs but its own."""
    try:
        async with bodies.whole(scope, receive) as whole:
            if whole is not None:
                await _answered(application, turns, scope, whole, send)
    except Crowded:
        await say_crowded(scope["path"], scope["method"], send)


async def _answered(application: Any, turns: CallersInTurn, scope: Scope, receive: Receive, send: Send) -> None:
    """The application's answer, or 503 when it has not begun; what it says after that nobody hears."""
    begun, given_up = False, False
    within = LOOK_WITHIN if _looks_again(scope) else ANSWER_WITHIN

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
        await asyncio.wait([work], timeout=within)
        if begun or work.done():
            await work
            return
    except asyncio.CancelledError:
        work.cancel()
        raise
    given_up = True
    _left_behind.add(work)
    work.add_done_callback(_left_behind.discard)
    await _say_that_it_is_late(scope, send, within)


def _looks_again(scope: Scope) -> bool:
    mark = f"{UNSURE}=".encode()
    return scope["method"] in READING and any(name == b"cookie" and mark in words for name, words in scope["headers"])


async def _say_that_it_is_late(scope: Scope, send: Send, within: float) -> None:
    request = ASGIRequest(scope, BytesIO())
    response = in_doubt(request, TooLate(f"no answer within {within:.0f} s"))
    marked(request, response)
    headers = [(name.lower().encode(), value.encode()) for name, value in response.items()]
    headers += [(b"set-cookie", cookie.OutputString().encode()) for cookie in response.cookies.values()]
    await send({"type": "http.response.start", "status": response.status_code, "headers": headers})
    await send({"type": "http.response.body", "body": response.content})
