"""Rounds to practise on, and their correction."""

from dataclasses import replace
from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as some

from jackpot.money import Money
from tables.games.limits import BetRefused
from tables.games.procedure import begin
from tables.games.uth.practice_deals import SITUATIONS, TRIES, deal_practice, refuse_situation
from tables.games.uth.procedure import procedures
from tables.games.uth.rules import HouseRules, refuse_bets
from tables.games.uth.settle import PlayedRound, PlayerDealer, settle
from tables.games.uth.training import WagerMove, correct, moves_of, scene_of
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
    for one in deal_practice(seed, (1, 2, 3), TABLES).seats:
        refuse_bets(one.wagers, TABLES, HouseRules())


SWITCHES = [
    HouseRules(),
    HouseRules(bad_beat_after_fold="dead", progressive_after_fold="dead", losers_order="play_ante_blind"),
    HouseRules(folded_ante_when_dealer_fails="returned", model="gross", fixed_awards_from="meter"),
]


@given(
    seed=some.integers(0, 10**9),
    situation=some.sampled_from(sorted(SITUATIONS)),
    bank=some.sampled_from([None, 20, 200]),
    profile=some.sampled_from(["card", "key"]),
    shuffler=some.sampled_from(sorted(procedures().shufflers)),
    rules=some.sampled_from(SWITCHES),
)
@settings(max_examples=150, deadline=None)
def test_what_the_steps_take_and_pay_is_the_settlement_folded_seats_included(
    seed: int, situation: str, bank: int | None, profile: str, shuffler: str, rules: HouseRules
) -> None:
    seats = (1, 2, 4, 6)
    banks = PlayerDealer(7, Fraction(bank)) if bank else None
    played = replace(deal_practice(seed, seats, TABLES, banks, SITUATIONS[situation]), meter=Money.of(10_000))
    result = settle(played, rules)
    walk = begin(procedures(), scene_of(played, shuffler, profile=profile, rules=rules))
    moves = [move for each in moves_of(walk.dues, result) for move in each]
    for one in result.seats:
        mine = {decision.wager: decision.net for decision in one.decisions}
        moved = {
            wager: sum(move.amount for move in moves if (move.seat, move.wager) == (one.seat, wager)) for wager in mine
        }
        assert moved == mine
    assert sum(move.amount for move in moves) == sum(one.total for one in result.seats)
    once = [(move.seat, move.wager) for move in moves if move.wager != "progressive"]
    assert len(once) == len(set(once)), "no wager is settled twice"


def walked_moves(played: PlayedRound) -> dict[str, list[WagerMove]]:
    dues = begin(procedures(), scene_of(played, "hand_held")).dues
    found: dict[str, list[WagerMove]] = {}
    for due, moves in zip(dues, moves_of(dues, settled(played)), strict=True):
        found.setdefault(due.step.key, []).extend(moves)
    return found


def test_winning_bonus_bets_of_a_folded_seat_are_paid_at_the_showdown() -> None:
    gave_up = seat(3, "2c 3d", "fold", trips=5, bad_beat=5, progressive=1)
    moves = walked_moves(dealt("7c 7d 7h Ks Qs", "Kc 2h", gave_up, meter="10000"))
    assert list(map(str, moves["tuck_folded"])) == ["ante $10 from seat 3", "blind $10 from seat 3"]
    assert list(map(str, moves["settle_folded"])) == ["trips $15 to seat 3", "bad beat $45 to seat 3"]
    assert list(map(str, moves["take_chips"])) == ["progressive $1 from seat 3"]


def test_a_folded_full_house_on_the_board_is_paid_by_the_progressive() -> None:
    moves = walked_moves(dealt("7c 7d 7h Ks Kd", "Kc 2h", seat(3, "2c 3d", "fold", progressive=1), meter="10000"))
    assert list(map(str, moves["pay_hit"])) == ["progressive $10 to seat 3"]


def test_with_a_player_bank_a_losing_trips_goes_with_the_fold_and_a_winning_one_waits() -> None:
    loses = walked_moves(dealt("7c 8d 2h Ks Qs", "Kc 4h", seat(3, "3c 4d", "fold", trips=5), bank=(7, 500)))
    assert [move.wager for move in loses["folded_wagers"]] == ["ante", "blind", "trips"]
    assert "settle_folded" not in loses
    wins = walked_moves(dealt("7c 7d 7h Ks Qs", "Kc 4h", seat(3, "2c 3d", "fold", trips=5), bank=(7, 500)))
    assert [move.wager for move in wins["folded_wagers"]] == ["ante", "blind"]
    assert list(map(str, wins["settle_folded"])) == ["trips $15 to seat 3"]


def test_the_ante_goes_back_before_the_hand_is_compared_when_a_player_bank_fails() -> None:
    moves = walked_moves(dealt("7c 8d 2h Ks Qs", "3c 4h", seat(3, "Kc 4d", "1x"), bank=(7, 500)))
    assert list(map(str, moves["push_ante"])) == ["ante back to seat 3"]
    assert [move.wager for move in moves["settle_won"]] == ["play", "blind"]


@pytest.mark.parametrize("bank", [None, PlayerDealer(7, Fraction(20))])
@pytest.mark.parametrize("key", sorted(SITUATIONS))
def test_every_situation_comes_about_where_it_can(key: str, bank: PlayerDealer | None) -> None:
    one = SITUATIONS[key]
    if ("player_dealer" if bank else "house") not in one.banks:
        with pytest.raises(BetRefused, match="Choose that bank"):
            refuse_situation(one, "player_dealer" if bank else "house", 3)
        return
    rounds = (replace(deal_practice(seed, (1, 3), TABLES, bank, one), meter=Money.of(10_000)) for seed in range(TRIES))
    assert any(one.happens(settle(played, HouseRules())) for played in rounds)


def test_several_hits_need_two_players() -> None:
    with pytest.raises(BetRefused, match="needs 2 players at least"):
        refuse_situation(SITUATIONS["several_hits"], "house", 1)


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
