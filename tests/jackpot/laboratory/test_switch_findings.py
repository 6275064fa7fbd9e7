"""What the preview says of switches that move money."""

from __future__ import annotations

from typing import Any

from jackpot.laboratory.switch_findings import switch_findings
from tests.builders import a_pay_table, terms

LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
    {"code": "four", "name": "Four of a kind", "for_one": 3000},
]


SEED = "At the seed 10 % would be 1,000.00."
ADVANCED = "A meter that an award leaves dry begins anew at 10,000.00, which the house advances."
REPAID = (
    "0.35 of the 0.70 that a chip adds (50 %) goes back to the house until it is repaid: 28,572 chips for one advance."
)


def said(**changes: Any) -> list[str]:
    return [finding["why"] for finding in switch_findings(terms(**changes))]


def test_at_their_defaults_the_switches_say_nothing() -> None:
    assert said() == []


def test_a_part_names_the_meter_below_which_it_is_lifted_and_what_it_would_be_at_the_seed() -> None:
    assert said(pay_table=a_pay_table(lines=LINES), policy={"row": "never_less"}) == [
        "Royal flush pays 3,000.00 like Four of a kind while the meter is below 3,000.00.",
        f"Straight flush pays 3,000.00 like Four of a kind while the meter is below 30,000.00. {SEED}",
    ]


def test_a_fixed_row_above_a_part_names_the_meter_above_which_the_house_pays_more() -> None:
    lines = [{"code": "four", "name": "Four of a kind", "for_one": 500, "source": "tray"}, *LINES[1:2]]
    told: dict[str, Any] = {"pay_table": a_pay_table(lines=lines), "policy": {"row": "never_less"}}
    assert said(**told) == [
        "Four of a kind pays 10 % like Straight flush, from the tray, once the meter is above 5,000.00."
    ]
    assert said(**told, limit="10500.00", seed="1000.00") != []
    assert said(**told, aggregate="600.00") == []


def test_a_fixed_row_below_a_larger_one_is_lifted_at_every_meter() -> None:
    lines = [
        {"code": "four", "name": "Four of a kind", "for_one": 40},
        {"code": "full", "name": "Full house", "for_one": 50},
    ]
    assert said(pay_table=a_pay_table(lines=lines), policy={"row": "never_less"}) == [
        "Four of a kind pays 50.00 like Full house, not 40.00, at every meter."
    ]


def test_a_dry_meter_that_begins_anew_names_the_advance_and_how_many_chips_repay_it() -> None:
    assert said(policy={"dry_meter": "restart"}, repay_rate="50") == [f"{ADVANCED} {REPAID}"]


def test_a_repayment_of_everything_says_that_the_meter_stands_still_meanwhile() -> None:
    assert "the meter does not grow" in said(policy={"dry_meter": "restart"}, repay_rate="100")[1]
