"""Work for auditors as the worker takes it: asked, taken once, told how far it is, finished or given up in a sentence.

A report's run tells its progress on its own connection. Here that one reads everything from one moment and may write
nothing, so progress is told beside it, by a thread with a connection of its own.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import date, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounting.audit.models import AuditKind, AuditRun, AuditState
from jackpot.errands.rules import Rhythm
from jackpot.people.models import Operator
from jackpot.proof.queries import Progress
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

TAKEN_AGAIN_AFTER: Final = timedelta(minutes=10)  # nobody told progress for so long: its worker died
TELLS_EVERY: Final = 0.5
PART: Final = 65_536
LONGEST_PARCEL: Final = timedelta(days=3_660)
TIDYING: Final = Rhythm("tidy parcels", every=timedelta(hours=1), alarm_after=timedelta(days=1))
SERVER: Final = "Server"


@dataclass(frozen=True, slots=True)
class FinishedRun:
    """What came of it."""

    sentence: str
    findings: int = 0
    answer: dict[str, Any] = field(default_factory=dict)
    file: str = ""
    size: int = 0
    sha256: str = ""


def audit_folder() -> Path:
    return Path(settings.DATA_DIR) / "audit"


def about_run(run: AuditRun) -> ObjectRef:
    return ObjectRef(ObjectKind(run.kind), str(run.pk), run.premises_id)


@transaction.atomic
def ask_for_proof(*, house: Property, by: Operator) -> AuditRun:
    """Puts a proof of the house's books up for the worker; while one waits or runs, that one is the answer."""
    Property.objects.select_for_update(no_key=True).get(pk=house.pk)  # two people at once: one proof
    standing = _waiting().filter(premises=house, kind=AuditKind.PROOF).first()
    if standing is not None:
        return standing
    run = AuditRun.objects.create(premises=house, kind=AuditKind.PROOF, asked_by=by, asked_at=timezone.now())
    record(actor=by, act="ask_for_proof", about=about_run(run))
    return run


@transaction.atomic
def ask_for_parcel(*, house: Property, first: date, last: date, by: Operator) -> AuditRun:
    """Puts a parcel of these gaming days up for the worker."""
    check_parcel_days(house, first, last)
    run = AuditRun.objects.create(
        premises=house, kind=AuditKind.PARCEL, first=first, last=last, asked_by=by, asked_at=timezone.now()
    )
    record(actor=by, act="ask_for_parcel", about=about_run(run), details={"first": str(first), "last": str(last)})
    return run


def check_parcel_days(house: Property, first: date, last: date) -> None:
    """Days that have come, in their order, and not more than ten years of them."""
    if first > last:
        raise NotUnderstood("The parcel ends before it begins. Write the earlier day first.", "first")
    if first > house.gaming_day(timezone.now()):
        raise NotUnderstood(f"The gaming day {first} has not come. Choose days that have begun.", "first")
    if last - first > LONGEST_PARCEL:
        raise NotUnderstood("A parcel holds ten years at most. Ask for two parcels.", "last")


def runs_are_due() -> bool:
    return _waiting().exists()


def take_run() -> AuditRun | None:
    """The oldest that waits; two workers never take the same one."""
    with transaction.atomic():
        run = _waiting().select_for_update(skip_locked=True, of=("self",)).order_by("id").first()
        if run is None:
            return None
        run.state, run.taken_at, run.rows_done = AuditState.WORKING, timezone.now(), 0
        run.save(update_fields=["state", "taken_at", "rows_done"])
        return run


@transaction.atomic
def finish_run(run: AuditRun, done: FinishedRun) -> None:
    """What came of it stands, in the row and in the trail."""
    AuditRun.objects.filter(pk=run.pk).update(
        state=AuditState.DONE, done_at=timezone.now(), sentence=done.sentence[:400], findings=done.findings,
        answer=done.answer, file=done.file, size=done.size, sha256=done.sha256, part="",
    )  # fmt: skip
    # Written by an update, and its progress by another thread: this object does not know its outcome yet.
    run.refresh_from_db()
    act = "prove_books" if run.kind == AuditKind.PROOF else "make_parcel"
    # The trail says it as loudly as the page: a proof that fails is no work well done.
    outcome = "alarm" if done.findings else "done"
    details = {"sha256": done.sha256} if done.sha256 else {}
    who = run.asked_by or SERVER
    record(actor=who, act=act, about=about_run(run), outcome=outcome, why=run.sentence, details=details)


@transaction.atomic
def fail_run(run: AuditRun, why: str) -> None:
    """It is not tried again: whoever asked reads why, and asks anew."""
    AuditRun.objects.filter(pk=run.pk).update(state=AuditState.FAILED, done_at=timezone.now(), sentence=why[:400])
    record(actor=SERVER, act=f"make_{run.kind}", about=about_run(run), outcome="failed", why=why[:400])


@contextmanager
def told_beside(run: AuditRun) -> Iterator[Progress]:
    """Progress of work that itself may write nothing, at most twice a second."""
    # So that the first word is told at once.
    told_at = -TELLS_EVERY

    def tell(part: str, done: int, of: int) -> None:
        nonlocal told_at
        if time.monotonic() - told_at >= TELLS_EVERY:
            told_at = time.monotonic()
            beside.submit(_tell, run.pk, part, done, of)

    # One worker: words of progress are written in the order in which they were said.
    with ThreadPoolExecutor(max_workers=1) as beside:
        try:
            yield tell
        finally:
            # Waited for: a connection left open in a thread that ends would stay open in the database.
            beside.submit(_leave).result()


def _tell(run_id: int, part: str, done: int, of: int) -> None:
    try:
        AuditRun.objects.filter(pk=run_id).update(
            part=part[:60], rows_done=done, rows_all=max(done, of), taken_at=timezone.now()
        )
    except (DatabaseError, InterfaceError):
        connection.close()  # how far it is, is worth no failure of the work itself


def _leave() -> None:
    """In the thread that used it: a connection is of its thread, and so is the word for it."""
    connection.close()


def take_parcel(*, run: AuditRun, by: Operator) -> Path:
    """The file, for whoever takes it along; the trail says who did."""
    path = audit_folder() / run.file
    if run.state != AuditState.DONE or not run.file or run.file_gone_at is not None or not path.is_file():
        raise NotAllowedNow("This parcel has no file any more. Ask for it again; its digest stays.", "no_file")
    record(actor=by, act="take_parcel", about=about_run(run), details={"sha256": run.sha256})
    return path


def file_parts(path: Path) -> Iterator[bytes]:
    """Opened when the first part is wanted, closed behind the last."""
    with path.open("rb") as content:
        while part := content.read(PART):
            yield part


def tidy_parcels() -> int:
    """Takes away files that have lived their stated time; the rows with their digests stay."""
    until = timezone.now() - timedelta(days=settings.PARCELS_KEPT_DAYS)
    gone = 0
    for run in AuditRun.objects.filter(kind=AuditKind.PARCEL, done_at__lt=until, file_gone_at=None).exclude(file=""):
        # The file before its row: should it break off here, the next turn finds the row still and notes it.
        (audit_folder() / run.file).unlink(missing_ok=True)
        AuditRun.objects.filter(pk=run.pk).update(file_gone_at=timezone.now())
        gone += 1
    return gone


def _waiting() -> QuerySet[AuditRun]:
    stale = Q(state=AuditState.WORKING, taken_at__lt=timezone.now() - TAKEN_AGAIN_AFTER)
    rows = AuditRun.objects.filter(Q(state=AuditState.ASKED) | stale)
    return rows.select_related("premises", "asked_by")
