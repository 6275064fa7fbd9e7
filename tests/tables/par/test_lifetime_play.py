"""What chips brought since the books began, by version: read from the acts, it is what the entries add up to."""

from __future__ import annotations

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.money import units_of
from tables.hits.actions.undo import recount_round, void_round
from tables.par.actions.actual_hits import hits_of_jackpots, lifetime_play
from tests.builders import a_casino, a_jackpot, a_property
from tests.jackpot.books.api_scene import a_played_casino, play
from tests.scenes_configure import AT_ONCE, approved, in_force

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def limits_rise_at_once() -> None:
    """A raised limit is the shortest way to another version in force."""
    premises = a_property()
    premises.raise_limit_at_once = True
    premises.save()


def added_up(jackpot: Jackpot) -> dict[int, int]:
    """Entry by entry: chips of each version, what was taken back under the version that had counted it."""
    entries = {entry.seq: entry for entry in Entry.objects.filter(jackpot=jackpot).order_by("seq")}
    found: dict[int, int] = {}
    for entry in entries.values():
        if entry.kind in ("coin_in", "void", "recount"):
            counted = entries[entry.corrects] if entry.corrects else entry
            found[counted.version_id] = found.get(counted.version_id, 0) - units_of(entry.contributed)
    return {pk: units // 75_000_000 for pk, units in found.items() if units}


def test_of_one_version_it_is_the_account_itself() -> None:
    a_played_casino()
    grand = Jackpot.objects.get(code="GRAND")
    assert lifetime_play([grand])[grand.pk].chips == added_up(grand)


def test_of_several_versions_what_was_taken_back_later_counts_under_its_own() -> None:
    casino = a_casino(tables=2, meter="20000.00", limit="25000.00")
    grand, (first, second) = casino.jackpot, casino.controllers
    play(first, 1, "123")
    play(second, 1, "12345", ends=False)
    approved(grand, AT_ONCE, limit="30000.00")
    play(first, 2, "4567")
    recount_round(table_code="UTH-02", round_number=1, seats="12", spots="1100000", by="supervisor")
    play(first, 3, "1")
    void_round(table_code="UTH-01", round_number=3, reason="Shuffler jam", by="supervisor")
    approved(grand, AT_ONCE, limit="35000.00")
    play(first, 4, "17")
    assert in_force(grand) == 3
    told = lifetime_play([grand])[grand.pk]
    assert {told.versions[pk].number: chips for pk, chips in told.chips.items()} == {1: 3, 2: 6, 3: 2}
    assert told.chips == added_up(grand)
    assert str(told.coin_in) == "11.00"


def test_a_second_version_without_play_brings_nothing() -> None:
    grand = a_casino(limit="25000.00").jackpot
    approved(grand, AT_ONCE, limit="30000.00")
    assert lifetime_play([grand])[grand.pk].coin_ins == 0


def test_more_jackpots_are_no_more_questions() -> None:
    casino = a_casino(limit="25000.00")
    a_jackpot("MINI")
    play(casino.controllers[0], 1, "123")
    approved(casino.jackpot, AT_ONCE, limit="30000.00")
    few = list(Jackpot.objects.order_by("code"))
    with CaptureQueriesContext(
        connection,
    ) as before:
        hits_of_jackpots(few)
    many = [*few, *(a_jackpot(f"J-{number}") for number in range(9))]
    with CaptureQueriesContext(connection) as after:
        found = hits_of_jackpots(many)
    assert len(after) == len(before)
    assert len(found) == 11
