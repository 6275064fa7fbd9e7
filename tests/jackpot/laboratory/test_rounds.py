"""What all seats of one round bring together."""

from fractions import Fraction

import pytest

from jackpot.laboratory.rounds import round_kinds, row_counts
from jackpot.laboratory.setting import row_costs
from tests.jackpot.laboratory.scene import KNOWN, SHARED, SMALL, SMALL_TABLE, setting

SMALL_SETTING = setting(table=SMALL_TABLE)


@pytest.mark.parametrize("seats", [1, 4, 7])
def test_the_counts_of_a_round_have_all_the_chance_there_is(seats: int) -> None:
    assert sum(row_counts(row_costs(setting(), KNOWN), KNOWN, seats).values()) == pytest.approx(1)


@pytest.mark.parametrize("seats", [1, 3, 6])
def test_every_seat_keeps_its_own_chance(seats: int) -> None:
    counts = row_counts(row_costs(SMALL_SETTING, SHARED), SHARED, seats)
    assert sum(chance * count[1] for count, chance in counts.items()) == pytest.approx(seats / 25)


def test_two_seats_for_themselves_multiply() -> None:
    counts = row_counts(row_costs(SMALL_SETTING, SMALL), SMALL, 2)
    assert counts[0, 2] == pytest.approx(1 / 625)


def test_two_seats_on_a_shared_board_hit_together() -> None:
    counts = row_counts(row_costs(SMALL_SETTING, SHARED), SHARED, 2)
    assert counts[0, 2] == pytest.approx(1 / 25)
    assert (0, 1) not in counts


def test_rounds_with_a_part_stand_apart() -> None:
    kinds = round_kinds(SMALL_SETTING, SMALL, 1)
    assert kinds.chance_of_part == pytest.approx(1 / 500)
    assert kinds.chance_of_fixed == pytest.approx(Fraction(1, 25) / (1 - Fraction(1, 500)))
    assert [(round_.parts, round_.fixed) for round_ in kinds.part_rounds] == [((1.0,), 0.0)]
