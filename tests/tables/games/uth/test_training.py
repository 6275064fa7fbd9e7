"""Rounds to practise on, and their correction."""

from fractions import Fraction

import pytest

from tables.games.procedure import begin
from tables.games.uth.procedure import procedures
from tables.games.uth.rules import HouseRules, refuse_bets
from tables.games.uth.settle import PlayerDealer, settle
from tables.games.uth.training import correct, deal_practice, scene_of
from tests.tables.games.uth.scene import TABLES, dealt, seat, settled

WITHOUT_PROGRESSIVE = {bet: one for bet, one in TABLES.items() if bet != "progressive"}


def test_the_same_seed_deals_the_same_round() -> None:
    assert deal_practice(7, (1, 3, 5), TABLES) == deal_practice(7, (1, 3, 5), TABLES)
    assert deal_practice(7, (1, 3, 5), TABLES) != deal_practice(8, (1, 3, 5), TABLES)


@pytest.mark.parametrize("seed", range(40))
def test_every_practice_round_can_be_settled_and_walked(seed: int) -> None:
    played = deal_practice(seed, (1, 2, 4, 6, 7), WITHOUT_PROGRESSIVE)
    assert len(settle(played, HouseRules()).seats) == 5
    walk = begin(procedures(), scene_of(played, "hand_held"))
    settled_seats = {due.seat for due in walk.dues if due.step.key == "settle_seat"}
    assert settled_seats == {one.seat for one in played.seats if one.action != "fold"}


@pytest.mark.parametrize("seed", range(20))
def test_practice_bets_would_be_let_in(seed: int) -> None:
    rules = HouseRules(most_games=5)
    for one in deal_practice(seed, (1, 2, 3), TABLES).seats:
        refuse_bets(one.wagers, TABLES, rules)


def test_a_player_dealer_round_has_no_progressive() -> None:
    played = deal_practice(3, (1, 2), TABLES, PlayerDealer(4, Fraction(500)))
    assert all("progressive" not in one.wagers for one in played.seats)
    assert scene_of(played, "shoe").player_dealer == 4


def test_a_right_settlement_is_right_and_a_wrong_one_is_corrected_with_the_reason() -> None:
    result = settled(dealt("Ah 7c 2d 9s 4h", "Qc Qd", seat(1, "As Kd", "4x", trips=5)))
    given = {1: {"ante": Fraction(10), "play": Fraction(30), "blind": Fraction(0)}}
    corrections = {one.wager: one for one in correct(result, given)}
    assert [one.right for one in corrections.values()] == [True, False, True, False]
    assert corrections["play"].why.endswith("the play pays 1 to 1, $40. Pay $40.")
    assert corrections["trips"].why.endswith("wins no line; the lowest is three of a kind. Take $5.")
    assert corrections["blind"].why.endswith("the blind is returned. Nothing is paid or taken.")
