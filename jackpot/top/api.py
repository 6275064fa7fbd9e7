"""Is it alive, and is it ready? For load balancers and for people with a terminal."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db import connection
from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.books.queries import differing_rows
from jackpot.errands.queries import overdue_errands
from jackpot.web.api.access import ANYONE
from jackpot.web.api.doors import Door


class PulseText(serializers.Serializer[Any]):
    ok = serializers.BooleanField()


class Health(Door):
    """This process answers. Says nothing about the database."""

    serializer_class = PulseText
    authentication_classes = []
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": (ANYONE,)}

    def get(self, _: Request) -> Response:
        return Response({"ok": True})


class ReadyText(PulseText):
    overdue = serializers.ListField(
        child=serializers.CharField(),
        help_text="Work that comes round and that nobody did, such as “publish heads”: call somebody.",
    )
    stopped = serializers.ListField(
        child=serializers.CharField(),
        help_text="Jackpots that stand still because their row is not what their last entry says.",
    )


class Ready(Door):
    """The database answers and takes writes; until then a balancer should send people elsewhere (503)."""

    serializer_class = ReadyText
    authentication_classes = []
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": (ANYONE,)}

    def get(self, _: Request) -> Response:
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_is_in_recovery()")
            row = cursor.fetchone()
        writable = row is not None and not row[0]
        overdue = list(overdue_errands(timezone.now()).values_list("code", flat=True))
        stopped = [each.code for each in differing_rows()]
        told = {"ok": writable, "overdue": overdue, "stopped": stopped}
        return Response(told, status=200 if writable else 503)
