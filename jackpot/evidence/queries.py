"""The files of a request or a round, the requests that still lack one, and what an export says of them."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC
from typing import Any, Final

from django.db.models import Exists, OuterRef, Q, QuerySet

from jackpot.evidence.models import EvidenceFile, RequestEvidence, RoundEvidence
from jackpot.evidence.rules.evidence_file import EvidenceKind, name_in_export
from jackpot.requests.models import Request
from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef

FOLDER: Final = "evidence"  # beside the file of an export


def evidence_of_request(request: Request) -> QuerySet[RequestEvidence]:
    """In the order in which they were added; the contents stay in the database until somebody takes one."""
    return RequestEvidence.objects.filter(request=request).select_related("file").defer("file__content")


def one_evidence(request: Request, sha256: str) -> RequestEvidence | None:
    """With its content."""
    return RequestEvidence.objects.filter(request=request, file_id=sha256).select_related("file", "request").first()


def lacks_evidence(request: Request) -> bool:
    """Whether the house asks for a file and none is there."""
    return request.premises.evidence_files and not RequestEvidence.objects.filter(request=request).exists()


def evidence_of_round(place: RoundRef) -> QuerySet[RoundEvidence]:
    """In the order in which they were added; the contents stay in the database until somebody takes one."""
    rows = RoundEvidence.objects.filter(table_code=place.table_code, round_number=place.round_number)
    return rows.select_related("file").defer("file__content")


def one_evidence_of_round(place: RoundRef, sha256: str) -> RoundEvidence | None:
    """With its content."""
    rows = RoundEvidence.objects.filter(table_code=place.table_code, round_number=place.round_number)
    return rows.filter(file_id=sha256).select_related("file").first()


def kept_evidence(jackpot_ids: Collection[int] | None) -> QuerySet[EvidenceFile]:
    """What the requests and hits of these jackpots rest on, or of all; without contents."""
    if jackpot_ids is None:
        return EvidenceFile.objects.defer("content").order_by("sha256")
    wins = Win.objects.filter(jackpot_id__in=jackpot_ids)
    return evidence_of(Request.objects.filter(jackpot_id__in=jackpot_ids), rounds_of(wins))


def rounds_of(wins: QuerySet[Win]) -> QuerySet[RoundEvidence]:
    """What was added to the rounds of these hits."""
    here = wins.filter(table_code=OuterRef("table_code"), round_number=OuterRef("round_number"))
    return RoundEvidence.objects.filter(Exists(here))


def evidence_of(requests: QuerySet[Request], rounds: QuerySet[RoundEvidence]) -> QuerySet[EvidenceFile]:
    """What these requests and rounds rest on; without contents."""
    asked = RequestEvidence.objects.filter(request__in=requests).values("file_id")
    used = Q(pk__in=asked) | Q(pk__in=rounds.values("file_id"))
    return EvidenceFile.objects.filter(used).defer("content").order_by("sha256")


def evidence_lines(files: QuerySet[EvidenceFile]) -> Iterator[dict[str, Any]]:
    """One line a file: its digest, under which name it lies beside the export, and whose it is."""
    for file in files.prefetch_related("uses", "round_uses"):
        yield {
            "line": "evidence", "sha256": file.sha256, "size": file.size,
            "file": name_in_export(file.sha256, EvidenceKind(file.kind)),
            "kept_at": file.kept_at.astimezone(UTC).isoformat(timespec="microseconds"),
            "requests": [{"request": use.request_id, "name": use.name} for use in file.uses.all()],
            "rounds": [
                {"round": str(RoundRef(use.table_code, use.round_number)), "name": use.name}
                for use in file.round_uses.all()
            ],
        }  # fmt: skip
