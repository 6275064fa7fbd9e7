"""The worker's side: it proves books and writes parcels, one after the other."""

from __future__ import annotations

import logging
from typing import Any, Final

from django.utils import timezone

from accounting.audit.actions.parcel import parcel_period, write_parcel
from accounting.audit.actions.runs import FinishedRun, audit_folder, fail_run, finish_run, take_run, told_beside
from accounting.audit.models import AuditKind, AuditRun
from accounting.audit.queries.sections import jackpot_codes
from jackpot.proof.actions.rolling import stop_what_was_found
from jackpot.proof.queries import ProofReport
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from tables.rounds.queries.prove import prove

MOST_LISTED: Final = 50
log = logging.getLogger(__name__)


def work_through() -> int:
    """All that waits; returns how many were done."""
    done = 0
    while (run := take_run()) is not None:
        done += _worked(run)
    return done


def proof_outcome(report: ProofReport) -> FinishedRun:
    """What a proof found, in a sentence and as figures."""
    entries, told = sum(proven.entries for proven in report.jackpots), report.plain()
    if report.holds:
        why = f"Every one of {entries:,} entries and {report.rounds:,} rounds agrees: these books prove."
    else:
        first = next(iter(report.findings.listed))
        why = f"{report.findings.total:,} findings: these books do NOT prove. The first: {first}."
    # Books that were tampered with as a whole may have a finding for every entry; the count says how many.
    told["findings"] = told["findings"][:MOST_LISTED]
    return FinishedRun(why, findings=report.findings.total, answer=told)


def keep_proof(report: ProofReport) -> None:
    """A proof of everything that was made on the server's own console: its age counts for every house it proved."""
    done = proof_outcome(report)
    for house in Property.objects.filter(jackpots__isnull=False).distinct().order_by("pk"):
        # One for each house: an auditor sees the own house's runs and no other's.
        run = AuditRun.objects.create(premises=house, kind=AuditKind.PROOF, asked_by=None, asked_at=timezone.now())
        finish_run(run, done)


def keep_daily_proof(report: ProofReport) -> None:
    """On record with its outcome; what it finds stops that jackpot."""
    keep_proof(report)
    stop_what_was_found(report.findings)


def _worked(run: AuditRun) -> bool:
    try:
        finish_run(run, _outcome(run))
        return True
    except Refused as refused:
        fail_run(run, refused.why)
    # One run that breaks shall not keep those behind it waiting; the log has the whole of it.
    except Exception as trouble:
        log.exception("audit run %s", run.pk)
        fail_run(run, f"It broke on our side ({type(trouble).__name__}). Ask again; if it stays, tell the technician.")
    return False


def _outcome(run: AuditRun) -> FinishedRun:
    with told_beside(run) as progress:
        if run.kind == AuditKind.PROOF:
            return proof_outcome(prove(jackpot_codes=_codes(run.premises), progress=progress))
        return _parcel(run, progress)


def _codes(house: Property) -> list[str] | None:
    """None means everything that there is, also published heads of jackpots that are no more."""
    return jackpot_codes(house) if Property.objects.exclude(pk=house.pk).exists() else None


def _parcel(run: AuditRun, progress: Any) -> FinishedRun:
    assert run.first is not None, "a parcel has its first day"
    assert run.last is not None, "and its last"
    period = parcel_period(run.premises, run.first, run.last)
    name = f"{run.premises.code.lower()}-{run.first}-to-{run.last}-{run.pk}.zip"
    by = str(run.asked_by or "the server")
    written = write_parcel(period, audit_folder() / name, made_by=by, progress=progress)
    why = f"{written.lines:,} lines in {len(written.manifest['sections'])} sections."
    return FinishedRun(
        why, answer={"sections": written.manifest["sections"]}, file=name, size=written.size, sha256=written.sha256
    )
