"""Hands of five to seven cards."""

from itertools import combinations
from typing import Any

import pokerkit
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tables.games.cards import DECK, CardTwice, PlayingCard, WrongNumberOfCards, parse_cards
from tables.games.poker import Category, Hand, best_hand

hands_of_seven = st.permutations(DECK).map(lambda deck: tuple(deck[:7]))


def best(cards: str) -> Hand:
    return best_hand(parse_cards(cards))


def oracle(cards: tuple[PlayingCard, ...]) -> Any:
    return pokerkit.StandardHighHand.from_game("".join(map(str, cards)))


@pytest.mark.parametrize(
    ("cards", "described", "used"),
    [
        ("2c Ah Kh Qh Jh Th 3d", "Royal flush", "Ah Kh Qh Jh Th"),
        ("Ah 2h 3h 4h 5h Kd Ks", "Straight flush, five high", "5h 4h 3h 2h Ah"),
        ("7c 7d 7h 7s Ac Ad Kd", "Four of a kind, sevens", "7c 7d 7h 7s Ac"),
        ("Kc Kd Kh 5s 5c 5d 2d", "Full house, kings over fives", "Kc Kd Kh 5s 5c"),
        ("Kc Kd Kh 5s 5c 9d 9c", "Full house, kings over nines", "Kc Kd Kh 9d 9c"),
        ("2h 9h Kh 4h 5h Ad As", "Flush, king high", "Kh 9h 5h 4h 2h"),
        ("Tc Jd Qh Ks Ac Ad 2h", "Straight, ace high", "Ac Ks Qh Jd Tc"),
        ("6c 6d 6h Ks Jc 9d 2d", "Three of a kind, sixes", "6c 6d 6h Ks Jc"),
        ("Qc Qd 7h 7s 4c 4d Ad", "Two pair, queens and sevens", "Qc Qd 7h 7s Ad"),
        ("2c 2d Ah Ks Jc 9d 7d", "Pair of twos", "2c 2d Ah Ks Jc"),
        ("2c 3d 7h 9s Jc Qd Ad", "High card, ace high", "Ad Qd Jc 9s 7h"),
    ],
)
def test_a_hand_is_named_with_its_five_cards(cards: str, described: str, used: str) -> None:
    hand = best(cards)
    assert (hand.described, hand.text) == (described, used)


def test_categories_print_as_the_rule_sheets_do() -> None:
    printed = [Category.ROYAL_FLUSH.printed, Category.FOUR_OF_A_KIND.printed, Category.ONE_PAIR.printed]
    assert printed == ["Royal flush", "Four of a kind", "One pair"]


def test_the_wheel_counts_its_ace_low() -> None:
    assert best("As 2d 3c 4h 5s").ranks == (5, 4, 3, 2, 1)


def test_no_straight_runs_round_the_corner() -> None:
    assert best("Qs Kd Ac 2h 3d").category == Category.HIGH_CARD


def test_suits_have_no_rank() -> None:
    assert best("Ah Kd Qs Jc 9d") == best("As Kh Qd Js 9c")


def test_the_kicker_decides_between_equal_pairs() -> None:
    assert best("As Ad Kh 9c 7d") > best("Ah Ac Qh 9d 7s")


@pytest.mark.parametrize("count", [4, 8])
def test_a_hand_has_five_to_seven_cards(count: int) -> None:
    with pytest.raises(WrongNumberOfCards, match=f"not of {count}"):
        best_hand(DECK[:count])


def test_a_card_twice_makes_no_hand() -> None:
    with pytest.raises(CardTwice):
        best_hand((DECK[0], *DECK[:5]))


@given(hands_of_seven)
def test_the_best_of_seven_is_the_best_of_its_twenty_one_fives(cards: tuple[PlayingCard, ...]) -> None:
    assert best_hand(cards) == max(best_hand(five) for five in combinations(cards, 5))


@given(hands_of_seven, hands_of_seven)
def test_two_hands_compare_as_another_program_compares_them(
    one: tuple[PlayingCard, ...], two: tuple[PlayingCard, ...]
) -> None:
    assert (best_hand(one) < best_hand(two)) == (oracle(one) < oracle(two))


@given(hands_of_seven)
def test_the_five_cards_named_make_the_hand_by_themselves(cards: tuple[PlayingCard, ...]) -> None:
    hand = best_hand(cards)
    assert best_hand(hand.cards) == hand
