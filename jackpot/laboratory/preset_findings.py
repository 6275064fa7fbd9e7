"""What the presets of a pay table say of the terms at hand, and of a rate that is raised over what was in force."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from jackpot.terms.rules.terms import Terms, percent

Finding = dict[str, str]


def preset_findings(terms: Terms) -> Iterator[Finding]:
    """Its seed is made for the pay table's mathematics, and its rate too where the meter pays only parts of itself."""
    preset = terms.preset_seed
    if preset is not None and terms.seed != preset:
        side, weight = ("below", "warning") if terms.seed < preset else ("above", "advice")
        why = (
            f"The seed of {terms.seed} is {side} the {preset} that the pay table presets: its mathematics counts on it."
        )
        yield {"code": "seed_not_preset", "weight": weight, "why": why}
    if terms.preset_rate is not None and terms.rate > terms.preset_rate and not terms.pay_table.fixed_from_meter:
        why = (
            f"The rate of {percent(terms.rate)} is above the {percent(terms.preset_rate)} that the par sheet presets; "
            f"{terms.par_sheet} approves it. What is more comes out of the house's advantage."
        )
        yield {"code": "rate_above_preset", "weight": "warning", "why": why}


def rate_findings(stands: Terms, wished: Terms, edges: tuple[str, str] | None) -> Iterator[Finding]:
    """Where only parts are paid from the meter a rate is only to be reduced. With the preset entered the terms
    themselves refuse more than it; without one the rate in force is what is known to be the preset.

    `edges` are the house edge in force and as wished, exact, where the laboratory knows them."""
    if wished.rate <= stands.rate or wished.pay_table.fixed_from_meter or wished.par_sheet:
        return
    if wished.preset_rate is not None:
        return
    refused = stands.policy.rate_rise == "refused"
    cure = " Keep the rate, or name the approved par sheet." if refused else ""
    why = (
        f"The meter pays only parts of itself, and the rate goes up from {percent(stands.rate)} to "
        f"{percent(wished.rate)}: that is the house's advantage{_fall(edges)}.{cure}"
    )
    yield {"code": "rate_raised", "weight": "refused" if refused else "warning", "why": why}


def _fall(edges: tuple[str, str] | None) -> str:
    if edges is None:
        return ""
    before, after = (f"{100.0 * Fraction(edge):.2f} %".replace("-", "−") for edge in edges)
    return f", which falls from {before} to {after}"
