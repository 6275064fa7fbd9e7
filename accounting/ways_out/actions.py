"""What lets the house's facts out takes two people: one asks, another signs; what closes such a way takes one."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import timedelta
from typing import Any, ClassVar, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import of_house
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestAct, RequestState
from jackpot.signing.actions import RequestKind, SecondPerson
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.deciding import decided, note

# A signature that nobody used lies about no longer than this.
FETCHED_WITHIN: Final = timedelta(days=7)


class WayOut(RequestKind[Request]):
    """A kind names what is opened. What bears a secret is opened when one of the two fetches it, once."""

    model = Request
    may_ask: ClassVar[frozenset[str]] = frozenset({"people"})
    may_sign: ClassVar[frozenset[str]] = frozenset({"people"})
    # A small house has one administrator; an executive's card with its PIN is the second person there.
    signed_by_card: ClassVar[bool] = True

    def check(self, premises: Property, payload: Mapping[str, Any]) -> None:
        """Refused in a sentence where it does not fit, or no longer."""
        raise NotImplementedError

    def check_signer(self, row: Request, approver: SecondPerson) -> None:  # noqa: ARG002  each kind takes what it needs
        # Without an executive's card only who gives such rights signs.
        if approver.card is None and not approver.operator.verbs().intersection(self.may_sign):
            raise NotAllowed(f"{approver.operator} may not sign this. Another person, who may, signs it.", "role")

    def open(self, row: Request, approver: SecondPerson) -> None:
        """Two people signed: what bears no secret is open now."""

    def row_of(self, premises: Property, payload: Mapping[str, Any], reason: str) -> Request:
        self.check(premises, payload)
        return super().row_of(premises, payload, reason)

    def sign(self, scene: Any, row: Request, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  each kind takes what it needs
        self.check(row.premises, row.payload)
        decided(row, approver, timezone.now())
        move_on(row, RequestAct.COUNT)
        row.save()
        # Behind the signature, which the database looks for.
        self.open(row, approver)
        note(self, row, approver.operator, "approve", row.reason)

    def subject(self, row: Request) -> str:
        return str(row.payload["name"])

    def plain(self, row: Request) -> dict[str, Any]:
        return {"request": row.pk, **row.payload}


def ask_way_out(*, kind: WayOut, premises: Property, payload: Mapping[str, Any], reason: str, by: Operator) -> Request:
    row = kind.row_of(premises, payload, reason.strip())
    put_in(row=row, by=by)
    return row


def asked_here(code: str, person: Any) -> QuerySet[Request]:
    """Requests of this kind in the house of whoever looks."""
    return of_house(Request.objects.filter(kind=code), person)


def to_fetch(code: str, person: Any) -> QuerySet[Request]:
    """Signed ones whose secret whoever looks may be shown."""
    rows = asked_here(code, person).filter(
        Q(asked_by=person) | Q(decided_by=person), state=RequestState.IN_FORCE,
        decided_at__gt=timezone.now() - FETCHED_WITHIN,
    )  # fmt: skip
    return rows.order_by("id")


def held_to_fetch(row: Request, by: Operator) -> Request:
    """The signed request, held: its secret is shown to one of the two whose names stand for it, while both work here.

    Within the caller's transaction; who else fetches it at once waits, and finds it fetched.
    """
    assert transaction.get_connection().in_atomic_block, "what is held is held until the act commits"
    held = Request.objects.select_for_update(no_key=True, of=("self",)).select_related("premises").get(pk=row.pk)
    if held.state != RequestState.IN_FORCE or held.decided_by is None or held.decided_at is None:
        raise NotAllowedNow("There is nothing to show: two people sign first.", "not_signed")
    if by.pk not in (held.asked_by_id, held.decided_by_id):
        raise NotAllowed(f"It is shown to {held.asked_by_name} or {held.decided_by_name}.", "not_yours")
    check_works_here(held.asked_by, held.decided_by)
    if held.decided_at <= timezone.now() - FETCHED_WITHIN:
        raise NotAllowedNow(
            f"It was signed more than {FETCHED_WITHIN.days} days ago and never fetched. Ask for it anew.", "too_late"
        )
    return held
