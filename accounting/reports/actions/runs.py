"""The worker's side of a long report: taken once, told how far it is, finished or given up with a sentence."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from accounting.reports.models import ReportLetter, ReportRun, SavedReport
from accounting.reports.rules.schedule import Rota, due_after
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

TAKEN_AGAIN_AFTER: Final = timedelta(minutes=10)  # nobody told progress for so long: its worker died
SERVER: Final = "Server"


def runs_are_due() -> bool:
    """Something waits, or a saved report's day has come in its house."""
    return _waiting().exists() or any(_is_due(row, timezone.now()) for row in _by_rota())


def take_run() -> ReportRun | None:
    """The oldest that waits; two workers never take the same one."""
    with transaction.atomic():
        run = _waiting().select_for_update(skip_locked=True).order_by("id").first()
        if run is None:
            return None
        run.state, run.taken_at, run.rows_done = ReportRun.State.WRITING, timezone.now(), 0
        run.save(update_fields=["state", "taken_at", "rows_done"])
        return run


def tell_progress(run: ReportRun, rows: int, of: int) -> None:
    """In a transaction of its own, so that who waits sees it."""
    run.rows_done, run.rows_all = rows, of
    # It also says that its worker lives: a run whose `taken_at` grows old is taken by another.
    ReportRun.objects.filter(pk=run.pk).update(rows_done=rows, rows_all=of, taken_at=timezone.now())


@transaction.atomic
def finish_run(run: ReportRun, *, rows: int, file: str, sha256: str) -> None:
    """Its file is there; the trail says who asked for it."""
    run.state, run.rows_done, run.rows_all, run.file = ReportRun.State.DONE, rows, rows, file
    run.sha256, run.done_at, run.trouble = sha256, timezone.now(), ""
    run.save(update_fields=["state", "rows_done", "rows_all", "file", "sha256", "done_at", "trouble"])
    _put_into_a_letter(run)
    details = {"form": run.form, "filters": run.words, "rows": rows, "sha256": sha256, "run": run.pk}
    record(actor=run.asked_by, act="export_report", about=ObjectRef(ObjectKind.REPORT, run.report), details=details)


def _put_into_a_letter(run: ReportRun) -> None:
    """In the transaction that says that the file is ready: none is forgotten, and a run taken twice writes one."""
    if run.saved is None or run.saved.mailbox is None:
        return
    facts: dict[str, Any] = {"mailbox": run.saved.mailbox}
    if run.saved.mailbox.ended_at is not None:
        facts |= {"given_up_at": run.done_at, "last_answer": "The mailbox was ended; the file is here."}
    elif run.saved.ended_at is not None:
        facts |= {"given_up_at": run.done_at, "last_answer": "The saved report was put away; the file is here."}
    ReportLetter.objects.get_or_create(run=run, defaults=facts)


@transaction.atomic
def fail_run(run: ReportRun, why: str) -> None:
    """It is not tried again: the same question would fail the same way. Whoever asked reads why."""
    run.state, run.trouble, run.done_at = ReportRun.State.FAILED, why[:300], timezone.now()
    run.save(update_fields=["state", "trouble", "done_at"])
    record(
        actor=SERVER,
        act="export_report",
        about=ObjectRef(ObjectKind.REPORT, run.report),
        outcome="failed",
        why=why[:300],
    )


def call_due_reports() -> int:
    """Saved reports whose gaming day has come are put up once for each such day; returns how many."""
    called = 0
    for row in _by_rota():
        called += _called(row)
    return called


def _by_rota() -> QuerySet[SavedReport]:
    return SavedReport.objects.filter(due_day__isnull=False, ended_at=None).select_related("premises")


def _is_due(row: SavedReport, now: datetime) -> bool:
    return row.due_day is not None and row.due_day <= row.premises.gaming_day(now)


def _called(row: SavedReport) -> bool:
    now = timezone.now()
    today = row.premises.gaming_day(now)
    with transaction.atomic():
        # Read again behind the lock: another worker may have called it for this day already.
        saved = SavedReport.objects.select_for_update().get(pk=row.pk)
        if saved.due_day is None or saved.due_day > today:
            return False
        # A house that was switched off for days gets one report, of the day on which it wakes.
        saved.due_day = due_after(Rota(saved.rota), today)
        saved.save(update_fields=["due_day"])
        ReportRun.objects.create(
            premises=saved.premises, report=saved.report, words=saved.words, form=saved.form, saved=saved,
            asked_by=saved.saved_by, asked_at=now,
        )  # fmt: skip
        return True


def _waiting() -> QuerySet[ReportRun]:
    stale = Q(state=ReportRun.State.WRITING, taken_at__lt=timezone.now() - TAKEN_AGAIN_AFTER)
    return ReportRun.objects.filter(Q(state=ReportRun.State.ASKED) | stale)
