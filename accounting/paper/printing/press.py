"""Printing: the copies that count, and file copies for looking at."""

from __future__ import annotations

from accounting.paper.actions.copies import Printed, take_copy
from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.typeset import document, page_bytes, picture
from accounting.paper.rules.copies import FILE_COPY, CopyStamp, Form
from jackpot.people.models import Operator
from jackpot.wins.models import Win


def print_page(*, win: Win, form: Form, by: Operator, reason: str = "") -> Printed:
    """The ORIGINAL once, afterwards REPRINT n with a reason, VOID for a backed-out win; queued for the printer."""
    return take_copy(win=win, form=form, by=by, reason=reason, render=_rendered)


def file_copy(win: Win, form: Form) -> bytes:
    """The page as it stands now, marked FILE COPY: for the screen and the file, no paper to be paid on."""
    return document(facts_of(win, FILE_COPY).plain(), form)


def preview(win: Win, form: Form, mark: CopyStamp = FILE_COPY) -> bytes:
    """The same as a picture."""
    return picture(facts_of(win, mark).plain(), form)


def _rendered(win: Win, mark: CopyStamp, form: Form) -> bytes:
    return page_bytes(facts_of(win, mark).plain(), form)
