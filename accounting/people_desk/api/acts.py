"""What one person who gives roles does at once: dismiss, end sessions, unlock a name."""

from __future__ import annotations

from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.people_desk.actions.access import end_sessions_of, unlock_name_of
from accounting.people_desk.actions.leaving import dismiss_everywhere
from jackpot.people.api import BlockWord
from jackpot.people.models import Operator
from jackpot.people.queries import people
from jackpot.web.api.doors import Door

ACTS: dict[str, tuple[str, ...]] = {"POST": ("people",)}


class DismissalText(serializers.Serializer[Any]):
    """What ended with the person's work here. Their name stays on every record."""

    person = serializers.CharField(source="person.username")
    sessions = serializers.IntegerField(help_text="Sign-ins that were open.")
    cards = serializers.ListField(child=serializers.CharField(), help_text="Last four of the cards blocked by this.")
    keys = serializers.ListField(child=serializers.CharField(), help_text="Keys that were out with the person.")


class EndedSessions(serializers.Serializer[Any]):
    ended = serializers.IntegerField()


class UnlockedName(serializers.Serializer[Any]):
    username = serializers.CharField()


class ThisPerson(Door):
    """A door behind one person of the own house."""

    serializer_class: Any = BlockWord
    verbs: ClassVar = ACTS

    def person(self) -> Operator:
        return get_object_or_404(people(self.request.user), username=self.kwargs["username"])

    def who(self) -> Operator:
        person = self.request.user
        assert isinstance(person, Operator), "the door let a person in"
        return person


class DismissPerson(ThisPerson):
    """Dismisses a person at once: sessions, cards, keys, badges and open words end with this call."""

    @extend_schema(request=BlockWord, responses=DismissalText)
    def post(self, request: Request, **_: str) -> Response:  # noqa: ARG002  the door's own form reads it
        ended = dismiss_everywhere(person=self.person(), why=self.sent_fields()["reason"], by=self.who())
        return Response(DismissalText(ended).data)


class EndSessions(ThisPerson):
    """Signs a person out everywhere. Whoever is signed out may sign in again."""

    @extend_schema(request=BlockWord, responses=EndedSessions)
    def post(self, request: Request, **_: str) -> Response:  # noqa: ARG002  the door's own form reads it
        ended = end_sessions_of(person=self.person(), why=self.sent_fields()["reason"], by=self.who())
        return Response(EndedSessions({"ended": ended}).data)


class UnlockName(ThisPerson):
    """Unlocks a name after five wrong passwords; the password stays what it was."""

    @extend_schema(request=BlockWord, responses=UnlockedName)
    def post(self, request: Request, **_: str) -> Response:  # noqa: ARG002  the door's own form reads it
        person = self.person()
        unlock_name_of(person=person, why=self.sent_fields()["reason"], by=self.who())
        return Response(UnlockedName(person).data)
