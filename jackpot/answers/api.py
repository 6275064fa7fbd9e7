"""A request that moves something names itself: its repeat hears the stored answer, and nothing happens twice."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.answers.actions import answered, one_asking, remember
from jackpot.answers.rules import check_key

KEY: Final = OpenApiParameter(
    "Idempotency-Key", str, OpenApiParameter.HEADER, required=True,
    description="8 to 60 letters and digits of your own; a repeat with the same key hears the stored answer.",
)  # fmt: skip


def answer_once(request: Request, asked: Mapping[str, Any], work: Callable[[], dict[str, Any]]) -> Response:
    """Does it once per Idempotency-Key; of two at the same moment the second hears what the first was told."""
    actor, key = request.user.username, request.headers.get("Idempotency-Key", "")
    check_key(key)
    with one_asking(actor=actor, key=key):
        known = answered(actor=actor, key=key, asked=asked)
        if known is not None:
            return Response(known)
        answer = {"ok": True, **work()}
        # Behind the act's commit: what was rolled back must never be told as done.
        remember(actor=actor, key=key, asked=asked, answer=answer)
    return Response({**answer, "repeat": False})
