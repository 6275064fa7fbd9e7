"""Jackpots come into being: opened with their seed, or taken over from another system with its reading."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from django.db import transaction

from jackpot.books.actions.post import EntryReference, open_books
from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.rules import movement
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.canonical import request_of
from jackpot.money import ZERO, Money
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.terms.rules.terms import Terms, TermsRefused, refuse_long_codes
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


@dataclass(frozen=True, slots=True)
class Reading:
    """What the old system showed when it was switched off."""

    meter: Money
    reserve: Money = ZERO
    overflow: Money = ZERO
    house_seed: Money = ZERO
    evidence: str = ""

    def plain(self) -> dict[str, Any]:
        return {
            "meter": str(self.meter),
            "reserve": str(self.reserve),
            "overflow": str(self.overflow),
            "house_seed": str(self.house_seed),
            "evidence": self.evidence,
        }


@transaction.atomic
def open_jackpot(
    *, premises: Property, code: str, name: str, terms: Terms, requested_by: str, approved_by: str
) -> Jackpot:
    """A new jackpot: its first version is in force and its seed comes from the house, entry 1."""
    jackpot = _create(premises, code, name, terms, requested_by, approved_by)
    with open_books([jackpot.id]) as books:
        about = EntryReference(key="opening", request=request_of({"act": "opening", "terms": terms.plain()}))
        books.post(jackpot.id, EntryKind.OPENING, movement.opening(terms.seed), about)
    record(actor=requested_by, act="open_jackpot", about=objects.jackpot(code), details={"approved_by": approved_by})
    jackpot.refresh_from_db()
    return jackpot


@transaction.atomic
def take_over(
    *, premises: Property, code: str, name: str, terms: Terms, reading: Reading, requested_by: str, approved_by: str
) -> Jackpot:
    """A jackpot that already runs elsewhere: its reading is entry 1, on evidence and two people's word."""
    _check_take_over(code, reading, requested_by, approved_by)
    jackpot = _create(premises, code, name, terms, requested_by, approved_by)
    with open_books([jackpot.id]) as books:
        moved = movement.take_over(reading.meter, reading.reserve, reading.overflow, reading.house_seed)
        request = request_of({"act": "take_over", "reading": reading.plain(), "terms": terms.plain()})
        books.post(jackpot.id, EntryKind.TAKE_OVER, moved, EntryReference(key="take_over", request=request))
    details = {"approved_by": approved_by, "reading": reading.plain()}
    record(actor=requested_by, act="take_over", about=objects.jackpot(code), details=details)
    jackpot.refresh_from_db()
    return jackpot


def _check_take_over(code: str, reading: Reading, requested_by: str, approved_by: str) -> None:
    if requested_by == approved_by:
        raise NotAllowed(f"{code}: a take-over needs two people; {requested_by} cannot sign twice.", "same_person")
    if not reading.evidence:
        raise NotAllowedNow(f"{code}: a take-over needs evidence of the old reading. Name the photo or report.")
    if min(reading.meter, reading.reserve, reading.overflow, reading.house_seed) < ZERO:
        raise NotAllowedNow(f"{code}: no reading of the old system can be below zero.")


def _create(premises: Property, code: str, name: str, terms: Terms, requested_by: str, approved_by: str) -> Jackpot:
    # A sentence for people; for two at the same moment the unique key stands behind it.
    if Jackpot.objects.filter(code=code).exists():
        raise NotAllowedNow(f"There is already a jackpot {code}. Choose another code.", "exists")
    try:
        refuse_long_codes(terms)
    except TermsRefused as why:
        raise NotAllowedNow(f"{code}: {why}", "pay_table") from None
    jackpot = Jackpot.objects.create(premises=premises, code=code, name=name)
    version = Version.objects.create(
        jackpot=jackpot, number=1, terms=terms.text, digest=terms.digest,
        requested_by=requested_by, approved_by=approved_by,
    )  # fmt: skip
    # The two name each other, so one of them has to be there first without.
    jackpot.version = version
    jackpot.save(update_fields=["version"])
    return jackpot
