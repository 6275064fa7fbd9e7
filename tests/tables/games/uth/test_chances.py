"""The exact chance of every line and the exact edge of every bet."""

import json
from fractions import Fraction
from pathlib import Path

import pytest

from tables.games.edge import Analysis
from tables.games.uth.chances import line_chances
from tests.tables.games import looked_at
from tests.tables.games.uth.scene import GAME, table


def analysed(bet: str, code: str) -> Analysis:
    return looked_at.analysed(GAME, table(bet, code))


@pytest.mark.parametrize(
    ("code", "edge"),
    [
        ("UTH-01", Fraction(301_629, 33_446_140)),
        ("UTH-02", Fraction(48_987, 2_572_780)),
        ("UTH-03", Fraction(233_985, 6_689_228)),
        ("UTH-04", Fraction(22_717, 367_540)),
    ],
)
def test_trips_costs_what_the_seven_card_hands_say(code: str, edge: Fraction) -> None:
    analysis = analysed("trips", code)
    assert (analysis.house_edge, analysis.hit_frequency) == (edge, Fraction(60_085, 393_484))
    assert all(one.reproduces for one in analysis.published)


@pytest.mark.parametrize(
    ("code", "edge"),
    [
        ("PT1", Fraction(59, 663)),
        ("PT2", Fraction(13_873, 162_435)),
        ("PT3", Fraction(10, 221)),
        ("PT4", Fraction(31, 663)),
        ("PT5", Fraction(5, 102)),
        ("PT6", Fraction(15, 221)),
    ],
)
def test_pairs_costs_what_the_hole_cards_say(code: str, edge: Fraction) -> None:
    analysis = analysed("pairs", code)
    assert (analysis.house_edge, analysis.hit_frequency) == (edge, Fraction(21, 221))
    assert all(one.reproduces for one in analysis.published)


def test_the_spread_of_trips_and_pairs() -> None:
    spreads = [round(analysed(*one).standard_deviation, 6) for one in (("trips", "UTH-01"), ("pairs", "PT2"))]
    assert spreads == [2.765025, 4.143894]


def test_the_progressive_rows() -> None:
    assert line_chances(table("progressive", "PT01")) == (
        Fraction(1, 649_740),
        Fraction(19, 649_740),
        Fraction(1, 649_740),
        Fraction(81, 290_836),
        Fraction(1, 595),
        Fraction(726, 27_965),
    )


def test_the_bad_beat_costs_more_than_is_printed_and_says_so() -> None:
    analysis = analysed("bad_beat", "BBB-01")
    assert analysis.house_edge == Fraction(460_267_541, 2_257_614_450)
    assert analysis.hit_frequency == Fraction(13_833_951_437, 347_672_625_300)
    assert [(one.printed, one.reproduces) for one in analysis.published] == [("20.2", False), ("3.9", False)]
    assert all("looked at" in one.explanation for one in analysis.published)


@pytest.mark.deep  # thirteen seconds; every sheet of it is compared with printed figures
def test_what_is_kept_beside_for_other_tests_is_what_is_counted() -> None:
    bad_beat = table("bad_beat", "BBB-01")
    kept = json.loads(Path(__file__).with_name("bad_beat.json").read_text())
    assert kept["digest"] == bad_beat.digest
    assert tuple(map(Fraction, kept["answer"])) == line_chances(bad_beat)


def test_a_blind_that_is_never_folded_wins_as_often_as_showdowns_say() -> None:
    chances = line_chances(table("blind", "UTH-01"))
    assert chances[0] == Fraction(4_324, 133_784_560) - Fraction(1, 649_740)
    assert chances[-1] == Fraction(1_440_070_501, 38_630_291_700)
