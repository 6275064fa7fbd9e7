"""The figures of every pay table, from memory where they are known."""

from fractions import Fraction
from pathlib import Path

from jackpot.money import Money
from tables.games.analysis import line_chances
from tables.games.registry import find_game
from tests.tables.games.looked_at import analysed

GAME = find_game("uth")
TRIPS = GAME.table("trips", "UTH-01")
PROGRESSIVE = GAME.table("progressive", "PT01")
ONE = Money.of("1.00")


def test_chances_are_kept_and_read_again(tmp_path: Path) -> None:
    first = line_chances(GAME, TRIPS, tmp_path)
    (kept,) = tmp_path.glob("uth-trips-*")
    kept.write_text(kept.read_text().replace(str(first[0]), "1/7"), encoding="ascii")
    assert line_chances(GAME, TRIPS, tmp_path)[0] == Fraction(1, 7)


def test_progress_is_told_on_a_cold_count(tmp_path: Path) -> None:
    heard: list[float] = []
    pairs = GAME.table("pairs", "PT1")
    line_chances(GAME, pairs, tmp_path, heard.append)
    assert heard == sorted(heard)


def test_the_progressive_gives_back_more_at_a_higher_meter() -> None:
    edges = [
        analysed(GAME, PROGRESSIVE, meter=Money.of(meter), wager=ONE).house_edge for meter in ("10000", "165959.74")
    ]
    assert edges[0] > Fraction(46, 100)
    assert abs(edges[1]) < Fraction(1, 10**6)


def test_the_hit_frequency_of_the_progressive_does_not_depend_on_the_meter() -> None:
    analysis = analysed(GAME, PROGRESSIVE, meter=Money.of("1"), wager=ONE)
    assert analysis.hit_frequency == Fraction(10_162, 363_545)


def test_the_edge_is_exact_and_holds_what_the_pay_table_prints() -> None:
    analysis = analysed(GAME, TRIPS)
    assert (analysis.house_edge, analysis.edge_percent) == (Fraction(301629, 33446140), "0.901835")
    assert round(analysis.standard_deviation, 6) == 2.765025
    assert [(one.what, one.printed, one.reproduces) for one in analysis.published] == [
        ("house_edge_percent", "0.90", True)
    ]
