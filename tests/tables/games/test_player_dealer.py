"""A player deals and banks."""

from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.games.player_dealer import BankRefused, PlayerBank, action_order, next_banker, refuse_third_hand


@pytest.mark.parametrize(
    ("seats", "banker", "occupied", "order"),
    [
        (6, 4, {1, 2, 3, 5, 6}, (5, 6, 1, 2, 3)),
        (6, 6, {1, 3, 5}, (1, 3, 5)),
        (8, 3, {1, 2, 5, 8}, (5, 8, 1, 2)),
        (6, 2, {2}, ()),
    ],
)
def test_action_starts_left_of_the_bank_and_runs_clockwise(
    seats: int, banker: int, occupied: set[int], order: tuple[int, ...]
) -> None:
    assert action_order(seats, banker, occupied) == order


def test_a_seat_that_the_table_lacks_is_refused() -> None:
    with pytest.raises(BankRefused, match="no seat 7; this table has seats 1 to 6"):
        action_order(6, 1, {2, 7})


def test_the_bank_stays_for_a_second_hand() -> None:
    assert next_banker(6, 4, 1, {1, 4, 5}) == 4


def test_after_two_hands_the_bank_moves_clockwise() -> None:
    assert next_banker(6, 4, 2, {1, 4, 6}) == 6


def test_a_seat_that_declines_is_passed_over() -> None:
    assert next_banker(6, 4, 2, {1, 4, 6}, declining={6}) == 1


def test_when_everybody_declines_nobody_banks() -> None:
    assert next_banker(6, 4, 2, {1, 4}, declining={1}) is None


def test_a_banker_who_left_passes_the_bank_on() -> None:
    assert next_banker(6, 4, 1, {1, 2}) == 1


def test_a_third_hand_in_a_row_is_refused() -> None:
    with pytest.raises(BankRefused, match="Seat 4 has banked two hands in a row"):
        refuse_third_hand([1, 4, 4], 4)


def test_two_hands_apart_are_no_row() -> None:
    refuse_third_hand([4, 1, 4], 4)


def test_an_empty_bank_is_refused() -> None:
    with pytest.raises(BankRefused, match="has no wager"):
        PlayerBank(Fraction(0))


def test_net_collections_refill_the_bank() -> None:
    bank = PlayerBank(Fraction(20))
    bank.collect(Fraction(15))
    assert bank.pay(Fraction(40)) == 35
    assert (bank.won, bank.exhausted) == (-20, True)


def test_gross_every_dollar_uses_the_bank_up() -> None:
    bank = PlayerBank(Fraction(20), "gross")
    bank.collect(Fraction(15))
    assert bank.pay(Fraction(40)) == 5
    assert (bank.won, bank.exhausted) == (10, True)


def test_an_exhausted_bank_collects_nothing_more() -> None:
    bank = PlayerBank(Fraction(20))
    bank.pay(Fraction(20))
    assert bank.collect(Fraction(10)) == 0


@given(st.integers(1, 100), st.lists(st.tuples(st.booleans(), st.integers(1, 60))), st.sampled_from(["net", "gross"]))
def test_the_bank_never_wins_or_loses_more_than_its_wager(wager: int, acts: list[tuple[bool, int]], model: str) -> None:
    bank = PlayerBank(Fraction(wager), model)  # type: ignore[arg-type]
    for pays, amount in acts:
        (bank.pay if pays else bank.collect)(Fraction(amount))
        assert -wager <= bank.won <= wager
