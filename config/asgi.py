"""The ASGI application: table controllers first, signs through Channels, all else to Django."""

from __future__ import annotations

import os
import re
from functools import partial
from typing import Any

from django.core.asgi import get_asgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
pages: Any = get_asgi_application()

from channels.routing import URLRouter  # noqa: E402 - Django is set up first

import config.celery  # noqa: E402,F401 - tasks asked for by the web go to our broker
from config.bodies import WholeBodies  # noqa: E402
from config.deadline import answered_in_time  # noqa: E402
from config.long_poll import LongPoll  # noqa: E402
from config.turns import CallersInTurn  # noqa: E402
from launcher.straight import STRAIGHT  # noqa: E402
from tables.gateway.asgi import Receive, Scope, Send  # noqa: E402
from tables.gateway.gateway import Beside, Gateway  # noqa: E402
from tables.signs.routing import websocket_urlpatterns  # noqa: E402

# Matched before the router is asked: for what it does not know it has no word but a fault of ours.
ONE_SIGN = re.compile(r"/ws/signs/[^/]+")


class Application:
    """Sends each scope to its door; opens and closes what lives as long as the server."""

    def __init__(self) -> None:
        self._signs: Any = URLRouter(list[Any](websocket_urlpatterns))
        self._gateway: Gateway | None = None
        self._beside: Beside | None = None
        self._turns, self._bodies = CallersInTurn(), WholeBodies()
        self._feed = LongPoll()

    def work_beside(self) -> None:
        """For whoever serves with two processors: to be called before anything else lives in this process."""
        self._beside = Beside.begin()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan":
            await self._live(scope, receive, send)
            return
        if self._gateway is None:
            self._open(None)
        assert self._gateway is not None
        if self._gateway.takes(scope):
            await self._gateway(scope, receive, send)
        elif scope["type"] == "websocket" and ONE_SIGN.fullmatch(scope["path"]):
            await self._signs(scope, receive, send)
        elif scope["type"] == "websocket":
            await send({"type": "websocket.close", "code": 4404, "reason": "Nothing speaks here."})
        elif self._feed.takes(scope):
            await self._feed(partial(answered_in_time, pages, self._turns, self._bodies), scope, receive, send)
        else:
            await answered_in_time(pages, self._turns, self._bodies, scope, receive, send)

    def _open(self, state: dict[str, Any] | None) -> None:
        """What lives as long as the server; where it keeps a state it learns there who takes messages straight."""
        # Of this server: their waits are those of its loop.
        self._turns, self._bodies, self._feed = CallersInTurn(), WholeBodies(), LongPoll()
        self._gateway = Gateway(self._beside)
        self._gateway.start()
        if state is not None:
            state[STRAIGHT] = self._gateway.straight

    async def _live(self, scope: Scope, receive: Receive, send: Send) -> None:
        await receive()
        self._open(scope.get("state"))
        await send({"type": "lifespan.startup.complete"})
        await receive()
        if self._gateway is not None:
            await self._gateway.close()
            self._gateway = None
            (scope.get("state") or {}).pop(STRAIGHT, None)
        await send({"type": "lifespan.shutdown.complete"})


application = Application()
