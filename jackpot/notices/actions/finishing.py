"""Somebody was told, and it is written how. Once; a wrong line is answered by another request, not by a change."""

from __future__ import annotations

from collections.abc import Callable
from typing import assert_never

from django.db import transaction
from django.utils import timezone

from jackpot.notices.models import Notice
from jackpot.notices.queries import may_finish, owner_name
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.rules.notice import NoticeAbout, NoticeState
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.wins.actions.notice import give_notice
from jackpot.wins.models import UnclaimedNotice, Win

LONGEST_NOTE = 200
Told = Callable[[Notice, Operator], None]
# Filled by `jackpot/apps.py`: `configuring` lies above notices, so nothing of it is imported here.
_waiting: dict[NoticeAbout, Told] = {}


def when_told(about: NoticeAbout, act: Told) -> None:
    """What waits until somebody was told goes on by this act, in the transaction that notes it."""
    _waiting[about] = act


@transaction.atomic
def finish_notice(*, notice_id: int, by: Operator, note: str) -> Notice:
    """Done by whoever has the role that the rule names; a slip's notice stands on the slip's record as well."""
    row = Notice.objects.select_for_update(no_key=True, of=("self",)).filter(pk=notice_id).first()
    if row is None or by.premises_id not in (None, row.premises_id):
        raise NotFound(f"There is no notice {notice_id} in your house.", "no_notice")
    check_works_here(by)
    # The role, not a verb: a rule book names who tells the regulator, and a right to see it is no such task.
    if not may_finish(row, by):
        raise NotAllowed(f"{_capital(row)} is for the {owner_name(row)}. Somebody of that role notes it.", "role")
    if not note.strip() or len(note) > LONGEST_NOTE:
        raise NotUnderstood(f"Say in 1 to {LONGEST_NOTE} characters how they were told: a letter, a call.", "note")
    _check_waits(row)
    if row.win is not None:
        give_notice(win=row.win, by=by, how=note)
    return _finished(row, by, note.strip())


@transaction.atomic
def tell_owner(*, win: Win, by: Operator, how: str) -> UnclaimedNotice:
    """From the slip's own record: whether or not its notice was due yet; with it the notice is done."""
    # Locked though it may not be due yet: the list may be finishing the same notice at this moment.
    due = Notice.objects.select_for_update(no_key=True, of=("self",)).filter(win=win, done_at__isnull=True).first()
    told = give_notice(win=win, by=by, how=how)
    if due is not None:
        _finished(due, by, told.how)
    return told


def _finished(row: Notice, by: Operator, note: str) -> Notice:
    row.done_by, row.done_by_name, row.done_at, row.note = by, str(by)[:100], timezone.now(), note
    row.save()
    details = {"about": row.about, "to": row.to, "due_at": row.due_at.isoformat()}
    subject = f"{row}: {row.subject}"[:80]
    record(actor=by, act="finish_notice", about=row.thing, subject=subject, why=note, details=details)
    # Last, when the row is written: what goes on asks whether any notice of its request is still to be done.
    goes_on = _waiting.get(NoticeAbout(row.about))
    if goes_on is not None:
        goes_on(row, by)
    return row


def _check_waits(row: Notice) -> None:
    state = row.state(timezone.now())
    match state:
        case NoticeState.DONE:
            raise NotAllowedNow(f"{_capital(row)} was done by {row.done_by_name}: {row.note}.", "done")
        case NoticeState.FALLEN:
            raise NotAllowedNow(f"{_capital(row)} is no longer due: its slip is not owed any more.", "fallen")
        case NoticeState.OPEN | NoticeState.OVERDUE:
            return
        case _:
            assert_never(state)


def _capital(row: Notice) -> str:
    return f"Notice {row.pk}"
