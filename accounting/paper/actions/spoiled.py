"""A printed copy is noted as spoiled: an event of its own, whether or not another one is printed."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounting.paper.actions.copies import LONGEST_REASON
from accounting.paper.models.page import Copy, SpoiledCopy
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


@transaction.atomic
def note_spoiled(*, copy: Copy, by: Operator, why: str) -> SpoiledCopy:
    """Once for a copy; the paper is kept with the record of its win. Its number and its bytes stay as they are."""
    if not 0 < len(why.strip()) <= LONGEST_REASON:
        raise NotUnderstood(f"Say in at most {LONGEST_REASON} letters what spoiled the page.", "reason")
    row, new = SpoiledCopy.objects.get_or_create(
        copy=copy, defaults={"why": why.strip(), "person": by, "person_name": str(by)[:100], "at": timezone.now()}
    )
    # The first word stays: who found it spoiled is evidence, and evidence is not overwritten.
    if not new:
        raise NotAllowedNow(f"{copy.stamp.word} was noted as spoiled by {row.person_name} already.", "spoiled")
    about = objects.slip(copy.page.slip, copy.page.win.premises_id)
    record(actor=by, act="spoil_page", about=about, why=row.why, details={"copy": copy.stamp.word})
    return row
