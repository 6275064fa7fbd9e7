"""The signs' peer: Channels' own group_send on the in-memory layer, the same words four times a second.

uvicorn proving.bench.broadcast:application
"""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from channels.generic.websocket import AsyncWebsocketConsumer
from channels.layers import get_channel_layer
from django.conf import settings

GAP: Final = 0.25
GROUP: Final = "signs"

settings.configure(
    SECRET_KEY="measured on loopback and thrown away",
    CHANNEL_LAYERS={"default": {"BACKEND": "channels.layers.InMemoryChannelLayer"}},
)


def words(version: int) -> str:
    """As long as the product's words for one meter."""
    lines = [
        {"name": "Royal flush", "pays": "100 %"},
        {"name": "Straight flush", "pays": "10 %"},
        {"name": "Four of a kind", "pays": "300 for 1"},
    ]
    meter = {
        "code": "GRAND", "name": "Grand", "version": version, "amount": "20001.40", "reason": "coin_in", "limit": None,
        "lines": lines,
    }  # fmt: skip
    return json.dumps(
        {
            "scene": 1,
            "at": "2026-01-01T00:00:00.000000Z",
            "meters": [meter],
            "verifying": [],
            "won": None,
            "fault": None,
        }
    )


class PeerSign(AsyncWebsocketConsumer):
    async def connect(self) -> None:
        await self.channel_layer.group_add(GROUP, self.channel_name)
        await self.accept()

    async def meters(self, event: dict[str, Any]) -> None:
        await self.send(text_data=event["words"])


async def tell() -> None:
    layer, version = get_channel_layer(), 0
    assert layer is not None
    while True:
        version += 1
        await layer.group_send(GROUP, {"type": "meters", "words": words(version)})
        await asyncio.sleep(GAP)


class PeerApplication:
    """One task tells, however many signs listen."""

    def __init__(self) -> None:
        self._sign: Any = PeerSign.as_asgi()
        self._telling: asyncio.Task[None] | None = None

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "lifespan":
            await receive()
            self._telling = asyncio.create_task(tell())
            await send({"type": "lifespan.startup.complete"})
            await receive()
            self._telling.cancel()
            await send({"type": "lifespan.shutdown.complete"})
        elif scope["type"] == "websocket":
            await self._sign(scope, receive, send)


application = PeerApplication()
