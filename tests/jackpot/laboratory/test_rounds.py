"""What all seats of one round bring together."""

from dataclasses import replace

import pytest

from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.rounds import AwardTurn, cut_by_aggregate, round_kinds, row_counts
from jackpot.laboratory.setting import row_costs
from jackpot.money import Money
from jackpot.terms.rules.paytable import PayTable
from jackpot.terms.rules.policy import Policy
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


def test_each_kind_of_round_has_its_awards_and_its_chance() -> None:
    kinds = {kind.turns: kind for kind in round_kinds(SMALL_SETTING, SMALL, 1)}
    assert kinds[AwardTurn(0.0, 1.0, top=True),].chance == pytest.approx(1 / 500)
    ten = kinds[AwardTurn(10.0),]
    assert (ten.chance, ten.due, ten.plain) == (pytest.approx(1 / 25), 10.0, True)


def test_fixed_awards_of_a_round_come_before_its_parts_and_envy_after_its_hit() -> None:
    envied = replace(SMALL_TABLE.lines[0], envy=Money.of("3.00"))
    one = replace(SMALL_SETTING, table=PayTable("S", (envied, SMALL_TABLE.lines[1])))
    counts = {(1, 1): 1.0}
    together = Outcomes(SMALL.rows, SMALL.chances, together={4: counts})
    (kind,) = round_kinds(one, together, 4)
    assert kind.turns == (AwardTurn(10.0), AwardTurn(0.0, 1.0, top=True), AwardTurn(9.0))


def test_fixed_awards_from_the_tray_are_no_round_for_the_meter() -> None:
    tray = replace(SMALL_SETTING, table=SMALL_TABLE.paid_from("tray"))
    assert [kind.turns for kind in round_kinds(tray, SMALL, 1)] == [(AwardTurn(0.0, 1.0, top=True),)]


def test_an_aggregate_cuts_what_a_board_brings_to_all() -> None:
    cut = replace(SMALL_SETTING, aggregate=Money.of("15.00"))
    assert max(kind.due for kind in round_kinds(cut, SHARED, 4) if kind.plain) == pytest.approx(15)
    meter, tray = cut_by_aggregate(cut, SHARED, 4)
    assert (meter, tray) == (pytest.approx((40 - 15) / 25 / 4), 0.0)


def test_equal_shares_of_the_top_award_take_the_meter_once() -> None:
    two = Outcomes(SMALL.rows, SMALL.chances, together={2: {(2, 0): 1.0}})
    shares = replace(SMALL_SETTING, policy=Policy(order="equal_shares"))
    assert [len(round_kinds(one, two, 2)[0].turns) for one in (SMALL_SETTING, shares)] == [2, 1]
