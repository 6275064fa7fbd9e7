"""The files of a request, the requests that still lack one, and what an export says of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC
from typing import Any, Final

from django.db.models import QuerySet

from jackpot.evidence.models import EvidenceFile, RequestEvidence
from jackpot.evidence.rules.evidence_file import EvidenceKind, name_in_export
from jackpot.requests.models import Request

FOLDER: Final = "evidence"  # beside the file of an export


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


def evidence_of_requests(requests: QuerySet[Request]) -> QuerySet[EvidenceFile]:
    """What these requests rest on; without contents."""
    return EvidenceFile.objects.filter(uses__request__in=requests).distinct().defer("content").order_by("sha256")


def evidence_lines(files: QuerySet[EvidenceFile]) -> Iterator[dict[str, Any]]:
    """One line a file: its digest, under which name it lies beside the export, and whose it is."""
    for file in files.prefetch_related("uses"):
        yield {
            "line": "evidence", "sha256": file.sha256, "size": file.size,
            "file": name_in_export(file.sha256, EvidenceKind(file.kind)),
            "kept_at": file.kept_at.astimezone(UTC).isoformat(timespec="microseconds"),
            "requests": [{"request": use.request_id, "name": use.name} for use in file.uses.all()],
        }  # fmt: skip
