"""What a setting returns, costs and grows to."""

import random
from dataclasses import replace
from fractions import Fraction

import pytest

from jackpot.laboratory.growth import (
    NoSuchFigure,
    break_even_meter,
    economy,
    long_run_meter,
    neutral_contribution,
    return_at,
    seed_cost,
    top_hit,
)
from jackpot.laboratory.outcomes import NotAnOutcome
from jackpot.laboratory.setting import LabSetting
from jackpot.money import Money
from jackpot.terms.rules.paytable import ForOne, PayLine, PayTable
from jackpot.terms.rules.policy import Policy
from tests.jackpot.laboratory.scene import KNOWN, SMALL, SMALL_TABLE, setting


def percent(share: Fraction) -> float:
    return round(100 * share.numerator / share.denominator, 2)


def test_all_from_the_meter_at_seventy_and_five_costs_the_player_23_5_percent() -> None:
    assert percent(economy(setting(), KNOWN).house_edge) == 23.46


def test_parts_only_from_the_meter_at_25_and_5_costs_the_player_18_3_percent() -> None:
    assert percent(economy(setting("tray", "0.25"), KNOWN).house_edge) == 18.27


def test_a_higher_meter_returns_more_by_its_parts() -> None:
    low, high = (return_at(setting(), KNOWN, Money.of(meter)) for meter in ("10000", "20000"))
    assert high - low == 10_000 * (Fraction(1, 649_740) + Fraction(19, 649_740) / 20)


def test_at_the_break_even_meter_the_player_gets_back_all() -> None:
    meter = break_even_meter(setting(), KNOWN)
    nearest = Money.of(round(meter))
    assert abs(return_at(setting(), KNOWN, nearest) - 1) < Fraction(1, 100_000)


def test_a_table_without_parts_has_no_break_even_meter() -> None:
    fixed = PayTable("F", (PayLine("FH", "Full house", ForOne(10)),))
    with pytest.raises(NoSuchFigure, match="the return does not depend on it"):
        break_even_meter(setting(table=fixed), KNOWN)


def test_the_seed_costs_one_seed_for_each_top_hit() -> None:
    assert seed_cost(setting(), KNOWN) == Fraction(10_000, 649_740)


def test_the_neutral_contribution_pays_fixed_lines_and_lesser_parts() -> None:
    lesser = 10_000 * Fraction(19, 649_740) / 20
    fixed = economy(setting(), KNOWN).meter_fixed_share
    assert neutral_contribution(setting(), KNOWN, Money.of("10000")) == fixed + lesser


def test_at_seventy_percent_the_published_table_grows_and_at_fifty_it_shrinks() -> None:
    """002:452-455, all from the meter: what is paid out takes 51.65 % of the chips at a meter of 10,000."""
    neutral = neutral_contribution(setting(), KNOWN, Money.of("10000"))
    assert Fraction(50, 100) < neutral < Fraction(52, 100) < Fraction(70, 100)
    assert neutral_contribution(setting(), KNOWN, Money.of("100000")) < Fraction(70, 100), "a rich meter grows too"


def test_a_line_that_the_outcomes_do_not_know_is_refused() -> None:
    with pytest.raises(NotAnOutcome, match="do not know the line FLUSH of pay table X"):
        economy(setting(table=PayTable("X", (PayLine("FLUSH", "Flush", ForOne(5)),))), KNOWN)


def test_days_follow_from_the_coin_in_of_a_day() -> None:
    hit = top_hit(setting(), KNOWN, coin_ins_a_day=20_000)
    assert (hit.mean_coin_ins, hit.mean_days) == (649_740, Fraction(649_740, 20_000))


def test_half_of_all_top_hits_come_by_the_median_coin_in() -> None:
    counts = {quantile: count for quantile, count, _, _ in top_hit(setting(), KNOWN, coin_ins_a_day=1).quantiles}
    survives = (1 - 1 / 649_740) ** counts[Fraction(1, 2)]
    assert survives == pytest.approx(0.5, abs=1e-6)


def played_by_hand(one: LabSetting, lives: int) -> float:
    """The small game coin by coin: the mean meter at its top hit."""
    dice, total = random.Random(11), 0.0
    rate, seed = one.rate.numerator / one.rate.denominator, one.seed.units / 10**8
    for _ in range(lives):
        meter = seed
        while True:
            meter += rate
            fate = dice.random()
            if fate < 1 / 500:
                break
            meter -= 10 if fate < 1 / 500 + 1 / 25 else 0
        total += meter
    return total / lives


def test_the_mean_meter_at_the_top_hit_is_what_playing_coin_by_coin_finds() -> None:
    small = setting(table=SMALL_TABLE, seed="1000")
    hit = top_hit(small, SMALL, coin_ins_a_day=100)
    assert hit.mean_meter.numerator / hit.mean_meter.denominator == pytest.approx(
        played_by_hand(small, 2_000), rel=0.02
    )


def test_the_mean_path_with_lesser_parts_lies_between_start_and_ceiling() -> None:
    hit = top_hit(setting(), KNOWN, coin_ins_a_day=20_000)
    meters = [meter for _, _, _, meter in hit.quantiles]
    assert meters == sorted(meters)
    assert 71_000 < hit.mean_meter < 71_200


def test_envy_is_counted_for_the_other_seats() -> None:
    first, *others = setting("tray", "0.25").table.lines
    envied = replace(
        setting("tray", "0.25"), table=PayTable("E", (replace(first, envy=Money.of("1000"), source="meter"), *others))
    )
    bare = setting("tray", "0.25")
    for seats in (1, 7):
        more = economy(envied, KNOWN, seats).fixed_return - economy(bare, KNOWN, seats).fixed_return
        assert more == (seats - 1) * Fraction(1000, 649_740)
    assert economy(envied, KNOWN, 7).house_edge == economy(bare, KNOWN, 7).house_edge


@pytest.mark.parametrize(
    "looked_at",
    [
        setting(), setting("tray", "0.25"), setting(reserve="0"), setting(seed="50000"),
        replace(setting(), wager=Money.of("5.00")), replace(setting("tray"), aggregate=Money.of("2000")),
    ],
)  # fmt: skip
@pytest.mark.parametrize("seats", [1, 5])
def test_return_at_the_long_run_meter_and_house_edge_are_the_whole_chip(looked_at: LabSetting, seats: int) -> None:
    meter = long_run_meter(looked_at, KNOWN, seats)
    assert return_at(looked_at, KNOWN, meter, seats) + economy(looked_at, KNOWN, seats).house_edge == 1


def test_the_long_run_meter_holds_the_reserve_and_the_first_life_does_not() -> None:
    """GRAND: 70 + 5 %, seed 10,000, all from the meter."""
    assert round(1.0 * long_run_meter(setting(), KNOWN), 2) == 87_787.94
    assert round(1.0 * top_hit(setting(), KNOWN, coin_ins_a_day=1).mean_meter, 2) == 71_127.94
    assert round(1.0 * long_run_meter(setting("tray", "0.25"), KNOWN)) == 105_088


def test_a_table_without_parts_has_no_long_run_meter() -> None:
    with pytest.raises(NoSuchFigure, match="nothing ever takes what it holds"):
        long_run_meter(setting(table=PayTable("F", (PayLine("FH", "Full house", ForOne(10)),))), KNOWN)


def test_a_row_never_pays_less_than_the_next_where_the_switch_says_so() -> None:
    """The royal of seven, a twentieth of 20,000.00, stands above the community royal's 3,000.00."""
    lifted = replace(setting(), policy=Policy(row="never_less"))
    more = return_at(lifted, KNOWN, Money.of("20000")) - return_at(setting(), KNOWN, Money.of("20000"))
    assert more == Fraction(19, 649_740) * (3000 - 1000)
    assert return_at(lifted, KNOWN, Money.of("60000")) == return_at(setting(), KNOWN, Money.of("60000"))
    nearest = break_even_meter(lifted, KNOWN)
    assert return_at(lifted, KNOWN, nearest) == 1


def test_a_table_without_a_whole_meter_is_never_won() -> None:
    with pytest.raises(NoSuchFigure, match="No line pays the whole meter"):
        top_hit(setting(table=PayTable("F", (PayLine("FH", "Full house", ForOne(10)),))), KNOWN, coin_ins_a_day=1)


def test_no_coin_in_has_no_days() -> None:
    with pytest.raises(NoSuchFigure, match="at least one coin-in a day"):
        top_hit(setting(), KNOWN, coin_ins_a_day=0)


def test_a_dearer_wager_needs_a_higher_meter_to_break_even() -> None:
    dear = replace(setting(), wager=Money.of("5.00"))
    assert break_even_meter(dear, KNOWN) == 5 * break_even_meter(setting(), KNOWN)
