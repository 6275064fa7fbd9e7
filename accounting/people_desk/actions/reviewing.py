"""Everybody's rights looked through once a quarter: two people sign the same list, and its digest is kept."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone

from accounting.people_desk.queries import REVIEW, open_review, rights_of_house
from accounting.people_desk.rules.rights_digest import rights_digest
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions import RequestKind, SecondPerson
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue


class ReviewRights(RequestKind[Request]):
    """What was asked for is the digest of the list; it is counted again when the second person signs."""

    code, name, model = REVIEW, "Review of rights", Request
    may_ask: ClassVar[frozenset[str]] = frozenset({"people"})
    may_sign: ClassVar[frozenset[str]] = frozenset({"people"})
    signed_by_card: ClassVar[bool] = True

    @contextmanager
    def lock(self, row: Request) -> Iterator[Property]:
        with transaction.atomic():
            yield Property.objects.select_for_update(no_key=True).get(pk=row.premises_id)

    def sign(self, scene: Property, row: Request, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  each kind takes what it needs
        stands = rights_digest(each.rights for each in rights_of_house(scene))
        # Two people look at different hours; only the digest says that they looked at the same list.
        if stands != row.payload["digest"]:
            why = f"Somebody's rights changed since {row.asked_by_name} looked."
            raise NotAllowedNow(f"{why} Refuse this review, look through the list and sign it anew.", "stale")
        decided(row, approver, timezone.now())
        move_on(row, RequestAct.COUNT)
        row.save()
        note(self, row, approver.operator, "approve", row.reason)

    def compared(self, row: Request) -> list[ComparedValue]:
        people, digest = row.payload["people"], row.payload["digest"]
        return [
            ComparedValue("People and programs", "", str(people)),
            ComparedValue("Digest of their rights", "", digest),
        ]

    def phrase(self, row: Request) -> str:
        return f"the rights of {row.payload['people']} people and programs, {row.payload['digest'][:12]}…"

    def subject(self, row: Request) -> str:
        return row.premises.code

    def plain(self, row: Request) -> dict[str, Any]:
        return {"request": row.pk, **row.payload}


@transaction.atomic
def begin_review(*, premises: Property, digest: str, reason: str, by: Operator) -> Request:
    """The first signature, under the digest of the list that this person saw."""
    house = Property.objects.select_for_update(no_key=True).get(pk=premises.pk)
    waits = open_review(house)
    if waits is not None:
        raise NotAllowedNow(f"The review that {waits.asked_by_name} signed waits for a second person.", "waits")
    people = [each.rights for each in rights_of_house(house)]
    stands = rights_digest(people)
    if stands != digest:
        raise NotAllowedNow("Somebody's rights changed while you looked. Look at the list again.", "stale")
    row = Request(kind=REVIEW, premises=house, payload={"digest": stands, "people": len(people)}, reason=reason.strip())
    put_in(row=row, by=by)
    return row
