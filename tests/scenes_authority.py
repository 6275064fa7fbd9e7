"""Other authority for tests: asked for by one person, signed by another; and a clock of the books that can be set."""

from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest
import time_machine

from jackpot.authority.actions import asking, level
from jackpot.authority.models import AuthorityChange
from jackpot.books.actions import post
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.signing.actions import SecondPerson, sign
from tests.builders import a_person
from tests.tampering import stop_clock

DAY_ONE = datetime(2027, 3, 10, 22, 0, tzinfo=UTC)  # evening of the gaming day of 10 March
BEFORE_THE_ROLL = datetime(2027, 3, 11, 5, 59, 59, tzinfo=UTC)
AT_THE_ROLL = datetime(2027, 3, 11, 6, 0, tzinfo=UTC)
_CLOCK = "clock_timestamp()"
SetClock = Callable[[datetime], None]


def a_set_clock(monkeypatch: pytest.MonkeyPatch, traveller: Any) -> SetClock:
    """The books' clock and the house's own, both where the test sets them."""
    asked = post.LOCK
    assert _CLOCK in asked

    def set_to(moment: datetime) -> None:
        stop_clock(moment.isoformat())
        monkeypatch.setattr(post, "LOCK", asked.replace(_CLOCK, f"'{moment.isoformat()}'::timestamptz"))
        traveller.move_to(moment, tick=False)

    return set_to


def traveller(moment: datetime = DAY_ONE) -> Any:
    return time_machine.travel(moment, tick=False)


def two_signers(premises: Property | None = None) -> tuple[Operator, Operator]:
    """One who asks and one who signs."""
    known = {person.username: person for person in Operator.objects.filter(username__in=["asker", "signer"])}
    may = ("configure", "people", "read_books")
    asker = known.get("asker") or a_person("asker", may=may, premises=premises)
    return asker, known.get("signer") or a_person("signer", may=may, premises=premises)


def asked(premises: Property, **wished: Any) -> AuthorityChange:
    by = two_signers(premises)[0]
    return asking.ask(premises=premises, wished=wished, reason="the tests ask for it", by=by)


def signed(premises: Property, **wished: Any) -> AuthorityChange:
    return sign(request_id=asked(premises, **wished).pk, approver=SecondPerson(two_signers(premises)[1]))


def raised(card: Card, to: str = "executive") -> AuthorityChange:
    """A card raised by two people."""
    asker, signer = two_signers(card.operator.premises)
    change = level.ask_level(card=card, level=to, reason="a new shift manager", by=asker)
    return sign(request_id=change.pk, approver=SecondPerson(signer))
