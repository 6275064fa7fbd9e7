"""Keys and seals over the API: how each stands, one put on the register, one move of two people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.property.queries import house_of
from jackpot.refusals import NotAllowedNow, NotFound
from jackpot.web.api.doors import Door
from jackpot.web.api.fields import WholeNumber
from tables.custody.actions import CustodyFacts, CustodyWords, OtherPerson, add_item, write_move
from tables.custody.queries import custody_items, standing_of
from tables.custody.rules import ADDS, MOST_HOURS, READS, WRITES, CustodyAct, CustodyKind, CustodyState, GuardedPlace

KINDS = [kind.value for kind in CustodyKind]
PLACES = [place.value for place in GuardedPlace]
CUSTODY_STATES = [state.value for state in CustodyState]
CUSTODY_ACTS = [act.value for act in CustodyAct]


class CustodyText(serializers.Serializer[Any]):
    """One key or seal as it stands."""

    code = serializers.CharField(source="item.code")
    kind = serializers.ChoiceField(source="item.kind", choices=KINDS)
    place = serializers.ChoiceField(source="item.place", choices=PLACES)
    where = serializers.CharField(source="item.where")
    holder = serializers.CharField(source="item.holder", help_text="Code of the role that takes it.")
    countersigner = serializers.CharField(source="item.countersigner", help_text="Code of the role beside it.")
    hours = serializers.IntegerField(source="item.hours", allow_null=True, help_text="Out for longer: it rings.")
    state = serializers.ChoiceField(choices=CUSTODY_STATES)
    seal = serializers.CharField(help_text="The number that is on, or was before it broke.")
    late = serializers.BooleanField()
    person = serializers.CharField(source="last.person_name", default="")
    second = serializers.CharField(source="last.second_name", default="")
    purpose = serializers.CharField(source="last.purpose", default="")
    at = serializers.DateTimeField(source="last.at", default=None, allow_null=True)
    due_at = serializers.DateTimeField(source="last.due_at", default=None, allow_null=True)


class CustodyList(serializers.Serializer[Any]):
    """The register of a house; its log is the report `custody`."""

    ok = serializers.BooleanField(default=True)
    things = CustodyText(many=True)


class CustodyAsked(serializers.Serializer[Any]):
    """A key or a seal to put on the register."""

    code = serializers.CharField(max_length=20)
    kind = serializers.ChoiceField(choices=KINDS)
    place = serializers.ChoiceField(choices=PLACES)
    where = serializers.CharField(max_length=60)
    holder = serializers.CharField(max_length=20)
    countersigner = serializers.CharField(max_length=20)
    hours = WholeNumber(min_value=1, max_value=MOST_HOURS, required=False, allow_null=True, default=None)


class CustodyMoveAsked(serializers.Serializer[Any]):
    """What happened, and how the other department shows to be there: card and PIN, or name and password."""

    act = serializers.ChoiceField(choices=CUSTODY_ACTS)
    purpose = serializers.CharField(max_length=120)
    old_seal = serializers.CharField(max_length=30, required=False, default="", allow_blank=True)
    new_seal = serializers.CharField(max_length=30, required=False, default="", allow_blank=True)
    card = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    username = serializers.CharField(max_length=60, required=False, default="", allow_blank=True)
    password = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


class CustodyRegister(Door):
    """Keys and seals of the house."""

    serializer_class = CustodyAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READS, "POST": (ADDS,)}

    @extend_schema(responses=CustodyList, operation_id="custody_list")
    def get(self, request: Request, **_: str) -> Response:
        """By their codes, each with its last move."""
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return _standing(request)

    @extend_schema(request=CustodyAsked, responses=CustodyList, operation_id="custody_add")
    def post(self, request: Request, **_: str) -> Response:
        """Puts one on the register; the answer is the register."""
        house, person = house_of(request.user), request.user
        if house is None:
            raise NotAllowedNow("There is no house here yet. Found one first.", "no_house")
        told = dict(self.sent_fields())
        facts = CustodyFacts(
            **{**told, "kind": CustodyKind(told["kind"]), "place": GuardedPlace(told["place"])}
        )  # fmt: skip
        by: Any = person
        add_item(premises=house, facts=facts, by=by)
        return _standing(request)


class CustodyMoves(Door):
    """What two people write down of one key or seal."""

    serializer_class = CustodyMoveAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": WRITES}

    @extend_schema(request=CustodyMoveAsked, responses=CustodyList, operation_id="custody_move")
    def post(self, request: Request, **_: str) -> Response:
        """Whoever is signed in and the other person; the answer is this one as it stands then."""
        told = dict(self.sent_fields())
        # Through the reader's own house: a code of another house is “not there”, as everywhere.
        row = custody_items(request.user).filter(code=self.kwargs["code"]).first()
        if row is None:
            raise NotFound("There is no such key or seal on the register of your house.", "no_custody")
        words = CustodyWords(CustodyAct(told["act"]), told["purpose"], told["old_seal"], told["new_seal"])
        shown = {name: told[name] for name in ("card", "pin", "username", "password")}
        by: Any = request.user
        write_move(
            item=row, words=words, by=by, other=OtherPerson(**shown, address=str(request.META.get("REMOTE_ADDR", "")))
        )
        return _standing(request, row.code)


def _standing(request: Request, code: str = "") -> Response:
    rows = custody_items(request.user)
    things = standing_of(rows.filter(code=code) if code else rows, timezone.now())
    return Response(CustodyList({"ok": True, "things": things}).data)
