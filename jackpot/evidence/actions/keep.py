"""Evidence is added to a request and taken home. Nothing else ever happens to it."""

from __future__ import annotations

from datetime import timedelta
from typing import Final

from django.db import connection, transaction
from django.db.models import Sum
from django.db.models.functions import Now

from jackpot.evidence.models import EvidenceFile, RequestEvidence, RoundEvidence
from jackpot.evidence.queries import lacks_evidence
from jackpot.evidence.rules.evidence_file import EvidenceRefused, EvidenceUpload, read_upload, spoken_size
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.requests.models import Request
from jackpot.requests.rules.life import ENDED, SPOKEN, RequestState
from jackpot.signing.actions.kinds import kind_of
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

MOST_FILES: Final = 20  # of one request
MOST_A_DAY: Final = 400 * 1024 * 1024  # bytes that one person adds in a day: nobody fills the disk of the books alone


@transaction.atomic
def add_evidence(*, request: Request, upload: EvidenceUpload, by: Operator) -> RequestEvidence:
    """Whoever may ask for such a thing or sign it adds what proves it; what is over gets no more evidence."""
    kind = kind_of(request.kind)
    kind.check_person(request, by)
    check_works_here(by)
    if by.verbs().isdisjoint(kind.may_ask | kind.may_sign):
        raise NotAllowed(f"{by} may not add evidence here. Whoever may ask for such a thing adds it.", "role")
    # Locked: two who add at once are counted one after the other, and nobody adds to what is being decided.
    row = Request.objects.select_for_update(no_key=True).get(pk=request.pk)
    if row.state in ENDED:
        raise NotAllowedNow(f"{row} is {SPOKEN[RequestState(row.state)]}; nothing is added to it.", "over")
    return attach(request=row, upload=upload, by=by)


def attach(*, request: Request, upload: EvidenceUpload, by: Operator) -> RequestEvidence:
    """Inside the act that asks, or that adds: the content once, its use by this request once."""
    # The same file again is neither a second use nor a refusal: somebody pressed twice.
    standing = RequestEvidence.objects.filter(request_id=request.pk, file_id=upload.sha256).first()
    if standing is not None:
        return standing
    if RequestEvidence.objects.filter(request_id=request.pk).count() >= MOST_FILES:
        raise NotAllowedNow(f"{request} has {MOST_FILES} files already. Join what belongs together in one.", "many")
    row = RequestEvidence.objects.create(
        request_id=request.pk, file=file_of(upload, by), name=upload.name, added_by=by, added_by_name=str(by)[:100]
    )
    _note(row, by, "add_evidence")
    return row


def one_after_another(what: str) -> None:
    """Until the act commits: who counts before adding is not overtaken by another who counted the same."""
    with connection.cursor() as cursor:
        cursor.execute("SELECT pg_advisory_xact_lock(hashtextextended(%s, 0))", [f"evidence of {what}"])


def file_of(upload: EvidenceUpload, by: Operator) -> EvidenceFile:
    """The content, once under its digest however often it comes, and no more of it from one person than a day bears."""
    one_after_another(f"person {by.pk}")
    _check_room(upload, by)
    file, _ = EvidenceFile.objects.get_or_create(
        sha256=upload.sha256, defaults={"kind": upload.kind, "size": upload.size, "content": upload.content}
    )
    assert file.size == upload.size, "one digest, one content"
    return file


def _check_room(upload: EvidenceUpload, by: Operator) -> None:
    held = 0
    # Requests and rounds together, as the disk under the books is one.
    for uses in (RequestEvidence.objects, RoundEvidence.objects):
        lately = uses.filter(added_by=by, added_at__gt=Now() - timedelta(days=1))
        held += lately.aggregate(held=Sum("file__size"))["held"] or 0
    if held + upload.size > MOST_A_DAY:
        raise NotAllowedNow(
            f"{by} added {spoken_size(held)} of evidence since yesterday, and one person adds "
            f"{spoken_size(MOST_A_DAY)} a day at most. Add what matters, or let somebody else add the rest.",
            "much",
        )


@transaction.atomic
def take_evidence(*, row: RequestEvidence, by: Operator) -> None:
    """Somebody takes the file to look at it, and the trail says so."""
    _note(row, by, "look_at_evidence")


def checked_upload(name: str, content: bytes) -> EvidenceUpload:
    """As `read_upload`; its refusal is one that a door answers with."""
    try:
        return read_upload(name, content)
    except EvidenceRefused as why:
        raise NotUnderstood(str(why), "file") from None


def check_evidence(request: Request) -> None:
    """Where the house asks for a file, nobody signs without one."""
    if lacks_evidence(request):
        raise NotAllowedNow(f"{request} has no file of evidence, and this house asks for one. Add it first.", "file")


def _note(row: RequestEvidence, by: Operator, act: str) -> None:
    kind, request = kind_of(row.request.kind), row.request
    whole = kind.rows().get(pk=request.pk)
    details = {"request": request.pk, "file": row.name, "sha256": row.file_id, "size": row.file.size}
    about = objects.request(request.pk, request.premises_id)
    record(actor=by, act=act, about=about, subject=kind.subject(whole), details=details)
