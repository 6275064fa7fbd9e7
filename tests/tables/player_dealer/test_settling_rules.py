"""What became of a hand that a player banked, as a rule: the order, the reach of the bank, and what cannot be."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest

from jackpot.money import ZERO, Money
from tables.player_dealer.rules.action import ActionRefused
from tables.player_dealer.rules.settling import SettledHand, ToldOutcome, pays_of, settle_hand
from tables.player_dealer.rules.told import NotAnAction, read_outcome

PAYS = {"blind": [Fraction(1), Fraction(3, 2)], "trips": [Fraction(3), Fraction(5)]}
BETS = {
    1: {"ante": "25", "blind": "25", "trips": "5"},
    4: {"ante": "10", "blind": "10"},
    6: {"ante": "50", "blind": "50", "bad_beat": "5"},
}  # fmt: skip


def told(*results: dict[str, Any]) -> ToldOutcome:
    return read_outcome(7, list(results))


def settled(outcome: ToldOutcome, wager: str = "500", **more: Any) -> SettledHand:
    bets = {seat: {name: Money.of(amount) for name, amount in wagers.items()} for seat, wagers in BETS.items()}
    bets = {spot.seat: bets[spot.seat] for spot in outcome.spots}
    return settle_hand(
        seats=6, banker=3, bank_wager=Money.of(wager), bets=bets, told=outcome, pays=PAYS, **more
    )  # fmt: skip


LOSES_4 = {"seat": 4, "due": {"ante": "-10", "blind": "-10"}}
WINS_1 = {"seat": 1, "play": "100", "due": {"ante": "25", "play": "100", "blind": "37.50", "trips": "25"}}
LOSES_6 = {"seat": 6, "play": "50", "due": {"ante": "-50", "play": "-50", "blind": "-50", "bad_beat": "45"}}


def order_of(hand: SettledHand) -> list[tuple[int, str, str, str]]:
    return [(part.seat, part.wager, str(part.moved), str(part.uncovered)) for part in hand.parts]


def test_the_order_begins_left_of_the_button_and_at_a_spot_with_the_ante() -> None:
    hand = settled(told(WINS_1, LOSES_4, LOSES_6))
    assert [(part.seat, part.wager) for part in hand.parts] == [
        (4, "ante"), (4, "blind"),
        (6, "ante"), (6, "play"), (6, "blind"), (6, "bad_beat"),
        (1, "ante"), (1, "play"), (1, "blind"), (1, "trips"),
    ]  # fmt: skip
    sums = [str(each) for each in (hand.collected, hand.paid, hand.uncovered, hand.bank_won)]
    assert sums == ["170.00", "232.50", "0.00", "-62.50"]


def test_a_losing_hand_gives_play_before_ante_and_blind_where_the_house_says_so() -> None:
    """[001:64] asks for ante, play, blind of every spot, [001:129; 003:318] for play, ante, blind of a losing hand."""
    reaches = {"wager": "60"}  # the bank may win sixty: ten of each of seat 4, then forty of seat 6
    plain, switched = (settled(told(LOSES_4, LOSES_6), **reaches, play_first=first) for first in (False, True))
    assert order_of(plain)[2:5] == [
        (6, "ante", "-40.00", "10.00"),
        (6, "play", "0.00", "50.00"),
        (6, "blind", "0.00", "50.00"),
    ]
    assert order_of(switched)[2:5] == [
        (6, "play", "-40.00", "10.00"),
        (6, "ante", "0.00", "50.00"),
        (6, "blind", "0.00", "50.00"),
    ]
    assert plain.collected == switched.collected
    winner = settled(told(WINS_1), play_first=True)
    assert [part.wager for part in winner.parts] == ["ante", "play", "blind", "trips"], (
        "only a losing hand's order differs"
    )


def test_an_exhausted_bank_settles_nothing_more_and_the_rest_goes_back() -> None:
    hand = settled(told(WINS_1, LOSES_4), wager="30")
    assert order_of(hand) == [
        (4, "ante", "-10.00", "0.00"), (4, "blind", "-10.00", "0.00"),
        (1, "ante", "25.00", "0.00"), (1, "play", "25.00", "75.00"),
        (1, "blind", "0.00", "37.50"), (1, "trips", "0.00", "25.00"),
    ]  # fmt: skip
    assert str(hand.bank_won) == "-30.00", "it never loses more than its wager"
    assert str(hand.uncovered) == "137.50"


def test_a_bank_wins_no_more_than_its_wager() -> None:
    hand = settled(told(LOSES_4, {**LOSES_6, "due": {**LOSES_6["due"], "bad_beat": "-5"}}), wager="35")
    assert str(hand.bank_won) == "35.00"
    assert order_of(hand)[2:] == [
        (6, "ante", "-15.00", "35.00"), (6, "play", "0.00", "50.00"),
        (6, "blind", "0.00", "50.00"), (6, "bad_beat", "0.00", "5.00"),
    ]  # fmt: skip


def test_gross_every_dollar_uses_the_wager_up() -> None:
    hand = settled(told(WINS_1, LOSES_4), wager="30", model="gross")
    assert [part[2] for part in order_of(hand)] == ["-10.00", "-10.00", "10.00", "0.00", "0.00", "0.00"]


@pytest.mark.parametrize(
    ("change", "why"),
    [
        ({"due": {**WINS_1["due"], "trips": "20"}}, "Seat 1: 20.00 on a trips of 5.00 is 4 to 1; its table pays"),
        ({"due": {**WINS_1["due"], "trips": "0"}}, "the trips wins or loses, it never pushes"),
        ({"due": {**WINS_1["due"], "ante": "30"}}, "30.00 on a ante of 25.00 is 6 to 5"),
        ({"due": {**WINS_1["due"], "blind": "-5"}}, "the blind lost is 25.00, not 5.00"),
        ({"due": {**WINS_1["due"], "blind": "-25"}}, "one and the same hand"),
        ({"due": {**WINS_1["due"], "ante": "-25"}}, "one and the same hand"),
        ({"play": "110"}, "is not one to 4 times the ante"),
        ({"play": "125", "due": {**WINS_1["due"], "play": "125"}}, "is not one to 4 times the ante"),
        ({"play": "0"}, "say what became of each of its wagers: ante, blind, trips"),
        ({"play": "0", "due": {"ante": "0", "blind": "-25", "trips": "-5"}}, "nobody plays for it"),
    ],
)
def test_what_no_cards_can_bring_is_refused(change: dict[str, Any], why: str) -> None:
    with pytest.raises(ActionRefused, match=why):
        settled(told({**WINS_1, **change}))


def test_every_spot_is_told_once_and_the_bank_has_one_hand() -> None:
    outcome = told(WINS_1)
    with pytest.raises(ActionRefused, match="Tell each spot of the hand once: seats 1, 4"):
        settle_hand(
            seats=6, banker=3, bank_wager=Money.of("500"), told=outcome, pays={},
            bets={seat: {"ante": Money.of("25"), "blind": Money.of("25")} for seat in (1, 4)},
        )  # fmt: skip
    without_a_pair = {"seat": 4, "play": "10", "due": {"ante": "0", "play": "10", "blind": "0"}}
    with pytest.raises(ActionRefused, match="At one seat the player-dealer's hand counts and at another it does not"):
        settled(told(WINS_1, without_a_pair))
    assert settled(told(without_a_pair, {**LOSES_6, "due": {**LOSES_6["due"], "ante": "0"}})).bank_won > ZERO


def test_words_that_cannot_be_read_are_named() -> None:
    for results, why in (
        ([], "“results” must list the spots"),
        ([{"seat": 1}], "“results” takes exactly due and seat, and may take play"),
        ([{"seat": 1, "due": {"Ante": "5"}}], "“Ante” is no wager"),
        ([{"seat": 1, "due": {"ante": "five"}}], "ante"),
    ):
        with pytest.raises(NotAnAction, match=why):
            read_outcome(1, results)


def test_two_tables_of_one_bet_pay_what_either_pays() -> None:
    assert pays_of([("trips", [Fraction(3)]), ("trips", [Fraction(4)])]) == {"trips": {Fraction(3), Fraction(4)}}
