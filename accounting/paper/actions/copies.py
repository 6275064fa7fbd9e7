"""A copy of a win page is taken: which one it is, is decided under the win's lock; its print job comes with it."""

from __future__ import annotations

import hashlib
from collections.abc import Callable
from dataclasses import dataclass

from django.db import transaction
from django.utils import timezone

from accounting.paper.actions.printers import printer_for
from accounting.paper.models.page import Copy, WinPage
from accounting.paper.models.printer import PrintJob
from accounting.paper.rules.copies import CopyStamp, Form, NoSuchCopy, next_copy
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.wins.models import Win
from jackpot.wins.rules.win_life import WinState

Render = Callable[[Win, CopyStamp, Form], bytes]
LONGEST_REASON = 200


@dataclass(frozen=True, slots=True)
class Printed:
    """A copy with its bytes, and where it was sent."""

    copy: Copy
    job: PrintJob


@transaction.atomic
def take_copy(*, win: Win, form: Form, by: Operator, reason: str, render: Render) -> Printed:
    """The ORIGINAL once, then reprints with their reason, VOID for a backed-out win. The win's lock orders them."""
    if len(reason) > LONGEST_REASON:
        raise NotUnderstood(f"A reason has at most {LONGEST_REASON} letters.", "reason")
    locked = Win.objects.select_for_update(no_key=True, of=("self",)).select_related("jackpot__premises", "version")
    win = locked.get(pk=win.pk)
    mark = _mark(win, by, reason)
    assert win.slip is not None, "what has a page has a slip"
    assert mark.kind is not None
    assert mark.number is not None, "what is printed has its number"
    assert mark.at is not None
    page, _ = WinPage.objects.get_or_create(win=win, defaults={"slip": win.slip, "made_at": mark.at})
    content = render(win, mark, form)
    copy = Copy.objects.create(
        page=page, number=mark.number, kind=mark.kind.value, form=form.value, reason=mark.reason,
        printed_by=mark.by, person=by, printed_at=mark.at, sha256=hashlib.sha256(content).hexdigest(), content=content,
    )  # fmt: skip
    job = PrintJob.objects.create(copy=copy, printer=printer_for(win.jackpot.premises, form), due_at=mark.at)
    _record(copy, job, by)
    return Printed(copy, job)


def _mark(win: Win, by: Operator, reason: str) -> CopyStamp:
    earlier = [copy.mark for copy in Copy.objects.filter(page__win=win).defer("content").order_by("number")]
    try:
        return next_copy(WinState(win.state), earlier, reason=reason, by=str(by), at=timezone.now())
    except NoSuchCopy as problem:
        raise NotAllowedNow(str(problem), "reason" if earlier else "no_page") from None


def _record(copy: Copy, job: PrintJob, by: Operator) -> None:
    record(
        actor=by.username, act="print_page", subject=f"slip {copy.page.slip}", why=copy.reason,
        details={"copy": copy.mark.word, "form": copy.form, "printer": job.printer.code, "sha256": copy.sha256},
    )  # fmt: skip
