from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from rest_framework import serializers

from jackpot.trail import queries
from jackpot.trail.models import Trail
from jackpot.trail.rules.objects import EXAMPLES, NotAnObject, ObjectRef, read_object
from jackpot.trail.rules.words import ACTS, OUTCOMES
from jackpot.web.api.doors import ListDoor, NumberedAsked
from jackpot.web.api.filters import MomentsAsked, PersonAsked, TotalsAsked, person_named

BOUNDS: Final = frozenset({"actor", "act", "subject", "object", "person", "since"})  # each with an index


class EventText(serializers.Serializer[Any]):
    """Who did or tried what, and what came of it."""

    number = serializers.IntegerField(source="id")
    at = serializers.DateTimeField()
    actor = serializers.CharField(help_text="The name of that moment.")
    person = serializers.IntegerField(source="person_id", allow_null=True, help_text="Key of the person, if one.")
    act = serializers.CharField()
    object = serializers.CharField(source="about", help_text="The thing, as the filter takes it; older lines: a text.")
    subject = serializers.CharField()
    outcome = serializers.CharField()
    why = serializers.CharField()
    details = serializers.DictField()


class EventsAsked(MomentsAsked, PersonAsked, TotalsAsked, NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")
    actor = serializers.CharField(max_length=80, required=False)
    act = serializers.CharField(max_length=40, required=False)
    subject = serializers.CharField(max_length=80, required=False)
    outcome = serializers.ChoiceField(choices=OUTCOMES, required=False)
    object = serializers.CharField(max_length=100, required=False, help_text=f"One thing: {EXAMPLES}.")

    def validate(self, attrs: Any) -> Any:
        """The trail of a house has millions of lines: what no index bounds is not counted while somebody waits."""
        asked = super().validate(attrs)
        if asked["totals"] and not BOUNDS & set(asked):
            raise serializers.ValidationError(
                f"Totals of the whole trail take too long. Say one of: {', '.join(sorted(BOUNDS))}."
            )
        return asked

    def validate_act(self, typed: str) -> str:
        """Nothing would answer a misspelt one, and nothing is what somebody who looks for it fears."""
        if typed in ACTS or queries.was_noted(typed):
            return typed
        like = [act for act in ACTS if typed in act] or get_close_matches(typed, ACTS, n=3)
        hint = f" Like it: {', '.join(like[:5])}." if like else ""
        raise serializers.ValidationError(f"No line has the act “{typed}”.{hint}")

    def validate_object(self, typed: str) -> ObjectRef:
        try:
            return read_object(typed)
        except NotAnObject as problem:
            raise serializers.ValidationError(str(problem)) from None


class Events(ListDoor):
    """The trail: every act, every refused try, what was seen, printed and taken home, newest first. `object` gives the
    history of one thing."""

    serializer_class = EventText
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": ("read_trail",)}
    asks = EventsAsked
    key = "id"
    sums: ClassVar[Mapping[str, str]] = {}  # lines are counted; no money stands in them

    def get_queryset(self) -> QuerySet[Trail]:
        rows = queries.trail(self.asked) & queries.trail_of(self.request.user)
        if "object" in self.asked:
            house = getattr(self.request.user, "premises_id", None)
            rows = rows.filter(queries.about_objects([self.asked["object"].of_house(house)]))
        if "person" in self.asked:
            rows = rows.filter(person=person_named(self.request.user, self.asked["person"]).pk)
        return rows
