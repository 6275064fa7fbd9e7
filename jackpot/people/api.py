from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.people import queries
from jackpot.people.actions.people import block_card
from jackpot.people.actions.presence import typed_here
from jackpot.people.actions.unlock import unlock_card
from jackpot.people.models import Card, Operator
from jackpot.web.api.doors import CodedAsked, Door, ListDoor, NumberedAsked, OneDoor

READERS: dict[str, tuple[str, ...]] = {"GET": ("people", "read_trail")}


class PersonText(serializers.Serializer[Any]):
    """A person of the house and the roles that say what they may do."""

    username = serializers.CharField()
    name = serializers.CharField()
    premises = serializers.CharField(source="premises.code", default=None, allow_null=True)
    roles = serializers.SerializerMethodField(help_text="Codes of the roles.")
    active = serializers.BooleanField(source="is_active")
    last_signed_in_at = serializers.DateTimeField(source="last_login", allow_null=True)

    def get_roles(self, person: Operator) -> list[str]:
        return sorted(role.code for role in person.roles.all())


class CardText(serializers.Serializer[Any]):
    """A card. Its number is not kept, so only the last four can be told."""

    number = serializers.IntegerField(source="id", help_text="Our own number of the card.")
    person = serializers.CharField(source="operator.username")
    last_four = serializers.CharField()
    level = serializers.SerializerMethodField(help_text="What counts now: dealer, supervisor or executive.")
    next_level = serializers.CharField(
        source="get_next_level_display", allow_null=True, help_text="Signed by two people; counts from that day on."
    )
    next_level_from = serializers.DateField(allow_null=True, help_text="A gaming day.")
    has_pin = serializers.SerializerMethodField()
    expires_on = serializers.DateField(allow_null=True)
    blocked_at = serializers.DateTimeField(allow_null=True)
    locked_at = serializers.DateTimeField(allow_null=True, help_text="Three wrong PINs lock a card.")

    def get_level(self, card: Card) -> str:
        return Card.Level(card.level_on(card.day_at(timezone.now()))).label

    def get_has_pin(self, card: Card) -> bool:
        return bool(card.pin_hash)


class BlockWord(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=200)


class WitnessCard(serializers.Serializer[Any]):
    card = serializers.CharField(max_length=200)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)


class UnlockWord(BlockWord):
    """An administrator needs only a reason; anybody else the cards of an executive and a second person."""

    cards = serializers.ListField(child=WitnessCard(), min_length=2, max_length=2, required=False)


class PeopleAsked(CodedAsked):
    order = serializers.ChoiceField(choices=["username", "-username"], default="username")
    role = serializers.RegexField(r"^[a-z_-]{1,20}$", required=False)


class CardsAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="id")
    last_four = serializers.RegexField(r"^[0-9A-Za-z]{4}$", required=False)


class People(ListDoor):
    """Who works here, in which roles."""

    serializer_class = PersonText
    verbs: ClassVar = READERS
    asks = PeopleAsked
    key = "username"

    def get_queryset(self) -> QuerySet[Operator]:
        rows = queries.people(self.request.user)
        return rows.filter(roles__code=self.asked["role"]) if "role" in self.asked else rows


class OnePerson(OneDoor):
    """One person."""

    serializer_class = PersonText
    verbs: ClassVar = READERS
    lookup_field = "username"

    def get_queryset(self) -> QuerySet[Operator]:
        return queries.people(self.request.user)


class Cards(ListDoor):
    """Cards with their level and state; last four only."""

    serializer_class = CardText
    verbs: ClassVar = READERS
    asks = CardsAsked
    key = "id"

    def get_queryset(self) -> QuerySet[Card]:
        rows = queries.cards(self.request.user)
        return rows.filter(last_four=self.asked["last_four"]) if "last_four" in self.asked else rows


class ThisCard(Door):
    """A door behind one card, by our own number of it."""

    verbs: ClassVar = {"POST": ("people", "approve")}

    def card(self) -> Card:
        return get_object_or_404(queries.cards(self.request.user), id=int(self.kwargs["id"]))


class BlockCard(ThisCard):
    """Blocks a card in one touch; it counts at once. Blocking it twice changes nothing."""

    serializer_class = BlockWord

    @extend_schema(request=BlockWord, responses=CardText)
    def post(self, request: Request, **_: str) -> Response:
        block_card(card=self.card(), why=self.sent_fields()["reason"], by=str(request.user))
        return Response(CardText(self.card()).data)


class UnlockCard(ThisCard):
    """Unlocks a card after three wrong PINs: an administrator, or another executive and a second person."""

    serializer_class = UnlockWord

    @extend_schema(request=UnlockWord, responses=CardText)
    def post(self, request: Request, **_: str) -> Response:
        told, person = self.sent_fields(), request.user
        assert isinstance(person, Operator), "the door let a person in"
        cards = [(each["card"], each["pin"]) for each in told.get("cards", ())]
        unlock_card(card=self.card(), why=told["reason"], by=person, cards=cards, source=typed_here(request))
        return Response(CardText(self.card()).data)
