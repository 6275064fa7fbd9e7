"""What two registers hold: books of hand-written slips, and the keys and seals of the house. Lines are added only."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any, TypeVar

from accounting.house_file.change_kind import ChangeKind
from accounting.house_file.changes import FileChange, added, at
from accounting.house_file.parts import CasinoFile, CustodyPart, SlipBookPart
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow
from tables.custody.actions import CustodyFacts, add_item
from tables.custody.models import CustodyItem
from tables.custody.rules import ADDS, PLACE_WORDS, CustodyKind, GuardedPlace
from tables.slip_book.actions import BookFacts, add_book
from tables.slip_book.models import SlipBook
from tables.slip_book.rules import printed

Line = dict[str, Any]
Part = TypeVar("Part", SlipBookPart, CustodyPart)


def load_slip_books(casino: CasinoFile, _by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {row.code: _book_facts(row) for row in SlipBook.objects.filter(premises=premises)}

    def add(part: SlipBookPart, person: Operator) -> str:
        add_book(premises=premises, facts=part.facts, by=person)
        numbers = (printed(part.facts.prefix, part.facts.digits, one) for one in (part.facts.first, part.facts.last))
        return " to ".join(numbers)

    yield from _put_on(casino.slip_books, standing, add, ChangeKind.SLIP_BOOK)


def load_custody(casino: CasinoFile, _by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {row.code: _custody_facts(row) for row in CustodyItem.objects.filter(premises=premises)}

    def add(part: CustodyPart, person: Operator) -> str:
        add_item(premises=premises, facts=part.facts, by=person)
        return f"{PLACE_WORDS[part.facts.place]} {part.facts.where}"

    yield from _put_on(casino.custody, standing, add, ChangeKind.CUSTODY)


def slip_books_content(premises: Property, may: Sequence[str]) -> list[Line]:
    """Where each book has gone is in the register, not in a file."""
    rows = SlipBook.objects.filter(premises=premises).select_related("added_by").order_by("code")
    return [
        {"code": row.code, "prefix": row.prefix, "first": row.first, "last": row.last, "digits": row.digits,
         "added_by": _adder(row.added_by, may)}
        for row in rows
    ]  # fmt: skip


def custody_content(premises: Property, may: Sequence[str]) -> list[Line]:
    """Who has a key out, and the numbers on seals, are in the register, not in a file."""
    rows = CustodyItem.objects.filter(premises=premises).select_related("added_by").order_by("code")
    return [
        {"code": row.code, "kind": row.kind, "place": row.place, "where": row.where, "holder": row.holder,
         "countersigner": row.countersigner, **({} if row.hours is None else {"hours": row.hours}),
         "added_by": _adder(row.added_by, may)}
        for row in rows
    ]  # fmt: skip


def _put_on(
    parts: Sequence[Part], standing: Mapping[str, object], add: Callable[[Part, Operator], str], what: ChangeKind
) -> Iterator[FileChange]:
    """What is on a register stays as it is; who adds a line must be somebody who sets up the house."""
    for part in parts:
        with at(part):
            stands = standing.get(part.code)
            if stands is not None and stands != part.facts:
                why = f"{part.code} is on the register with other words, and no line of it changes. Use another code."
                raise NotAllowedNow(why, "code")
            if stands is None:
                words = add(part, _person(part.added_by))
                yield added(what, part.code, words)


def _person(username: str) -> Operator:
    person = Operator.objects.get(username=username)
    # A line of a register bears its writer's name, so a file may not sign it for just anybody.
    if not person.is_active or ADDS not in person.verbs():
        raise NotAllowed(f"{username} has no role that may “{ADDS}”, so adds nothing to a register.", "added_by")
    return person


def _book_facts(row: SlipBook) -> BookFacts:
    return BookFacts(row.code, row.prefix, row.first, row.last, row.digits)


def _custody_facts(row: CustodyItem) -> CustodyFacts:
    return CustodyFacts(
        row.code, CustodyKind(row.kind), GuardedPlace(row.place), row.where, row.holder, row.countersigner, row.hours
    )


def _adder(person: Operator, may: Sequence[str]) -> str:
    """Who added it, if they still may; else another one of the house who may."""
    return person.username if person.username in may or not may else may[0]
