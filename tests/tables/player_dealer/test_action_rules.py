"""One hand that a player banks: turn, bets and fee, as plain values."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from jackpot.money import ZERO, Money
from tables.floor.rules.collection import CollectionRule, FeeBasis
from tables.games.fees import NoFee
from tables.games.player_dealer import BankRefused
from tables.games.uth.collection import rule_set
from tables.player_dealer.rules.action import (
    ActionRefused,
    LastBanked,
    SpotAction,
    ToldAction,
    fee_of_hand,
    refuse_spots,
    turn_of,
)
from tables.player_dealer.rules.told import NotAnAction, read_action

DAY = date(2026, 11, 19)


def told(banker: int = 3, *seats: int, ante: int = 25, wager: str = "500", **more: int) -> ToldAction:
    spots = tuple(
        SpotAction(seat, {name: Money.of(amount) for name, amount in {"ante": ante, "blind": ante, **more}.items()})
        for seat in seats or (1, 4)
    )
    return ToldAction(1, banker, Money.of(wager), spots)


@pytest.mark.parametrize(
    ("last", "banker", "seats", "in_a_row", "passed", "next_seat"),
    [
        (None, 3, (1, 4), 1, (), 3),
        (LastBanked(3, 1), 3, (1, 4), 2, (), 4),
        (LastBanked(3, 2), 4, (1, 3), 1, (), 4),
        (LastBanked(3, 1), 4, (1, 3), 1, (3,), 4),
        (LastBanked(3, 2), 1, (3, 4), 1, (4,), 1),
        (LastBanked(6, 2), 1, (6, 3), 1, (), 1),
        (LastBanked(2, 2), 6, (1, 2, 4), 1, (4,), 6),
        (LastBanked(5, 2), 4, (1, 2), 1, (1, 2), 4),
    ],
)
def test_the_bank_goes_clockwise_and_who_did_not_take_it_is_noted(
    last: LastBanked | None, banker: int, seats: tuple[int, ...], in_a_row: int, passed: tuple[int, ...], next_seat: int
) -> None:
    turn = turn_of(told(banker, *seats), 6, last)
    assert (turn.in_a_row, turn.passed, turn.next_seat) == (in_a_row, passed, next_seat)


def test_a_third_hand_in_a_row_is_refused() -> None:
    with pytest.raises(BankRefused, match=r"Seat 3 has banked two hands in a row\. Offer the bank to the next seat"):
        turn_of(told(3, 1), 6, LastBanked(3, 2))


@pytest.mark.parametrize(
    ("hand", "why"),
    [
        (told(0, 1), "There is no seat 0; this table has seats 1 to 6"),  # the house has no seat to bank from
        (told(7, 1), "There is no seat 7; this table has seats 1 to 6"),
        (told(3, 3), "Seat 3 banks this hand and does not bet against itself"),
        (told(3, 1, 1), "A seat is named twice"),
        (told(3, 1, wager="0"), "no wager. It must stand before the first card"),
        (ToldAction(1, 3, Money.of(5), ()), "Nobody bets against the player-dealer"),
    ],
)
def test_seats_that_cannot_be_are_refused(hand: ToldAction, why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        turn_of(hand, 6, None)


@pytest.mark.parametrize(
    ("basis", "fee", "due"),
    [(FeeBasis.HAND, "2.00", "2.00"), (FeeBasis.PLAYER, "1.50", "3.00"), (FeeBasis.HALF_HOUR, "6.00", "0.00"),
     (FeeBasis.NONE, "0.00", "0.00")],
)  # fmt: skip
def test_a_flat_fee_of_a_hand(basis: FeeBasis, fee: str, due: str) -> None:
    assert fee_of_hand(CollectionRule(DAY, basis, Money.of(fee)), None, told(3, 1, 4)) == Money.of(due)
    assert fee_of_hand(None, None, told()) == ZERO


@pytest.mark.parametrize(
    ("ante", "option", "due"), [(12, 4, 1), (25, 4, 3), (50, 4, 5), (500, 20, 25), (12, 1, 2), (13, 1, 4)]
)
def test_the_fee_by_total_action_counts_ante_blind_and_bonus_bets(ante: int, option: int, due: int) -> None:
    rule = CollectionRule(DAY, FeeBasis.ACTION, ZERO, "001", option)
    assert fee_of_hand(rule, rule_set("001").schedule(option), told(3, 1, 4, ante=ante)) == Money.of(due)


def test_the_bank_s_own_wager_is_no_action() -> None:
    rule = CollectionRule(DAY, FeeBasis.ACTION, ZERO, "001", 4)
    small, large = (told(3, 1, wager=wager) for wager in ("10", "9000"))
    schedule = rule_set("001").schedule(4)
    assert fee_of_hand(rule, schedule, small) == fee_of_hand(rule, schedule, large) == Money.of(2)


def test_half_a_dollar_lies_between_two_brackets() -> None:
    hand = ToldAction(1, 3, Money.of(5), (SpotAction(1, {"ante": Money.of("24.75"), "blind": Money.of("24.75")}),))
    with pytest.raises(NoFee, match="count whole dollars"):
        fee_of_hand(CollectionRule(DAY, FeeBasis.ACTION, ZERO, "001", 4), rule_set("001").schedule(4), hand)


def test_a_spot_holds_what_its_option_says() -> None:
    schedule, counted = rule_set("003").schedule(1), rule_set("003").counted
    refuse_spots(told(3, 1, ante=150), counted, schedule)
    with pytest.raises(ActionRefused, match=r"Seat 1 has \$302 down; a spot holds \$5 to \$300 by option 1"):
        refuse_spots(told(3, 1, ante=151), counted, schedule)
    with pytest.raises(ActionRefused, match="Seat 1: rule set 003 knows no bad beat wager"):
        refuse_spots(told(3, 1, ante=50, bad_beat=5), counted, schedule)
    refuse_spots(told(3, 1, ante=5_000, bad_beat=5), rule_set("001").counted, rule_set("001").schedule(24))


def test_no_wager_lies_above_or_below_what_the_rule_set_prints_whatever_is_posted() -> None:
    """[001:195] Minimums between 1 and 1,000, maximums between 100 and 10,000."""
    printed, schedule = rule_set("001"), rule_set("001").schedule(24)

    def ask(**bets: int | str) -> None:
        hand = ToldAction(1, 3, Money.of(9), (SpotAction(1, {name: Money.of(one) for name, one in bets.items()}),))
        refuse_spots(hand, printed.counted, schedule, wagers=printed.limits[24])

    ask(ante=10_000, blind=10_000, trips=1)
    with pytest.raises(
        ActionRefused, match=r"Seat 1: the trips of \$10,001 is above \$10,000, the largest wager of rule"
    ):
        ask(ante=5, blind=5, trips=10_001)
    with pytest.raises(ActionRefused, match=r"the bad beat of \$0.50 is below \$1, the smallest wager of rule set 001"):
        ask(ante=5, blind=5, bad_beat="0.50")
    other = rule_set("003")
    spot = told(3, 1, ante=1_000)
    refuse_spots(spot, other.counted, other.schedule(3), wagers=other.limits[3])


def test_the_same_told_in_another_order_is_the_same() -> None:
    bets = [{"seat": 4, "wagers": {"blind": "25", "ante": 25}}, {"seat": 1, "wagers": {"ante": "25", "blind": "25.00"}}]
    one, other = (read_action(7, {"seat": 3, "wager": "500"}, order) for order in (bets, bets[::-1]))
    assert one == other
    assert one.digest("PD-01") == other.digest("PD-01") != one.digest("PD-02")


@pytest.mark.parametrize(
    ("bank", "bets", "why"),
    [
        (None, [], "“bank” takes exactly seat and wager"),
        ({"seat": 3, "wager": "5"}, [], "“bets” must list the seats"),
        ({"seat": 3, "wager": "5"}, "all", "“bets” must list the seats"),
        ({"seat": "3x", "wager": "5"}, [{"seat": 1, "wagers": {"ante": "5"}}], "seat is a whole number"),
        ({"seat": 3, "wager": 5.5}, [{"seat": 1, "wagers": {"ante": "5"}}], "as text such as"),
        ({"seat": 3, "wager": "5"}, [{"seat": 1}], "“bets” takes exactly seat and wagers"),
        ({"seat": 3, "wager": "5"}, [{"seat": 1, "wagers": {}}], "“wagers” must be an object"),
        ({"seat": 3, "wager": "5"}, [{"seat": 1, "wagers": {"Änte": "5"}}], "is no wager"),
        ({"seat": 3, "wager": "5"}, [{"seat": 1, "wagers": {"ante": "-5"}}], "is too small"),
    ],
)
def test_a_word_that_cannot_be_read_gets_a_sentence(bank: Any, bets: Any, why: str) -> None:
    with pytest.raises(NotAnAction, match=why):
        read_action(1, bank, bets)
