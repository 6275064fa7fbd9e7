"""Another person decides. Everything is computed again under the lock, posted, and said; or it is refused."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models.functions import Now

from jackpot.books import events
from jackpot.books.actions.post import Books, EntryReference, Posting, open_books
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.canonical import request_of
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.actions.asking import plain_preview, plain_wish
from jackpot.requests.actions.contra import post_back_out
from jackpot.requests.actions.difference import post_difference
from jackpot.requests.actions.plan import Preview, Step, jackpots_of, plan, previewed
from jackpot.requests.actions.word import Word
from jackpot.requests.models import Adjustment
from jackpot.requests.rules.adjusting import TOLD, Adjusting, Decision, state_after, transfer_by
from jackpot.trail.actions.trail import record
from jackpot.wins.models import Signature, Win

SPOKEN: Final = {Decision.APPROVED: "approved", Decision.REFUSED: "refused"}


@transaction.atomic
def approve(*, adjustment_id: int, word: Word, differences_seen: bool = False) -> Adjustment:
    """The second person's word: the act is posted as it stands now, with before and after kept."""
    with open_books(_ids(adjustment_id)) as books:
        row = _waiting(adjustment_id)
        _check_person(row, word.operator)
        steps = plan(books, row)
        shown = previewed(books, row, steps)
        if shown.differences and not differences_seen:
            raise _unseen(shown)
        posted = [_post(books, row, step, word) for step in steps]
        _keep(books, row, word, shown, posted)
        _move_state(books, row)
    _tell(row, word, posted)
    return row


@transaction.atomic
def refuse(*, adjustment_id: int, by: Operator, why: str) -> Adjustment:
    """Nothing moves; the request stays with the answer. Who asked may take the own request back this way."""
    if not why.strip():
        raise NotUnderstood("Say in a few words why it is refused.", "why")
    row = _waiting(adjustment_id)
    _check_house(row, by)
    row.state, row.decided_by, row.decided_at, row.answer = Decision.REFUSED, by, Now(), why.strip()[:200]
    row.save(update_fields=["state", "decided_by", "decided_at", "answer"])
    record(actor=str(by), act=f"refuse_{row.kind}", subject=f"adjustment {row.pk}", outcome="refused", why=row.answer)
    row.refresh_from_db(fields=["decided_at"])
    return row


def _ids(adjustment_id: int) -> list[int]:
    row = Adjustment.objects.filter(id=adjustment_id).first()
    if row is None:
        raise NotFound(f"There is no request {adjustment_id}.", "no_adjustment")
    return jackpots_of(row)


def _waiting(adjustment_id: int) -> Adjustment:
    """The request, locked; of two who decide at once the second hears what the first decided."""
    rows = Adjustment.objects.select_for_update(no_key=True, of=("self",)).select_related(
        "jackpot__premises", "other", "requested_by", "decided_by", "win__version", "cause__win"
    )
    row = rows.filter(id=adjustment_id).first()
    if row is None:
        raise NotFound(f"There is no request {adjustment_id}.", "no_adjustment")
    if row.state != Decision.REQUESTED:
        at = row.decided_at.astimezone(row.jackpot.premises.zone) if row.decided_at else None
        when = f"{at:%d %b %Y at %H:%M}" if at else ""
        raise NotAllowedNow(f"{row} was {SPOKEN[Decision(row.state)]} by {row.decided_by} on {when}.", "decided")
    return row


def _check_person(row: Adjustment, who: Operator) -> None:
    _check_house(row, who)
    if who.pk == row.requested_by_id:
        raise NotAllowed(f"{row} needs two people; {who} cannot sign twice.", "same_person")


def _check_house(row: Adjustment, who: Operator) -> None:
    if who.premises_id not in (None, row.jackpot.premises_id):
        raise NotAllowed(f"{row.jackpot.code} belongs to another house than {who}.", "other_house")


def _unseen(shown: Preview) -> NotAllowedNow:
    later = [f"{each.owed} to {each.win.line_name} at {each.win.table_code}" for each in shown.differences]
    return NotAllowedNow(
        f"Later awards counted from this one: {'; '.join(later)}. Two people must have seen it.", "differences"
    )


def _post(books: Books, row: Adjustment, step: Step, word: Word) -> Posting:
    if step.kind is EntryKind.BACK_OUT:
        assert row.win is not None, "a back-out names its win"
        return post_back_out(books, row.win, step.movement, row.why)
    request = request_of({**plain_wish(row), "approved_by": word.operator.username})
    if step.kind is EntryKind.DIFFERENCE:
        return post_difference(books, row, step.movement, word, request)
    return books.post(step.jackpot_id, step.kind, step.movement, EntryReference(_key(books, row, step), request))


def _key(books: Books, row: Adjustment, step: Step) -> str:
    """Each entry of a transfer names the other one: its jackpot and its number."""
    if step.kind is EntryKind.TRANSFER_OUT:
        assert row.other is not None, "a transfer names its taker"
        return f"transfer/{row.pk}/to/{row.other.code}/{books.heads[row.other.pk].last_seq + 1}"
    if step.kind is EntryKind.TRANSFER_IN:
        return f"transfer/{row.pk}/from/{row.jackpot.code}/{books.heads[row.jackpot_id].last_seq}"
    return f"{step.kind}/{row.pk}"


def _keep(books: Books, row: Adjustment, word: Word, shown: Preview, posted: Sequence[Posting]) -> None:
    head = books.heads[row.jackpot_id]
    codes = {jackpot_id: books.heads[jackpot_id].code for jackpot_id in books.heads}
    row.state, row.decided_by, row.decided_at, row.card = Decision.APPROVED, word.operator, head.now, word.card
    row.gaming_day, row.posted = head.gaming_day, plain_preview(shown)
    row.entries = " ".join(f"{codes[posting.jackpot_id]}/{posting.seq}" for posting in posted)
    row.save()
    if row.win is not None and row.kind == Adjusting.BACK_OUT:
        _sign(row.win, row, word, head.now)


def _sign(win: Win, row: Adjustment, word: Word, at: datetime) -> None:
    for operator in (row.requested_by, word.operator):
        Signature.objects.create(win=win, operator=operator, level=0, part=Signature.Part.BACK_OUT, at=at, why=row.why)


def _move_state(books: Books, row: Adjustment) -> None:
    head = books.heads[row.jackpot_id]
    state = state_after(head.state, Adjusting(row.kind))
    if state == head.state:
        return
    changes: dict[str, Any] = {"state": state}
    if row.kind == Adjusting.RETIRE:
        changes |= {"retired_at": head.now, "transfer_by": transfer_by(head.gaming_day)}
    Jackpot.objects.filter(id=row.jackpot_id).update(**changes)


def _tell(row: Adjustment, word: Word, posted: Sequence[Posting]) -> None:
    """The trail, the task to notify where there is one, and every process with signs."""
    kind, subject = Adjusting(row.kind), f"adjustment {row.pk}"
    details = {**plain_wish(row), "approved_by": str(word.operator), "entries": row.entries}
    record(actor=str(word.operator), act=f"approve_{row.kind}", subject=subject, why=row.why, details=details)
    if kind in TOLD:
        record(actor="server", act="notify", subject=subject, outcome="due", why=TOLD[kind], details=details)
    assert posted, "an approved act has its entries"
    events.notify(f"{row.kind} {row.jackpot.code}")
