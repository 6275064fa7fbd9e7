from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers

from jackpot.trail import queries
from jackpot.trail.models import Trail
from jackpot.web.api.doors import ListDoor, NumberedAsked


class EventText(serializers.Serializer[Any]):
    """Who did or tried what, and what came of it."""

    number = serializers.IntegerField(source="id")
    at = serializers.DateTimeField()
    actor = serializers.CharField()
    act = serializers.CharField()
    subject = serializers.CharField()
    outcome = serializers.CharField()
    why = serializers.CharField()
    details = serializers.DictField()


class EventsAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")
    actor = serializers.CharField(max_length=80, required=False)
    act = serializers.CharField(max_length=40, required=False)
    subject = serializers.CharField(max_length=80, required=False)
    outcome = serializers.CharField(max_length=20, required=False)
    since = serializers.DateTimeField(required=False)
    until = serializers.DateTimeField(required=False)


class Events(ListDoor):
    """The trail: every act and every refused try, newest first."""

    serializer_class = EventText
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": ("read_trail",)}
    asks = EventsAsked
    key = "id"

    def get_queryset(self) -> QuerySet[Trail]:
        return queries.trail(self.asked)
