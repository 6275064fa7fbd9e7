"""Other terms for tests: drafted by one person, previewed, signed by another, through the product's own actions."""

from __future__ import annotations

from typing import Any

from jackpot.books.models.jackpot import Jackpot
from jackpot.configuring.actions import configure as jackpot_configure
from jackpot.configuring.actions.configure import TermsWish
from jackpot.people.models import Operator
from jackpot.signing.actions import SecondPerson, sign
from jackpot.terms.models.terms_change import TermsChange
from tables.requests.actions import configure
from tests.builders import a_person

AT_ONCE = TermsChange.How.AT_ONCE


NAMES = ("asker", "signer")


def two_people(premises: Any = None, names: tuple[str, str] = NAMES) -> tuple[Operator, Operator]:
    """One who asks and one who signs; the second may decide against the rule as executives do."""
    known = {person.username: person for person in Operator.objects.filter(username__in=names)}
    one, two = names
    asker = known.get(one) or a_person(one, may=("configure", "read_books"), premises=premises)
    signer = known.get(two) or a_person(two, may=("configure", "read_books", "override"), premises=premises)
    return asker, signer


def drafted(
    jackpot: Jackpot, how: TermsChange.How = TermsChange.How.NEXT_RESET, names: tuple[str, str] = NAMES, **changes: Any
) -> TermsChange:
    """A request whose preview spoke against nothing: what the laboratory finds has tests of its own."""
    asker, _ = two_people(jackpot.premises, names)
    jackpot.refresh_from_db()
    wish = TermsWish(configure.wished_terms(jackpot, changes), "the tests ask for it", how)
    change = configure.draft(jackpot=jackpot, wish=wish, by=asker)
    return jackpot_configure.freeze_preview(change_id=change.pk, findings=[], figures=[], by=asker)


def approved(
    jackpot: Jackpot, how: TermsChange.How = TermsChange.How.NEXT_RESET, names: tuple[str, str] = NAMES, **changes: Any
) -> TermsChange:
    """A request that two people signed."""
    change = drafted(jackpot, how, names, **changes)
    return sign(request_id=change.pk, approver=SecondPerson(two_people(jackpot.premises, names)[1]))


def in_force(jackpot: Jackpot) -> int:
    """The number of the version in force."""
    jackpot.refresh_from_db()
    assert jackpot.version is not None
    return jackpot.version.number
