"""Packs: sealed when read, refused whole when wrong."""

from datetime import date
from fractions import Fraction
from pathlib import Path

import pytest

from jackpot.terms.rules.paytable import ForOne, NotAPayTable, PartOfMeter
from tables.games.packs import BetTable, NotOffered, PackRefused, ToOne, load_bet_tables, parse_pays

HANDS = {"pair": {"aces", "kings"}}
GOOD = """
bet = "pair"
owner = "Nobody"
licence = "free to play"
status = "offered"
from = 2026-01-01
until = 2026-12-31
approval = "A 1"
[[table]]
code = "P1"
title = "Pairs table 1"
source = "sheet 1"
lines = [["aces", "Aces", "30 to 1"], ["kings", "Kings", "3 to 2"]]
"""


def loaded(folder: Path, text: str = GOOD) -> tuple[BetTable, ...]:
    path = folder / "pairs.toml"
    path.write_text(text, encoding="utf-8")
    return load_bet_tables(path, "game", HANDS)


def test_a_pack_says_whose_it_is_and_what_it_pays(tmp_path: Path) -> None:
    (table,) = loaded(tmp_path)
    assert (table.owner, table.licence, table.approval) == ("Nobody", "free to play", "A 1")
    assert [str(line.pays) for line in table.lines] == ["30 to 1", "3 to 2"]


def test_a_line_is_found_by_its_hand(tmp_path: Path) -> None:
    (table,) = loaded(tmp_path)
    assert table.line("kings").name == "Kings"


def test_the_seal_changes_with_every_word(tmp_path: Path) -> None:
    digests = {
        loaded(tmp_path, GOOD.replace(old, new))[0].digest
        for old, new in (("", ""), ("30 to", "31 to"), ("A 1", "A 2"))
    }
    assert len(digests) == 3


def test_presets_are_kept_where_somebody_printed_them(tmp_path: Path) -> None:
    assert loaded(tmp_path)[0].presets == {}
    preset = GOOD + 'presets = { preset_seed = "5000.00", preset_rate = "22.5" }\n'
    assert loaded(tmp_path, preset)[0].presets == {"preset_seed": "5000.00", "preset_rate": "22.5"}
    assert loaded(tmp_path, preset)[0].digest != loaded(tmp_path)[0].digest
    for wrong in ('{ seed = "5000" }', "{ preset_seed = 5000 }", '{ preset_rate = "0" }', '{ preset_rate = "much" }'):
        with pytest.raises(PackRefused, match="table P1 has"):
            loaded(tmp_path, f"{GOOD}presets = {wrong}\n")


def test_the_seal_does_not_depend_on_where_a_word_stands(tmp_path: Path) -> None:
    moved = GOOD.replace('owner = "Nobody"\n', "").replace('code = "P1"', 'code = "P1"\nowner = "Nobody"')
    assert loaded(tmp_path, moved)[0].digest == loaded(tmp_path)[0].digest


@pytest.mark.parametrize(
    ("old", "new", "sentence"),
    [
        ("30 to 1", "30 to 0", "“30 to 0” is no pay"),
        ("30 to 1", "thirty", "“thirty” is no pay"),
        ('"aces", "Aces"', '"queens", "Queens"', "asks for the hand queens, which the game does not know"),
        ('["kings", "Kings", "3 to 2"]', '["aces", "Aces", "3 to 2"]', "has the hand aces twice"),
        ('["kings", "Kings", "3 to 2"]', '["kings", "Kings"]', "a line is hand, printed name, pay"),
        ('bet = "pair"', 'bet = "trio"', "is for the bet trio, which this game does not have"),
        ('status = "offered"', 'status = "maybe"', "it is offered or withdrawn"),
        ("from = 2026-01-01", 'from = "soon"', "write a date such as 2026-01-01"),
        ('owner = "Nobody"', "", "does not say its owner"),
        ('licence = "free to play"', 'licence = " "', "does not say its licence"),
        ("approval", "aproval", "has an unknown entry aproval"),
        ("[[table]]", "[[tables]]", "holds no .*table"),
        ('lines = [["aces"', 'lines = []\nmore = [["aces"', "has an unknown entry more"),
        ("[[table]]", "[[table", "cannot be read"),
    ],
)
def test_a_wrong_pack_is_refused_whole_with_the_reason(tmp_path: Path, old: str, new: str, sentence: str) -> None:
    with pytest.raises(PackRefused, match=sentence):
        loaded(tmp_path, GOOD.replace(old, new))


def test_two_tables_of_one_code_are_refused(tmp_path: Path) -> None:
    with pytest.raises(PackRefused, match="table P1 of pair stands in it twice"):
        loaded(tmp_path, GOOD + GOOD[GOOD.index("[[table]]") :])


def test_a_pack_that_is_not_there_is_refused(tmp_path: Path) -> None:
    with pytest.raises(PackRefused, match=r"Pack none\.toml cannot be read"):
        load_bet_tables(tmp_path / "none.toml", "game", HANDS)


def test_a_withdrawn_table_cannot_be_chosen(tmp_path: Path) -> None:
    (table,) = loaded(tmp_path, GOOD.replace('"offered"', '"withdrawn"'))
    with pytest.raises(NotOffered, match="Pairs table 1 is withdrawn and cannot be chosen"):
        table.refuse_unless_offered(date(2026, 6, 1))


@pytest.mark.parametrize("day", [date(2025, 12, 31), date(2027, 1, 1)])
def test_a_table_outside_its_dates_cannot_be_chosen(tmp_path: Path, day: date) -> None:
    (table,) = loaded(tmp_path)
    with pytest.raises(NotOffered, match=f"may be used from 2026-01-01 until 2026-12-31, not on {day}"):
        table.refuse_unless_offered(day)


def test_a_table_may_be_chosen_on_its_last_day(tmp_path: Path) -> None:
    loaded(tmp_path)[0].refuse_unless_offered(date(2026, 12, 31))


def test_a_table_whose_source_prints_no_date_is_bound_to_no_day(tmp_path: Path) -> None:
    (table,) = loaded(tmp_path, GOOD.replace("from = 2026-01-01\n", ""))
    assert table.from_date is None
    table.refuse_unless_offered(date(1999, 1, 1))
    with pytest.raises(NotOffered, match="may be used until 2026-12-31, not on 2027-01-01"):
        table.refuse_unless_offered(date(2027, 1, 1))


def test_a_side_bet_is_no_jackpot(tmp_path: Path) -> None:
    with pytest.raises(NotOffered, match="it is a side bet and no jackpot can carry it"):
        loaded(tmp_path)[0].as_jackpot("meter")


@pytest.mark.parametrize(
    ("text", "pays"),
    [
        ("1,000 to 1", ToOne(Fraction(1000))),
        ("3 to 2", ToOne(Fraction(3, 2))),
        ("3,000 for 1", ForOne(3000)),
        ("100 %", PartOfMeter(Fraction(1))),
        ("2.5%", PartOfMeter(Fraction(1, 40))),
    ],
)
def test_pays_are_read_as_printed(text: str, pays: object) -> None:
    assert parse_pays(text) == pays


@pytest.mark.parametrize(
    "text", ["1,5 to 1", "25,0 for 1", "2,50 for 1", ",5 for 1", "1,0000 for 1", "٣ for 1", "3 to ٢"]
)
def test_a_pay_whose_comma_parts_no_thousands_is_refused(text: str) -> None:
    """“1,5 to 1” may be meant as one and a half, and would pay fifteen."""
    with pytest.raises(PackRefused):
        parse_pays(text)


def test_more_than_the_whole_meter_is_refused() -> None:
    with pytest.raises(NotAPayTable, match="up to 100 %"):
        parse_pays("105 %")
