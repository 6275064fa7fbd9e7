"""A later winner who was paid more than the books would have paid without the award before."""

from __future__ import annotations

import pytest

from jackpot.adjusting.actions.difference import undecided
from jackpot.proof.queries import prove
from jackpot.refusals import Refused
from tests.jackpot.adjusting.test_difference_of_a_winner import decided
from tests.scenes_adjusting import asked
from tests.scenes_owed import OwedFloor

pytestmark = pytest.mark.django_db


def test_an_award_that_took_too_much_is_only_noted() -> None:
    """A meter of 5,000.00 was won by mistake and began anew: 5 % of 10,620.75, and of 5,003.50 without it."""
    floor = OwedFloor(meter="4999.30")
    first = floor.won({2: "royal"})[0]
    later = floor.won({2: "five"}, seats="12345")[0]
    cause = floor.back_out(first)
    [told] = undecided(cause)
    assert (told["win"], told["basis_was"], told["basis"]) == (later.number, "10620.75", "5003.50")
    assert (told["was"], told["would_be"], told["owed"]) == ("531.04", "250.18", "-280.86")
    with pytest.raises(Refused, match=r"paid 280\.86 too much; nothing is owed"):
        asked("difference", floor.jackpot, cause=cause, win=later, pays=True)
    stood = floor.stands()
    assert decided(floor, cause, later).entry_text
    assert floor.stands() == stood
    assert prove().plain()["findings"] == []
