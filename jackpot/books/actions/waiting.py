"""The version that waits for a reset: what the reset will obey, how it comes into force, how a back-out undoes that."""

from __future__ import annotations

from typing import Final

from jackpot.books import events
from jackpot.books.actions.post import Books, in_force
from jackpot.requests.actions.life import move_on
from jackpot.requests.rules.life import RequestAct, RequestState
from jackpot.terms.models.terms_change import TermsChange
from jackpot.terms.rules.terms import Terms
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

THE_RESET: Final = "the reset"


def waiting_change(jackpot_id: int) -> TermsChange | None:
    """The approved change whose version the next reset puts in force; a jackpot has one at most."""
    rows = TermsChange.objects.filter(jackpot_id=jackpot_id, state=RequestState.SIGNED)
    return rows.select_related("version", "jackpot").first()


def reset_terms(books: Books, jackpot_id: int) -> Terms:
    """Whose seed and limit a reset posts now: the waiting version's, else those in force."""
    waits = waiting_change(jackpot_id)
    if waits is None or waits.version is None or waits.not_told:
        return books.terms(jackpot_id)
    return in_force(waits.version.pk, waits.version.digest).terms


def come_into_force(books: Books, jackpot_id: int, by: str = THE_RESET) -> TermsChange | None:
    """The waiting version takes effect with the entry that is posted next, which is the first to name it.

    Where somebody has to be told first and was not, it waits on, for the reset after that.
    """
    change = waiting_change(jackpot_id)
    if change is None or change.not_told:
        return None
    assert change.version is not None, "what waits was approved, and approval makes the version"
    head = books.heads[jackpot_id]
    assert head.version_id is not None, "a jackpot has its first version before its first entry"
    move_on(change, RequestAct.COUNT)
    # The entry that is posted next has this number: the lock is held until then.
    change.before_id, change.activated_at, change.activated_seq = head.version_id, head.now, head.last_seq + 1
    change.save(update_fields=["state", "before", "activated_at", "activated_seq"])
    books.put_in_force(jackpot_id, change.version)
    _tell(change, by, "version_in_force", entry=change.activated_seq)
    return change


def terms_after_back_out(books: Books, jackpot_id: int, award_seq: int) -> Terms:
    """The terms that a back-out of this award obeys: those it puts back in force, else the present ones."""
    change = _activated_by(jackpot_id, award_seq)
    if change is None or change.before is None or books.heads[jackpot_id].version_id != change.version_id:
        return books.terms(jackpot_id)
    return in_force(change.before.pk, change.before.digest).terms


def step_back(books: Books, jackpot_id: int, award_seq: int) -> None:
    """A back-out of the reset that activated a version puts the older one back in force; the version waits again.

    Where another version came into force since, that one stays: two people decided it for itself.
    """
    change = _activated_by(jackpot_id, award_seq)
    if change is None:
        return
    assert change.version is not None, "what was activated has a version"
    assert change.before is not None, "and one that it took the place of"
    later = TermsChange.objects.filter(jackpot_id=jackpot_id, state=RequestState.IN_FORCE, before=change.version)
    stands_on_it = later.order_by("activated_seq").last()
    if books.heads[jackpot_id].version_id == change.version_id:
        books.put_in_force(jackpot_id, change.before)
    elif stands_on_it is not None:
        stands_on_it.before = change.before
        stands_on_it.save(update_fields=["before"])
    # A jackpot has one version that waits: where another waits already, or stands on this one, it is over.
    superseded = stands_on_it is not None or waiting_change(jackpot_id) is not None
    move_on(change, RequestAct.BACK_OUT)
    if superseded:
        move_on(change, RequestAct.REPLACE)
    change.before = change.activated_at = change.activated_seq = None
    change.save(update_fields=["state", "before", "activated_at", "activated_seq"])
    _tell(change, "back-out", "version_backed_out", entry=award_seq)


def _activated_by(jackpot_id: int, award_seq: int) -> TermsChange | None:
    rows = TermsChange.objects.filter(jackpot_id=jackpot_id, state=RequestState.IN_FORCE, activated_seq=award_seq)
    return rows.select_related("version", "before", "jackpot").first()


def _tell(change: TermsChange, by: str, act: str, **details: int) -> None:
    assert change.version is not None, "only approved changes come here"
    told = {"version": change.version.number, "change": change.number, **details}
    record(actor=by, act=act, about=objects.jackpot(change.its_jackpot.code), details=told)
    events.notify(f"config {change.its_jackpot.code}")
