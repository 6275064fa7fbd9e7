"""A hand-written slip that names another sum contests its win, beside whoever has the jackpot and needs a person."""

from __future__ import annotations

import pytest

from jackpot.money import Money
from jackpot.wins.queries.paying import open_dispute
from tables.slip_book.models import HandSlip
from tests.races.test_floor_changes_races import waits_with_empty_hands
from tests.scenes_wins import WinFloor
from tests.tables.slip_book.test_slip_book import Pit

pytestmark = pytest.mark.race
HELD_AFTER = ("jackpot_property", "jackpot_operator", "jackpot_card")


def test_a_slip_that_contests_its_win_waits_for_the_jackpot_with_empty_hands(fresh_database: str) -> None:
    """A dismissal has the jackpots and needs the people: had the slip the people already, each waited for the other."""
    win, pit = WinFloor().won({6: "four"})[0], Pit()
    assert waits_with_empty_hands(fresh_database, lambda: pit.used(1, win, amount=Money.of("110.00")), HELD_AFTER)
    assert open_dispute(win) is not None
    assert HandSlip.objects.get().differs
