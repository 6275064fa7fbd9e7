"""Evidence over the API: what a request rests on, added and taken."""

from __future__ import annotations

import base64
import binascii
from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.http import HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.exceptions import ParseError
from rest_framework.parsers import MultiPartParser
from rest_framework.request import Request as HttpRequest
from rest_framework.response import Response

from jackpot.evidence.actions.keep import add_evidence, checked_upload, take_evidence
from jackpot.evidence.models import RequestEvidence
from jackpot.evidence.printing import evidence_to_take
from jackpot.evidence.queries import evidence_of_request, one_evidence
from jackpot.evidence.rules.evidence_file import LARGEST_FILE, LONGEST_NAME, EvidenceUpload
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.signing.api import ThisRequest
from jackpot.web.api.doors import SmallJson

READS: Final = ("read_books", "adjust", "sign_adjustments", "configure", "people", "close_day")
ADDS: Final = ("adjust", "sign_adjustments", "configure", "people", "close_day")
LONGEST_CONTENT: Final = 4 * (LARGEST_FILE // 3 + 1)  # as base64
ROOM_BESIDE: Final = 65_536  # for the name, and for what multipart puts around a file


class JsonWithFile(SmallJson):
    """JSON that may hold a file of evidence as base64."""

    largest = LONGEST_CONTENT + ROOM_BESIDE


class EvidenceBody(JsonWithFile):
    """JSON with the file as base64, or a form with the file itself."""

    media_type = "*/*"

    def parse(self, stream: Any, media_type: Any = None, parser_context: Any = None) -> Any:
        if not str(media_type or "").startswith("multipart/form-data"):
            return super().parse(stream, media_type, parser_context)
        assert parser_context is not None, "the framework tells of which request the body is"
        # By the length that was announced: the parser takes a form to its end, and then it is too late to refuse its
        # size.
        length = str(parser_context["request"].META.get("CONTENT_LENGTH") or "")
        if not length.isdigit() or int(length) > LARGEST_FILE + ROOM_BESIDE:
            raise ParseError(f"A file of evidence has at most {LARGEST_FILE // 1024**2} MB.")
        return MultiPartParser().parse(stream, media_type, parser_context)


class EvidenceWord(serializers.Serializer[Any]):
    """A file: PDF, PNG, JPEG or plain text in UTF-8 (CSV too), at most 10 MiB."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    content = serializers.CharField(max_length=LONGEST_CONTENT, help_text="The file as base64.")


class EvidenceForm(serializers.Serializer[Any]):
    """The same as a form, as a browser sends it."""

    file = serializers.FileField()


class FileText(serializers.Serializer[Any]):
    """A file that is kept under its digest, and who added it."""

    sha256 = serializers.CharField(source="file_id")
    name = serializers.CharField()
    kind = serializers.CharField(source="file.kind", help_text="pdf, png, jpeg or text, by its first bytes.")
    size = serializers.IntegerField(source="file.size", help_text="Bytes.")
    added_by = serializers.CharField(source="added_by_name")
    added_at = serializers.DateTimeField()


class EvidenceText(FileText):
    """A file that a request rests on."""

    sealed = serializers.SerializerMethodField(help_text="Whether the request itself was asked for with this digest.")

    def get_sealed(self, row: RequestEvidence) -> bool:
        return row.file_id == row.request.file_sha256


class EvidencesText(serializers.Serializer[Any]):
    evidence = EvidenceText(many=True)


class EvidenceAnswer(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    evidence = EvidenceText()


def upload_sent(request: HttpRequest) -> EvidenceUpload:
    """Reading the body comes first: only then is it known which of the two it was."""
    told = request.data
    file = request.FILES.get("file")
    if file is not None:
        # One byte more than is kept: enough to know that it is too large, and nothing beyond it is read.
        return checked_upload(file.name or "", file.read(LARGEST_FILE + 1))
    form = EvidenceWord(data=told)
    form.is_valid(raise_exception=True)
    return upload_told(form.validated_data)


def upload_told(told: Mapping[str, str]) -> EvidenceUpload:
    """A file as JSON carries it."""
    try:
        # Without `validate` Python passes over what is no base64, and another file would be kept than was sent.
        content = base64.b64decode(told["content"], validate=True)
    except (binascii.Error, ValueError):
        raise NotUnderstood("content is no base64. Send the bytes of the file as base64.", "content") from None
    return checked_upload(told["name"], content)


def file_told(body: dict[str, Any]) -> EvidenceUpload | None:
    """The file that came along with an act, taken out of its words; None where none came."""
    told = body.pop("file", None)
    return None if told is None else upload_told(told)


class EvidenceOfRequest(ThisRequest):
    """The files that prove a request. A POST adds one; the same content twice is kept once."""

    serializer_class = EvidenceWord
    parser_classes = [EvidenceBody]
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READS, "POST": ADDS}

    @extend_schema(responses=EvidencesText, operation_id="evidence_list")
    def get(self, _: HttpRequest, **__: str) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        rows = evidence_of_request(self.row()).select_related("request")
        return Response({"evidence": EvidenceText(rows, many=True).data})

    @extend_schema(
        request={"application/json": EvidenceWord, "multipart/form-data": EvidenceForm},
        responses={201: EvidenceAnswer}, operation_id="evidence_add",
    )  # fmt: skip
    def post(self, request: HttpRequest, **_: str) -> Response:
        person: Any = request.user
        row = add_evidence(request=self.row(), upload=upload_sent(request), by=person)
        return Response({"ok": True, "evidence": EvidenceText(row).data}, status=201)


class OneEvidence(ThisRequest):
    """The file itself, to be saved; the trail says who took it."""

    serializer_class = EvidenceText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READS}

    @extend_schema(responses={(200, "application/octet-stream"): OpenApiTypes.BINARY}, operation_id="evidence_take")
    def get(self, request: HttpRequest, **_: str) -> HttpResponse:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        person: Any = request.user
        row = one_evidence(self.row(), self.kwargs["sha256"])
        if row is None:
            raise NotFound("There is no such evidence of this request.", "no_evidence")
        take_evidence(row=row, by=person)
        return evidence_to_take(row)
