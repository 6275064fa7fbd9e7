from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules.movement import Balances
from jackpot.money import Money
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.settlement import Award, Hit, Pot, settle
from tests.builders import a_pay_table, terms

REF_B = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
]


def units(amount: str) -> int:
    return Money.of(amount).units


def holding(meter: str, reserve: str = "0", overflow: str = "0") -> Balances:
    inside = units(meter) + units(reserve) + units(overflow)
    return Balances(meter=units(meter), reserve=units(reserve), overflow=units(overflow), outside=-inside)


def pot(meter: str, reserve: str = "0", **frozen: str) -> Pot:
    """Live and frozen alike unless the test says otherwise."""
    return Pot(
        holding(meter, reserve, frozen.get("overflow", "0")),
        units(frozen.get("frozen_meter", meter)),
        units(frozen.get("frozen_reserve", reserve)),
        units(frozen.get("frozen_overflow", frozen.get("overflow", "0"))),
    )


def ref_b(**changes: object) -> Terms:
    return terms(pay_table=a_pay_table(lines=REF_B), **changes)


def hits(rules: Terms, *said: tuple[int, str]) -> list[Hit]:
    return [Hit(seat, rules.pay_table.line(line)) for seat, line in said]


def amounts(awards: list[Award]) -> list[tuple[int, str]]:
    return [(award.seat, str(award.amount)) for award in awards]


def left(before: Pot, awards: list[Award]) -> tuple[str, str]:
    balances = before.live
    for award in awards:
        balances = balances.after(award.movement)
    return str(Money(balances.meter)), str(Money(balances.reserve))


def test_v4_counter_clockwise_pays_seat_6_first_then_the_royal_and_reseeds() -> None:
    rules, before = ref_b(), pot("20000.00", "617.25")
    awards = settle(before, hits(rules, (2, "royal"), (6, "straight_flush")), rules)
    assert amounts(awards) == [(6, "2000.00"), (2, "18000.00")]
    assert left(before, awards) == ("10617.25", "0.00")


def test_v4_clockwise_pays_the_royal_first_and_the_straight_flush_from_the_new_meter() -> None:
    rules, before = ref_b(policy={"order": "clockwise"}), pot("20000.00", "617.25")
    awards = settle(before, hits(rules, (2, "royal"), (6, "straight_flush")), rules)
    assert amounts(awards) == [(2, "20000.00"), (6, "1061.73")]
    assert left(before, awards) == ("9555.52", "0.00")


def test_v5_coin_ins_after_the_mark_build_the_next_meter() -> None:
    rules = ref_b()
    before = pot("20002.10", "617.40", frozen_meter="20000.00", frozen_reserve="617.25")
    awards = settle(before, hits(rules, (1, "royal")), rules)
    assert amounts(awards) == [(1, "20000.00")]
    assert left(before, awards) == ("10619.35", "0.15")


def test_v6_two_straight_flushes_each_take_from_what_is_left() -> None:
    rules, before = ref_b(), pot("20000.00")
    awards = settle(before, hits(rules, (1, "straight_flush"), (5, "straight_flush")), rules)
    assert amounts(awards) == [(5, "2000.00"), (1, "1800.00")]
    assert left(before, awards) == ("16200.00", "0.00")


@pytest.mark.parametrize(
    ("meter", "reserve", "from_reserve", "from_house"),
    [
        ("18641.50", "0", "0.00", "2358.50"),
        ("18648.50", "0", "0.00", "2351.50"),
        ("18641.50", "617.25", "617.25", "1741.25"),
    ],
)
def test_v7_a_community_royal_pays_seven_in_full_and_books_the_shortfall(
    meter: str, reserve: str, from_reserve: str, from_house: str
) -> None:
    rules = terms(pay_table=a_pay_table(source="meter"))
    before = pot(meter, reserve)
    awards = settle(before, hits(rules, *((seat, "royal_community") for seat in range(1, 8))), rules)
    assert amounts(awards) == [(seat, "3000.00") for seat in range(7, 0, -1)]
    assert str(sum((award.from_reserve for award in awards), Money(0))) == from_reserve
    assert str(sum((award.from_house for award in awards), Money(0))) == from_house
    assert left(before, awards) == ("0.00", "0.00")


@pytest.mark.parametrize(("rounding", "paid", "stays"), [
    ("half_up", "932.08", "17709.49"), ("down", "932.07", "17709.50"),
])  # fmt: skip
def test_v8_a_part_is_rounded_to_the_cent_by_the_jackpots_rule(rounding: str, paid: str, stays: str) -> None:
    rules, before = terms(rounding=rounding), pot("18641.57")
    awards = settle(before, hits(rules, (4, "royal_first_7")), rules)
    assert amounts(awards) == [(4, paid)]
    assert left(before, awards) == (stays, "0.00")


def test_v2_the_fraction_of_a_cent_stays_on_top_of_seed_and_reserve() -> None:
    rules, before = terms(rate="17.33", reserve_rate="0"), pot("10000.5199")
    awards = settle(before, hits(rules, (1, "royal_first_5")), rules)
    assert amounts(awards) == [(1, "10000.51")]
    assert left(before, awards)[0] == "10000.0099"


def test_v11_the_overflow_taken_since_the_mark_comes_back_at_the_reset() -> None:
    rules = ref_b(limit="20001.00")
    before = pot(
        "20001.00", "617.40", frozen_meter="20000.00", frozen_reserve="617.25", overflow="1.10", frozen_overflow="0"
    )
    awards = settle(before, hits(rules, (1, "royal")), rules)
    assert left(before, awards) == ("10619.35", "0.15")


def test_v14_the_full_house_of_seat_6_is_paid_first_and_lowers_the_royal_by_it() -> None:
    rules, before = terms(pay_table=a_pay_table(source="meter")), pot("20000.00")
    awards = settle(before, hits(rules, (3, "royal_first_5"), (6, "full_house")), rules)
    assert amounts(awards) == [(6, "10.00"), (3, "19990.00")]


def test_a_royal_after_a_fixed_award_that_drew_more_than_was_frozen_takes_nothing_and_resets() -> None:
    rules, before = terms(pay_table=a_pay_table(source="meter")), pot("12.00", frozen_meter="3.00")
    awards = settle(before, hits(rules, (3, "royal_first_5"), (6, "full_house")), rules)
    assert amounts(awards) == [(6, "10.00"), (3, "0.00")]
    assert left(before, awards) == ("10002.00", "0.00")


def test_v16_envy_goes_to_the_other_coin_in_seats_after_the_reset() -> None:
    line = {"code": "royal", "name": "Royal flush", "part": "1", "envy": "1000.00"}
    rules, before = terms(pay_table=a_pay_table(lines=[line])), pot("20000.00")
    awards = settle(before, hits(rules, (3, "royal")), rules, coin_in_seats=(1, 3, 5))
    assert [(award.seat, str(award.amount), award.envy) for award in awards] == [
        (3, "20000.00", False), (5, "1000.00", True), (1, "1000.00", True),
    ]  # fmt: skip
    assert left(before, awards) == ("8000.00", "0.00")


def test_v18_a_void_between_mark_and_approval_changes_no_frozen_basis() -> None:
    rules = ref_b()
    before = pot("19996.50", "617.00", frozen_meter="20000.00", frozen_reserve="617.25")
    awards = settle(before, hits(rules, (1, "royal")), rules)
    assert amounts(awards) == [(1, "20000.00")]
    assert left(before, awards) == ("10613.50", "0.00")


def test_fixed_awards_from_the_tray_leave_the_meter_alone() -> None:
    rules, before = terms(), pot("20000.00")
    awards = settle(before, hits(rules, (3, "four_of_a_kind")), rules)
    assert amounts(awards) == [(3, "100.00")]
    assert left(before, awards) == ("20000.00", "0.00")
    assert awards[0].movement.house == units("-100.00")


def test_equal_shares_of_a_top_award_leave_the_odd_cents_and_reseed_once() -> None:
    rules, before = ref_b(policy={"order": "equal_shares"}), pot("20000.03", "617.25")
    awards = settle(before, hits(rules, (1, "royal"), (4, "royal"), (6, "straight_flush")), rules)
    assert amounts(awards) == [(4, "10000.01"), (1, "10000.01"), (6, "0.00")]
    assert sum(award.resets for award in awards) == 1
    assert left(before, awards) == ("10617.26", "0.00")


def test_two_whole_meters_in_one_round_reseed_between() -> None:
    rules, before = ref_b(), pot("20000.00", "617.25")
    awards = settle(before, hits(rules, (1, "royal"), (4, "royal")), rules)
    assert amounts(awards) == [(4, "20000.00"), (1, "10617.25")]
    assert left(before, awards) == ("10000.00", "0.00")


def test_a_shared_reset_releases_only_what_its_own_line_left_in_the_reserve() -> None:
    lines = [REF_B[0], {"code": "community", "name": "Community royal", "for_one": 3000, "source": "meter"}]
    rules = terms(pay_table=a_pay_table(lines=lines, source="meter"), policy={"order": "equal_shares"})
    before = pot("20000.00", "617.25")
    awards = settle(before, hits(rules, (1, "royal"), (2, "community"), (3, "royal")), rules)
    assert amounts(awards) == [(3, "10000.00"), (1, "10000.00"), (2, "3000.00")]
    assert left(before, awards) == ("10000.00", "0.00")


def test_a_reset_obeys_the_terms_that_are_in_force_after_it() -> None:
    rules, later = ref_b(), ref_b(seed="12000.00", limit="12500.00")
    before = replace(pot("20000.00", "617.25"), reset_by=later)
    awards = settle(before, hits(rules, (2, "royal"), (6, "straight_flush")), rules)
    assert amounts(awards) == [(6, "2000.00"), (2, "18000.00")]
    assert (str(awards[1].seed), left(before, awards)) == ("12000.00", ("12500.00", "0.00"))


@given(
    st.integers(0, 30_000_00000000),
    st.integers(0, 2_000_00000000),
    st.lists(st.tuples(st.integers(1, 9), st.integers(0, 5)), unique_by=lambda said: said[0], min_size=1),
    st.sampled_from(["counter_clockwise", "clockwise", "equal_shares"]),
    st.sampled_from(["reserve_then_house", "house"]),
    st.integers(-500_00000000, 500_00000000),
)
def test_whatever_hits_every_award_balances_and_nothing_but_the_house_goes_below_zero(
    meter: int, reserve: int, said: list[tuple[int, int]], order: str, shortfall: str, moved_since: int
) -> None:
    rules = terms(pay_table=a_pay_table(source="meter"), policy={"order": order, "shortfall": shortfall})
    live = Balances(meter=meter, reserve=reserve, outside=-meter - reserve)
    before = Pot(live, meter + moved_since, max(reserve + moved_since, 0), 0)
    balances = live
    for award in settle(before, [Hit(seat, rules.pay_table.lines[line]) for seat, line in said], rules):
        assert award.movement.winners == award.amount.units >= 0
        balances = balances.after(award.movement)
        assert min(balances.meter, balances.reserve, balances.overflow) >= 0


@pytest.mark.parametrize("order", ["counter_clockwise", "equal_shares"])
def test_a_basis_that_earlier_hits_have_used_up_pays_nothing_and_never_less(order: str) -> None:
    """Coin-ins since the mark had gone into an earlier award that its own frozen meter no longer covered."""
    rules = ref_b(policy={"order": order})
    before = pot("5.00", frozen_meter="-9.70")
    awards = settle(before, hits(rules, (1, "straight_flush"), (2, "royal"), (3, "royal")), rules)
    assert str(min(awards, key=lambda award: award.amount).amount) == "0.00"
    assert all(award.basis is not None and str(award.basis)[0] != "-" for award in awards)


@pytest.mark.parametrize("order", ["counter_clockwise", "clockwise", "equal_shares"])
@pytest.mark.parametrize(("shortfall", "meter"), [("reserve_then_house", "10613.50"), ("house", "10617.00")])
def test_v18_what_a_void_took_is_made_good_before_the_reset(order: str, shortfall: str, meter: str) -> None:
    """5 chips voided since the mark: of the reserve as frozen, 617.25, only what is left of it is released."""
    rules = ref_b(policy={"order": order, "shortfall": shortfall})
    before = pot("19996.50", "617.00", frozen_meter="20000.00", frozen_reserve="617.25")
    awards = settle(before, hits(rules, (2, "royal")), rules)
    assert (amounts(awards), left(before, awards)) == ([(2, "20000.00")], (meter, "0.00"))


def test_v18_two_equal_shares_are_one_meter_with_one_shortfall_and_one_reset() -> None:
    rules = ref_b(policy={"order": "equal_shares"})
    before = pot("19996.50", "617.00", frozen_meter="20000.00", frozen_reserve="617.25")
    awards = settle(before, hits(rules, (2, "royal"), (6, "royal")), rules)
    assert amounts(awards) == [(6, "10000.00"), (2, "10000.00")]
    assert [str(award.from_reserve) for award in awards] == ["0.00", "3.50"]
    assert left(before, awards) == ("10613.50", "0.00")


@pytest.mark.parametrize("order", ["counter_clockwise", "clockwise", "equal_shares"])
@pytest.mark.parametrize("seats", [(2,), (2, 6)], ids=["one royal", "two royals"])
def test_v23_without_a_reserve_the_house_pays_and_the_next_meter_begins_at_its_seed(
    order: str, seats: tuple[int, ...]
) -> None:
    rules = ref_b(reserve_rate="0", policy={"order": order})
    before = pot("19996.50", frozen_meter="20000.00")
    awards = settle(before, hits(rules, *((seat, "royal") for seat in seats)), rules)
    first = [award for award in awards if award.from_house]
    assert str(first[0].from_house) == "3.50"
    assert left(before, awards) == ("10000.00", "0.00")
    assert sum(award.amount.units for award in awards) >= units("20000.00")


def test_v23_under_a_limit_the_reset_is_cut_as_if_nothing_had_lacked() -> None:
    """A hole that the reset filled would have taken the limit's overflow."""
    rules = ref_b(limit="10010.00")
    before = pot("9996.50", "20.00", frozen_meter="10000.00")
    [award] = settle(before, hits(rules, (2, "royal")), rules)
    assert (str(award.amount), str(award.from_reserve), str(award.reserve_released)) == ("10000.00", "3.50", "16.50")
    assert left(before, [award]) == ("10010.00", "0.00")
    assert award.movement.overflow == units("6.50")


def test_v23_a_meter_that_a_part_left_dry_begins_anew_at_its_seed_after_the_shortfall() -> None:
    rules = terms(
        pay_table=a_pay_table(lines=[{"code": "most", "name": "Most of it", "part": "999999/1000000"}]),
        reserve_rate="0", policy={"dry_meter": "restart"}, repay_rate="10",
    )  # fmt: skip
    before = pot("10.00", frozen_meter="20000.00")
    [award] = settle(before, hits(rules, (2, "most")), rules)
    assert (str(award.amount), str(award.from_house)) == ("19999.98", "19989.98")
    assert str(Money(before.live.after(award.moves).meter)) == str(rules.seed)


@given(
    st.integers(0, 20_000_00000000),
    st.integers(0, 700_00000000),
    st.integers(0, 500_00000000),
    st.sampled_from(["counter_clockwise", "clockwise", "equal_shares"]),
    st.sampled_from(["reserve_then_house", "house"]),
    st.integers(1, 3),
)
def test_a_new_meter_never_begins_below_its_seed(
    meter: int, reserve: int, taken: int, order: str, shortfall: str, royals: int
) -> None:
    """Whatever voids took since the mark, of meter and reserve."""
    rules = ref_b(policy={"order": order, "shortfall": shortfall})
    before = Pot(Balances(meter=meter, reserve=reserve, outside=-meter - reserve), meter + taken, reserve + taken, 0)
    awards = settle(before, [Hit(seat, rules.pay_table.lines[0]) for seat in range(1, royals + 1)], rules)
    balances = before.live
    for award in awards:
        balances = balances.after(award.movement)
        assert not award.resets or balances.meter >= rules.seed.units
    assert awards[-1].resets


def test_a_reset_releases_no_reserve_that_the_last_of_the_lower_rows_has_drawn() -> None:
    lines = [*REF_B, {"code": "flush", "name": "Flush", "for_one": 600, "source": "meter"}]
    table = a_pay_table(lines=lines, source="meter")
    rules = terms(pay_table=table, policy={"order": "equal_shares"})
    before = pot("20000.00", "617.25")
    awards = settle(before, hits(rules, (1, "flush"), (2, "royal"), (6, "royal")), rules)
    assert amounts(awards) == [(6, "10000.00"), (2, "10000.00"), (1, "600.00")]
    assert left(before, awards) == ("10017.25", "0.00")


def test_envy_of_shared_top_awards_is_paid_in_the_order_of_the_seats() -> None:
    lines = [{"code": "royal", "name": "Royal flush", "part": "1", "envy": "100.00"}]
    rules = terms(pay_table=a_pay_table(lines=lines), policy={"order": "equal_shares"})
    awards = settle(pot("20000.00"), hits(rules, (2, "royal"), (6, "royal")), rules, [2, 4, 6])
    assert [(award.seat, award.caused_by) for award in awards if award.envy] == [(4, 6), (2, 6), (6, 2), (4, 2)]


def test_a_shortfall_draws_on_the_reserve_as_frozen_and_what_came_in_since_stays_reserved() -> None:
    """At a limit the reserve grows while the meter stands still, so a void leaves a lack beside a grown reserve."""
    rules = ref_b(limit="20000.00")
    before = pot("19990.00", "110.00", frozen_meter="20000.00", frozen_reserve="100.00")
    (award,) = settle(before, hits(rules, (1, "royal")), rules)
    assert (str(award.from_reserve), str(award.reserve_released)) == ("10.00", "90.00")
    assert left(before, [award]) == ("10090.00", "10.00")


@pytest.mark.parametrize(("reserve", "frozen", "drawn", "house", "released", "stays"), [
    ("110.00", "100.00", "20.00", "0.00", "80.00", "10.00"),  # of the same act, whichever award drew it
    ("110.00", "15.00", "20.00", "0.00", "0.00", "90.00"),  # the rest of it from what came in since
    ("15.00", "15.00", "15.00", "5.00", "0.00", "0.00"),
    ("12.00", "15.00", "12.00", "8.00", "0.00", "0.00"),  # a void since: at most what is there
])  # fmt: skip
@pytest.mark.parametrize("by_itself", [True, False])
def test_whoever_of_an_act_draws_a_shortfall_the_same_reserve_is_left_to_release(
    reserve: str, frozen: str, drawn: str, house: str, released: str, stays: str, by_itself: bool
) -> None:
    """V18, V23: by the royal itself where a void took the meter, or by a fixed award before it."""
    lines = [*REF_B, {"code": "flush", "name": "Flush", "for_one": 600, "source": "meter"}]
    rules = terms(pay_table=a_pay_table(lines=lines, source="meter"))
    meter, said = ("580.00", ((2, "royal"), (6, "flush")))
    before = pot(meter, reserve, frozen_meter=meter, frozen_reserve=frozen)
    if by_itself:
        before, said = pot("19980.00", reserve, frozen_meter="20000.00", frozen_reserve=frozen), ((2, "royal"),)
    awards = settle(before, hits(rules, *said), rules)
    assert str(sum((award.from_reserve for award in awards), Money(0))) == drawn
    assert str(sum((award.from_house for award in awards), Money(0))) == house
    assert str(awards[-1].reserve_released) == released
    assert left(before, awards) == (str(rules.seed + Money.of(released)), stays)
