"""The little of ASGI that the gateway needs."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any, Final

from tables.gateway.messages import LARGEST_MESSAGE

Scope = MutableMapping[str, Any]
Event = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[Event]]
Send = Callable[[Event], Awaitable[None]]

_JSON: Final = (b"content-type", b"application/json")
_NOT_KEPT: Final = (b"cache-control", b"no-store")


async def read_body(scope: Scope, receive: Receive) -> bytes | None:
    """The joined body, or None when it is larger than a message may be; nothing beyond that is kept."""
    announced = dict(scope["headers"]).get(b"content-length", b"0")
    # By the announced length first: a large body is refused before it is read.
    if announced.isdigit() and int(announced) > LARGEST_MESSAGE:
        return None
    event = await receive()
    body: bytes = event.get("body", b"")
    if not event.get("more_body"):
        return body if len(body) <= LARGEST_MESSAGE else None
    parts, size = [body], len(body)
    while event.get("more_body") and size <= LARGEST_MESSAGE:
        event = await receive()
        parts.append(event.get("body", b""))
        size += len(parts[-1])
    return b"".join(parts) if size <= LARGEST_MESSAGE else None


def headers_of(status: int, body: bytes) -> list[tuple[bytes, bytes]]:
    headers = [_JSON, (b"content-length", b"%d" % len(body)), _NOT_KEPT]
    if status == 503:
        headers.append((b"retry-after", b"1"))
    return headers


async def respond(send: Send, status: int, body: bytes) -> None:
    await send({"type": "http.response.start", "status": status, "headers": headers_of(status, body)})
    await send({"type": "http.response.body", "body": body})
