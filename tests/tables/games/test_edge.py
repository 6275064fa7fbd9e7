"""Edge, hit frequency, spread and the printed figures."""

from fractions import Fraction
from pathlib import Path

import pytest

from jackpot.money import Money
from tables.games.edge import MeterNeeded, analyse, beside, percent
from tables.games.packs import BetTable, load_bet_tables

PACK = """
bet = "coin"
owner = "this test"
licence = "free"
status = "offered"
from = 2026-01-01
approval = "none"
source = "invented"
[[table]]
code = "C1"
title = "Coin"
lines = [["heads", "Heads", "3 to 2"]]
published = { house_edge_percent = "-25.0", hit_frequency_percent = "49", explanation = "the printer was tired" }
[[table]]
code = "C2"
title = "Coin on a meter"
lines = [["heads", "Heads", "10 %"], ["edge", "On its edge", "5 for 1"]]
"""
HALF = Fraction(1, 2)


@pytest.fixture
def coins(tmp_path: Path) -> tuple[BetTable, ...]:
    (tmp_path / "coin.toml").write_text(PACK, encoding="utf-8")
    return load_bet_tables(tmp_path / "coin.toml", "coin", {"coin": {"heads", "edge"}})


def test_the_edge_is_what_one_unit_loses_on_average(coins: tuple[BetTable, ...]) -> None:
    assert analyse(coins[0], [HALF]).house_edge == Fraction(-1, 4)


def test_the_spread_is_exact_before_its_root(coins: tuple[BetTable, ...]) -> None:
    analysis = analyse(coins[0], [HALF])
    assert analysis.variance == Fraction(25, 16)
    assert analysis.standard_deviation == 1.25


def test_each_line_says_what_it_gives_back(coins: tuple[BetTable, ...]) -> None:
    (heads,) = analyse(coins[0], [HALF]).lines
    assert (heads.chance, heads.net, heads.returns) == (HALF, Fraction(3, 2), Fraction(5, 4))


def test_returns_and_edge_add_up_to_one(coins: tuple[BetTable, ...]) -> None:
    analysis = analyse(coins[0], [HALF])
    assert sum(line.returns for line in analysis.lines) + analysis.house_edge == 1


def test_a_printed_figure_that_is_ours_reproduces(coins: tuple[BetTable, ...]) -> None:
    edge, hits = analyse(coins[0], [HALF]).published
    assert (edge.reproduces, edge.explanation) == (True, "")
    assert (hits.reproduces, hits.explanation) == (False, "the printer was tired")


def test_a_printed_figure_is_compared_in_its_own_digits() -> None:
    assert beside("edge", "0.90", Fraction(301_629, 33_446_140), "").reproduces
    assert not beside("edge", "0.91", Fraction(301_629, 33_446_140), "").reproduces


def test_a_part_has_an_edge_only_at_a_meter(coins: tuple[BetTable, ...]) -> None:
    with pytest.raises(MeterNeeded, match="say at which meter and for which wager"):
        analyse(coins[1], [HALF, Fraction(0)])


def test_a_part_returns_more_at_a_higher_meter(coins: tuple[BetTable, ...]) -> None:
    chances = [Fraction(1, 10), Fraction(1, 100)]
    edges = [analyse(coins[1], chances, Money.of(meter), Money.of("1.00")).house_edge for meter in ("10", "50")]
    assert edges == [Fraction(85, 100), Fraction(45, 100)]


@pytest.mark.parametrize(
    ("exact", "digits", "shown"),
    [
        (Fraction(1, 8), 1, "12.5"),
        (Fraction(1, 8), 0, "13"),
        (Fraction(-1, 3), 2, "-33.33"),
        (Fraction(0), 2, "0.00"),
        (Fraction(1, 200), 0, "1"),
        (Fraction(2_005, 100_000), 2, "2.01"),
    ],
)
def test_percentages_round_half_up_once(exact: Fraction, digits: int, shown: str) -> None:
    assert percent(exact, digits) == shown
