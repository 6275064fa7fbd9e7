"""The casino file gives the first values of authority; what two people signed since it cannot take back."""

from __future__ import annotations

import re

import pytest

from accounting.house_file.loader import load_casino
from accounting.house_file.sections import CasinoRefused
from jackpot.money import Money
from jackpot.people.actions.presence import card_numbered
from jackpot.property.models.property import Property
from tests.accounting.house_file.conftest import SMALL, Edited
from tests.scenes_authority import raised, signed

pytestmark = pytest.mark.django_db
ROLL = 'day_roll = "06:00"'
ALL = (
    f'{ROLL}\nexecutive_threshold = "7500.00"\ndual_threshold = "20000.00"\npin_from_level = "supervisor"\n'
    "cards_required = false\ncards_from_multiple = 250\nmarker_may_verify = true\nverifier_may_pay = true"
)


def test_the_first_values_are_the_files(edited: Edited) -> None:
    load_casino(edited(ROLL, ALL))
    house = Property.objects.get().thresholds
    assert (house.executive, house.dual, house.pin_from_level) == (Money.of(7500), Money.of(20_000), 2)
    assert (house.cards_required, house.cards_from) == (False, 250)
    assert (house.marker_may_verify, house.verifier_may_pay) == (True, True)
    assert load_casino(edited()).changes == ()


def test_a_file_that_is_silent_claims_nothing_of_what_two_people_signed(edited: Edited) -> None:
    load_casino(SMALL)
    signed(Property.objects.get(), executive_threshold="4000.00", marker_may_verify=True)
    assert load_casino(SMALL).changes == ()
    assert Property.objects.get().thresholds.executive == Money.of(4000)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ('executive_threshold = "5000.00"', "executive threshold 4,000.00 → 5,000.00 would change who may approve"),
        ('executive_threshold = "3000.00"', "executive threshold 4,000.00 → 3,000.00 would change who may approve"),
        ("verifier_may_pay = true", "verifier may pay no → yes would change who may approve at SMALL"),
    ],
)
def test_a_file_with_another_value_is_refused_naming_the_line_and_the_cure(edited: Edited, key: str, why: str) -> None:
    load_casino(SMALL)
    signed(Property.objects.get(), executive_threshold="4000.00")
    with pytest.raises(CasinoRefused, match=re.escape(why)) as refusal:
        load_casino(edited(ROLL, f"{ROLL}\n{key}"))
    assert refusal.value.line == 8
    assert "/office/authority/" in refusal.value.why
    assert Property.objects.get().thresholds.executive == Money.of(4000)


@pytest.mark.parametrize("amount", ["4000.00", "6000.00"])
def test_what_counts_and_what_waits_for_its_day_may_stand_in_the_file(edited: Edited, amount: str) -> None:
    load_casino(SMALL)
    house = Property.objects.get()
    signed(house, executive_threshold="4000.00")
    signed(house, executive_threshold="6000.00")
    assert load_casino(edited(ROLL, f'{ROLL}\nexecutive_threshold = "{amount}"')).changes == ()
    assert Property.objects.get().thresholds.executive == Money.of(4000)


@pytest.mark.parametrize(
    ("key", "why"),
    [
        ('executive_threshold = "-5.00"', "an amount above 0 in whole cents"),
        ('pin_from_level = "nobody"', "Choose one of: dealer, supervisor, executive"),
        ("cards_from_multiple = 0", "a whole number from 1 to 1000000"),
        ('marker_may_verify = "yes"', "must be true or false"),
    ],
)
def test_a_value_that_a_setting_cannot_take_is_refused_with_its_line(edited: Edited, key: str, why: str) -> None:
    with pytest.raises(CasinoRefused, match=re.escape(why)) as refusal:
        load_casino(edited(ROLL, f"{ROLL}\n{key}"))
    assert refusal.value.line == 8


def test_a_file_lowers_a_card_at_once_and_never_raises_one(edited: Edited) -> None:
    load_casino(SMALL)
    lowered = load_casino(edited('"executive"', '"supervisor"'))
    assert [str(each) for each in lowered.changes] == ["~ card •••• 1111 of first: level “executive” → “supervisor”"]
    with pytest.raises(CasinoRefused, match=r"Two people raise it, under /office/authority/"):
        load_casino(SMALL)


def test_a_level_that_two_people_gave_is_not_quietly_undone(edited: Edited) -> None:
    low = edited('"executive"', '"supervisor"')
    load_casino(low)
    card = card_numbered("700000001111")
    assert card is not None
    raised(card)
    assert load_casino(low).changes == (), "it counts from tomorrow on"
    assert load_casino(SMALL).changes == (), "and may stand in the file already"
    card.refresh_from_db()
    card.next_level_from = card.next_level_from and card.next_level_from.replace(year=2020)
    card.save()
    with pytest.raises(CasinoRefused, match="by change 1, which two people signed"):
        load_casino(low)
