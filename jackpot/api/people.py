from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from rest_framework import serializers

from jackpot import queries
from jackpot.api.doors import CodedAsked, ListDoor, NumberedAsked, OneDoor
from jackpot.models import Card, Operator

READERS: dict[str, tuple[str, ...]] = {"GET": ("people", "read_trail")}


class PersonText(serializers.Serializer[Any]):
    """A person of the house and the roles that say what they may do."""

    username = serializers.CharField()
    name = serializers.CharField()
    premises = serializers.CharField(source="premises.code", default=None)
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
    level = serializers.CharField(source="get_level_display", help_text="dealer, supervisor or executive.")
    has_pin = serializers.SerializerMethodField()
    expires_on = serializers.DateField(allow_null=True)
    blocked_at = serializers.DateTimeField(allow_null=True)

    def get_has_pin(self, card: Card) -> bool:
        return bool(card.pin_hash)


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
