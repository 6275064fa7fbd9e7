"""The approvals of a house: each is a request that two people signed, with its document as evidence."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Final

from jackpot.approvals.rules import ApprovedThing, KnownApproval, NeededApproval, known_of, lacking
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState

APPROVAL: Final = "approval"


def known_approvals(premises: Property) -> list[KnownApproval]:
    """In the order of the second signatures."""
    rows = Request.objects.filter(premises=premises, kind=APPROVAL, state=RequestState.IN_FORCE)
    return [known_of(payload) for payload in rows.order_by("decided_at", "pk").values_list("payload", flat=True)]


def asked_by_house(premises: Property) -> frozenset[ApprovedThing]:
    """Which things this house wants approved before play, as its rule book has it."""
    return frozenset(thing for thing in ApprovedThing if getattr(premises, f"approves_{thing}"))


def jackpot_lacks(
    premises: Property, code: str, pay_table: str, day: date, game: str = ""
) -> list[NeededApproval]:  # fmt: skip
    """What a jackpot lacks to open, or its other terms to count: itself, its pay table, its game, the owner's word."""
    of_game = [ApprovedThing.GAME, ApprovedThing.AGREEMENT] if game else []
    needed = [
        *(NeededApproval(thing, game) for thing in of_game),
        NeededApproval(ApprovedThing.JACKPOT, code),
        NeededApproval(ApprovedThing.PAY_TABLE, pay_table),
    ]
    return unapproved(premises, needed, day)


def unapproved(premises: Property, needed: Iterable[NeededApproval], day: date) -> list[NeededApproval]:
    """What lacks its approval, of the things that the house asks one for."""
    asked = asked_by_house(premises)
    wanted = [each for each in needed if each.thing in asked]
    # A house that asks for no approval reads none.
    return lacking(wanted, known_approvals(premises), day) if wanted else []
