"""What a flop adds to the base game's sums, against a count that deals every card by itself."""

from fractions import Fraction
from itertools import combinations

import numpy as np
import pytest

from tables.games.cards import parse_cards
from tables.games.evaluator import categories, evaluate
from tables.games.uth.base_game import BaseGame, HoleValue, beside_printed, starting_hands
from tables.games.uth.base_sums import SUITINGS, Sums, all_holes
from tables.games.uth.boards import AGAINST, Batch, cards_left, hole_values
from tests.tables.games.uth.scene import table

BLIND = table("blind", "UTH-01")
HALF_PAYS = [0, 0, 0, 0, 2, 3, 6, 20, 100, 1000]
FLOP = sorted(card.index for card in parse_cards("2h 8h Kh"))  # one suit: no other flop of its boards looks the same


def on_every_runout() -> Sums:
    sums = Sums()
    runouts = [sorted([*FLOP, *two]) for two in combinations([card for card in range(52) if card not in FLOP], 2)]
    for start in range(0, len(runouts), 128):
        boards = np.array(runouts[start : start + 128], dtype=np.uint8)
        rest = cards_left(boards)
        ones = np.ones(len(boards), dtype=np.int64)
        sums.add(Batch(boards, ones, rest, hole_values(boards, rest)), BLIND)
    return sums


def dealt_one_by_one(hole: list[int]) -> list[int]:
    """The columns over every turn, river and dealer's hand, each hand by itself, in half antes."""
    left = [card for card in range(52) if card not in (*FLOP, *hole)]
    totals = np.zeros(8, dtype=np.int64)
    for runout in combinations(left, 2):
        board = [*FLOP, *runout]
        dealers = np.array([[*two, *board] for two in combinations([c for c in left if c not in runout], 2)])
        theirs = evaluate(dealers)
        mine = evaluate(np.array([[*hole, *board]]))
        sign = np.sign(mine.astype(int) - theirs.astype(int))
        pays = HALF_PAYS[categories(mine)[0]]
        base = 2 * sign * (categories(theirs) > 0) + np.where(sign > 0, pays, 2 * sign)
        play = 2 * sign
        plays = (base + play).sum() > -4 * AGAINST
        river = base + play if plays else np.full(AGAINST, -4)
        columns = [base, play, river, base**2, base * play, play**2, river**2]
        found = [column.sum() for column in columns]
        totals += [*found[:3], plays, *found[3:]]
    return totals.tolist()


@pytest.mark.parametrize("hole", ["Ah 3c", "Kd Ks", "7c 2d"])
def test_the_sums_of_a_flop_are_those_of_every_single_deal(hole: str) -> None:
    sums = on_every_runout()
    low, high = sorted(card.index for card in parse_cards(hole))
    number = next(n for n, pair in enumerate(all_holes().tolist()) if pair == [low, high])
    flop = FLOP[0] + FLOP[1] * (FLOP[1] - 1) // 2 + FLOP[2] * (FLOP[2] - 1) * (FLOP[2] - 2) // 6
    turned = sums.hole_turned[sums.flop_suiting[flop]][number]
    assert sums.totals[sums.flop_kind[flop], turned].tolist() == dealt_one_by_one([low, high])


def test_flops_come_in_1755_kinds_that_make_all_flops() -> None:
    sums = Sums()
    assert (len(sums.chosen), sums.flop_weights.sum()) == (1_755, 22_100)


def test_evening_out_counts_each_hole_once_for_every_suiting_that_keeps_the_flop() -> None:
    sums = Sums()
    sums.totals += 1
    sums.even_out()
    assert (sums.totals[..., 0] == (24 // sums.flop_weights)[:, None]).all()
    assert len(SUITINGS) == 24


def test_there_are_169starting_hands_of_1326_pairs() -> None:
    hands = starting_hands()
    assert len(hands) == 169
    assert {len(members) for members in hands.values()} == {4, 6, 12}
    assert sum(map(len, hands.values())) == 1_326
    assert next(iter(hands)) == "AA"


def hole_value(name: str, hands: int, raised: str, checked: str) -> HoleValue:
    values = [Fraction(raised), Fraction(raised), Fraction(checked), Fraction(9), Fraction(5)]
    return HoleValue(name, hands, *values, flop_raises=Fraction(1, 4), river_raises=Fraction(1, 2))


def test_the_game_is_worth_the_best_decision_of_every_hand() -> None:
    game = BaseGame((hole_value("AA", 663, "1/2", "1/4"), hole_value("72o", 663, "-1", "-3/4")))
    assert (game.house_edge, game.raised_before_flop) == (Fraction(1, 8), Fraction(1, 2))
    assert (game.raised_on_flop, game.raised_on_river, game.folded) == (Fraction(1, 8), Fraction(1, 4), Fraction(1, 8))
    assert game.average_wager == Fraction(9, 2)
    assert game.element_of_risk == Fraction(1, 36)
    assert game.variance == 7 - Fraction(1, 64)


def test_the_printed_figure_of_the_whole_game_does_not_reproduce_and_says_why() -> None:
    printed = beside_printed(BLIND, BaseGame((hole_value("AA", 1326, "-50643648973/2317817502000", "-1"),)))
    assert (printed.printed, printed.reproduces) == ("0.84", False)
    assert "none of them is 0.84" in printed.explanation


def test_a_solved_game_survives_being_kept() -> None:
    game = BaseGame((hole_value("AA", 6, "7/2", "9/4"),))
    assert BaseGame.from_plain(game.plain()) == game
