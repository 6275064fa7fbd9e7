"""What the worker does for auditors. Safe to run twice; keyword arguments only."""

from __future__ import annotations

from celery import shared_task

from accounting.audit.actions.runs import TIDYING, runs_are_due, tidy_parcels
from accounting.audit.actions.working import keep_daily_proof, work_through
from jackpot.errands import actions as errands
from jackpot.proof.actions.rolling import EVERYTHING
from tables.rounds.queries.prove import prove

__all__ = [
    "EVERYTHING",
    "TIDYING",
    "audits_are_due",
    "everything_is_due",
    "prove_all_books",
    "tidy_old_parcels",
    "tidying_is_due",
    "work_for_auditors",
]


@shared_task(name="accounting.audit.tasks.work_for_auditors", time_limit=7_200)
def work_for_auditors() -> None:
    """Proves the books and writes the parcels that were asked for."""
    work_through()


@shared_task(name="accounting.audit.tasks.tidy_old_parcels", time_limit=600)
def tidy_old_parcels() -> None:
    """Every hour: files that have lived their stated time."""
    errands.do_errand(code=TIDYING.code, work=tidy_parcels)


def audits_are_due() -> bool:
    return runs_are_due()


def tidying_is_due() -> bool:
    return errands.is_due(TIDYING.code)


@shared_task(name="accounting.audit.tasks.prove_all_books", time_limit=7_200)
def prove_all_books() -> None:
    """Once a day: everything from the first cent, in a snapshot of its own while the casino plays on."""
    if errands.is_due(EVERYTHING.code):
        report = prove()
        errands.do_errand(code=EVERYTHING.code, work=lambda: keep_daily_proof(report))


def everything_is_due() -> bool:
    return errands.is_due(EVERYTHING.code)
