"""A dismissal in the instant of an act, under real threads on real PostgreSQL: whoever is first, nothing after it."""

from __future__ import annotations

from functools import partial

import pytest

from accounting.people_desk.actions.leaving import dismiss_everywhere
from jackpot.pacing.models import PacedTries
from jackpot.people.models import Operator
from jackpot.refusals import Refused
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tables.floor.models.duty import TableDuty
from tables.gateway.actions.device import badge_in_or_out
from tables.hits.actions import hit
from tables.rounds.rules.round import EndRequest
from tests.builders import AT_BOX, a_card, a_person
from tests.races.test_win_races import side_by_side, tried
from tests.scenes_authority import asked
from tests.tables.hits.test_hit import ref_b

pytestmark = pytest.mark.race
TIMES = 8


def someone(number: int, level: str = "supervisor") -> tuple[Operator, str]:
    """Somebody new each time: a dismissal happens once."""
    person, card = a_person(f"someone{number}", may=("configure",)), f"60000001{number:04d}"
    a_card(person, number=card, level=level)
    return person, card


def test_a_swipe_is_done_before_the_dismissal_or_refused_after_it(fresh_database: str) -> None:
    floor, chief = ref_b(meter="4000.00", reserve="0.00"), a_person("chief", may=("people",))
    for number in range(TIMES):
        person, card = someone(number)
        PacedTries.objects.all().delete()  # a box at which so many are refused would be slowed
        floor.coin_in("1")
        floor.mark(1, "five")
        floor.confirm()
        swipe = partial(tried, hit.swipe, **floor.place(0), card=card, source=AT_BOX)
        leaves = partial(tried, dismiss_everywhere, person=person, why="a race", by=chief)
        swiped, left = side_by_side(swipe, leaves) if number % 2 else reversed(side_by_side(leaves, swipe))
        assert not isinstance(left, Refused), left
        win = Win.objects.get(round_number=floor.rounds[0])
        assert (win.state == "owed") is not isinstance(swiped, Refused), swiped
        if win.state == "owed":
            gone = Trail.objects.get(act="dismiss", subject=person.username)
            assert win.logged_at is not None
            assert win.logged_at <= gone.at
        else:
            floor.card()
        assert isinstance(tried(hit.swipe, **floor.place(0), card=card, source=AT_BOX), Refused)
        floor.say(EndRequest(floor.rounds[0]))


def test_what_a_person_asked_for_is_signed_before_the_dismissal_or_not_at_all(fresh_database: str) -> None:
    house, chief = ref_b().casino.premises, a_person("chief", may=("people",))
    for number in range(TIMES):
        signer, _ = someone(number)
        change = asked(house, executive_threshold=f"{6000 + number}.00")
        signs = partial(tried, sign, request_id=change.pk, approver=SecondPerson(signer))
        leaves = partial(tried, dismiss_everywhere, person=signer, why="a race", by=chief)
        heard, left = side_by_side(signs, leaves)
        assert not isinstance(left, Refused), left
        row = Request.objects.get(pk=change.pk)
        assert (row.state == "signed") is not isinstance(heard, Refused), heard
        if row.state == "signed":
            assert row.decided_at is not None
            assert row.decided_at <= Trail.objects.get(act="dismiss", subject=signer.username).at


def test_nobody_is_badged_in_once_dismissed(fresh_database: str) -> None:
    ref_b()
    chief = a_person("chief", may=("people",))
    for number in range(TIMES):
        person, card = someone(number, "dealer")
        at_the_box = {"comes": True, "device_code": "none", "source": AT_BOX}
        comes = partial(tried, badge_in_or_out, table_code="UTH-01", badge=card, **at_the_box)
        side_by_side(comes, partial(dismiss_everywhere, person=person, why="a race", by=chief))
        assert not TableDuty.objects.filter(operator=person, ended_at=None).exists()
