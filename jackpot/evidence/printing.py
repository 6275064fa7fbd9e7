"""A file of evidence on its way out: whatever stands in it, no browser runs or shows it under our address."""

from __future__ import annotations

from typing import Final

from django.http import HttpResponse
from django.utils.http import content_disposition_header

from jackpot.evidence.models import RequestEvidence, RoundEvidence
from jackpot.evidence.rules.evidence_file import MEDIA_TYPES, EvidenceKind, name_to_take

INERT: Final = "default-src 'none'; sandbox"


def evidence_to_take(row: RequestEvidence | RoundEvidence) -> HttpResponse:
    """To be saved, never opened in place: uploaded by one person, it is looked at by another with more rights."""
    kind = EvidenceKind(row.file.kind)
    headers = {
        "Content-Disposition": content_disposition_header(True, name_to_take(row.name, kind)) or "attachment",
        "Content-Security-Policy": INERT, "X-Content-Type-Options": "nosniff", "Cache-Control": "private, no-store",
    }  # fmt: skip
    return HttpResponse(bytes(row.file.content), content_type=MEDIA_TYPES[kind], headers=headers)
