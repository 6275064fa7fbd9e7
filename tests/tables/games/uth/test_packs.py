"""Every printed pay table is there, sealed, with whose it is."""

from fractions import Fraction

import pytest

from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from tables.games.packs import BetTable, ToOne
from tables.games.uth.collection import rule_sets
from tests.tables.games.uth.scene import GAME, table


def pays(bet: str, code: str) -> list[Fraction]:
    return [line.pays.times for line in table(bet, code).lines if isinstance(line.pays, ToOne)]


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("UTH-01", [50, 40, 30, 9, 7, 4, 3]),
        ("UTH-02", [50, 40, 30, 8, 6, 5, 3]),
        ("UTH-03", [50, 40, 30, 8, 7, 4, 3]),
        ("UTH-04", [50, 40, 20, 7, 6, 5, 3]),
    ],
)
def test_trips(code: str, printed: list[int]) -> None:
    assert pays("trips", code) == printed


@pytest.mark.parametrize("code", ["UTH-01", "UTH-02", "UTH-03", "UTH-04"])
def test_blind(code: str) -> None:
    assert pays("blind", code) == [500, 50, 10, 3, Fraction(3, 2), 1]


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("BBB-01", [10_000, 500, 40, 25, 20, 9]),
        ("BBB-02", [7_500, 500, 50, 30, 20, 9]),
        ("BBB-03", [2_500, 500, 50, 30, 20, 9]),
        ("BBB-CA", [7_500, 500, 50, 30, 20, 9]),
    ],
)
def test_bad_beat(code: str, printed: list[int]) -> None:
    assert pays("bad_beat", code) == printed


@pytest.mark.parametrize(
    ("code", "printed"),
    [
        ("PT1", [30, 25, 20, 15, 10, 5, 3]),
        ("PT2", [1000, 30, 25, 20, 15, 10, 5, 3]),
        ("PT3", [30, 20, 10, 5]),
        ("PT4", [100, 30, 20, 10, 4]),
        ("PT5", [50, 25, 20, 10, 5]),
        ("PT6", [25, 20, 10, 5]),
    ],
)
def test_pairs(code: str, printed: list[int]) -> None:
    assert pays("pairs", code) == printed


def test_progressive() -> None:
    lines = table("progressive", "PT01").as_jackpot("tray")
    assert [line.award for line in lines] == [
        PartOfMeter(Fraction(1)),
        PartOfMeter(Fraction(1, 20)),
        ForOne(3000),
        ForOne(250),
        ForOne(100),
        ForOne(10),
    ]
    assert [line.source for line in lines] == ["meter", "meter", "tray", "tray", "tray", "tray"]


def test_every_table_names_owner_licence_source_and_seal() -> None:
    for one in GAME.tables:
        assert all((one.owner, one.licence, one.source, one.approval, len(one.digest) == 64)), one.code


def test_no_two_tables_share_a_seal() -> None:
    assert len({one.digest for one in GAME.tables}) == len(GAME.tables) == 19


@pytest.mark.parametrize(
    ("marks", "impossible"),
    [
        ({2: "royal_first_5", 6: "royal_first_7"}, True),
        ({2: "royal_first_7", 6: "royal_first_7"}, True),
        ({1: "royal_community", 2: "full_house"}, True),
        ({1: "royal_community", 2: "royal_community", 7: "royal_community"}, False),
        ({2: "royal_first_5", 6: "straight_flush"}, False),
        ({3: "royal_first_5", 6: "full_house"}, False),
        ({1: "four_of_a_kind", 2: "four_of_a_kind"}, False),
    ],
)
def test_marks_that_no_deal_holds_are_found(marks: dict[int, str], impossible: bool) -> None:
    assert GAME.impossible_pairs(marks) == ([tuple(marks)] if impossible else [])


@pytest.mark.parametrize("one", GAME.tables, ids=lambda one: f"{one.bet}-{one.code}")
def test_only_the_tables_of_the_base_game_have_a_printed_date(one: BetTable) -> None:
    assert (one.from_date is not None) == (one.bet in {"trips", "blind"})


def test_the_collections_print_no_date() -> None:
    assert all(limits.from_date is None for one in rule_sets().values() for limits in one.limits.values())
