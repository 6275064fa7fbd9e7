"""Flop and river decisions against hands settled one by one, and against sums that deal every card."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from itertools import combinations

import pytest

from tables.games.cards import DECK, CardTwice, parse_cards
from tables.games.game import NotInThisGame
from tables.games.packs import parse_pays
from tables.games.uth.boards import AGAINST
from tables.games.uth.decisions import decide_spot
from tests.tables.games.uth.scene import HOUSE, dealt, seat, settled, table
from tests.tables.games.uth.test_base_sums import FLOP, dealt_one_by_one

BLIND = table("blind", "UTH-01")
RUNOUTS = 1_081


@pytest.mark.parametrize(
    ("hole", "board"),
    [
        ("Ah 3c", "2h 8h Kh 4h Ts"),
        ("7c 2d", "Kh 8h Kd 9s 4s"),
        ("Qs 3d", "9c 9d 9h 2s 5c"),
        ("As Kd", "Qh Jh Th 2c 2d"),
    ],
)
def test_a_river_is_worth_what_settling_every_dealers_hand_pays(hole: str, board: str) -> None:
    held = parse_cards(f"{hole} {board}")
    total, counts = Fraction(0), {"win": 0, "tie": 0, "lose": 0}
    for dealer in combinations([card for card in DECK if card not in held], 2):
        played = dealt(board, " ".join(map(str, dealer)), seat(1, hole, "1x", ante=1, blind=1))
        result = settled(played, HOUSE).seat(1)
        total += sum(result.nets.values())
        counts[result.result] += 1
    found = decide_spot(parse_cards(hole), parse_cards(board), BLIND)
    assert [value.worth for value in found.values] == [-2, total / AGAINST]
    assert (found.wins, found.ties, found.losses) == tuple(counts.values())
    assert found.best == ("1x" if total / AGAINST > -2 else "fold")


@pytest.mark.parametrize("hole", ["Ah 3c", pytest.param("7c 2d", marks=pytest.mark.deep)])
def test_a_flop_is_worth_what_every_runout_gives(hole: str) -> None:
    low, high = sorted(card.index for card in parse_cards(hole))
    base, play, river, *_ = dealt_one_by_one([low, high])
    flop = [next(card for card in DECK if card.index == index) for index in FLOP]
    found = decide_spot(parse_cards(hole), flop, BLIND)
    half_antes = 2 * RUNOUTS * AGAINST
    assert [value.worth for value in found.values] == [
        Fraction(river, half_antes),
        Fraction(base + 2 * play, half_antes),
    ]


@pytest.mark.parametrize("pays", ["50 for 1", "4 to 3", "5 %"])
def test_a_blind_that_no_half_ante_counts_is_refused_with_its_line(pays: str) -> None:
    line = replace(BLIND.lines[0], pays=parse_pays(pays))
    blind = replace(BLIND, lines=(line, *BLIND.lines[1:]))
    with pytest.raises(NotInThisGame, match=f"“{line.name}” of UTH-01 pays .* whole or half antes"):
        decide_spot(parse_cards("Ah 3c"), parse_cards("2h 8h Kh 4h Ts"), blind)


def test_cards_that_cannot_lie_so_are_refused() -> None:
    with pytest.raises(CardTwice):
        decide_spot(parse_cards("Ah 3c"), parse_cards("Ah 8h Kd"), BLIND)
    for hole, board in (("Ah", "2h 8h Kd"), ("Ah 3c", "2h 8h"), ("Ah 3c", "2h 8h Kd 9s")):
        with pytest.raises(NotInThisGame):
            decide_spot(parse_cards(hole), parse_cards(board), BLIND)
