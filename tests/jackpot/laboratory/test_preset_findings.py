"""Presets of a pay table beside the terms, and a rate that is raised where only parts come from the meter."""

from __future__ import annotations

from typing import Any

import pytest

from jackpot.laboratory.preset_findings import rate_findings
from jackpot.laboratory.standing import standing_findings
from jackpot.terms.rules.terms import Terms, TermsRefused
from jackpot.terms.rules.terms_change import differences
from tests.builders import a_pay_table, terms

TRAY = a_pay_table(
    lines=[
        {"code": "royal", "name": "Royal flush", "part": "1"},
        {"code": "four", "name": "Four of a kind", "for_one": 100, "source": "tray"},
    ]
)
METER = a_pay_table(
    lines=[
        {"code": "royal", "name": "Royal flush", "part": "1"},
        {"code": "four", "name": "Four of a kind", "for_one": 100, "source": "meter"},
    ]
)


def parts_only(**changes: Any) -> Terms:
    return terms(**{"pay_table": TRAY, "rate": "25", **changes})


def standing(**changes: Any) -> dict[str, tuple[str, str]]:
    return {each["code"]: (each["weight"], each["why"]) for each in standing_findings(parts_only(**changes))}


def test_a_seed_beside_the_one_that_the_pay_table_presets_is_told_with_both() -> None:
    assert "seed_not_preset" not in standing()
    assert "seed_not_preset" not in standing(preset_seed="10000.00")
    assert standing(preset_seed="12000.00")["seed_not_preset"] == (
        "warning",
        "The seed of 10000.00 is below the 12000.00 that the pay table presets: its mathematics counts on it.",
    )
    assert standing(preset_seed="8000.00")["seed_not_preset"][0] == "advice"
    with pytest.raises(TermsRefused, match="preset seed is 0"):
        parts_only(preset_seed="0")


def test_a_rate_above_the_preset_needs_its_par_sheet_and_stays_told() -> None:
    with pytest.raises(TermsRefused, match="name the approved par sheet"):
        parts_only(preset_rate="20")
    weight, why = standing(preset_rate="20", par_sheet="PS-7")["rate_above_preset"]
    assert weight == "warning"
    assert why.startswith("The rate of 25 % is above the 20 % that the par sheet presets; PS-7 approves it.")


def raised(stands: Terms, edges: tuple[str, str] | None = None, **changes: Any) -> list[tuple[str, str]]:
    wished = parts_only(**{"rate": "30", **changes})
    return [(each["weight"], each["why"]) for each in rate_findings(stands, wished, edges)]


def test_without_a_preset_a_raised_rate_is_told_with_what_it_costs_the_house() -> None:
    ((weight, why),) = raised(parts_only(), ("183/1000", "133/1000"))
    assert weight == "warning"
    assert why == (
        "The meter pays only parts of itself, and the rate goes up from 25 % to 30 %: that is the house's advantage, "
        "which falls from 18.30 % to 13.30 %."
    )
    assert raised(parts_only())[0][1].endswith("that is the house's advantage.")


def test_by_switch_it_is_refused_until_a_par_sheet_is_named() -> None:
    strict = parts_only(policy={"rate_rise": "refused"})
    ((weight, why),) = raised(strict)
    assert weight == "refused"
    assert why.endswith("Keep the rate, or name the approved par sheet.")
    assert raised(strict, par_sheet="PS-7") == []
    assert raised(strict, rate="25") == raised(strict, rate="20") == []
    assert raised(strict, preset_rate="30") == [], "the preset itself judges"


def test_where_fixed_awards_come_from_the_meter_any_rate_may_be_chosen() -> None:
    assert raised(parts_only(pay_table=METER), pay_table=METER) == []


def test_other_terms_name_the_preset_and_the_switch_that_changed() -> None:
    before, after = parts_only(), parts_only(preset_seed="9000.00", policy={"rate_rise": "refused"})
    assert [str(each) for each in differences(before, after)] == [
        "preset seed of the pay table none → 9000.00",
        "switch “rate rise” told → refused",
    ]
    assert Terms.of(after.plain()) == after
    assert "preset_seed" not in before.plain()
    assert "rate_rise" not in before.plain()["policy"]
