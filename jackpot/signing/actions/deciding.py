"""A second person decides, or whoever asked takes it back. One way for every kind of request."""

from __future__ import annotations

from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.utils import timezone

from jackpot.people.actions.dismissing import check_works_here, dismissed_among
from jackpot.people.actions.presence import hold_card
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.actions.life import move_on, refusal
from jackpot.requests.models import LONGEST_REASON, Request
from jackpot.requests.rules.life import OPEN, RequestAct, RequestState, state_after
from jackpot.signing.actions.approver import SecondPerson
from jackpot.signing.actions.kinds import RequestKind, kind_of
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

SERVER: Final = "Server"


@transaction.atomic
def sign(*, request_id: int, approver: SecondPerson, seen: bool = False) -> Any:
    """The second person's word: computed again under the locks of its kind, posted, kept and told; or refused."""
    kind, found = request_of(request_id)
    # Before any lock: who is not of this house holds nothing of it up.
    kind.check_person(found, approver.operator)
    # Jackpots, then the request, in whichever act: so two people who decide at once never wait crosswise.
    with kind.lock(found) as scene:
        row = _locked(kind, request_id)
        _check_second(kind, row, approver)
        kind.sign(scene, row, approver, seen=seen)
        assert row.decided_by_id == approver.operator.pk, "a kind keeps who signed"
    kind.announce(row)
    return row


@transaction.atomic
def refuse(*, request_id: int, reason: str, by: Operator) -> Any:
    """The second person says no, and why. Nothing moves; the request stays with the answer."""
    kind, found = request_of(request_id)
    kind.check_person(found, by)
    # A refusal moves nothing, so no jackpot is locked for it.
    row = _locked(kind, request_id)
    check_works_here(by)
    if not row.is_open:
        raise refusal(row)
    if row.asked_by_id == by.pk:
        raise NotAllowed(f"{by} asked for this; withdraw it instead of refusing it.", "same_person")
    check_reason(reason)
    move_on(row, RequestAct.REFUSE)
    row.decided_by, row.decided_by_name, row.decided_at = by, str(by)[:100], timezone.now()
    row.decided_reason = reason.strip()
    row.save()
    note(kind, row, by, "refuse", reason, outcome="refused")
    kind.announce(row)
    return row


@transaction.atomic
def withdraw(*, request_id: int, reason: str, by: Operator) -> Any:
    """Whoever asked takes it back; what is signed and waits for its moment, anyone who may sign such requests.

    That leaves what two people signed before, so one person is enough. For a dismissed asker a colleague does it.
    """
    kind, found = request_of(request_id)
    kind.check_person(found, by)
    with kind.lock(found) as scene:
        row = _locked(kind, request_id)
        check_works_here(by)
        check_reason(reason)
        if row.is_open and row.asked_by_id != by.pk:
            _check_stands_in(kind, row, by)
        # Before the step: a kind that can let nothing go says why in its own words.
        if row.state == RequestState.SIGNED:
            kind.let_go(scene, row)
        move_on(row, RequestAct.WITHDRAW)
        row.withdrawn_by, row.withdrawn_by_name, row.withdrawn_at = by, str(by)[:100], timezone.now()
        row.withdrawn_reason = reason.strip()
        row.save()
    note(kind, row, by, "withdraw", reason)
    kind.announce(row)
    return row


def turn_down(*, request_id: int, reason: str, by: Operator) -> Any:
    """One button for both: whoever asked takes it back, anybody else refuses it."""
    # Read without a lock: who asked never changes.
    asker = Request.objects.filter(pk=request_id).values_list("asked_by_id", flat=True).first()
    act = withdraw if asker == by.pk else refuse
    return act(request_id=request_id, reason=reason, by=by)


def check_refuses(row: Request, by: Operator) -> None:
    """At a door for all kinds: whose roles only show such a request does not refuse it."""
    kind = kind_of(row.kind)
    if row.asked_by_id != by.pk and not by.verbs().intersection(kind.may_ask | kind.may_sign):
        raise NotAllowed(f"{by} may not refuse this. A person who may ask for it or sign it does.", "role")


def decided(row: Request, approver: SecondPerson, at: datetime) -> None:
    """Signed by this person at this moment of the books; what follows of it is the kind's."""
    move_on(row, RequestAct.SIGN)
    row.decided_by, row.decided_by_name, row.decided_at = approver.operator, str(approver.operator)[:100], at
    row.card = approver.card


def check_reason(reason: str) -> None:
    if not reason.strip() or len(reason) > LONGEST_REASON:
        raise NotUnderstood(f"Say why in 1 to {LONGEST_REASON} characters.", "reason")


def note(kind: RequestKind[Any], row: Any, by: Operator | None, act: str, reason: str = "", **more: Any) -> None:
    """One line of the trail, with the request as its kind tells it. Without a person the server itself did it."""
    outcome = more.pop("outcome", "done")
    record(
        actor=by or SERVER, act=f"{act}_{kind.trail}", about=objects.request(row.pk, row.premises_id),
        subject=kind.subject(row), outcome=outcome, why=reason,
        details={**kind.plain(row), **more},
    )  # fmt: skip


def request_of(request_id: int) -> tuple[RequestKind[Any], Any]:
    """The request with its kind, as it was a moment ago; nothing is locked."""
    code = Request.objects.filter(pk=request_id).values_list("kind", flat=True).first()
    if code is None:
        raise NotFound(f"There is no request {request_id}.", "no_request")
    kind = kind_of(code)
    return kind, kind.rows().get(pk=request_id)


def _locked(kind: RequestKind[Any], request_id: int) -> Any:
    """The request as it stands now; of two who decide at once the second hears what the first decided."""
    # A kind with columns of its own is a row in two tables.
    of = ("self",) if kind.model is Request else ("self", "request_ptr")
    return kind.rows().select_for_update(no_key=True, of=of).get(pk=request_id)


def _check_stands_in(kind: RequestKind[Any], row: Request, by: Operator) -> None:
    """What a dismissed person left open is taken back by whoever may ask for such a thing, or sign it."""
    if row.asked_by.is_active:
        raise NotAllowed(f"{row.asked_by} asked for this. Refuse it, or let {row.asked_by} withdraw it.")
    if not by.verbs().intersection(kind.may_ask | kind.may_sign | {"people"}):
        raise NotAllowed(f"{by} may not withdraw this. A person who may ask for it does.", "role")


def _check_second(kind: RequestKind[Any], row: Request, approver: SecondPerson) -> None:
    who = approver.operator
    if row.state not in OPEN:
        raise refusal(row)
    gone = dismissed_among([who.pk, row.asked_by_id])
    if who.pk in gone:
        raise NotAllowed(f"{who} is dismissed and signs nothing any more. Another person must.", "dismissed")
    if row.asked_by_id in gone:
        why = f"{row.asked_by}, who asked for {row}, is dismissed, so nobody signs it."
        raise NotAllowedNow(f"{why} Withdraw it, and let another person ask anew.", "asker_dismissed")
    if who.pk == row.asked_by_id:
        raise NotAllowed(
            f"{_capital(row)} needs two people; {who} cannot sign twice. Ask a second, different person.", "same_person"
        )
    kind.check_signer(row, approver)
    _check_card(row, approver)
    if state_after(RequestState(row.state), RequestAct.SIGN) is None:
        raise NotAllowedNow(f"{_capital(row)} has no preview yet. Wait for it, then sign.", "no_preview")


def _check_card(row: Request, approver: SecondPerson) -> None:
    """The card was swiped before the locks: nobody took its authority since, and nobody does until this is over."""
    card = approver.card
    if card is not None:
        house = row.premises
        hold_card(card, house.thresholds.pin_from_level, house.gaming_day(timezone.now()))


def _capital(row: Request) -> str:
    return str(row)[:1].upper() + str(row)[1:]
