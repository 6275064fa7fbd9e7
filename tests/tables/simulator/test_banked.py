"""What a simulated table tells of a hand that a player banks: compared by its own lines, held against the games."""

from __future__ import annotations

from fractions import Fraction
from random import Random

import pytest

from jackpot.money import Money
from tables.games.cards import parse_card
from tables.games.packs import ToOne
from tables.games.poker import best_hand
from tables.games.registry import find_game
from tables.player_dealer.rules.settling import refuse_outcome
from tables.player_dealer.rules.told import read_action, read_outcome
from tables.simulator.banked import banked_hand, best
from tables.simulator.deal import deal
from tables.simulator.script import Crowd, PlannedRound, planned_rounds

SEATS = (1, 2, 4, 6)


def test_two_hands_compare_as_in_the_game() -> None:
    random = Random(11)
    for _ in range(300):
        dealt = deal(random, SEATS)
        ours = [best(hole, dealt.board) for hole in dealt.hands.values()]
        theirs = [best_hand([parse_card(card) for card in (*hole, *dealt.board)]) for hole in dealt.hands.values()]
        for one in range(len(ours)):
            for other in range(len(ours)):
                assert (ours[one] > ours[other]) == (theirs[one] > theirs[other]), (dealt, one, other)


@pytest.mark.parametrize(
    ("five", "rank"),
    [
        ("Ah 2c 3d 4s 5h", 4), ("Th Jc Qd Ks Ah", 4), ("2h 7h 9h Jh Kh", 5), ("9h 9c 9d Ks Kh", 6),
        ("9h 9c 9d 9s Kh", 7), ("Ah 2h 3h 4h 5h", 8), ("Th Jh Qh Kh Ah", 9), ("9h 9c 2d 2s Kh", 2),
        ("9h 9c 9d 2s Kh", 3),
        ("9h 9c 3d 2s Kh", 1), ("9h 7c 3d 2s Kh", 0),
    ],
)  # fmt: skip
def test_each_shape_is_known(five: str, rank: int) -> None:
    assert best((), five.split())[0] == rank


def test_whatever_is_dealt_is_an_outcome_that_the_floor_takes() -> None:
    random, pays = Random(3), set[Fraction]()
    for line in find_game("uth").table("blind", "UTH-01").lines:
        assert isinstance(line.pays, ToOne)
        pays.add(line.pays.times)
    for number in range(1, 400):
        hand = banked_hand(PlannedRound((), deal(random, SEATS)), SEATS[number % 4])
        assert hand is not None
        told = read_action(number, hand.bank, hand.bets)
        bets = {spot.seat: dict(spot.wagers) for spot in told.spots}
        refuse_outcome(bets, read_outcome(number, hand.results), {"blind": sorted(pays)})
        assert told.banker == SEATS[number % 4]
        assert all(spot.wagers["ante"] == Money.of(50) for spot in told.spots)


def test_whoever_sits_alone_has_nobody_to_play_against() -> None:
    assert banked_hand(PlannedRound((3,), deal(Random(1), (3,))), None) is None


def test_further_wagers_are_bet_on_by_some_who_like_the_progressive_and_the_same_after_every_loss() -> None:
    script = planned_rounds(7, "UTH-01", 7, Crowd(4, 6))
    taken = 0
    for number, plan in zip(range(1, 101), script, strict=False):
        words = plan.further("UTH-01", number, ("MEGA", "MINI"), 7)
        assert words == plan.further("UTH-01", number, ("MEGA", "MINI"), 7)
        for wager, seats in words.get("further", {}).items():
            assert set(seats) <= set(plan.chips)
            assert words["further_spots"][wager] == "".join("1" if seat in seats else "0" for seat in range(1, 8))
            taken += len(seats)
    assert taken > 100
    assert PlannedRound((1, 2), deal(Random(1), (1, 2))).further("UTH-01", 1, (), 7) == {}
