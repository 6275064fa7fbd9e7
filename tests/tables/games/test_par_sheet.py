"""Par sheets: exact counts against figures that others counted, the house's switches, bands and the seal."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from math import comb, isclose, sqrt

import pytest

from tables.games.edge import net_of, percent
from tables.games.hit_band import hit_band
from tables.games.own_table import spoken_pays
from tables.games.packs import BetTable
from tables.games.par_sheet import NotASheet, ParRow, ParSheet, one_in, whole_deals
from tables.games.uth.chances import line_chances
from tables.games.uth.par_base import base_rows, forfeited
from tables.games.uth.whole_game import ROUNDS, WholeGame
from tests.tables.games.sheet_scene import GAME, whole_game


def sheet_of(table: BetTable, chances: tuple[Fraction, ...]) -> ParSheet:
    deals, counts = whole_deals(chances, GAME.deals[table.bet])
    rows = tuple(
        ParRow(line.hand, line.name, spoken_pays(line.pays), count, net_of(line, None, None))
        for line, count in zip(table.lines, counts, strict=True)
    )
    return ParSheet("uth", table.bet, table.code, table.title, table.digest, "test", "wager", deals, rows,
                    deals - sum(counts), {})  # fmt: skip


def sheet(bet: str, code: str) -> ParSheet:
    table = GAME.table(bet, code)
    return sheet_of(table, line_chances(table))


def base_sheet() -> ParSheet:
    blind = GAME.table("blind", "UTH-01")
    deals, rows, paid = base_rows(blind, whole_game())
    return ParSheet("uth", "base_game", "UTH-01", "", "", "test", "ante", deals, rows, 0, {}, (), paid)


@pytest.mark.parametrize(
    ("bet", "code", "edge", "spread"),
    [
        ("trips", "UTH-01", Fraction(301_629, 33_446_140), 2.765025),
        ("trips", "UTH-04", Fraction(22_717, 367_540), 2.448053),
        ("pairs", "PT1", Fraction(59, 663), 3.671617),
        ("pairs", "PT2", Fraction(13_873, 162_435), 4.143894),
    ],
)
def test_edge_and_spread_are_those_of_an_independent_count(bet: str, code: str, edge: Fraction, spread: float) -> None:
    found = sheet(bet, code)
    assert found.house_edge == edge
    assert f"{found.standard_deviation:.6f}" == f"{spread:.6f}"
    assert isclose(found.volatility_index, 1.6448536 * spread, rel_tol=1e-6)


def test_the_rows_of_trips_are_the_seven_card_hands() -> None:
    rows = {row.hand: row.combinations for row in sheet("trips", "UTH-01").rows}
    assert rows == {
        "royal_flush": 4_324, "straight_flush": 37_260, "four_of_a_kind": 224_848, "full_house": 3_473_184,
        "flush": 4_047_644, "straight": 6_180_020, "three_of_a_kind": 6_461_620,
    }  # fmt: skip


def test_pairs_against_aces_are_counted_with_the_dealers_cards() -> None:
    found = sheet("pairs", "PT2")
    assert found.deals == comb(52, 2) * comb(50, 2)
    assert (found.rows[0].hand, found.rows[0].combinations) == ("aces_against_aces", 6)


@pytest.mark.parametrize("bet", ["trips", "pairs"])
def test_the_parts_of_every_row_add_up_to_the_return(bet: str) -> None:
    for table in (table for table in GAME.tables if table.bet == bet):
        found = sheet(bet, table.code)
        assert sum(map(found.returned, found.rows)) == found.player_return == 1 - found.house_edge
        assert sum(map(found.chance, found.rows)) + Fraction(found.lost, found.deals) == 1


def test_the_base_game_ends_in_31_ways_that_cost_what_the_solution_says() -> None:
    found = base_sheet()
    assert len(found.rows) == 31
    assert found.house_edge == Fraction(50_643_648_973, 2_317_817_502_000)
    assert f"{found.standard_deviation:.6f}" == "4.939299"
    assert (found.rows[0].name, found.rows[-1].name) == ("Wins 505 antes", "Loses 6 antes")
    assert found.deals == ROUNDS == sum(row.combinations for row in found.rows)


def test_the_blind_is_paid_less_often_than_every_showdown_would_pay_it() -> None:
    blind = GAME.table("blind", "UTH-01")
    paid = base_rows(blind, whole_game())[2]
    royal = next(row for row in paid if row.hand == "royal_flush")
    # Nobody folds a royal; on the board it ties, so all others win.
    assert Fraction(royal.combinations, ROUNDS) == Fraction(20, 649_740)


@pytest.mark.parametrize(("code", "edge"), [("BBB-01", "24.94"), ("BBB-02", "19.34"), ("BBB-03", "21.19")])
def test_a_fold_that_takes_the_bad_beat_costs_what_was_counted_elsewhere(code: str, edge: str) -> None:
    """The chances with every hand played out are those of the exact edge 20.387, 14.787 and 16.639 %."""
    table = GAME.table("bad_beat", code)
    deals, given_up = forfeited(table, whole_game())
    counts = [count * 10 - given for count, given in zip(SHOWDOWNS_BEATEN, given_up, strict=True)]
    rows = tuple(
        ParRow(line.hand, line.name, str(line.pays), count, net_of(line, None, None))
        for line, count in zip(table.lines, counts, strict=True)
    )
    found = ParSheet("uth", "bad_beat", code, "", "", "", "wager", deals, rows, deals - sum(counts), {})
    assert percent(found.house_edge, 2) == edge


# Hands beaten in 2,781,381,002,400 showdowns, from the straight flush down.
SHOWDOWNS_BEATEN = (10_300_592, 471_040_512, 8_435_225_376, 19_434_208_592, 18_271_076_976, 64_049_759_448)


def test_a_fold_takes_trips_only_as_the_folded_hands_held_it() -> None:
    _, given_up = forfeited(GAME.table("trips", "UTH-01"), whole_game())
    game = WholeGame.from_plain(whole_game())
    assert sum(given_up) == game.folded["three_of_a_kind"] + game.folded["four_of_a_kind"]
    assert all(game.folded_beaten[hand] <= 2 * count for hand, count in game.folded.items())


def test_bands_hold_the_mean_and_grow_with_what_they_hold() -> None:
    found = sheet("trips", "UTH-01")
    bands = found.bands(10_000)
    assert [band.within for band in bands] == [90, 95, 99]
    assert bands[2].least < bands[1].least < bands[0].least < found.house_edge < bands[0].most < bands[2].most
    half = (bands[1].most - bands[1].least) / 2
    assert isclose(half, 1.9599639845 * found.standard_deviation / sqrt(10_000))
    assert [row.hand for row in found.rare(10_000)] == ["royal_flush", "straight_flush"]


def test_the_same_sheet_has_the_same_digest_and_another_figure_another() -> None:
    found = sheet("pairs", "PT3")
    assert found.digest == sheet("pairs", "PT3").digest
    first = found.rows[0]
    other = replace(
        found, rows=(replace(first, combinations=first.combinations - 1), *found.rows[1:]), lost=found.lost + 1
    )
    assert other.digest != found.digest
    assert replace(found, program="another").digest != found.digest


def test_rows_that_are_not_all_deals_are_no_sheet() -> None:
    with pytest.raises(NotASheet):
        replace(sheet("pairs", "PT3"), lost=1)
    with pytest.raises(NotASheet, match="no whole numbers of 10 deals"):
        whole_deals((Fraction(1, 3),), 10)
    assert whole_deals((Fraction(1, 3), Fraction(1, 4))) == (12, (4, 3))


def test_one_in_is_rounded_half_up() -> None:
    assert [one_in(Fraction(*each)) for each in ((1, 649_740), (2, 3), (0, 1))] == ["649,740.00", "1.50", ""]


@pytest.mark.parametrize(
    ("coin_ins", "chance", "seen"),
    [(10, Fraction(1, 2), 9), (20, Fraction(1, 10), 0), (30, Fraction(2, 3), 20), (7, Fraction(1, 1000), 3)],
)
def test_the_band_is_the_binomial_added_up_exactly(coin_ins: int, chance: Fraction, seen: int) -> None:
    exact = [comb(coin_ins, k) * chance**k * (1 - chance) ** (coin_ins - k) for k in range(coin_ins + 1)]
    found = hit_band(coin_ins, chance, seen)
    for within, (least, most) in found.bands.items():
        out = Fraction(100 - within, 200)
        assert sum(exact[:least]) <= out < sum(exact[: least + 1])
        assert sum(exact[most + 1 :]) <= out < sum(exact[most:])
    assert isclose(found.as_few, float(sum(exact[: seen + 1])), rel_tol=1e-9)
    assert isclose(found.as_many, float(sum(exact[seen:])), rel_tol=1e-9)


def test_few_expected_hits_are_marked_and_a_strange_count_is_named() -> None:
    assert hit_band(100_000, Fraction(1, 649_740), 0).few
    assert not hit_band(4_000_000, Fraction(1, 649_740), 6).few
    many = hit_band(1_000_000, Fraction(726, 27_965), 27_000)
    assert (many.outside, many.as_many < 1e-9) == (99, True)
    assert hit_band(1_000_000, Fraction(726, 27_965), 25_961).outside == 0
    assert hit_band(0, Fraction(1, 2), 0).bands[99] == (0, 0)
