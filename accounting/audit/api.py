"""Proofs and parcels for programs. The trail itself is under events/."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import HttpResponseBase, StreamingHttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.audit.actions import runs
from accounting.audit.models import AuditKind
from accounting.audit.queries.figures import runs_of
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.refusals import NotAllowed, NotFound
from jackpot.trail.queries import READS_TRAIL
from jackpot.web.api.doors import AsItComes, Door
from jackpot.web.api.fields import CalendarDay

READS: Mapping[str, tuple[str, ...]] = {"GET": (READS_TRAIL,), "POST": (READS_TRAIL,)}
LATEST = 100


class AuditRunText(serializers.Serializer[Any]):
    """Work of the worker's for an auditor, and what came of it."""

    number = serializers.IntegerField(source="id")
    kind = serializers.ChoiceField(choices=["proof", "parcel"])
    state = serializers.ChoiceField(choices=["asked", "working", "done", "failed"])
    first = serializers.DateField(allow_null=True, help_text="Of a parcel: its first gaming day.")
    last = serializers.DateField(allow_null=True)
    asked_at = serializers.DateTimeField()
    asked_by = serializers.CharField(allow_null=True, source="asked_by.username", default=None)
    done_at = serializers.DateTimeField(allow_null=True)
    percent = serializers.IntegerField()
    findings = serializers.IntegerField()
    sentence = serializers.CharField()
    size = serializers.IntegerField()
    sha256 = serializers.CharField(help_text="Of a parcel: the digest of its manifest.")
    file_gone_at = serializers.DateTimeField(allow_null=True)


class ParcelWish(serializers.Serializer[Any]):
    first = CalendarDay(help_text="First gaming day.")
    last = CalendarDay(help_text="Last gaming day.")


class AuditDoor(Door):
    """What auditing doors share: one house, and for parcels the books as well."""

    serializer_class = AuditRunText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READS
    kind: ClassVar[AuditKind]

    def house(self) -> Property:
        reader: Any = self.request.user
        # Who reads the trail alone may have a proof made, which tells no balance; a parcel holds them all.
        if self.kind == AuditKind.PARCEL and "read_books" not in reader.verbs():
            raise NotAllowed(
                "A parcel holds the books; your roles read the trail only. An administrator can change it."
            )
        found = house_of(self.request.user)
        if found is None:
            raise NotFound("There is no property yet. Load a casino file first.")
        return found

    def person(self) -> Operator:
        person = self.request.user
        if not isinstance(person, Operator):
            raise NotAllowed("A parcel bears the name of who took it home. Sign in to take it; a program cannot.")
        return person

    def listed(self) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return Response(AuditRunText(runs_of(self.house(), self.kind)[:LATEST], many=True).data)


class Proofs(AuditDoor):
    """Proofs of the books, newest first; POST asks the worker for one, or answers with the one under way."""

    kind = AuditKind.PROOF

    @extend_schema(responses=AuditRunText(many=True), operation_id="audit_proofs")
    def get(self, _: Request) -> Response:
        return self.listed()

    @extend_schema(request=None, responses={202: AuditRunText}, operation_id="audit_proofs_ask")
    def post(self, _: Request) -> Response:
        return Response(AuditRunText(runs.ask_for_proof(house=self.house(), by=self.person())).data, status=202)


class Parcels(AuditDoor):
    """Parcels of a period, newest first; POST asks the worker for one of these gaming days."""

    kind = AuditKind.PARCEL

    @extend_schema(responses=AuditRunText(many=True), operation_id="audit_parcels")
    def get(self, _: Request) -> Response:
        return self.listed()

    @extend_schema(request=ParcelWish, responses={202: AuditRunText}, operation_id="audit_parcels_ask")
    def post(self, request: Request) -> Response:
        house, wish = self.house(), ParcelWish(data=request.data)
        wish.is_valid(raise_exception=True)
        run = runs.ask_for_parcel(house=house, by=self.person(), **wish.validated_data)
        return Response(AuditRunText(run).data, status=202)


class ParcelFile(AuditDoor):
    """The ZIP of a parcel; the trail says who took it along."""

    kind = AuditKind.PARCEL
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": (READS_TRAIL,)}
    content_negotiation_class = AsItComes

    @extend_schema(
        request=None, responses={(200, "application/zip"): OpenApiTypes.BINARY}, operation_id="audit_parcels_take"
    )
    def post(self, _: Request, id: str) -> HttpResponseBase:  # noqa: A002 - the address calls it so
        run = runs_of(self.house(), self.kind).filter(pk=int(id)).first()
        if run is None:
            raise NotFound(f"There is no parcel {id}. GET /api/v1/audit/parcels/ lists them.")
        path = runs.take_parcel(run=run, by=self.person())
        headers = {"Content-Disposition": f'attachment; filename="{path.name}"'}
        return StreamingHttpResponse(runs.file_parts(path), content_type="application/zip", headers=headers)
