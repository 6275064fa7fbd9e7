"""Is it alive, and is it ready? For load balancers and for people with a terminal."""

from __future__ import annotations

from typing import Any, ClassVar

from django.utils import timezone
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.books.actions.holding import held_now
from jackpot.books.queries import stopped_jackpots
from jackpot.database.heartbeat import heartbeat
from jackpot.errands.queries import overdue_errands
from jackpot.trail.actions.standing import why_silent
from jackpot.web.api.access import ANYONE
from jackpot.web.api.doors import Door


class PulseText(serializers.Serializer[Any]):
    ok = serializers.BooleanField()


class Health(Door):
    """This process answers. Says nothing about the database."""

    serializer_class = PulseText
    # A balancer signs in nowhere.
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
    held = serializers.ListField(
        child=serializers.CharField(),
        help_text="Jackpots whose books other work holds just now; their tables are told to come again.",
    )
    why = serializers.CharField(help_text="Why it is not ready, in a sentence; empty if it is.")


class Ready(Door):
    """Commits come through (one was written just now); until then a balancer should send people elsewhere (503)."""

    serializer_class = ReadyText
    authentication_classes = []
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": (ANYONE,)}

    def get(self, _: Request) -> Response:
        why = heartbeat.trouble() or why_silent()
        if why:
            # Nothing more is asked of a database that does not answer: what this process knows itself is all that is
            # told.
            told = {"ok": False, "overdue": [], "stopped": [], "held": sorted(held_now()), "why": why}
            return Response(told, status=503, headers={"Retry-After": "2"})
        overdue = list(overdue_errands(timezone.now()).values_list("code", flat=True))
        stopped = [each.code for each in stopped_jackpots()]
        told = {"ok": True, "overdue": overdue, "stopped": stopped, "held": sorted(held_now()), "why": ""}
        return Response(told)
