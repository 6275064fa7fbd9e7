"""Printing: the copies that count, and file copies for looking at."""

from __future__ import annotations

from typing import Final

from accounting.paper.actions.copies import PrintedCopy, add_copy, next_stamp
from accounting.paper.printing.facts import facts_of
from accounting.paper.printing.typeset import document, page_bytes, picture
from accounting.paper.rules.copies import FILE_COPY, CopyStamp, Form
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow
from jackpot.wins.models import Win

MOST_TRIES: Final = 50  # as many people print the same page at the same moment


def print_page(*, win: Win, form: Form, by: Operator, reason: str = "") -> PrintedCopy:
    """The ORIGINAL once, afterwards REPRINT n with a reason, VOID for a backed-out win; queued for the printer.

    The page is set while nothing is locked, and set again where somebody was quicker.
    """
    for _ in range(MOST_TRIES):
        # Read anew for each try: what somebody else did in between is what the next page has to say.
        seen = Win.objects.select_related("jackpot__premises", "version").get(pk=win.pk)
        stamp = next_stamp(win=seen, by=by, reason=reason)
        content = page_bytes(facts_of(seen, stamp).plain(), form)
        printed = add_copy(win=seen, stamp=stamp, form=form, by=by, reason=reason, content=content)
        if printed is not None:
            return printed
    raise NotAllowedNow(f"Slip {win.slip} is being printed by others at this moment. Print it again.", "busy")


def file_copy(win: Win, form: Form) -> bytes:
    """The page as it stands now, marked FILE COPY: for the screen and the file, no paper to be paid on."""
    return document(facts_of(win, FILE_COPY).plain(), form)


def preview(win: Win, form: Form, stamp: CopyStamp = FILE_COPY) -> bytes:
    """The same as a picture."""
    return picture(facts_of(win, stamp).plain(), form)
