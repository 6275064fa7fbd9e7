"""Webhooks over the API: listed with how far each has come, registered, paused, resumed, told again, retired."""

from __future__ import annotations

from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.programs.rules.token import LONGEST_NAME
from accounting.ways_out.actions import ask_way_out, asked_here
from accounting.webhooks.actions import registering
from accounting.webhooks.models import Webhook
from accounting.webhooks.queries import webhooks
from accounting.webhooks.rules.address import LONGEST_ADDRESS
from accounting.webhooks.rules.delivery_life import WebhookState
from accounting.webhooks.rules.signing import MOST_GRACE, USUAL_GRACE
from jackpot.people.api import BlockWord
from jackpot.people.models import Operator
from jackpot.property.queries import house_of
from jackpot.refusals import NotUnderstood
from jackpot.signing.api import RequestAnswer, asked_answer
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked, OneDoor
from jackpot.web.api.fields import LARGEST_KEY, OneOf, WholeNumber

READS: Final = ("people", "read_trail")
REGISTERS: Final = {"POST": ("people",)}


class WebhookText(serializers.Serializer[Any]):
    """A registered address: what it wants, and how far it has come. The secret is told once, when it is registered."""

    number = serializers.IntegerField(source="id", help_text="Our own number of the webhook.")
    name = serializers.CharField(help_text="The program behind the address.")
    premises = serializers.CharField(source="premises.code")
    address = serializers.CharField()
    kinds = serializers.ListField(child=serializers.CharField(), help_text="Whole topics or single acts of them.")
    state = OneOf("WebhookState", WebhookState)
    last_number = serializers.IntegerField(help_text="Every event up to it is delivered, or not wanted.")
    behind = serializers.IntegerField(help_text="Events of the feed that are still before it.")
    last_answer = serializers.CharField(allow_blank=True, help_text="What came of the last delivery, in words.")
    last_tried_at = serializers.DateTimeField(allow_null=True)
    delivered_at = serializers.DateTimeField(allow_null=True, help_text="When it last took something.")
    deliveries = serializers.IntegerField(help_text="How often it took something.")
    tries = serializers.IntegerField(help_text="Failures in a row.")
    failing_since = serializers.DateTimeField(allow_null=True)
    next_try_at = serializers.DateTimeField(help_text="Nothing is sent before this moment.")
    registered_by = serializers.CharField(source="registered_by.name")
    giver_dismissed = serializers.SerializerMethodField(help_text="Whoever registered it works here no more.")
    registered_at = serializers.DateTimeField()
    earlier_secret_until = serializers.DateTimeField(
        source="earlier_until",
        allow_null=True,
        help_text="Until then deliveries are signed with the secret before too.",
    )
    paused_at = serializers.DateTimeField(allow_null=True)
    retired_at = serializers.DateTimeField(allow_null=True)

    def get_giver_dismissed(self, row: Webhook) -> bool:
        return not row.registered_by.is_active


class NewWebhookText(WebhookText):
    secret = serializers.CharField(help_text="What deliveries are signed with. Shown this once.")


class WebhookWish(serializers.Serializer[Any]):
    name = serializers.CharField(max_length=LONGEST_NAME)
    address = serializers.CharField(max_length=LONGEST_ADDRESS, help_text="http or https.")
    kinds = serializers.ListField(
        child=serializers.CharField(max_length=40), help_text="books, requests, days, or one act such as books/award."
    )
    after = WholeNumber(
        min_value=0,
        max_value=LARGEST_KEY,
        required=False,
        help_text="Begin behind this number; without it from now on.",
    )
    reason = serializers.CharField(max_length=200)


class ReplayWord(BlockWord):
    after = WholeNumber(min_value=0, max_value=LARGEST_KEY, help_text="Everything behind this number is sent again.")


class RenewWord(BlockWord):
    grace_hours = WholeNumber(
        min_value=0, max_value=MOST_GRACE, default=USUAL_GRACE,
        help_text="So long the earlier secret signs beside the new one; 0: it ends at once.",
    )  # fmt: skip


class WebhooksAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")


class Webhooks(ListDoor):
    """The registered addresses, newest first; paused and retired ones too."""

    serializer_class = WebhookText
    verbs: ClassVar = {"GET": READS, **REGISTERS}
    asks = WebhooksAsked
    key = "id"

    def get_queryset(self) -> QuerySet[Webhook]:
        return webhooks(self.request.user)

    @extend_schema(
        request=WebhookWish, responses={201: RequestAnswer},
        examples=[OpenApiExample("Every award and payment, and every day that closes", request_only=True, value={
            "name": "General ledger", "address": "https://ledger.example/fairmeter", "reason": "Books awards at once",
            "kinds": ["books/award", "books/pay", "books/back_out", "days"],
        })],
    )  # fmt: skip
    def post(self, request: Request) -> Response:
        """Asks that events are sent there; another person signs at `requests/`, one of the two fetches the secret."""
        form = WebhookWish(data=request.data)
        form.is_valid(raise_exception=True)
        house, told = house_of(request.user), form.validated_data
        if house is None:
            raise NotUnderstood("There is no house here yet. Load a casino file first.", "no_house")
        after = told.get("after")
        wish = {"name": told["name"].strip(), "address": told["address"].strip(), "kinds": told["kinds"],
                "after": "" if after is None else str(after)}  # fmt: skip
        kind = registering.SendEvents()
        row = ask_way_out(kind=kind, premises=house, payload=wish, reason=told["reason"], by=_person(request))
        return asked_answer(request, row)


class FetchWebhook(Door):
    """The secret of an address that two people signed, once, to one of them; from then on events are sent."""

    verbs: ClassVar = {"POST": ("people",)}
    tells_once = ("secret",)

    @extend_schema(request=None, responses={201: NewWebhookText})
    def post(self, request: Request, **_: str) -> Response:
        person = _person(request)
        row = get_object_or_404(asked_here(registering.SendEvents.code, person), id=int(self.kwargs["id"]))
        return _told_once(request, registering.fetch_webhook(row=row, by=person), 201)


class OneWebhook(OneDoor):
    """One registered address, and how far it has come."""

    serializer_class = WebhookText
    verbs: ClassVar = {"GET": READS}
    lookup_field = "id"

    def get_queryset(self) -> QuerySet[Webhook]:
        return webhooks(self.request.user)


class WebhookAct(Door):
    """An act on one of the house's webhooks; answers how it stands then."""

    serializer_class = BlockWord
    verbs: ClassVar = REGISTERS

    def row(self) -> Webhook:
        return get_object_or_404(webhooks(self.request.user), id=int(self.kwargs["id"]))

    def answer(self, row: Webhook) -> Response:
        return Response(WebhookText(webhooks(self.request.user).get(pk=row.pk)).data)


class PauseWebhook(WebhookAct):
    """Sends nothing to it until it is resumed; events are kept."""

    @extend_schema(request=BlockWord, responses=WebhookText)
    def post(self, request: Request, **_: str) -> Response:
        return self.answer(registering.pause_webhook(row=self.row(), by=_person(request), **self.sent_fields()))


class ResumeWebhook(WebhookAct):
    """Goes on where it stopped, at once."""

    @extend_schema(request=BlockWord, responses=WebhookText)
    def post(self, request: Request, **_: str) -> Response:
        return self.answer(registering.resume_webhook(row=self.row(), by=_person(request), **self.sent_fields()))


class ReplayWebhook(WebhookAct):
    """Sends everything behind a number again, at once; with its own last number it is a try without waiting."""

    serializer_class = ReplayWord

    @extend_schema(request=ReplayWord, responses=WebhookText)
    def post(self, request: Request, **_: str) -> Response:
        return self.answer(registering.replay_webhook(row=self.row(), by=_person(request), **self.sent_fields()))


class RenewWebhook(WebhookAct):
    """Another secret in its place; the answer is the only one that tells it. Both sign until the grace is over."""

    serializer_class = RenewWord
    tells_once = ("secret",)

    @extend_schema(request=RenewWord, responses=NewWebhookText)
    def post(self, request: Request, **_: str) -> Response:
        made = registering.renew_secret(row=self.row(), by=_person(request), **self.sent_fields())
        return _told_once(request, made, 200)


class RetireWebhook(WebhookAct):
    """Sends nothing more to it, for good; another registration may begin where it ended."""

    @extend_schema(request=BlockWord, responses=WebhookText)
    def post(self, request: Request, **_: str) -> Response:
        return self.answer(registering.retire_webhook(row=self.row(), by=_person(request), **self.sent_fields()))


def _told_once(request: Request, made: registering.RegisteredWebhook, status: int) -> Response:
    row = webhooks(request.user).get(pk=made.row.pk)
    # Hung on for this one answer, which nothing between here and the reader may keep.
    row.secret = made.secret  # type: ignore[attr-defined]
    return Response(NewWebhookText(row).data, status=status, headers={"Cache-Control": "no-store"})


def _person(request: Request) -> Operator:
    person = request.user
    assert isinstance(person, Operator), "a token registers nothing"
    return person
