"""An empty database becomes a house: its property, the usual roles and the first two people, on the founding code."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, timedelta
from pathlib import Path
from typing import Any, Final

from django.conf import settings
from django.db import transaction
from django.utils import timezone

import accounting.house_file
from accounting.house_file.loader import load, one_at_a_time
from accounting.house_file.positions import NoPlace
from accounting.house_file.reader import FORMAT, read_house
from accounting.house_file.sections import Section
from accounting.house_file.writer import property_content
from accounting.setup_desk.queries import standing_codes
from accounting.setup_desk.rules.founding_code import founding_code, opens
from jackpot.people.actions.own_secrets import check_password
from jackpot.people.actions.people import hire
from jackpot.people.models import Operator
from jackpot.people.rules.user_name import user_name_refusal
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood, Refused
from jackpot.rule_books.queries import rule_book_coded
from jackpot.trail.actions.trail import record
from jackpot.trail.models import Trail
from jackpot.trail.rules import objects

USUAL_ROLES: Final = Path(accounting.house_file.__file__).parent / "casinos" / "roles.toml"
FIRST_ROLE: Final = "administrator"
FOUNDS: Final = "found_house"
WRONG: Final = "wrong"
WRONG_CODES_A_MINUTE: Final = 20


class TooManyCodes(Refused):
    """Guessing is slowed for everybody: nobody mistypes a code twenty times in a minute."""

    code = "too_often"
    status = 429


@dataclass(frozen=True, slots=True)
class Founder:
    """One of the first two: each types the own password, twice."""

    username: str
    name: str
    password: str
    again: str


@dataclass(frozen=True, slots=True)
class FoundingWish:
    """What is typed on the first page of all."""

    code: str
    property: Mapping[str, Any]
    first: Founder
    second: Founder


def may_be_founded() -> bool:
    """Only where there is neither a house nor a person: afterwards people give roles to people."""
    return not Property.objects.exists() and not Operator.objects.exists()


def code_of_today() -> str:
    """For whoever runs the server; `up` prints it and `manage.py founding_code` does."""
    return founding_code(settings.MASTER_KEY, timezone.now().astimezone(UTC).date())


def found_house(*, wish: FoundingWish, address: str) -> Property:
    """Two administrators from the first moment on, so that nothing of authority ever was one person's word."""
    _check_empty()
    # Outside the transaction: that a code was wrong stays written although nothing is founded.
    _check_code(wish.code, address)
    with transaction.atomic():
        one_at_a_time()
        _check_empty()  # of two who found at once the second finds the first one's house
        # Behind the code: whoever does not hold it learns nothing of what a name or a password may be.
        people = _checked(wish.first, wish.second)
        content = {"format": FORMAT, "property": dict(wish.property), **_roles()}
        # Both, in every line of the trail: nothing of authority ever was one person's word.
        by = f"{wish.first.username} and {wish.second.username}"[:80]
        casino = read_house(Section("", NoPlace(), content, (), "the house"))
        load(casino, by=by)
        premises = Property.objects.get(code=casino.premises.code)
        for one in people:
            hire(premises=premises, username=one.username, name=one.name, roles=[FIRST_ROLE], by=by,
                 password=one.password)  # fmt: skip
        _follow_rule_book(premises, by)
        names = [one.username for one in people]
        record(actor=by, act=FOUNDS, about=objects.house(premises.code), details={"people": names, "address": address})
    return premises


def _follow_rule_book(premises: Property, by: str) -> None:
    """What its rule book wants told, and how long it lets slips stand, counts from the first gaming day on."""
    book, first_day = rule_book_coded(premises.rule_book), premises.gaming_day(timezone.now())
    assert book is not None, "the house was made with it a moment ago"
    notices = [
        {
            "from": first_day,
            "about": each.about,
            "to": each.to,
            "owner": each.owner,
            "within_hours": each.within_hours,
            **({} if each.from_amount is None else {"from_amount": each.from_amount}),
        }
        for each in book.notices
    ]
    unclaimed = book.values("unclaimed")
    dated = {"notices": notices, "unclaimed": [{"from": first_day, **unclaimed}] if unclaimed else []}
    whole = {"format": FORMAT, "property": property_content(premises), "roles": {}, **dated}
    load(read_house(Section("", NoPlace(), whole, (), "the house"), standing_codes(premises)), by=by)


def _check_empty() -> None:
    if not may_be_founded():
        raise NotAllowedNow("This database holds a house or people already. Sign in.", "founded")


def _check_code(code: str, address: str) -> None:
    """A wrong code stands in the trail and counts; the right one tells nothing but that it was right."""
    since = timezone.now() - timedelta(minutes=1)
    # Counted in the trail and not by address: a guesser changes addresses, and there is one house to be founded.
    if Trail.objects.filter(act=FOUNDS, outcome=WRONG, at__gte=since).count() >= WRONG_CODES_A_MINUTE:
        raise TooManyCodes("Too many wrong codes within a minute. Wait a minute, then try again.")
    if not opens(code, settings.MASTER_KEY, timezone.now().astimezone(UTC).date()):
        record(actor="nobody yet", act=FOUNDS, outcome=WRONG, details={"address": address})
        why = "This is not the founding code. It was printed where the server was started; manage.py founding_code"
        raise NotAllowed(f"{why} prints it again.", "wrong_code")


def _checked(*people: Founder) -> tuple[Founder, ...]:
    first, second = people
    if first.username.casefold() == second.username.casefold():
        raise NotUnderstood("A house begins with two people. Write two different user names.", "same_person")
    for one in people:
        why = user_name_refusal(one.username, one.name)
        if why:
            raise NotUnderstood(why, "username")
        # With the person it is for: a password that is the own name is refused as well.
        check_password(Operator(username=one.username, name=one.name), one.password, one.again)
    # One password for two would be one person who signs twice.
    if first.password == second.password:
        raise NotUnderstood("Both typed the same password. Each types one that the other does not know.", "password")
    return people


def _roles() -> dict[str, Any]:
    return tomllib.loads(USUAL_ROLES.read_text(encoding="utf-8"))
