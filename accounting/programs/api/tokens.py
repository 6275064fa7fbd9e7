"""Tokens over the API: listed, asked for, fetched once two people signed, revoked at once."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.programs.actions.tokens import GiveToken, fetch_token, revoke_token
from accounting.programs.models import ProgramToken
from accounting.programs.queries import tokens
from accounting.programs.rules.token import LONGEST_NAME, SCOPES
from accounting.ways_out.actions import ask_way_out, asked_here
from jackpot.people.api import BlockWord
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.refusals import NotUnderstood
from jackpot.signing.api import RequestAnswer, asked_answer
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked
from jackpot.web.api.fields import CalendarDay


class TokenState(serializers.Serializer[Any]):
    """A token of a program. The token itself is told once, when it is given."""

    number = serializers.IntegerField(source="id", help_text="Our own number of the token.")
    prefix = serializers.CharField(help_text="How people and the trail call it.")
    name = serializers.CharField(help_text="The program that has it.")
    premises = serializers.CharField(source="premises.code")
    scopes = serializers.ListField(child=serializers.CharField(), help_text="What it may read.")
    state = serializers.SerializerMethodField(help_text="works, ended or revoked")
    given_by = serializers.CharField(source="given_by.name")
    shown_to = serializers.CharField(source="shown_to.name", default="", help_text="Who of the two people read it.")
    ended_with = serializers.CharField(source="ended_with.name", default="", help_text="Whose dismissal ended it.")
    giver_dismissed = serializers.SerializerMethodField(help_text="Whoever asked for it works here no more.")
    given_at = serializers.DateTimeField()
    ends_at = serializers.DateTimeField()
    revoked_at = serializers.DateTimeField(allow_null=True)
    last_used_at = serializers.DateTimeField(allow_null=True)
    uses = serializers.IntegerField(help_text="Requests that it opened.")

    def get_state(self, row: ProgramToken) -> str:
        return row.state_at(timezone.now())

    def get_giver_dismissed(self, row: ProgramToken) -> bool:
        return not row.given_by.is_active


class NewTokenText(TokenState):
    token = serializers.CharField(help_text="Shown this once.")


class TokenWish(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=LONGEST_NAME)
    scopes = serializers.ListField(child=serializers.CharField(max_length=40), help_text=f"Of: {', '.join(SCOPES)}.")
    last_day = CalendarDay(help_text="The last day on which it counts; at most one year from today.")
    reason = serializers.CharField(max_length=200)


class TokensAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")


class ProgramTokens(ListDoor):
    """The tokens of programs, newest first; ended and revoked ones too."""

    serializer_class = TokenState
    verbs: ClassVar = {"GET": ("people", "read_trail"), "POST": ("people",)}
    asks = TokensAsked
    key = "id"

    def get_queryset(self) -> QuerySet[ProgramToken]:
        return tokens(self.request.user)

    @extend_schema(
        request=TokenWish, responses={201: RequestAnswer},
        examples=[OpenApiExample("A business intelligence system", request_only=True, value={
            "name": "Business intelligence", "scopes": ["see", "read_books"], "last_day": "2027-06-30",
            "reason": "Nightly figures for the owners",
        })],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Asks that a program gets a token; another person signs it at `requests/`, and one of the two fetches it."""
        form = TokenWish(data=request.data)
        form.is_valid(raise_exception=True)
        person, house, told = request.user, house_of(request.user), form.validated_data
        assert isinstance(person, Operator), "a token gives no tokens"
        if house is None:
            raise NotUnderstood("There is no house here yet. Load a casino file first.", "no_house")
        wish = {"name": told["name"].strip(), "scopes": told["scopes"], "last_day": told["last_day"].isoformat()}
        row = ask_way_out(kind=GiveToken(), premises=house, payload=wish, reason=told["reason"], by=person)
        return asked_answer(request, row)


class FetchToken(Door):
    """The token that two people signed, once, to one of them; the answer is the only place that tells it."""

    verbs: ClassVar = {"POST": ("people",)}
    tells_once = ("token",)

    @extend_schema(request=None, responses={201: NewTokenText})
    def post(self, request: Request, **_: str) -> Response:
        person = request.user
        assert isinstance(person, Operator), "a token fetches no tokens"
        given = fetch_token(
            row=get_object_or_404(asked_here(GiveToken.code, person), id=int(self.kwargs["id"])), by=person
        )
        row = given.row
        # Hung on for this one answer; only its keyed hash is kept.
        row.token = given.written  # type: ignore[attr-defined]
        return Response(NewTokenText(row).data, status=201, headers={"Cache-Control": "no-store"})


class RevokeToken(Door):
    """Revokes a token at once; the next request with it is refused."""

    serializer_class = BlockWord
    verbs: ClassVar = {"POST": ("people",)}

    @extend_schema(request=BlockWord, responses=TokenState)
    def post(self, request: Request, **_: str) -> Response:
        person = request.user
        assert isinstance(person, Operator), "a token revokes no tokens"
        row = get_object_or_404(tokens(person), id=int(self.kwargs["id"]))
        revoke_token(row=row, reason=self.sent_fields()["reason"], by=person)
        return Response(TokenState(tokens(person).get(pk=row.pk)).data)
