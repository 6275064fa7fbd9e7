"""A person leaves the house, every table where they are badged in, and the programs that read in their name."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from accounting.programs.actions.tokens import end_tokens_with
from jackpot.people.actions.dismissing import Dismissal, dismiss
from jackpot.people.models import Operator
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.models.duty import TableDuty


@transaction.atomic
def dismiss_everywhere(*, person: Operator, why: str, by: Operator) -> Dismissal:
    """Sign-ins, cards, keys and words end first; then badges, so that a badge read meanwhile is found too."""
    ended = dismiss(person=person, why=why, by=by)
    end_tokens_with(person=ended.person, by=by)
    duties = TableDuty.objects.filter(operator=person, ended_at__isnull=True).select_related("table")
    # One by one, each with its line: the trail of a table says who left it and why.
    for duty in duties:
        duty.ended_at = timezone.now()
        duty.save(update_fields=["ended_at"])
        record(actor=by, act="dealer_out", about=objects.table(duty.table.code), why=f"{person} is dismissed")
    return ended
