"""Who may approve what, over the API: what counts, what waits, other settings asked for, signed, refused, withdrawn."""

from __future__ import annotations

from typing import Any, ClassVar

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.authority import queries as authority_queries
from jackpot.authority.actions import asking, level
from jackpot.authority.actions.requests import VERBS
from jackpot.authority.models import AUTHORITY, AuthorityChange
from jackpot.people import queries as people_queries
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.property.rules.authority_change import LEVELS, SETTINGS, waiting
from jackpot.refusals import NotFound
from jackpot.requests.models import LONGEST_REASON
from jackpot.requests.rules.wire import AUTHORITY_STATES, wire_state
from jackpot.signing.actions import refuse, sign, withdraw
from jackpot.signing.api import ProofText, approver_of
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked

READS: dict[str, tuple[str, ...]] = {"GET": ("read_books", *VERBS)}


class HouseText(serializers.Serializer[Any]):
    """The settings that count now, and those that two people signed for a day to come."""

    property = serializers.CharField()
    gaming_day = serializers.DateField()
    settings = serializers.DictField(help_text=f"By name: {', '.join(SETTINGS)}.")
    waiting = serializers.ListField(child=serializers.DictField(), help_text="setting, value, from, change.")


class DiffersText(serializers.Serializer[Any]):
    setting = serializers.CharField()
    name = serializers.CharField(source="label")
    before = serializers.CharField(source="was")
    after = serializers.CharField(source="becomes")
    stricter = serializers.BooleanField(help_text="true: it counts with the second signature.")


class SaidText(serializers.Serializer[Any]):
    weight = serializers.ChoiceField(choices=["warning", "advice"])
    why = serializers.CharField(help_text="One sentence with its figures.")


class AuthorityLookText(serializers.Serializer[Any]):
    """What such settings would change, and what they would have meant for the last 25 wins."""

    ok = serializers.BooleanField(default=True)
    differences = DiffersText(many=True)
    findings = SaidText(many=True)


class AuthorityChangeText(serializers.Serializer[Any]):
    """A request for other authority, and what became of it."""

    number = serializers.IntegerField(help_text="1, 2, 3 … per property.")
    card = serializers.IntegerField(
        source="whose_id", allow_null=True, help_text="Our number of the card, if it is one."
    )
    state = serializers.SerializerMethodField()
    reason = serializers.CharField()
    differences = DiffersText(source="differs", many=True)
    findings = SaidText(many=True)
    asked_by = serializers.CharField()
    asked_at = serializers.DateTimeField()
    alone = serializers.BooleanField(help_text="A card lowered by one person.")
    decided_by = serializers.CharField(allow_null=True)
    decided_at = serializers.DateTimeField(allow_null=True)
    counts = serializers.SerializerMethodField(help_text="By setting: its first gaming day, or “at once”.")
    fallen = serializers.DictField(help_text="Settings that never counted: the change that took their place, or null.")
    why = serializers.SerializerMethodField(help_text="Why it was refused or withdrawn.")

    @extend_schema_field(serializers.ChoiceField(choices=list(AUTHORITY_STATES)))
    def get_state(self, change: AuthorityChange) -> str:
        return wire_state(AUTHORITY_STATES, change.state)

    def get_counts(self, change: AuthorityChange) -> dict[str, str]:
        return {step.setting: str(step.day or "at once") for step in change.signed_steps}

    def get_why(self, change: AuthorityChange) -> str:
        return change.withdrawn_reason or change.decided_reason


class AuthorityWish(serializers.Serializer[Any]):
    """Only what should differ: {"executive_threshold": "7500.00", "marker_may_verify": false}."""

    changes = serializers.DictField(help_text="Settings by name; what is not named stays.")
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, default="", allow_blank=True)


class LevelWish(serializers.Serializer[Any]):
    level = serializers.ChoiceField(choices=list(LEVELS.values()))
    reason = serializers.CharField(max_length=LONGEST_REASON)


class WhyNotText(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class NoWords(serializers.Serializer[Any]):
    """An empty body."""


class AuthorityChanged(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    change = AuthorityChangeText()


class AuthorityDoor(Door):
    """A door to the authority of the asker's house."""

    verbs: ClassVar = READS

    def house(self) -> Property:
        house = house_of(self.request.user)
        if house is None:
            raise NotFound("There is no house here yet. Load a casino file first.", "no_house")
        return house

    def person(self) -> Any:
        return self.request.user

    def answered(self, change: AuthorityChange, status: int = 200) -> Response:
        row = authority_queries.authority_changes(change.premises).get(pk=change.pk)
        return Response({"ok": True, "change": AuthorityChangeText(row).data}, status=status)


class Authority(AuthorityDoor):
    """The settings that count now and those that wait; a POST asks for other ones and changes nothing yet."""

    serializer_class = AuthorityWish
    verbs: ClassVar = {**READS, "POST": VERBS}

    @extend_schema(responses=HouseText)
    def get(self, _: Request) -> Response:
        """What counts now, and what waits with its day."""
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        house, now = self.house(), timezone.now()
        when = (now, house.gaming_day(now))
        waits = [
            {"setting": step.setting, "value": step.value, "from": str(step.day), "change": step.change}
            for step in waiting(house.authority_steps, *when)
        ]
        told = {"property": house.code, "gaming_day": when[1], "settings": house.authority_at(when), "waiting": waits}
        return Response(HouseText(told).data)

    @extend_schema(request=AuthorityWish, responses={201: AuthorityChanged})
    def post(self, _: Request) -> Response:
        """Asks for other settings; the preview is kept with the request."""
        told = self.sent_fields()
        change = asking.ask(
            premises=self.house(), wished=told["changes"], reason=told["reason"], by=self.person()
        )  # fmt: skip
        return self.answered(change, 201)


class AuthorityPreview(AuthorityDoor):
    """What other settings would have meant for the last wins, without asking for them."""

    serializer_class = AuthorityWish
    verbs: ClassVar = {"POST": VERBS}

    @extend_schema(request=AuthorityWish, responses=AuthorityLookText)
    def post(self, _: Request) -> Response:
        differing, found = asking.look_ahead(premises=self.house(), wished=self.sent_fields()["changes"])
        return Response(AuthorityLookText({"ok": True, "differences": differing, "findings": found}).data)


class AuthorityAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["number", "-number"], default="-number")
    state = serializers.ChoiceField(choices=list(AUTHORITY_STATES), required=False)


class AuthorityChanges(AuthorityDoor, ListDoor):
    """Every request for other authority and what became of it, newest first."""

    serializer_class = AuthorityChangeText
    verbs: ClassVar = READS
    asks = AuthorityAsked
    key = "number"

    def get_queryset(self) -> QuerySet[AuthorityChange]:
        rows = authority_queries.authority_changes(self.house())
        return rows.filter(state__in=AUTHORITY_STATES[self.asked["state"]]) if "state" in self.asked else rows


class ThisAuthorityChange(AuthorityDoor):
    """A door behind one request."""

    serializer_class: Any = NoWords
    verbs: ClassVar = {"POST": VERBS}

    def change(self) -> AuthorityChange:
        return get_object_or_404(authority_queries.authority_changes(self.house()), number=int(self.kwargs["change"]))


class OneAuthorityChange(ThisAuthorityChange):
    """One request."""

    serializer_class = AuthorityChangeText
    verbs: ClassVar = READS

    @extend_schema(responses=AuthorityChangeText)
    def get(self, _: Request, **__: str) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return Response(AuthorityChangeText(self.change()).data)


class ApproveAuthority(ThisAuthorityChange):
    """The second, different person's word: stricter settings count from now on, others from the next gaming day."""

    serializer_class = ProofText

    @extend_schema(request=ProofText, responses=AuthorityChanged, operation_id="authority_approve")
    def post(self, request: Request, **_: str) -> Response:
        signs = approver_of(request, self.sent_fields(), AUTHORITY, self.house())
        return self.answered(sign(request_id=self.change().pk, approver=signs))


class RefuseAuthority(ThisAuthorityChange):
    """The second person says no, and why."""

    serializer_class = WhyNotText

    @extend_schema(request=WhyNotText, responses=AuthorityChanged, operation_id="authority_refuse")
    def post(self, _: Request, **__: str) -> Response:
        why = self.sent_fields()["reason"]
        return self.answered(refuse(request_id=self.change().pk, reason=why, by=self.person()))


class WithdrawAuthority(ThisAuthorityChange):
    """Whoever asked takes it back; what waits for its day, anyone who may sign such changes."""

    serializer_class = WhyNotText

    @extend_schema(request=WhyNotText, responses=AuthorityChanged, operation_id="authority_withdraw")
    def post(self, _: Request, **__: str) -> Response:
        why = self.sent_fields()["reason"]
        return self.answered(withdraw(request_id=self.change().pk, reason=why, by=self.person()))


class CardLevel(AuthorityDoor):
    """Another level for one card: a raise is asked for and needs a second person, a lower level counts at once."""

    serializer_class = LevelWish
    verbs: ClassVar = {"POST": VERBS}

    @extend_schema(request=LevelWish, responses={201: AuthorityChanged})
    def post(self, _: Request, **__: str) -> Response:
        card: Card = get_object_or_404(people_queries.cards(self.request.user), id=int(self.kwargs["id"]))
        return self.answered(level.ask_level(card=card, by=self.person(), **self.sent_fields()), 201)
