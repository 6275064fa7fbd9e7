from __future__ import annotations

from typing import Any

import pytest

from jackpot.money import Money
from jackpot.terms.rules.terms import TermsRefused
from jackpot.terms.rules.terms_change import changed, differences, only_raises_limit, refuse_low_limit
from tests.builders import a_pay_table, terms

LINES = [{"code": "royal", "name": "Royal flush", "part": "1"}, {"code": "four", "name": "Four", "for_one": 100}]
OTHER = [LINES[0], {"code": "four", "name": "Four", "for_one": 50, "envy": "5.00"}]


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"rate": "60"}, ["rate to the meter 70 % → 60 %"]),
        ({"seed": "12000.00", "limit": "25000.00"}, ["seed 10000.00 → 12000.00", "limit none → 25000.00"]),
        ({"rounding": "down"}, ["rounding of awards half up → down"]),
        ({"policy": {"order": "clockwise"}}, ["switch “order” counter clockwise → clockwise"]),
        ({}, []),
    ],
)
def test_what_differs_is_told_in_words(changes: dict[str, Any], told: list[str]) -> None:
    assert [str(each) for each in differences(terms(), changed(terms(), changes))] == told


def test_pay_tables_differ_line_by_line() -> None:
    one, other = terms(pay_table=a_pay_table(lines=LINES)), terms(pay_table=a_pay_table(lines=OTHER, source="meter"))
    assert [(each.term, each.before, each.after) for each in differences(one, other)] == [
        ("pay_table.four", "100 for 1 from the tray", "50 for 1 from the meter, envy 5.00"),
    ]
    fewer = terms(pay_table=a_pay_table(lines=LINES[:1], code="short"))
    assert [(each.name, each.after) for each in differences(one, fewer)] == [("Pay table", "short"), ("Four", "none")]
    turned = terms(pay_table=a_pay_table(lines=LINES[::-1]))
    assert [each.term for each in differences(one, turned)] == ["pay_table.order"]


def test_switches_that_are_not_named_stay_as_they_are() -> None:
    stands = terms(policy={"order": "clockwise"})
    assert changed(stands, {"policy": {"freeze": "approval"}}).policy.order == "clockwise"


@pytest.mark.parametrize("wrong", [{"policy": "clockwise"}, {"colour": "red"}, {"seed": "0"}])
def test_what_cannot_be_meant_is_refused(wrong: dict[str, Any]) -> None:
    with pytest.raises(TermsRefused):
        changed(terms(), wrong)


@pytest.mark.parametrize(
    ("before", "after", "raises"),
    [
        ({"limit": "20000.00"}, {"limit": "25000.00"}, True),
        ({"limit": "20000.00"}, {"limit": None}, True),
        ({"limit": "20000.00"}, {"limit": "19000.00"}, False),
        ({"limit": "20000.00"}, {"limit": "25000.00", "seed": "11000.00"}, False),
        ({"limit": None}, {"limit": "25000.00"}, False),
        ({"limit": None}, {"limit": None}, False),
    ],
)
def test_only_a_higher_limit_and_nothing_else_raises(before: Any, after: Any, raises: bool) -> None:
    assert only_raises_limit(terms(**before), terms(**after)) is raises


@pytest.mark.parametrize(
    ("limit", "may_equal", "refused"),
    [("20000.01", False, False), ("20000.00", False, True), ("20000.00", True, False), ("19999.99", True, True)],
)
def test_a_limit_is_above_the_present_meter(limit: str, may_equal: bool, refused: bool) -> None:
    asked, meter = terms(limit=limit), Money.of("20000.00")
    if not refused:
        refuse_low_limit(asked, meter, may_equal=may_equal)
        return
    with pytest.raises(TermsRefused, match=r"present meter 20000\.00"):
        refuse_low_limit(asked, meter, may_equal=may_equal)


def test_what_is_optional_is_told_when_it_comes_and_when_it_goes() -> None:
    told = [str(each) for each in differences(terms(), terms(aggregate="5000.00", preset_rate="75", par_sheet="PS-7"))]
    assert told == [
        "aggregate of fixed awards none → 5000.00", "preset of the par sheet none → 75 %",
        "approved par sheet none → PS-7",
    ]  # fmt: skip
    assert [str(each) for each in differences(terms(aggregate="5000.00"), terms())] == [
        "aggregate of fixed awards 5000.00 → none"
    ]
