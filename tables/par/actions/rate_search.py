"""Which rate, or which seed, gives the house edge that is wanted: solved exactly, not tried out."""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Final, Literal

from jackpot.books.models.jackpot import Jackpot
from jackpot.laboratory.growth import economy
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import LabSetting
from jackpot.money import MILLION, Money
from jackpot.refusals import NotUnderstood
from tables.games.edge import percent
from tables.par.actions.par_sheets import find_sheet, outcomes_of_rows, question_of_jackpot, setting_of_terms

Of = Literal["rate", "reserve_rate", "seed"]
WRITTEN: Final = re.compile(r"-?\d{1,3}(\.\d{1,6})?", re.ASCII)
SPOKEN: Final = {"rate": "rate to the meter", "reserve_rate": "rate to the reserve", "seed": "seed"}


@dataclass(frozen=True, slots=True)
class SolvedRate:
    """The exact answer, what of it the terms can hold, and the edge that this gives."""

    of: Of
    exact: Fraction
    settable: Fraction
    edge: Fraction
    stands: Fraction
    stands_edge: Fraction
    percent: int = 100


def which(jackpot: Jackpot, *, of: Of, edge: Fraction) -> SolvedRate | int:
    """The rate or seed at which the long-run house edge is exactly this; else how far the chances are counted."""
    assert jackpot.version is not None, "a jackpot has its first version before anybody can look at it"
    terms, answer = jackpot.version.value, find_sheet(question_of_jackpot(jackpot))
    if answer.sheet is None:
        return answer.percent
    setting, outcomes = setting_of_terms(terms), outcomes_of_rows(answer.sheet.rows, answer.sheet.deals)
    exact = _solved(setting, outcomes, of, edge)
    settable = _settable(of, exact, terms.digits)
    found = _edge(_with(setting, of, settable), outcomes)
    return SolvedRate(of, exact, settable, found, _value(setting, of), _edge(setting, outcomes))


def _solved(setting: LabSetting, outcomes: Outcomes, of: Of, edge: Fraction) -> Fraction:
    """The edge falls along a straight line as the rate or the seed rises; two points of it give all others."""
    one, other = (Fraction(0), Fraction(1)) if of != "seed" else (Fraction(1), Fraction(2))
    first, second = (_edge(_with(setting, of, value), outcomes) for value in (one, other))
    if first == second:
        raise NotUnderstood(f"The house edge does not depend on the {SPOKEN[of]}: no line pays all of the meter.", "of")
    exact = one + (edge - first) * (other - one) / (second - first)
    _refuse_outside(setting, outcomes, of, exact)
    return exact


def _refuse_outside(setting: LabSetting, outcomes: Outcomes, of: Of, exact: Fraction) -> None:
    other = {"rate": setting.reserve_rate, "reserve_rate": setting.rate, "seed": Fraction(0)}[of]
    least, most = (Fraction(1, 100), Fraction(10**9)) if of == "seed" else (Fraction(0), 1 - other)
    if least <= exact <= most:
        return
    edges = sorted(_edge(_with(setting, of, value), outcomes) for value in (least, most))
    if of == "seed":
        top = f"{_percent(edges[1])} with the smallest seed"
        raise NotUnderstood(f"No seed gives that house edge. The most is {top}; a larger seed makes it less.", "edge")
    raise NotUnderstood(
        f"No {SPOKEN[of]} gives that house edge. It lies between {_percent(edges[0])} and {_percent(edges[1])} with "
        "the other terms as they are.",
        "edge",
    )


def _edge(setting: LabSetting, outcomes: Outcomes) -> Fraction:
    return economy(setting, outcomes).house_edge


def _with(setting: LabSetting, of: Of, value: Fraction) -> LabSetting:
    if of == "seed":
        return replace(setting, seed=Money(int(value * 10**8)))
    return replace(setting, rate=value) if of == "rate" else replace(setting, reserve_rate=value)


def _value(setting: LabSetting, of: Of) -> Fraction:
    return Fraction(setting.seed.units, 10**8) if of == "seed" else Fraction(getattr(setting, of))


def _settable(of: Of, exact: Fraction, digits: int) -> Fraction:
    """Down to what the terms hold: rates in millionths, seeds in the currency's smallest coin."""
    # Down, because the edge falls as rate or seed rise: the house never keeps less than was wished for.
    step = 10**digits if of == "seed" else MILLION
    return Fraction(exact.numerator * step // exact.denominator, step)


def _percent(edge: Fraction) -> str:
    return f"{percent(edge, 2)} %"


def edge_of(text: str) -> Fraction:
    """A percentage as typed: “20”, “12.5”, “-1”."""
    if not WRITTEN.fullmatch(text.strip()):
        raise NotUnderstood(f"“{text[:20]}” is no house edge. Write percent such as 20 or 12.5.", "house_edge")
    return Fraction(text.strip()) / 100


def plain_found(of: Of, found: SolvedRate | int) -> dict[str, str | None]:
    """As the API tells it: rates in percent, a seed as an amount; nothing while it is counted."""
    names = ("exact", "settable", "house_edge", "house_edge_percent", "in_force", "in_force_edge_percent")
    if isinstance(found, int):
        return {"of": of, **dict.fromkeys(names)}
    told = (
        str(found.exact), spoken_value(of, found.settable), str(found.edge), percent(found.edge, 6),
        spoken_value(of, found.stands), percent(found.stands_edge, 6),
    )  # fmt: skip
    return {"of": of, **dict(zip(names, told, strict=True))}


def spoken_value(of: Of, value: Fraction) -> str:
    """A rate as percent with its four decimals, a seed as an amount."""
    return str(Money(int(value * 10**8))) if of == "seed" else percent(value, 4)
