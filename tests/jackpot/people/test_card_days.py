"""The last day of a card is whole, in the calendar of its house; and what does not work opens nothing."""

from __future__ import annotations

from datetime import UTC, date, datetime
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from accounting.people_desk.queries import staff
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.frame import report_page
from accounting.reports.rules.asking import read_question
from jackpot.authority.actions.seen import cards_seen
from jackpot.people.actions.keys import keys_follow, sign_key_out
from jackpot.people.actions.presence import badge_of
from jackpot.people.models import Card, KeyRegister, Operator
from jackpot.people.queries import card_level
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from tests.builders import AT_BOX, BY, a_card, a_person, a_property

pytestmark = pytest.mark.django_db
NUMBER = "600000000778"
LAST = date(2026, 11, 17)
WEST, EAST = "America/Los_Angeles", "Asia/Tokyo"  # days roll at 06:00 on the wall
MOMENTS = {
    "afternoon of the last day, the next one in UTC": (WEST, datetime(2026, 11, 18, 0, 30, tzinfo=UTC), True),
    "the last minute of its gaming day": (WEST, datetime(2026, 11, 18, 13, 59, tzinfo=UTC), True),
    "its gaming day is over": (WEST, datetime(2026, 11, 18, 14, 0, tzinfo=UTC), False),
    "its gaming day is over, in UTC it still runs": (EAST, datetime(2026, 11, 17, 21, 30, tzinfo=UTC), False),
}


def accepted() -> bool:
    try:
        badge_of(badge=NUMBER, source=AT_BOX)
    except Refused:
        return False
    return True


def said_of(house: Property, person: Operator) -> dict[str, bool]:
    """What everybody says who judges a card."""
    now = timezone.now()
    keys_follow(person)
    access = report_page(REPORTS["access"], read_question(REPORTS["access"], {}, clock_of(house)))
    (line,) = staff(person, text=person.username)
    return {
        "at the table": accepted(),
        "at the top of a page": card_level(person, now) == "executive",
        "in the preview": cards_seen(house, now).people_from[Card.Level.EXECUTIVE] == 1,
        "by a key": KeyRegister.objects.get().level == Card.Level.EXECUTIVE,
        "among the people": line.cards[0].state == "works",
        "in the review": [row["cards"] for row in access.rows] == ["•••• 0778 executive"],
    }


@pytest.mark.parametrize(("zone", "moment", "works"), MOMENTS.values(), ids=MOMENTS)
def test_the_last_day_of_a_card_is_a_day_of_its_house(zone: str, moment: datetime, works: bool) -> None:
    house, person = _executive(zone, expires_on=LAST)
    with time_machine.travel(moment, tick=True):
        said = said_of(house, person)
    assert said == dict.fromkeys(said, works)


@pytest.mark.parametrize("columns", [{"locked_at": timezone.now(), "wrong_pins": 3}, {"blocked_at": timezone.now()}])
def test_a_card_that_does_not_work_works_nowhere(columns: dict[str, Any]) -> None:
    house, person = _executive(WEST)
    assert all(said_of(house, person).values())
    Card.objects.update(**columns)
    said = said_of(house, person)
    assert said == dict.fromkeys(said, False)


def _executive(zone: str, **columns: Any) -> tuple[Property, Operator]:
    house = a_property(time_zone=zone)
    person = a_person("ada", may=("people",), premises=house)
    a_card(person, number=NUMBER, level="executive")
    Card.objects.update(**columns)
    sign_key_out(premises=house, number="17", operator=person, level=Card.Level.EXECUTIVE, by=BY)
    return house, person
