"""Pay lines as values."""

import json
from fractions import Fraction

import pytest
from hypothesis import given
from hypothesis import strategies as st

from jackpot.money import Money
from jackpot.terms.rules.paytable import ForOne, NotAPayTable, PartOfMeter, PayLine, PayTable

ROYAL = PayLine("ROYAL", "Royal flush", PartOfMeter(Fraction(1)), envy=Money.of("1000.00"))
STRAIGHT_FLUSH = PayLine("SF", "Straight flush", PartOfMeter(Fraction(1, 20)))
FULL_HOUSE = PayLine("FH", "Full house", ForOne(10), "tray")
TABLE = PayTable("P1", (ROYAL, STRAIGHT_FLUSH, FULL_HOUSE))


def written(**changes: object) -> dict[str, object]:
    return {"code": "FH", "name": "Full house", "for_one": 10, "source": "tray", "envy": None, **changes}


def test_a_table_survives_json_unchanged() -> None:
    assert PayTable.from_plain(json.loads(json.dumps(TABLE.plain()))) == TABLE


def test_a_part_is_written_as_text_and_never_as_a_float() -> None:
    assert [line.get("part") for line in TABLE.plain()["lines"]] == ["1", "1/20", None]


def test_envy_is_written_as_money_text() -> None:
    assert TABLE.plain()["lines"][0]["envy"] == "1000.00"


def test_the_rank_is_the_place_in_the_table() -> None:
    assert [TABLE.rank(code) for code in ("ROYAL", "SF", "FH")] == [1, 2, 3]


def test_a_line_that_is_not_there_is_refused_with_those_that_are() -> None:
    with pytest.raises(NotAPayTable, match=r"no line QUADS; it has ROYAL, SF, FH\."):
        TABLE.line("QUADS")


def test_the_digest_changes_with_every_number() -> None:
    other = PayTable("P1", (ROYAL, STRAIGHT_FLUSH, PayLine("FH", "Full house", ForOne(11), "tray")))
    assert other.digest() != TABLE.digest()


def test_the_digest_changes_with_the_rank() -> None:
    assert PayTable("P1", (STRAIGHT_FLUSH, ROYAL, FULL_HOUSE)).digest() != TABLE.digest()


def test_the_digest_is_the_same_after_a_journey_through_json() -> None:
    assert PayTable.from_plain(json.loads(json.dumps(TABLE.plain()))).digest() == TABLE.digest()


def test_paid_from_the_meter_moves_every_fixed_award_there() -> None:
    assert [line.source for line in TABLE.paid_from("meter")] == ["meter", "meter", "meter"]


def test_paid_from_the_tray_leaves_the_parts_on_the_meter() -> None:
    assert [line.source for line in TABLE.paid_from("tray")] == ["meter", "meter", "tray"]


def test_the_largest_fixed_award_ignores_the_parts() -> None:
    assert TABLE.largest_for_one == 10
    assert PayTable("P2", (ROYAL,)).largest_for_one == 0


def test_awards_say_themselves_as_the_rule_card_prints_them() -> None:
    awards = [str(PartOfMeter(Fraction(1))), str(PartOfMeter(Fraction(1, 20))), str(ForOne(3000))]
    assert awards == ["100 %", "5 %", "3,000 for 1"]


@pytest.mark.parametrize("part", [Fraction(0), Fraction(-1, 20), Fraction(21, 20)])
def test_a_part_outside_the_meter_is_refused(part: Fraction) -> None:
    with pytest.raises(NotAPayTable, match="lies above 0 % and up to 100 %"):
        PartOfMeter(part)


@pytest.mark.parametrize("times", [0, -3, True, 2.5])
def test_a_pay_for_one_is_a_whole_number(times: int) -> None:
    with pytest.raises(NotAPayTable, match="whole number from 1 up"):
        ForOne(times)


def test_a_part_of_the_meter_is_never_paid_from_the_tray() -> None:
    with pytest.raises(NotAPayTable, match="cannot be paid from the tray"):
        PayLine("SF", "Straight flush", PartOfMeter(Fraction(1, 20)), "tray")


def test_an_envy_of_nothing_is_refused() -> None:
    with pytest.raises(NotAPayTable, match="envy of line Full house must be above zero"):
        PayLine("FH", "Full house", ForOne(10), "tray", Money.of("0"))


def test_a_table_without_lines_is_refused() -> None:
    with pytest.raises(NotAPayTable, match="P3 has no line"):
        PayTable("P3", ())


def test_a_line_twice_is_refused() -> None:
    with pytest.raises(NotAPayTable, match="has line FH twice"):
        PayTable("P3", (FULL_HOUSE, FULL_HOUSE))


@pytest.mark.parametrize(
    ("line", "sentence"),
    [
        (written(part="1/20"), "either a number for one or a part"),
        ({"code": "FH", "name": "Full house"}, "either a number for one or a part"),
        (written(times=3), "A pay line has no times"),
        (written(name=""), "A pay line needs a name"),
        (written(code=7), "Line Full house needs a code"),
        (written(source="drawer"), "not from 'drawer'"),
        (written(for_one="10"), "whole number from 1 up, not '10'"),
        (written(envy=1000), "gives its envy as text"),
        ({"code": "SF", "name": "Straight flush", "part": "a lot"}, "gives its part as text"),
        ({"code": "SF", "name": "Straight flush", "part": 0.05}, "gives its part as text"),
        ({"code": "SF", "name": "Straight flush", "part": "1/0"}, "gives its part as text"),
        ({"code": "SF", "name": "Straight flush", "part": "3/2"}, "up to 100 %"),
        ("SF", "names its code, name and award"),
    ],
)
def test_a_wrong_line_is_refused_with_the_reason(line: object, sentence: str) -> None:
    with pytest.raises(NotAPayTable, match=sentence):
        PayTable.from_plain({"code": "P4", "lines": [line]})


def test_lines_that_are_no_list_are_refused() -> None:
    with pytest.raises(NotAPayTable, match="lists its lines in rank order"):
        PayTable.from_plain({"code": "P4", "lines": {}})


@given(st.fractions(min_value=Fraction(1, 10_000), max_value=1), st.integers(min_value=1, max_value=10**6))
def test_every_award_survives_json(part: Fraction, times: int) -> None:
    table = PayTable("P5", (PayLine("A", "A", PartOfMeter(part)), PayLine("B", "B", ForOne(times))))
    assert PayTable.from_plain(json.loads(json.dumps(table.plain()))) == table
