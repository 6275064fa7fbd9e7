"""A slip is contested by one person and settled by another; meanwhile no window pays it."""

from __future__ import annotations

from django.db import transaction
from django.db.models.functions import Now

from jackpot.books.actions.post import open_books
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.models import Dispute, Win
from jackpot.wins.rules.win_life import SPOKEN, WinState


@transaction.atomic
def dispute(*, win: Win, by: Operator, why: str) -> Dispute:
    """Holds the payment of an owed slip, with the reason. The lock of its jackpot is that of the payment."""
    if not why.strip():
        raise NotUnderstood(f"Say why slip {win.slip} is disputed.", "reason")
    with open_books([win.jackpot_id]):
        # Read behind the lock of the payment: it may have been paid while the form was filled in.
        state = WinState(Win.objects.get(pk=win.pk).state)
        if state not in (WinState.LOGGED, WinState.OWED):
            raise NotAllowedNow(f"Slip {win.slip} is {SPOKEN[state]}; only an unpaid slip is disputed.", "not_owed")
        standing = Dispute.objects.filter(win=win, settled_at=None).select_related("opened_by").first()
        if standing is not None:
            raise NotAllowedNow(f"Slip {win.slip} is disputed already, by {standing.opened_by}.", "disputed")
        row = Dispute.objects.create(win=win, why=why.strip()[:200], opened_by=by)
    record(actor=by, act="dispute_slip", about=objects.slip(win.slip, win.premises_id), why=row.why)
    return row


@transaction.atomic
def settle_dispute(*, win: Win, by: Operator, answer: str) -> Dispute:
    """Another person ends the dispute with an answer: from here on the slip can be paid or backed out."""
    if not answer.strip():
        raise NotUnderstood(f"Say how the dispute over slip {win.slip} was settled.", "answer")
    # Not behind the jackpot's lock: whoever pays at this moment still finds it disputed, and tries again.
    row = Dispute.objects.select_for_update().filter(win=win, settled_at=None).first()
    if row is None:
        raise NotAllowedNow(f"Slip {win.slip} is not disputed.", "not_disputed")
    if row.opened_by_id == by.pk:
        raise NotAllowed(f"{by} disputes slip {win.slip} and may not settle it. Another person must.", "same_person")
    Dispute.objects.filter(pk=row.pk).update(settled_by=by, settled_at=Now(), answer=answer.strip()[:200])
    record(actor=by, act="settle_dispute", about=objects.slip(win.slip, win.premises_id), why=answer.strip())
    row.refresh_from_db()
    return row
