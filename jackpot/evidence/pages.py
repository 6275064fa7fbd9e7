"""A file is added to a request on its page, and taken from there."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.views.decorators.cache import never_cache

from jackpot.evidence.actions.keep import add_evidence, checked_upload, take_evidence
from jackpot.evidence.printing import evidence_to_take
from jackpot.evidence.queries import one_evidence
from jackpot.evidence.rules.evidence_file import LARGEST_FILE, EvidenceUpload
from jackpot.refusals import NotUnderstood
from jackpot.requests.models import Request
from jackpot.requests.queries import requests
from jackpot.signing.actions.kinds import kind_of
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts

READERS: Final = ("read_books", "adjust", "sign_adjustments", "configure", "people", "close_day")
ADDERS: Final = ("adjust", "sign_adjustments", "configure", "people", "close_day")


def uploaded(request: HttpRequest, field: str = "file") -> EvidenceUpload | None:
    """The file of a form, or None where nobody chose one."""
    file = request.FILES.get(field)
    if file is None:
        return None
    return checked_upload(file.name or "", file.read(LARGEST_FILE + 1))


@posts(*ADDERS, back_to="request")
def request_evidence_add(request: HttpRequest, number: str) -> str:
    person: Any = request.user
    upload = uploaded(request)
    if upload is None:
        raise NotUnderstood("Choose the file that proves it.", "file")
    row = add_evidence(request=_request(request, number), upload=upload, by=person)
    return f"{row.name} is kept as evidence."


@never_cache
@needs(*READERS)
def request_evidence(request: HttpRequest, number: str, sha256: str) -> HttpResponse:
    person: Any = request.user
    row = one_evidence(_request(request, number), sha256)
    if row is None:
        raise Http404
    # Who asks for the headers alone has seen nothing of it, so the trail tells of no look.
    if request.method == "GET":
        take_evidence(row=row, by=person)
    return evidence_to_take(row)


def _request(request: HttpRequest, number: str) -> Request:
    person: Any = request.user
    row: Request | None = requests(person).filter(pk=int(number)).first()
    if row is None or not kind_of(row.kind).seen_by(person.verbs()):
        raise Http404
    return row
