"""The files of a request, and the requests that still lack one."""

from __future__ import annotations

from collections.abc import Collection
from typing import Any

from django.db.models import QuerySet

from jackpot.evidence.models import EvidenceFile, RequestEvidence
from jackpot.requests.models import Request


def evidence_of(request: Request) -> QuerySet[RequestEvidence]:
    """In the order in which they were added; the contents stay in the database until somebody takes one."""
    return RequestEvidence.objects.filter(request=request).select_related("file").defer("file__content")


def one_evidence(request: Request, sha256: str) -> RequestEvidence | None:
    """With its content."""
    return RequestEvidence.objects.filter(request=request, file_id=sha256).select_related("file", "request").first()


def lacks_evidence(request: Request) -> bool:
    """Whether the house asks for a file and none is there."""
    return request.premises.evidence_files and not RequestEvidence.objects.filter(request=request).exists()


def kept_evidence(jackpot_ids: Collection[int] | None) -> QuerySet[EvidenceFile]:
    """What the requests of these jackpots rest on, or of all; without contents."""
    rows: QuerySet[Any] = EvidenceFile.objects.all()
    if jackpot_ids is not None:
        rows = rows.filter(uses__request__jackpot_id__in=jackpot_ids).distinct()
    return rows.defer("content").order_by("sha256")
