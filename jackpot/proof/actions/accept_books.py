"""Two people accept books that went back: one asks with a reason, another who proves to be there says yes."""

from __future__ import annotations

from typing import Final

from django.db import transaction
from django.utils import timezone

from jackpot.books import events
from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.models.went_back import WentBack
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.signing.actions.approver import Proof, authenticate_approver
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

ASKS: Final = "adjust"
SIGNS: Final = "sign_adjustments"


@transaction.atomic
def ask_to_accept(*, jackpot: Jackpot, by: Operator, why: str) -> WentBack:
    """The first person: what is missing was looked for, and how it is made good."""
    if not why.strip():
        raise NotUnderstood("Say in a few words what happened, and how what is missing is made good.", "reason")
    open_case = _open_case(jackpot)
    if open_case.is_asked and open_case.asked_by_id != by.pk:
        raise NotAllowedNow(f"{open_case.asked_by} has asked for it already. Somebody else accepts it.", "asked")
    open_case.asked_by, open_case.asked_at, open_case.reason = by, timezone.now(), why[:200]
    open_case.asked_seq = open_case.known_seq
    open_case.save(update_fields=["asked_by", "asked_at", "asked_seq", "reason"])
    record(
        actor=by,
        act="ask_to_accept_books",
        about=objects.jackpot(jackpot.code),
        why=why,
        details=_numbers_of(open_case),
    )
    return open_case


def accept_books(*, jackpot: Jackpot, by: Operator, proof: Proof) -> WentBack:
    """The second person, who proves to be there first. The jackpot plays on from where its books stand now."""
    with transaction.atomic():
        _asked_case(jackpot)  # before somebody gives a PIN for nothing
    # Before the jackpot is locked: a PIN takes 90 ms by design, and no chip waits for it.
    person = authenticate_approver(operator=by, premises=jackpot.premises, proof=proof, verbs={SIGNS}).operator
    return _accept(jackpot, person)


@transaction.atomic
def _accept(jackpot: Jackpot, person: Operator) -> WentBack:
    """Under the jackpot's lock; of two who accept at once the second finds nothing to accept."""
    open_case = _asked_case(jackpot)
    if open_case.asked_by_id == person.pk:
        raise NotAllowed(f"{person} asked for it; a second person accepts.", "same_person")
    open_case.accepted_by, open_case.accepted_at = person, timezone.now()
    open_case.save(update_fields=["accepted_by", "accepted_at"])
    record(actor=person, act="accept_books", about=objects.jackpot(jackpot.code), details=_numbers_of(open_case))
    events.notify(f"books {jackpot.code}")
    return open_case


def _asked_case(jackpot: Jackpot) -> WentBack:
    """One that the first person has asked for, and as that person knew it: two people say yes to the same figures."""
    open_case = _open_case(jackpot)
    if open_case.asked_by_id is None:
        raise NotAllowedNow("Nobody has asked for it yet. One person asks with a reason, another accepts.", "not_asked")
    if not open_case.is_asked:
        since = f"Since {open_case.asked_by} asked, {open_case.told_by} remembered entries up to {open_case.known_seq}."
        why = f"{since} Who asked did not know of them: one person asks anew, then another accepts."
        raise NotAllowedNow(why, "more_remembered")
    return open_case


def _open_case(jackpot: Jackpot) -> WentBack:
    lock([jackpot.pk])
    found = WentBack.objects.select_related("asked_by").filter(jackpot=jackpot, accepted_at=None).first()
    if found is None:
        raise NotAllowedNow(f"The books of {jackpot.code} have not gone back. Nothing is to be accepted.", "not_back")
    return found


def _numbers_of(open_case: WentBack) -> dict[str, int | str]:
    return {"known": open_case.known_seq, "found": open_case.found_seq, "why": open_case.why}
