"""The owner of a slip that nobody claims is told, and the record says how."""

from __future__ import annotations

from django.db import transaction

from jackpot.people.models import Operator
from jackpot.refusals import NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import UnclaimedNotice, Win
from jackpot.wins.rules.win_life import SPOKEN, WinState


@transaction.atomic
def give_notice(*, win: Win, by: Operator, how: str) -> UnclaimedNotice:
    """Notes that the owner was told. Only of an unpaid slip, and with the way in which it was done."""
    if not how.strip():
        raise NotUnderstood(f"Say how the owner of slip {win.slip} was told: a letter, its number, a call.", "how")
    state = WinState(Win.objects.get(pk=win.pk).state)
    if state != WinState.OWED:
        raise NotAllowedNow(f"Slip {win.slip} is {SPOKEN[state]}; no notice is due.", "not_owed")
    row = UnclaimedNotice.objects.create(win=win, by=by, how=how.strip()[:200])
    record(actor=by, act="give_notice", about=objects.slip(win.slip, win.premises_id), why=row.how)
    return row
