"""Where table controllers speak over HTTP, for the OpenAPI document.

The gateway in front of Django answers this address. Where it does not run (a management shell, a plain WSGI server)
the door says so, for a coin-in that nobody counts must never look counted.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from drf_spectacular.utils import OpenApiExample, OpenApiParameter, PolymorphicProxySerializer, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.web.api.access import ANYONE
from jackpot.web.api.doors import Door
from jackpot.web.api.refusals import RETRY_SECONDS, refusal
from tables.gateway.api.words import WORDS


class CountedText(serializers.Serializer[Any]):
    seats = serializers.ListField(child=serializers.IntegerField())
    total = serializers.CharField(required=False)


class TableAnswer(serializers.Serializer[Any]):
    """One answer per word, after the commit. Which fields it has depends on the word."""

    id = serializers.IntegerField(allow_null=True)
    ok = serializers.BooleanField(default=True)
    round = serializers.IntegerField(required=False)
    next_round = serializers.IntegerField(required=False)
    state = serializers.CharField(required=False)
    coin_in = CountedText(required=False)
    meters = serializers.DictField(child=serializers.CharField(), required=False)
    repeat = serializers.BooleanField(required=False, help_text="true: said before, counted once, the stored answer.")
    at = serializers.DateTimeField(required=False)


SIGNED: Final = [
    OpenApiParameter("X-Device", str, OpenApiParameter.HEADER, required=True, description="Code of the device."),
    OpenApiParameter("X-Time", str, OpenApiParameter.HEADER, required=True, description="ISO 8601; within 30 s."),
    OpenApiParameter("X-Sequence", int, OpenApiParameter.HEADER, required=True, description="Rises with each request."),
    OpenApiParameter(
        "X-Signature", str, OpenApiParameter.HEADER, required=True,
        description="HMAC-SHA256, hexadecimal, over method, path, X-Time, X-Sequence and the sha-256 of the body, "
        "one per line.",
    ),
]  # fmt: skip
EXAMPLES: Final = [
    OpenApiExample(
        "coin_in",
        {"id": 2, "do": "coin_in", "round": 118, "seats": [1, 2, 5], "spots": "1100100"},
        request_only=True,
    ),
    OpenApiExample("end", {"id": 3, "do": "end", "round": 118}, request_only=True),
    OpenApiExample(
        "counted",
        {
            "id": 2, "ok": True, "round": 118, "coin_in": {"seats": [1, 2, 5], "total": "3.00"},
            "meters": {"GRAND": "20003.50"}, "repeat": False,
        },
        response_only=True,
    ),
]  # fmt: skip


class Messages(Door):
    """What a table controller says, signed with the device's secret.

    The same words travel over the WebSocket `/ws/tables/<code>`. The act's name is (table, round, word): the same again
    gets the stored answer with `repeat: true`; the same name with other seats is a clash (409).
    """

    serializer_class = TableAnswer
    authentication_classes = []
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": (ANYONE,)}

    @extend_schema(
        operation_id="tables_messages",
        request=PolymorphicProxySerializer("TableWord", dict(WORDS), resource_type_field_name="do"),
        responses=TableAnswer,
        parameters=SIGNED,
        examples=EXAMPLES,
    )
    def post(self, _: Request, **__: str) -> Response:
        why = "The gateway for controllers does not run here; nothing was counted. Start the server with manage.py up."
        return refusal(503, "no_gateway", why, Retry_After=str(RETRY_SECONDS))
