"""Evidence of a round's hits over the API: added with a claim or an override, or here; taken from here."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.evidence.actions.of_round import ADDERS, add_to_round, take_from_round
from jackpot.evidence.api import EvidenceBody, EvidenceForm, EvidenceWord, FileText, upload_sent
from jackpot.evidence.printing import evidence_to_take
from jackpot.evidence.queries import evidence_of_round, one_evidence_of_round
from jackpot.refusals import NotFound
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.api.hits import ThisRound

READS: Final = ("read_books", *sorted(ADDERS))


class FilesText(serializers.Serializer[Any]):
    evidence = FileText(many=True)


class FileAnswer(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    evidence = FileText()


class EvidenceOfRound(ThisRound):
    """The files that prove the hits of a round. A POST adds one; the same content twice is kept once."""

    serializer_class = EvidenceWord
    parser_classes = [EvidenceBody]
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READS, "POST": tuple(sorted(ADDERS))}

    @extend_schema(responses=FilesText, operation_id="round_evidence_list")
    def get(self, _: Request, **__: str) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return Response({"evidence": FileText(evidence_of_round(RoundRef(**self.place())), many=True).data})

    @extend_schema(
        request={"application/json": EvidenceWord, "multipart/form-data": EvidenceForm},
        responses={201: FileAnswer}, operation_id="round_evidence_add",
    )  # fmt: skip
    def post(self, request: Request, **_: str) -> Response:
        person: Any = request.user
        row = add_to_round(place=RoundRef(**self.place()), upload=upload_sent(request), by=person)
        return Response({"ok": True, "evidence": FileText(row).data}, status=201)


class OneFileOfRound(ThisRound):
    """The file itself, to be saved; the trail says who took it."""

    serializer_class = FileText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READS}

    @extend_schema(
        responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}, operation_id="round_evidence_take"
    )
    def get(self, request: Request, **_: str) -> HttpResponse:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        person: Any = request.user
        row = one_evidence_of_round(RoundRef(**self.place()), self.kwargs["sha256"])
        if row is None:
            raise NotFound("There is no such evidence of this round.", "no_evidence")
        take_from_round(row=row, by=person)
        return evidence_to_take(row)
