"""The table of amounts as values: both sides of every line, and whose word serves for whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from jackpot.money import UNIT, Money
from jackpot.property.rules.authority import (
    EXECUTIVE,
    SUPERVISOR,
    AwardPart,
    Needed,
    Thresholds,
    judging,
    needed,
    thresholds_of,
)
from jackpot.property.rules.authority_change import SETTINGS, AuthorityRefused, is_stricter, read, spoken
from jackpot.property.rules.witness import GivenWord, WitnessNeed, WitnessPart, witnesses_missing, witnesses_needed

TABLE = {
    WitnessPart.SURVEILLANCE: Money.of("25000.00"),
    WitnessPart.SUPERVISOR: Money.of("1200.00"),
    WitnessPart.EXECUTIVE: Money.of("5000.00"),
    WitnessPart.SECOND_PERSON: Money.of("50000.00"),
    WitnessPart.REGULATOR: Money.of("100000.00"),
}
ADA, BEN, CAM, REG = 1, 2, 3, 4


@pytest.mark.parametrize(("units", "parts"), [
    (1200 * UNIT - 1, []), (1200 * UNIT, ["supervisor"]), (24999 * UNIT, ["supervisor", "executive"]),
    (25000 * UNIT, ["supervisor", "executive", "surveillance"]),
    (100000 * UNIT, ["supervisor", "executive", "second_person", "surveillance", "regulator"]),
])  # fmt: skip
def test_the_amount_itself_already_asks(units: int, parts: list[str]) -> None:
    assert [need.part for need in witnesses_needed(Money(units), TABLE)] == parts


@pytest.mark.parametrize(("words", "noted", "missing"), [
    ([(ADA, SUPERVISOR)], {}, ["executive", "second_person", "surveillance", "regulator"]),
    ([(ADA, EXECUTIVE)], {}, ["second_person", "surveillance", "regulator"]),
    ([(ADA, EXECUTIVE), (BEN, SUPERVISOR)], {}, ["surveillance", "regulator"]),
    ([(ADA, SUPERVISOR)], {"executive": (BEN, EXECUTIVE)}, ["surveillance", "regulator"]),
    ([(ADA, EXECUTIVE)], {"surveillance": (CAM, 0)}, ["second_person", "regulator"]),
    ([(ADA, EXECUTIVE)], {"surveillance": (CAM, 0), "regulator": (BEN, EXECUTIVE)}, ["second_person"]),
    ([(ADA, 0), (BEN, 0)], {}, ["supervisor", "executive", "second_person", "surveillance", "regulator"]),
    ([], {"second_person": (BEN, SUPERVISOR)}, ["executive", "surveillance", "regulator"]),
])  # fmt: skip
def test_a_word_of_the_approval_serves_and_surveillance_speaks_for_itself(
    words: list[tuple[int, int]], noted: dict[str, tuple[int, int]], missing: list[str]
) -> None:
    needs = [WitnessNeed(part, Money.of("1.00")) for part in WitnessPart]
    given = {WitnessPart(part): GivenWord(*word) for part, word in noted.items()}
    left = witnesses_missing(needs, [GivenWord(*word) for word in words], given)
    assert [need.part for need in left] == missing


HOUSE = Thresholds(own_executive={"GRAND": Money.of("2000.00"), "MINI/royal": Money.of("500.00")})
HOUSE = replace(HOUSE, own_dual={"GRAND/royal": Money.of("3000.00")})


@pytest.mark.parametrize(("parts", "level", "people"), [
    ([("GRAND", "flush", "1999.99")], SUPERVISOR, 1),
    ([("GRAND", "flush", "2000.00")], EXECUTIVE, 1),
    ([("GRAND", "flush", "1200.00"), ("GRAND", "full", "800.00")], EXECUTIVE, 1),
    ([("GRAND", "flush", "1200.00"), ("MINI", "flush", "800.00")], SUPERVISOR, 1),
    ([("MINI", "royal", "500.00")], EXECUTIVE, 1),
    ([("MINI", "flush", "4999.99")], SUPERVISOR, 1),
    ([("GRAND", "royal", "3000.00")], EXECUTIVE, 2),
    ([("GRAND", "flush", "4000.00")], EXECUTIVE, 1),
])  # fmt: skip
def test_a_jackpot_and_a_row_may_ask_for_more_than_the_act(
    parts: list[tuple[str, str, str]], level: int, people: int
) -> None:
    awards = [AwardPart(code, row, Money.of(sum_)) for code, row, sum_ in parts]
    total = Money(sum(award.amount.units for award in awards))
    assert needed(total, HOUSE, awards) == Needed(level, people)


def test_it_never_asks_for_less_than_the_sum_of_the_act() -> None:
    house = replace(HOUSE, own_executive={"GRAND": Money.of("90000.00")})
    total = Money.of("5000.00")
    assert needed(total, house, [AwardPart("GRAND", "flush", total)]) == Needed(EXECUTIVE, 1)


def test_of_two_tables_the_lower_sum_counts_and_a_line_of_either() -> None:
    then = Thresholds(own_executive={"A": Money(5), "B": Money(9)}, witnesses={WitnessPart.SURVEILLANCE: Money(7)})
    now = Thresholds(own_executive={"B": Money(4)}, own_dual={"C": Money(1)})
    both = judging(then, now)
    assert both.own_executive == {"A": Money(5), "B": Money(4)}
    assert (both.own_dual, both.witnesses) == ({"C": Money(1)}, {WitnessPart.SURVEILLANCE: Money(7)})


@pytest.mark.parametrize("given", [
    "MINI/royal 500.00; GRAND 2,000.00", ["MINI/royal 500.00", "GRAND 2000.00"],
    {"MINI/royal": "500.00", "GRAND": "2000"}, " GRAND  2000.00 ;MINI/royal 500.00;",
])  # fmt: skip
def test_places_are_read_from_a_table_a_list_and_a_line(given: object) -> None:
    kept = read("own_executive", given)
    assert kept == {"GRAND": "2000.00", "MINI/royal": "500.00"}
    assert read("own_executive", spoken("own_executive", kept)) == kept


@pytest.mark.parametrize(("given", "why"), [
    ("grand 5.00", "“grand” is neither a jackpot nor a row"), ("GRAND", "GRAND: "), ("GRAND 0", "above 0"),
    ("GRAND 1.00; GRAND 2.00", "GRAND stands there twice"), ("GRAND/Royal 1.00", "neither a jackpot nor a row"),
    ({f"J{number}": "1.00" for number in range(51)}, "at most 50"),
])  # fmt: skip
def test_a_place_that_is_none_is_refused_with_the_cure(given: object, why: str) -> None:
    with pytest.raises(AuthorityRefused, match=why):
        read("own_executive", given)


@pytest.mark.parametrize("nothing", ["", "never", None, [], {}])
def test_no_place_is_never(nothing: object) -> None:
    assert read("own_dual", nothing) == {}
    assert spoken("own_dual", {}) == "never"


@pytest.mark.parametrize(("before", "after", "stricter"), [
    ({}, {"A": "5.00"}, True), ({"A": "5.00"}, {}, False), ({"A": "5.00"}, {"A": "4.00"}, True),
    ({"A": "5.00"}, {"A": "6.00"}, False), ({"A": "5.00"}, {"A": "5.00", "B": "1.00"}, True),
    ({"A": "5.00"}, {"B": "1.00"}, False),
])  # fmt: skip
def test_stricter_is_what_asks_for_at_least_as_much_everywhere(
    before: dict[str, str], after: dict[str, str], stricter: bool
) -> None:
    assert is_stricter("own_executive", before, after) is stricter


def test_every_witness_has_its_setting_and_comes_to_the_thresholds() -> None:
    values = dict.fromkeys(SETTINGS) | {
        "executive_threshold": "5000.00", "pin_from_level": 3, "cards_from_multiple": 1000, "own_executive": {},
        "own_dual": {}, "regulator_witness": "100000.00",
    }  # fmt: skip
    assert thresholds_of(values).witnesses == {WitnessPart.REGULATOR: Money.of("100000.00")}
