"""What of the overflow a reset returns, and what it leaves, where resets of earlier hits came in between."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.wins.rules.settlement import OverflowReturn, settle, still_frozen
from tests.jackpot.wins.test_settlement import amounts, hits, left, pot, ref_b


@pytest.mark.parametrize(
    ("frozen", "resets", "left"),
    [
        (6, [], 6),
        (6, [(8, 0)], 6),  # took nothing
        (6, [(8, 2)], 6),  # only what came in since
        (6, [(8, 3)], 5),  # that, and one of what lay there
        (6, [(8, 8)], 0),  # all of it
        (6, [(5, 2)], 4),  # a void had taken one: that stays the next meter's lack
        (6, [(8, 3), (8, 3)], 5),  # what the first one's limit cut off again is newer than the mark
        (6, [(8, 3), (6, 3)], 3),
    ],
)
def test_a_reset_takes_back_what_came_in_last_first(frozen: int, resets: list[tuple[int, int]], left: int) -> None:
    assert still_frozen(frozen, [OverflowReturn(*reset) for reset in resets]) == left


@given(st.lists(st.tuples(st.integers(0, 50), st.integers(0, 50), st.booleans())), st.integers(0, 20))
def test_what_is_due_is_what_came_in_since_and_was_not_returned(
    happened: list[tuple[int, int, bool]], lay: int
) -> None:
    """Told again coin by coin: a reset takes the newest, and nothing is due twice or lost."""
    coins, resets = [False] * lay, []
    for came, wanted, is_reset in happened:
        if is_reset:
            returned = min(wanted, len(coins))
            resets.append(OverflowReturn(len(coins), returned))
            coins = coins[: len(coins) - returned]
        coins += [True] * came
    assert len(coins) - still_frozen(lay, resets) == sum(coins)


def test_of_two_royals_in_a_round_the_second_ones_reset_returns_what_the_firsts_limit_cut_off() -> None:
    rules = ref_b(limit="10010.00")
    before = pot("10010.00", "16.00", overflow="6.40")
    awards = settle(before, hits(rules, (1, "royal"), (2, "royal")), rules)
    assert amounts(awards) == [(2, "10010.00"), (1, "10010.00")]
    assert [str(award.overflow_returned) for award in awards] == ["0.00", "6.00"]
    assert left(before, awards) == ("10006.00", "0.00")
