"""Requests of every kind over the API: what waits, what was decided; signed, refused, taken back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request as HttpRequest
from rest_framework.response import Response

from jackpot.books.queries import laboratory_record
from jackpot.property.models.property import Property
from jackpot.requests.models import LONGEST_REASON, Request
from jackpot.requests.queries import requests, touched_by
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions import refuse, sign, withdraw
from jackpot.signing.actions.approver import Proof, SecondPerson, authenticate_approver
from jackpot.signing.actions.deciding import check_refuses
from jackpot.signing.actions.kinds import kind_of, known_kinds
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked, OneDoor
from jackpot.web.api.fields import OneOf
from jackpot.web.api.filters import MomentsAsked, PersonAsked, TotalsAsked, person_named, spans, wanted

SEES: Final = ("read_books", "adjust", "sign_adjustments", "configure", "people", "close_day")
DECIDES: Final = ("adjust", "sign_adjustments", "configure", "people", "close_day")


class ProofText(serializers.Serializer[Any]):
    """Proof of presence: an executive's card with its PIN, or the own password of who is signed in."""

    card = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    password = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


def proof_of(request: HttpRequest, given: Mapping[str, Any]) -> Proof:
    """What a body carries: a card with its PIN, or a password."""
    return Proof(given["card"], given["pin"], given["password"], str(request.META.get("REMOTE_ADDR", "")))


def approver_of(request: HttpRequest, proof: Mapping[str, Any], kind: str, premises: Property) -> SecondPerson:
    """Whoever proves to be there, for a request of this kind."""
    person: Any = request.user
    given, verbs = proof_of(request, proof), kind_of(kind).may_sign
    return authenticate_approver(operator=person, premises=premises, proof=given, verbs=verbs)


class ComparedText(serializers.Serializer[Any]):
    name = serializers.CharField()
    before = serializers.CharField()
    after = serializers.CharField()


class RequestText(serializers.Serializer[Any]):
    """What one person asked for and another decides, of whatever kind; a kind's own doors say more of it."""

    id = serializers.IntegerField()
    kind = serializers.CharField(help_text="adjust, transfer, terms, authority …")
    number = serializers.IntegerField(help_text="Its number at the doors of its kind; 0: they use the id.")
    state = OneOf("RequestStateText", RequestState)
    jackpot = serializers.CharField(source="jackpot.code", default=None, allow_null=True)
    reason = serializers.CharField()
    evidence = serializers.CharField()
    asked_by = serializers.CharField(source="asked_by_name")
    asked_at = serializers.DateTimeField()
    decided_by = serializers.CharField(source="decided_by_name")
    decided_at = serializers.DateTimeField(allow_null=True)
    decided_reason = serializers.CharField()
    withdrawn_by = serializers.CharField(source="withdrawn_by_name")
    withdrawn_at = serializers.DateTimeField(allow_null=True)
    withdrawn_reason = serializers.CharField()
    findings = serializers.ListField(child=serializers.DictField())
    changes = serializers.SerializerMethodField(help_text="What it would change: name, before, after.")
    entries = serializers.SerializerMethodField(help_text="What it wrote: GRAND/45.")

    @extend_schema_field(ComparedText(many=True))
    def get_changes(self, row: Request) -> Any:
        whole = kind_of(row.kind)
        return ComparedText(whole.compared(whole.rows().get(pk=row.pk)), many=True).data

    def get_entries(self, row: Request) -> list[str]:
        return [str(each) for each in row.entries.all()]


class WholeRequestText(RequestText):
    """One request, with what the laboratory said of it."""

    laboratory = serializers.SerializerMethodField(
        help_text="What the laboratory said when it was asked for, frozen with it: `form` and `digest` of the record, "
        "its questions and answers. Null where it was not asked, or has not answered yet."
    )

    @extend_schema_field(serializers.DictField(allow_null=True))
    def get_laboratory(self, row: Request) -> Any:
        return laboratory_record(row)


class RequestSignature(ProofText):
    """The second signature."""

    differences_seen = serializers.BooleanField(default=False, help_text="Back-out: both saw what later winners get.")


class RequestAnswer(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    request = RequestText()


def asked_answer(request: HttpRequest, row: Request) -> Response:
    """What was asked for at a kind's own door: the request, as all of them are told."""
    return Response({"ok": True, "request": RequestText(requests_of(request).get(pk=row.pk)).data}, status=201)


class RequestReason(serializers.Serializer[Any]):
    reason = serializers.CharField(max_length=LONGEST_REASON)


class RequestsAsked(MomentsAsked, PersonAsked, TotalsAsked, NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")
    state = serializers.ChoiceField(choices=[state.value for state in RequestState], required=False)
    kind = serializers.CharField(max_length=20, required=False)


def requests_of(request: HttpRequest) -> QuerySet[Request]:
    """Of the house and of the kinds that the roles of whoever looks open."""
    person: Any = request.user
    seen = [kind.code for kind in known_kinds() if kind.seen_by(person.verbs())]
    return requests(person).filter(kind__in=seen).prefetch_related("entries__jackpot")


class Requests(ListDoor):
    """Everything that one person asked for and another decides, newest first. `since` and `until` are of the asking;
    `person` asked, decided or took back."""

    serializer_class = RequestText
    asks = RequestsAsked
    key = "id"
    sums: ClassVar[Mapping[str, str]] = {}  # kinds of every sort: they are counted, not added up
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": SEES}

    def get_queryset(self) -> QuerySet[Request]:
        columns = {"state": "state", "kind": "kind", **spans(moment="asked_at")}
        rows = requests_of(self.request).filter(**wanted(self.asked, columns))
        if "person" in self.asked:
            rows = rows.filter(touched_by(person_named(self.request.user, self.asked["person"])))
        return rows


class OneRequest(OneDoor):
    """One request."""

    serializer_class = WholeRequestText
    lookup_field = "id"
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": SEES}

    def get_queryset(self) -> QuerySet[Request]:
        return requests_of(self.request)


class ThisRequest(Door):
    """A door behind one request."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": DECIDES}

    def row(self) -> Request:
        return get_object_or_404(requests_of(self.request), id=int(self.kwargs["id"]))

    def answered(self, row: Request) -> Response:
        return Response({"ok": True, "request": RequestText(requests_of(self.request).get(pk=row.pk)).data})


class SignRequest(ThisRequest):
    """Another person's word: computed again under the locks of its kind, and posted."""

    serializer_class = RequestSignature

    @extend_schema(request=RequestSignature, responses=RequestAnswer)
    def post(self, request: HttpRequest, **_: str) -> Response:
        row, given = self.row(), self.sent_fields()
        signs = approver_of(request, given, row.kind, row.premises)
        return self.answered(sign(request_id=row.pk, approver=signs, seen=given["differences_seen"]))


class RefuseRequest(ThisRequest):
    """The second person says no, and why."""

    serializer_class = RequestReason

    @extend_schema(request=RequestReason, responses=RequestAnswer)
    def post(self, request: HttpRequest, **_: str) -> Response:
        person: Any = request.user
        row = self.row()
        check_refuses(row, person)
        return self.answered(refuse(request_id=row.pk, reason=self.sent_fields()["reason"], by=person))


class WithdrawRequest(ThisRequest):
    """Whoever asked takes it back; what is signed and waits for its moment, anybody who may sign."""

    serializer_class = RequestReason

    @extend_schema(request=RequestReason, responses=RequestAnswer)
    def post(self, request: HttpRequest, **_: str) -> Response:
        person: Any = request.user
        return self.answered(withdraw(request_id=self.row().pk, reason=self.sent_fields()["reason"], by=person))
