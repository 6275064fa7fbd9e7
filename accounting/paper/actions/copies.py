"""A copy of a win page is added: which one it is, is decided under the win's lock; its print job comes with it.

The page was set before, without a lock: setting one takes longer than an approval may wait. So under the lock it is
looked at again whether the copy is still the next one, and whether the win still is what the page says.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass
from datetime import datetime

from django.db import transaction
from django.utils import timezone

from accounting.paper.actions.printers import printer_for
from accounting.paper.models.page import Copy, WinPage
from accounting.paper.models.printer import PrintJob
from accounting.paper.rules.copies import CopyStamp, Form, NoSuchCopy, next_copy
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import Win
from jackpot.wins.queries.as_posted import refuse_unlike_its_entry
from jackpot.wins.rules.win_life import WinState

LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class PrintedCopy:
    """A copy with its bytes, and where it was sent."""

    copy: Copy
    job: PrintJob


def next_stamp(*, win: Win, by: Operator, reason: str) -> CopyStamp:
    """What the next copy of this page will say of itself; refused where none may be made now."""
    if len(reason) > LONGEST_REASON:
        raise NotUnderstood(f"A reason has at most {LONGEST_REASON} letters.", "reason")
    return _next(win, by, reason, timezone.now())


@transaction.atomic
def add_copy(
    *, win: Win, stamp: CopyStamp, form: Form, by: Operator, reason: str, content: bytes
) -> PrintedCopy | None:  # fmt: skip
    """The ORIGINAL once, then reprints with their reason, VOID for a backed-out win. The win's lock orders them.

    None: somebody printed, paid or backed out in between; the page has to be set again.
    """
    # Of the win alone: a printed page shall not hold up its jackpot, on which tables play.
    locked = Win.objects.select_for_update(no_key=True, of=("self",)).select_related("jackpot__premises")
    now = locked.get(pk=win.pk)
    assert stamp.at is not None, "what is printed has its time"
    assert stamp.kind is not None
    assert stamp.number is not None, "and its number"
    # The stamp stands in the bytes: two people who print at once would both have set an ORIGINAL.
    if _what_it_says(now) != _what_it_says(win) or _next(now, by, reason, stamp.at) != stamp:
        return None
    assert now.slip is not None, "what has a page has a slip"
    # A page is what the cage pays on, so a record that was altered behind the books is not put on paper.
    refuse_unlike_its_entry(now)
    page, _ = WinPage.objects.get_or_create(win=now, defaults={"slip": now.slip, "made_at": stamp.at})
    copy = Copy.objects.create(
        page=page, number=stamp.number, kind=stamp.kind.value, form=form.value, reason=stamp.reason,
        printed_by=stamp.by, person=by, printed_at=stamp.at, sha256=hashlib.sha256(content).hexdigest(),
        content=content,
    )  # fmt: skip
    # In the same commit as the copy: a counted copy that nobody sends would be a page that is missing.
    job = PrintJob.objects.create(copy=copy, printer=printer_for(now.jackpot.premises, form), due_at=stamp.at)
    _record(copy, job, by)
    return PrintedCopy(copy, job)


def _what_it_says(win: Win) -> tuple[object, ...]:
    """What of a win its page says and an act may have changed."""
    return win.slip, win.state, win.award_seq, win.paid_at, win.paper


def _next(win: Win, by: Operator, reason: str, at: datetime) -> CopyStamp:
    # Without their bytes: a page that was printed ten times would be read ten times over.
    earlier = [copy.stamp for copy in Copy.objects.filter(page__win=win).defer("content").order_by("number")]
    try:
        return next_copy(WinState(win.state), earlier, reason=reason, by=str(by), at=at)
    except NoSuchCopy as problem:
        raise NotAllowedNow(str(problem), "reason" if earlier else "no_page") from None


def _record(copy: Copy, job: PrintJob, by: Operator) -> None:
    record(
        actor=by, act="print_page", about=objects.slip(copy.page.slip, copy.page.win.premises_id), why=copy.reason,
        details={"copy": copy.stamp.word, "form": copy.form, "printer": job.printer.code, "sha256": copy.sha256},
    )  # fmt: skip
