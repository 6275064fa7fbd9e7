"""Authority that changes in the instant of a swipe, under real threads on real PostgreSQL."""

from __future__ import annotations

from datetime import timedelta
from functools import partial
from typing import Any

import pytest
import time_machine
from django.utils import timezone

from jackpot.authority.actions import level
from jackpot.authority.models import AuthorityChange
from jackpot.money import Money
from jackpot.people.actions.people import block_card, set_pin
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, sign
from jackpot.wins.models import Signature, Win
from tables.rounds.queries.prove import prove
from tables.rounds.rules.round import EndRequest
from tests.builders import a_card, a_person
from tests.races.test_win_races import side_by_side, tried
from tests.scenes_authority import AT_THE_ROLL, asked, raised, signed, two_signers
from tests.tables.hits.test_hit import SUPERVISOR, Floor, ref_b
from tests.tampering import put_clock_ahead

pytestmark = pytest.mark.race
TIMES = 12


def a_royal(floor: Floor) -> None:
    if floor.rounds[0]:
        floor.say(EndRequest(floor.rounds[0]))
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()


def put_aside(floor: Floor, heard: object) -> None:
    """A hit that was refused to the supervisor is an executive's."""
    if isinstance(heard, Refused):
        floor.card()


def test_two_people_sign_in_the_same_instant_and_one_is_told_so(fresh_database: str) -> None:
    floor = ref_b()
    house, signers = floor.casino.premises, [two_signers()[1], a_person("third", may=("configure",))]
    for number in range(TIMES):
        change = asked(house, executive_threshold=f"{6000 + number}.00")
        heard = side_by_side(
            *(partial(tried, sign, request_id=change.pk, approver=SecondPerson(each)) for each in signers)
        )
        assert sorted(isinstance(each, Refused) for each in heard) == [False, True]
    assert AuthorityChange.objects.filter(state="signed").count() == TIMES
    waits = [step for step in Property.objects.get().authority_steps if step.day]
    assert [(step.change, step.value) for step in waits] == [(TIMES, f"{5999 + TIMES}.00")]


def test_two_changes_signed_in_the_same_instant_both_stand(fresh_database: str) -> None:
    floor = ref_b()
    house, signer = floor.casino.premises, two_signers()[1]
    for number in range(TIMES):
        both = [
            asked(house, executive_threshold=f"{4000 - number}.00"),
            asked(house, dual_threshold=f"{90_000 - number}.00"),
        ]
        side_by_side(*(partial(sign, request_id=each.pk, approver=SecondPerson(signer)) for each in both))
        counts = Property.objects.get().thresholds
        assert (counts.executive, counts.dual) == (Money.of(4000 - number), Money.of(90_000 - number))


def test_numbers_of_requests_have_no_gap_and_no_double(fresh_database: str) -> None:
    house = ref_b().casino.premises
    asker = two_signers()[0]
    ask = partial(asked, house)
    side_by_side(*(partial(ask, executive_threshold=f"{6000 + each}.00") for each in range(6)))
    assert list(AuthorityChange.objects.values_list("number", flat=True)) == list(range(1, 7))
    assert {change.asked_by for change in AuthorityChange.objects.all()} == {asker}


def test_a_swipe_in_the_instant_of_a_lowered_threshold_is_before_it_or_refused(fresh_database: str) -> None:
    """Whatever the database lets come first: no win is logged by a supervisor after the second signature."""
    floor = ref_b(meter="3000.00", reserve="0.00", seed="3000.00")
    house, signer = floor.casino.premises, two_signers()[1]
    for number in range(TIMES):
        a_royal(floor)
        change = asked(house, executive_threshold=f"{2900 - number}.00")
        heard, _ = side_by_side(
            partial(tried, floor.card, number=SUPERVISOR, pin=""),
            partial(sign, request_id=change.pk, approver=SecondPerson(signer)),
        )
        change.refresh_from_db()
        if not isinstance(heard, Refused):
            assert change.decided_at is not None
            assert Win.objects.filter(logged_at__gt=change.decided_at).count() == 0
        put_aside(floor, heard)
        restored(house)
    assert prove().holds


def restored(house: Property) -> None:
    """The next round of the test begins under the first values again."""
    Property.objects.filter(pk=house.pk).update(authority=[])


@pytest.mark.parametrize("act", ["lowered", "blocked"])
def test_a_swipe_in_the_instant_its_card_loses_authority_is_before_it_or_refused(fresh_database: str, act: str) -> None:
    floor = ref_b(meter="3000.00", reserve="0.00", seed="3000.00")
    by = two_signers()[0]
    for number in range(TIMES):
        swiped = f"60000000100{number}"
        card = a_card(a_person(f"boss-{number}"), number=swiped, level="supervisor")
        a_royal(floor)
        take = (
            partial(level.ask_level, card=card, level="dealer", reason="moved on", by=by)
            if act == "lowered" else partial(block_card, card=card, why="lost", by="Pit")
        )  # fmt: skip
        heard, _ = side_by_side(partial(tried, floor.card, number=swiped, pin=""), take)
        word = Signature.objects.filter(card=card).first()
        assert (word is None) is isinstance(heard, Refused)
        if word is not None and act == "lowered":
            gone = AuthorityChange.objects.get(whose=card).decided_at
            assert gone is not None
            assert word.at <= gone
        put_aside(floor, heard)
    assert prove().holds


def test_a_swipe_in_the_instant_of_the_roll_is_judged_by_the_day_its_win_is_booked_on(
    fresh_database: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Real time passes 06:00 while a raised card is swiped again and again: it serves the new day only."""
    begins = AT_THE_ROLL - timedelta(seconds=2)
    ahead = begins - timezone.now()
    put_clock_ahead(ahead)
    with time_machine.travel(begins, tick=True):
        floor = ref_b(meter="9000.00", reserve="0.00")
        card = Card.objects.get(level=2)
        set_pin(card=card, pin="441122", by="tests")
        raised(card)
        signed(floor.casino.premises, executive_threshold="7500.00")
        a_royal(floor)
        swipe = partial(tried, floor.card, number=SUPERVISOR, pin="441122")
        heard: list[Any] = []
        while not Win.objects.filter(logged_at__isnull=False).exists():
            assert timezone.now() < AT_THE_ROLL + timedelta(seconds=30)
            heard += side_by_side(swipe, swipe)
    assert isinstance(heard[0], Refused), "the old day: a supervisor"
    assert sum(isinstance(each, dict) for each in heard) == 1
    win = Win.objects.get()
    assert win.logged_at is not None
    assert win.logged_at >= AT_THE_ROLL
    assert (str(win.gaming_day), win.signatures.get().level) == ("2027-03-11", 3)
    assert prove().holds
