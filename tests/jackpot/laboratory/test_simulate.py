"""The meter played forward."""

import time
from dataclasses import replace
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules.movement import Balances
from jackpot.laboratory.growth import top_hit
from jackpot.laboratory.lives import Lives, Play, fan, fan_errors
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import LabSetting
from jackpot.laboratory.simulate import play
from jackpot.money import UNIT, Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine, PayTable
from jackpot.terms.rules.policy import Policy
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.settlement import Award, Hit, Pot, settle
from tests.jackpot.laboratory.scene import KNOWN, SMALL, SMALL_TABLE, setting

RICH = setting(table=SMALL_TABLE, seed="1000", rate="0.60", reserve="0.10")


def lives(how: Play, paths: int = 600, limit: str | None = None) -> Lives:
    one = setting(table=SMALL_TABLE, seed="1000", rate="0.60", reserve="0.10", limit=limit)
    return play(one, SMALL, how, paths=paths, seed=21)


def test_the_meter_at_the_first_top_award_is_that_of_the_formula() -> None:
    seen = lives(Play(1, top_hits=1), 4_000)
    exact = top_hit(RICH, SMALL, coin_ins_a_day=1).mean_meter
    assert seen.looked[0].sum() / seen.looks[0].sum() == pytest.approx(1.0 * exact, rel=0.01)


def test_later_meters_begin_with_the_reserve_too() -> None:
    seen = lives(Play(1, top_hits=2), 4_000)
    first, later = seen.looked.sum(axis=1) / seen.looks.sum(axis=1)
    assert later - first == pytest.approx(0.1 * 500, rel=0.1)


def test_checkpoints_see_the_meter_on_its_way() -> None:
    seen = lives(Play(1, 400, checkpoints=(0, 100, 400))).seen
    assert seen.shape == (3, 600)
    assert set(seen[0]) == {1000.0}


def test_a_checkpoint_lies_before_the_next_award_and_behind_the_last() -> None:
    """Without any award the meter is a straight line, however many checkpoints lie between two looks."""
    nothing = Outcomes(("ALL", "TEN"), (Fraction(0), Fraction(0)))
    seen = play(RICH, nothing, Play(2, 1000, checkpoints=range(0, 1001, 7)), paths=3, seed=1).seen
    assert seen[:, 1] == pytest.approx([1000 + 1.2 * rounds for rounds in range(0, 1001, 7)])


def test_the_last_checkpoint_is_where_the_life_ends() -> None:
    seen = lives(Play(2, 300, checkpoints=(300,)), 100)
    still = seen.seen[0] == pytest.approx(seen.meter)
    assert still or (np.isclose(seen.seen[0], seen.meter).mean() > 0.85)


def test_a_life_goes_on_after_it_ran_dry() -> None:
    poor = setting(table=SMALL_TABLE, seed="20", rate="0.30")
    seen = play(poor, SMALL, Play(3, 200, checkpoints=range(201)), paths=200, seed=2)
    assert 0 < seen.dry_by(200) <= 200
    assert seen.dry_by(50) < seen.dry_by(200)
    assert seen.seen.min() >= 0


def test_the_fan_shows_the_quantiles_at_every_checkpoint_with_their_errors() -> None:
    seen = lives(Play(1, 400, checkpoints=(0, 200, 400)))
    rows, errors = fan(seen, (0.1, 0.5, 0.9)), fan_errors(seen, (0.1, 0.5, 0.9))
    assert rows[0] == [1000, 1000, 1000]
    assert all(row == sorted(row) for row in rows)
    assert errors[0] == [0, 0, 0]
    assert min(errors[2]) > 0


def test_the_error_of_a_quantile_is_how_far_it_lies_from_seed_to_seed() -> None:
    found = [
        fan(play(RICH, SMALL, Play(1, 400, checkpoints=(400,)), paths=400, seed=seed), [0.5])[0][0]
        for seed in range(60)
    ]
    told = fan_errors(play(RICH, SMALL, Play(1, 400, checkpoints=(400,)), paths=400, seed=99), [0.5])[0][0]
    assert told == pytest.approx(np.std(found), rel=0.6)


def test_no_meter_rises_above_its_limit() -> None:
    seen = lives(Play(5, 400, checkpoints=range(0, 401, 20)), 100, limit="1050")
    assert seen.seen.max() <= 1050
    assert seen.to_overflow.min() > 0


def test_what_rises_above_the_limit_is_the_house_s_by_switch() -> None:
    limited = replace(RICH, limit=Money.of("1050"), policy=Policy(overflow="revenue"))
    seen = play(limited, SMALL, Play(5, 400), paths=50, seed=21)
    assert seen.to_overflow.max() == 0
    assert seen.house.max() < 0


def test_progress_rises_evenly_to_its_end() -> None:
    heard: list[float] = []
    play(RICH, SMALL, Play(1, 20_000), paths=40, seed=1, progress=heard.append)
    assert heard == sorted(heard)
    assert heard[-1] == 1.0


@pytest.mark.parametrize("rate", ["0", "0.10", "0.30", "0.50", "0.70", "1"])
def test_lives_cost_about_the_same_at_every_rate(rate: str) -> None:
    """Lives that run dry again and again are no dearer: 200 of them, half a year long, by the processor's clock."""
    before = time.process_time()
    play(setting(rate=rate, reserve="0"), KNOWN, Play(7, 180 * 4000 // 7), paths=200, seed=1)
    assert time.process_time() - before < 1.5


def test_many_lives_tell_two_percent_from_one_and_a_half() -> None:
    """Side by side, each further life costs little."""
    seen = play(setting(seed="3000"), KNOWN, Play(7, 2_000), paths=20_000, seed=1)
    chance = seen.dry_by(2_000) / 20_000
    assert (chance * (1 - chance) / 20_000) ** 0.5 < 0.0025


ROWS = ("ALL", "FIFTH", "HUNDRED", "TEN")


@st.composite
def rounds_to_settle(draw: st.DrawFn) -> tuple[Terms, tuple[int, ...], int, int]:
    """Terms of every kind, how many seats hit which row, the meter and the reserve before the round in dollars."""
    envy = draw(st.sampled_from([None, "7.00"]))
    sources = [draw(st.sampled_from(["meter", "tray"])) for _ in range(2)]
    lines = (
        PayLine("ALL", "All", PartOfMeter(Fraction(1)), envy=Money.of(envy) if envy else None),
        PayLine("FIFTH", "Fifth", PartOfMeter(Fraction(1, 5))),
        PayLine("HUNDRED", "Hundred", ForOne(100), source=sources[0]),  # type: ignore[arg-type]
        PayLine("TEN", "Ten", ForOne(10), source=sources[1]),  # type: ignore[arg-type]
    )
    restart = draw(st.booleans())
    policy = Policy(
        row=draw(st.sampled_from(["highest", "never_less"])),
        shortfall=draw(st.sampled_from(["reserve_then_house", "house"])),
        dry_meter="restart" if restart else "stay",
    )
    terms = Terms(
        Money.of("1.00"), Money.of("50.00"), 500_000, 0, PayTable("T", lines), policy=policy,
        limit=draw(st.sampled_from([None, Money.of("900.00")])),
        aggregate=draw(st.sampled_from([None, Money.of("120.00")])), repay_rate=500_000 if restart else None,
    )  # fmt: skip
    counts = tuple(draw(st.integers(0, most)) for most in (1, 2, 2, 2))
    return terms, counts, draw(st.integers(0, 800)), draw(st.integers(len(ROWS), 7))


@given(rounds_to_settle())
def test_a_round_costs_meter_and_house_what_the_rules_make_of_it(
    drawn: tuple[Terms, tuple[int, ...], int, int],
) -> None:
    terms, counts, meter, seats = drawn
    seats = max(seats, sum(counts))
    one = LabSetting(
        terms.pay_table, terms.wager, Fraction(1, 2), Fraction(0), terms.seed, terms.limit, terms.policy,
        terms.aggregate, Fraction(terms.repay_rate or 0, 1_000_000),
    )  # fmt: skip
    known = Outcomes(ROWS, (Fraction(1, 8),) * 4, together={seats: {counts: 1.0}})
    seen = play(one, known, Play(seats, 1), paths=1, seed=1, start=Money.of(meter))
    awards = by_the_rules(terms, counts, Money.of(meter), seats)
    left = settled_meter(terms, awards, Money.of(meter), seats)
    assert seen.meter[0] == pytest.approx(left, abs=0.05)
    lifted = sum(award.amount.units - plain_tray(award) for award in awards if award.line.source == "tray")
    house = sum(award.from_house.units - award.advance.house for award in awards)
    cut = terms.aggregate is not None and lifted < 0
    assert cut or seen.house[0] == pytest.approx((house + max(lifted, 0)) / UNIT, abs=0.05)


def by_the_rules(terms: Terms, counts: tuple[int, ...], meter: Money, seats: int) -> list[Award]:
    """Fixed awards on the right of the parts, as the laboratory pays them; the lab's order within a row is any."""
    places = [row for row, count in zip(ROWS, counts, strict=True) for _ in range(count)]
    in_turn = [row for row in places if row in ("HUNDRED", "TEN")] + [row for row in places if row in ("ALL", "FIFTH")]
    hits = [Hit(seats - number, terms.pay_table.line(row)) for number, row in enumerate(in_turn)]
    live = after_coin_in(terms, meter, seats)
    return settle(Pot(live, live.meter, 0, 0), hits, terms, range(1, seats + 1)) if hits else []


def after_coin_in(terms: Terms, meter: Money, seats: int) -> Balances:
    raised = meter.units + seats * UNIT // 2
    return Balances(meter=raised if terms.limit is None else min(raised, terms.limit.units))


def settled_meter(terms: Terms, awards: list[Award], meter: Money, seats: int) -> float:
    live = after_coin_in(terms, meter, seats)
    for award in awards:
        live = live.after(award.moves)
    return live.meter / UNIT


def plain_tray(award: Award) -> int:
    assert isinstance(award.line.award, ForOne), "only fixed awards come from the tray"
    return award.line.award.times * UNIT
