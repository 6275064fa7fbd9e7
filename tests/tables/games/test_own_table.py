"""A pay table of one's own: what is refused and flagged, and that every allowed one adds up."""

from __future__ import annotations

from fractions import Fraction
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as some

from jackpot.terms.rules.paytable import ForOne
from tables.games.line_order import order_findings, refuse_wrong_order
from tables.games.own_table import find_own_table, own_findings, plain_own_table, read_own_table
from tables.games.packs import PackRefused, PrintedLine, ToOne
from tables.games.uth.chances import line_chances
from tables.games.uth.hands import KNOWN_HANDS
from tests.tables.games.sheet_scene import GAME, typed

PAIRS = sorted(KNOWN_HANDS["pairs"])
PAYS = some.sampled_from(["1 to 1", "3 to 2", "5 to 1", "30 to 1", "1,000 to 1"])


def pairs_tables() -> some.SearchStrategy[list[tuple[str, str, str]]]:
    order = some.lists(some.sampled_from(PAIRS), min_size=1, max_size=6, unique=True)
    return order.flatmap(lambda hands: some.tuples(*[PAYS] * len(hands)).map(
        lambda pays: [(hand, hand.capitalize(), pay) for hand, pay in zip(hands, pays, strict=True)]))  # fmt: skip


@given(pairs_tables())
def test_the_chances_of_a_table_and_no_win_are_everything_and_no_line_is_counted_twice(
    lines: list[tuple[str, str, str]],
) -> None:
    table = read_own_table(GAME, typed("pairs", lines))
    chances = line_chances(table)
    alone = [line_chances(read_own_table(GAME, typed("pairs", [line])))[0] for line in lines]
    assert 0 <= sum(chances) <= 1
    assert all(0 <= chance <= most for chance, most in zip(chances, alone, strict=True))
    anew = line_chances(read_own_table(GAME, typed("pairs", sorted(lines))))
    assert sum(anew) == sum(chances), "whichever line takes a hand, a hand that wins wins"


@given(pairs_tables())
def test_a_line_is_never_reached_exactly_where_its_chance_is_nothing(lines: list[tuple[str, str, str]]) -> None:
    table = read_own_table(GAME, typed("pairs", lines))
    found = {finding.why.split("”")[0][1:] for finding in own_findings(GAME, table) if finding.code == "never_reached"}
    chances = zip(table.lines, line_chances(table), strict=True)
    assert found == {line.name for line, chance in chances if not chance}


@given(pairs_tables())
def test_what_is_read_again_is_the_same_table(lines: list[tuple[str, str, str]]) -> None:
    table = read_own_table(GAME, typed("pairs", lines))
    assert find_own_table(GAME, plain_own_table(table)) == table


def test_a_table_that_was_changed_where_it_is_kept_is_found_out() -> None:
    plain = plain_own_table(read_own_table(GAME, typed("trips")))
    with pytest.raises(ValueError, match="is not what its digest says"):
        find_own_table(GAME, {**plain, "lines": [["flush", "Flush", "70 to 1"]]})


@pytest.mark.parametrize("table", GAME.tables, ids=lambda table: f"{table.bet} {table.code}")
def test_nothing_speaks_against_a_published_table(table: object) -> None:
    assert order_findings(GAME, table.bet, table.lines) == []  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("bet", "lines", "code", "sentence"),
    [
        (
            "pairs",
            [("aces", "Aces", "30 to 1"), ("red_aces", "Red aces", "100 to 1")],
            "never_reached",
            "“Aces”, which stands above it, takes every one of its hands. Stand “Red aces” above, or leave it out.",
        ),
        (
            "pairs",
            [(hand, hand, "5 to 1") for hand in ("high_pair", "low_pair", "aces", "pair")],
            "never_reached",
            "“pair” is never reached: “high_pair” and “low_pair” and “aces”, which stand above it, take every one",
        ),
        (
            "pairs",
            [("red_aces", "Red aces", "50 to 1"), ("aces_against_aces", "Both", "1,000 to 1")],
            "crossing",
            "cross: some hands fulfil both, and “Red aces”, which stands above, takes them for 50 to 1",
        ),
        (
            "progressive",
            [("royal_first_7", "Seven", "5 %"), ("royal_first_5", "Five", "100 %")],
            "never_reached",
            "“Five” is never reached: “Seven”, which stands above it",
        ),
        (
            "progressive",
            [("royal_first_7", "Seven", "5 %"), ("full_house", "Full", "10 for 1")],
            "royal_left_out",
            "Add a line for the first five; it may pay the same.",
        ),
        (
            "progressive",
            [("royal_first_5", "Five", "100 %"), ("straight_flush", "Straight flush", "100 %")],
            "all_twice",
            "“Five” and “Straight flush” each pay all of the meter.",
        ),
        (
            "trips",
            [("straight", "Straight", "4 to 1"), ("flush", "Flush", "7 to 1")],
            "pay_order",
            "“Straight” stands above “Flush” and pays less, 4 to 1 against 7 to 1.",
        ),
        ("blind", [("royal_flush", "Royal", "2,001 to 1")], "large_blind", "for a Blind of up to 2,000 to 1."),
        ("blind", [("straight", "Straight", "4 to 3")], "odd_blind", "A Blind is counted in whole and half antes"),
    ],
)  # fmt: skip
def test_a_wrong_order_has_its_sentence(bet: str, lines: list[tuple[str, str, str]], code: str, sentence: str) -> None:
    table = read_own_table(GAME, typed(bet, lines))
    found = {finding.code: finding.why for finding in own_findings(GAME, table)}
    assert sentence in found[code]


def test_pays_that_rise_are_flagged_once_where_they_rise() -> None:
    pays = {"royal_flush": "5 to 1", "straight_flush": "40 to 1", "flush": "6 to 1", "straight": "7 to 1"}
    table = read_own_table(GAME, typed("trips", [(hand, hand, pay) for hand, pay in pays.items()]))
    found = own_findings(GAME, table)
    assert [finding.code for finding in found] == ["pay_order", "pay_order"]
    assert "“royal_flush” stands above “straight_flush”" in found[0].why
    assert "“flush” stands above “straight”" in found[1].why


def test_any_other_order_of_nested_lines_than_the_narrow_first_is_refused() -> None:
    nested = [("red_aces", 100), ("aces", 30), ("pair", 5)]
    for order in permutations(nested):
        lines = [PrintedLine(hand, hand, ToOne(Fraction(pays))) for hand, pays in order]
        if list(order) == nested:
            refuse_wrong_order(GAME, "pairs", lines)
        else:
            with pytest.raises(PackRefused):
                refuse_wrong_order(GAME, "pairs", lines)


@pytest.mark.parametrize(
    ("changed", "sentence"),
    [
        ({"lines": []}, "A pay table has at least one line"),
        ({"lines": "flush"}, "A pay table has at least one line"),
        ({"lines": ["flush"]}, "Line 1 names a hand, a name and what it pays."),
        ({"lines": [{"hand": "flush", "name": "F", "pays": "7 to 1", "colour": "red"}]}, "unknown entry “colour”"),
        ({"lines": [{"hand": "purple", "name": "F", "pays": "7 to 1"}]}, "which trips does not know. Known: flush"),
        ({"bet": "roulette"}, "has no bet roulette; it has trips"),
        ({"code": "house 1"}, "“house 1” is no code for a pay table."),
        ({"code": "UTH-01"}, "UTH-01 is a published trips table already."),
        ({"title": "  "}, "Pay table HOUSE-01 needs its title."),
        ({"title": "x" * 81}, "is at most 80 printable letters long"),
        ({"title": 7}, "Pay table HOUSE-01 needs its title."),
    ],
)
def test_what_cannot_be_a_table_is_refused_in_a_sentence(changed: dict[str, object], sentence: str) -> None:
    with pytest.raises(PackRefused, match=sentence.replace("(", r"\(")):
        read_own_table(GAME, {**typed("trips"), **changed})


@pytest.mark.parametrize(
    "lines",
    [
        [("flush", "Flush", "7 to 1"), ("flush", "Flush again", "5 to 1")],
        [("flush", "Flush", "7 to 1"), ("straight", "flush", "5 to 1")],
    ],
)
def test_the_same_hand_or_name_twice_is_refused(lines: list[tuple[str, str, str]]) -> None:
    with pytest.raises(PackRefused, match="Line 2 has the same"):
        read_own_table(GAME, typed("trips", lines))


@pytest.mark.parametrize(
    "pays",
    ["-5 to 1", "−5 to 1", "0 to 1", "5 %", "7 for 1", "٣ to 1", "1 to 0", "2,50 to 1", "7e3 to 1", "9999999 to 1"],
)
def test_what_a_side_bet_cannot_pay_is_refused(pays: str) -> None:
    with pytest.raises(PackRefused, match=r"“Flush” (cannot pay|pays)"):
        read_own_table(GAME, typed("trips", [("flush", "Flush", pays)]))


@pytest.mark.parametrize("pays", ["0 %", "101 %", "0 for 1", "7 to 1", "0.0000001 %", "-1 %"])
def test_what_a_progressive_cannot_pay_is_refused(pays: str) -> None:
    with pytest.raises(PackRefused, match=r"“Full house” (cannot pay|pays)"):
        read_own_table(GAME, typed("progressive", [("full_house", "Full house", pays)]))


def test_a_progressive_may_leave_lines_out_and_each_keeps_its_chance() -> None:
    table = read_own_table(GAME, typed("progressive"))
    assert own_findings(GAME, table) == []
    assert line_chances(table)[0] == Fraction(1, 649_740)


def test_a_game_that_tells_no_situations_apart_is_judged_by_its_pays_alone() -> None:
    from dataclasses import replace

    lines = [PrintedLine("aces", "Aces", ForOne(3)), PrintedLine("red_aces", "Red", ForOne(5))]
    assert [each.code for each in order_findings(replace(GAME, situations=None), "pairs", lines)] == ["pay_order"]
