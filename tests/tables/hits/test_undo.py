"""What stands in the way of a void: nothing is taken back under an award."""

from __future__ import annotations

import pytest

from jackpot.refusals import Refused
from tables.hits.actions.undo import void_round
from tests.tables.hits.test_hit import ref_b

pytestmark = pytest.mark.django_db


def test_a_round_with_an_award_is_not_voided_and_hears_the_cure() -> None:
    floor = ref_b()
    floor.coin_in("1")
    floor.mark(1, "royal")
    floor.confirm()
    floor.card()
    stood = floor.stands()
    with pytest.raises(
        Refused, match=r"approved and owed to the player\. Two people back it out first; then the round"
    ):
        void_round(**floor.place(0), reason="misdeal", by="Test Supervisor")
    assert floor.stands() == stood
