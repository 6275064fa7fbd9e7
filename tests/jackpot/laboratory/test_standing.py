"""What the terms of a jackpot that stands ask to look at, each with its figures."""

from __future__ import annotations

import pytest

from jackpot.laboratory.standing import standing_findings
from jackpot.terms.rules.policy import Policy
from tests.builders import a_pay_table, terms


def codes(**changes: object) -> list[tuple[str, str]]:
    return [(each["weight"], each["code"]) for each in standing_findings(terms(**changes))]


def test_a_seed_above_every_award_with_a_reserve_asks_for_nothing() -> None:
    assert codes() == []


def test_a_seed_below_the_largest_fixed_award_is_told_with_both_figures() -> None:
    (found,) = standing_findings(terms(seed="1.00"))
    assert (found["weight"], "1.00 is below the largest fixed award" in found["why"]) == ("warning", True)
    assert "3,000.00" in found["why"]


def test_no_reserve_is_advice_and_stands_behind_the_warnings() -> None:
    assert codes(seed="1.00", reserve_rate="0") == [("warning", "seed_below_award"), ("advice", "no_reserve")]


@pytest.mark.parametrize(("rate", "thin"), [("69.9999", True), ("70", False)])
def test_all_from_the_meter_at_less_than_seventy_percent_may_run_dry(rate: str, thin: bool) -> None:
    told = codes(rate=rate, reserve_rate="5", seed="30000.00", pay_table=a_pay_table(source="meter"))
    assert (("warning", "thin_meter") in told) is thin
    assert ("warning", "thin_meter") not in codes(rate=rate), "some awards come from the tray"


def test_a_switch_that_lifts_rows_is_told_in_its_figures() -> None:
    policy = Policy(row="never_less").plain()
    assert ("advice", "never_less") in codes(policy=policy, seed="10000.00")
