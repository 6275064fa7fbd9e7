"""How far balances would be apart: what a limit makes of coin-ins, and an act that is paid again."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from jackpot.books.rules.movement import NOTHING, Movement, coin_in
from jackpot.money import UNIT, Money
from jackpot.wins.rules.back_out_effect import TOGETHER, BalanceGap, PaidRound, coined, paid_again
from jackpot.wins.rules.settlement import Hit
from tests.builders import terms
from tests.jackpot.books.test_movement import standing


@given(st.lists(st.integers(1, 7), max_size=30), st.integers(0, 1000), st.integers(-900, 900))
def test_a_run_of_coin_ins_counted_together_is_each_counted_alone(rounds: list[int], meter: int, more: int) -> None:
    of = terms(seed="500.00", limit="1000.00", rate="70", reserve_rate="5")
    more = max(more, -meter)
    stands, would = meter * UNIT, (meter + more) * UNIT
    counted, over = NOTHING, 0
    for spots in rounds:
        moved, other = coin_in(spots, of, stands), coin_in(spots, of, would)
        counted, over = counted.with_also(moved), over + other.overflow - moved.overflow
        stands, would = stands + moved.meter, would + other.meter
    raised = -counted.contributed - counted.reserve
    brought = Movement(meter=counted.meter, overflow=counted.overflow, house=-counted.meter - counted.overflow)
    found = coined(BalanceGap(meter=more * UNIT), meter * UNIT, brought, raised, of)
    assert found == BalanceGap(would - stands, 0, over)


def test_without_a_limit_coin_ins_change_nothing() -> None:
    assert coined(BalanceGap(meter=UNIT), 0, NOTHING, 5 * UNIT, terms()) == BalanceGap(meter=UNIT)


def test_a_reset_releases_the_reserve_that_would_have_been_there() -> None:
    """10,687.25 / 5.00 were paid and begun anew; 20,070.00 / 622.25 would have been."""
    of = terms(seed="10000.00")
    royal = of.pay_table.line("royal_first_5")
    before = standing(meter="10687.25", reserve="5.00")
    act = PaidRound([Hit(2, royal)], [2], of, of, of, before, before)
    apart = BalanceGap(Money.of("9382.75").units, Money.of("617.25").units)
    [award] = paid_again(act, apart, apart, NOTHING, [])
    assert (str(award.amount), str(award.reserve_released)) == ("20070.00", "622.25")
    [same] = paid_again(act, TOGETHER, TOGETHER, NOTHING, [])
    assert (str(same.amount), str(same.reserve_released)) == ("10687.25", "5.00")
