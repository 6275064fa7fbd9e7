"""A request under a key of its own is done once: every door that changes something says so here, in one place.

Who keeps the answers is told at the start (`jackpot.answers.api`): this subject is below it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

HEADER: Final = "Idempotency-Key"
REPEATED: Final = "Idempotency-Repeated"
ACTING: Final = ("post", "put", "patch", "delete")
Keeper = Callable[[Any, Request, Callable[[], Any]], Any]
_keepers: Final[list[Keeper]] = []

MAY: Final = OpenApiParameter(
    HEADER, str, OpenApiParameter.HEADER,
    description="8 to 60 letters and digits of your own: the same for a repeat, which does nothing and hears what the "
    f"first was answered, with the header {REPEATED}.",
)  # fmt: skip


def answers_are_kept_by(keeper: Keeper) -> None:
    _keepers[:] = [keeper]


def acts_once(handler: Callable[..., Any]) -> Callable[..., Any]:
    """What a door does on POST, PUT, PATCH or DELETE, done once per key; who is let in is judged before."""

    @wraps(handler)
    def once(door: Any, request: Request, *args: Any, **kwargs: Any) -> Any:
        # A door that goes on to its own base is within the same request already.
        if getattr(door, "within_its_key", False) or not _keepers:
            return handler(door, request, *args, **kwargs)
        door.within_its_key = True
        return _keepers[0](door, request, lambda: handler(door, request, *args, **kwargs))

    once.acts_once = True  # type: ignore[attr-defined]
    return once


def said_again(said: Any, status: int) -> Response:
    """The answer of the first time; where it says of itself whether it is a repeat, it is one now."""
    told = {**said, "repeat": True} if isinstance(said, dict) and "repeat" in said else said
    return Response(told, status=status, headers={REPEATED: "true"})
