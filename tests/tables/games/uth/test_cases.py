"""Rounds worked out by hand: who wins, and what becomes of every wager."""

import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest

from jackpot.money import Money
from tables.games.cards import parse_cards
from tables.games.poker import best_hand
from tables.games.uth.rules import HouseRules
from tables.games.uth.settle import PlayedRound, PlayerDealer, SeatPlay, settle
from tests.tables.games.uth.scene import TABLES, table

CASES = json.loads((Path(__file__).parent / "cases.json").read_text(encoding="utf-8"))


def amounts(written: dict[str, str]) -> dict[str, Fraction]:
    return {name: Fraction(amount) for name, amount in written.items()}


@pytest.mark.parametrize("case", CASES["showdowns"], ids=lambda case: f"{case[1]} against {case[2]} on {case[0]}")
def test_a_showdown_is_decided_as_by_hand(case: list[Any]) -> None:
    board, player, dealer, winner, *expected = case
    mine, dealers = (best_hand(parse_cards(cards) + parse_cards(board)) for cards in (player, dealer))
    by_ranks = "tie" if mine == dealers else "player" if mine > dealers else "dealer"
    categories = [hand.category.printed.lower() for hand in (mine, dealers)]
    assert [by_ranks, *categories, list(mine.ranks), list(dealers.ranks)] == [winner, *expected]


@pytest.mark.parametrize("case", CASES["house"], ids=lambda case: f"{case['player']} {case['action']}")
def test_the_house_settles_a_seat_as_by_hand(case: dict[str, Any]) -> None:
    tables = TABLES | {bet: table(bet, code) for bet, code in case["tables"].items()}
    play = SeatPlay(1, parse_cards(case["player"]), case["action"], amounts(case["wagers"]))
    meter = Money.of(case["meter"]) if case["meter"] else None
    played = PlayedRound(parse_cards(case["board"]), parse_cards(case["dealer"]), (play,), tables, meter=meter)
    result = settle(played, HouseRules())
    assert (result.seat(1).nets, result.qualifies) == (amounts(case["net"]), case["qualifies"])


@pytest.mark.parametrize("case", CASES["player_dealer"], ids=lambda case: f"{case['model']} {case['bank']}")
def test_a_player_dealer_settles_a_round_as_by_hand(case: dict[str, Any]) -> None:
    tables = TABLES | {bet: table(bet, code) for bet, code in case["tables"].items()}
    seats = tuple(
        SeatPlay(number, parse_cards(cards), action, amounts(wagers))
        for number, (cards, action, wagers) in enumerate(case["seats"], start=2)
    )
    bank = PlayerDealer(1, Fraction(case["bank"]))
    played = PlayedRound(parse_cards(case["board"]), parse_cards(case["dealer"]), seats, tables, bank)
    result = settle(played, HouseRules(model=case["model"]))
    assert [seat.nets for seat in result.seats] == [amounts(nets) for nets in case["nets"]]
    assert result.player_dealer_net == case["bank_net"]
