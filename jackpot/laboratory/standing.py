"""What speaks against terms that stand: read off the terms alone, so that it is there whenever somebody looks."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from typing import Final

from jackpot.laboratory.findings import ENOUGH_FOR_FIXED_AWARDS, WEIGHTS, Finding, plain_findings
from jackpot.laboratory.setting import LabSetting
from jackpot.laboratory.switch_findings import switch_findings
from jackpot.money import MILLION
from jackpot.terms.rules.terms import Terms, percent

MOST_SEATS: Final = 7  # of the tables as they are mostly built


def lab_setting(terms: Terms) -> LabSetting:
    """The terms as the laboratory knows them."""
    return LabSetting(
        terms.pay_table, terms.wager, Fraction(terms.rate, MILLION), Fraction(terms.reserve_rate, MILLION), terms.seed,
        terms.limit, terms.policy, terms.aggregate, Fraction(terms.repay_rate or 0, MILLION),
        terms.digits,
    )  # fmt: skip


def standing_findings(terms: Terms) -> list[Finding]:
    """The gravest first. How likely it is to run dry is the laboratory's to say; that it may is told here."""
    found = [*plain_findings(lab_setting(terms), MOST_SEATS), *switch_findings(terms), *_thin(terms)]
    return sorted(found, key=lambda finding: WEIGHTS.index(finding["weight"]))


def _thin(terms: Terms) -> Iterator[Finding]:
    all_from_meter = all(line.source == "meter" for line in terms.pay_table)
    if all_from_meter and Fraction(terms.rate, MILLION) < ENOUGH_FOR_FIXED_AWARDS:
        why = (
            f"All awards come from the meter, which gets {percent(terms.rate)} of the chip, less than 70 %: "
            "it may run dry. The laboratory says how likely that is."
        )
        yield {"code": "thin_meter", "weight": "warning", "why": why}
