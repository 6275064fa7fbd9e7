"""What a preview must say of a setting before anybody signs it: refused, warned or advised, each with its figures."""

from collections.abc import Iterator, Mapping
from fractions import Fraction
from typing import Any, Literal, get_args

from jackpot.laboratory.growth import economy, return_at
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import LabSetting, RowCost, dollars, row_costs
from jackpot.money import UNIT, Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter

Weight = Literal["refused", "warning", "advice"]
WEIGHTS: tuple[str, ...] = get_args(Weight)
ENOUGH_FOR_FIXED_AWARDS = Fraction(7, 10)
WORTH_SAYING = 0.00005  # of each chip: what a rate in percent with two digits would show
Finding = dict[str, str]


def jackpot_of(finding: Mapping[str, str]) -> str:
    """Whose a finding is, of a request that opens several; before it was a field, its sentence began with the code."""
    return finding["jackpot"] if "jackpot" in finding else finding["why"].partition(":")[0]


def find(setting: LabSetting, outcomes: Outcomes, told: Mapping[str, Any], seats: int) -> list[Finding]:
    """All findings, the gravest first. `told` is the answer for the same setting: its estimates are quoted."""
    found = [
        *_rates(setting),
        *_seed(setting, seats),
        *_sources(setting, told),
        *_edges(setting, outcomes, told, seats),
        *_terms(setting, outcomes, told, seats),
        *_crossings(setting, outcomes),
    ]
    return sorted(found, key=lambda finding: WEIGHTS.index(finding["weight"]))


def plain_findings(setting: LabSetting, seats: int) -> list[Finding]:
    """What the terms alone show, before anything is calculated: as for a jackpot that is to be opened."""
    found = [*_rates(setting), *_seed(setting, seats), *_reserve(setting)]
    return sorted(found, key=lambda finding: WEIGHTS.index(finding["weight"]))


def _finding(code: str, weight: Weight, why: str) -> Finding:
    return {"code": code, "weight": weight, "why": why}


def _rates(setting: LabSetting) -> Iterator[Finding]:
    total = setting.rate + setting.reserve_rate
    if total > 1:
        yield _finding("rates_over_100", "refused", f"Rate and reserve rate are {_percent(total)} together. Lower one.")
    if setting.limit is not None and setting.limit <= setting.seed:
        limit, seed = _amount(setting.limit), _amount(setting.seed)
        why = f"The limit of {limit} is not above the seed of {seed}: the meter could never grow."
        yield _finding("limit_at_seed", "refused", why)


def _seed(setting: LabSetting, seats: int) -> Iterator[Finding]:
    largest = setting.wager * setting.table.largest_for_one
    from_meter = any(line.source == "meter" and isinstance(line.award, ForOne) for line in setting.table)
    if not setting.seed:
        yield _finding("seed_zero", "refused", "The seed is 0.00: after a top award the sign would promise nothing.")
        if setting.reserve_rate:
            why = f"The reserve of {_percent(setting.reserve_rate)} would be the only seed. Give the meter its own."
            yield _finding("reserve_is_seed", "warning", why)
    elif setting.seed < largest:
        why = f"The seed of {_amount(setting.seed)} is below the largest fixed award, {_amount(largest)}."
        yield _finding("seed_below_award", "warning", why)
    if from_meter and setting.seed < largest * seats:
        why = (
            f"The board can bring the largest fixed award to all {seats} seats: {_amount(largest * seats)} from a "
            f"meter that starts at {_amount(setting.seed)}. The house pays what is missing."
        )
        yield _finding("seed_below_round", "warning", why)


def _reserve(setting: LabSetting) -> Iterator[Finding]:
    if not setting.reserve_rate:
        why = "There is no reserve: every new meter starts at the bare seed, and a shortfall is the house's at once."
        yield _finding("no_reserve", "advice", why)


def _sources(setting: LabSetting, told: Mapping[str, Any]) -> Iterator[Finding]:
    yield from _reserve(setting)
    if all(line.source == "meter" for line in setting.table) and setting.rate < ENOUGH_FOR_FIXED_AWARDS:
        dry = told["seats_run_dry"]
        why = (
            f"All awards come from the meter, which gets {_percent(setting.rate)} of the chip, less than 70 %. In the "
            f"days asked for it ran dry in {100 * dry['chance']:.1f} % (± {100 * dry['standard_error']:.1f}) of "
            f"{dry['paths']:,} lives."
        )
        yield _finding("thin_meter", "warning", why)


def _edges(setting: LabSetting, outcomes: Outcomes, told: Mapping[str, Any], seats: int) -> Iterator[Finding]:
    edge = economy(setting, outcomes, seats).house_edge
    counted = told.get("house_edge_long_run")
    if edge <= 0:
        why = f"The house edge is {_percent(edge)}: the house pays out more than it takes in. An executive must sign."
        yield _finding("house_loses", "refused", why)
    elif counted is not None and counted["mean"] <= 0:
        why = (
            f"With what the house pays when the meter lacks it, the house edge is {_estimate(counted)}: the house pays "
            "out more than it takes in. An executive must sign."
        )
        yield _finding("house_loses", "refused", why)
    if told.get("long_run_meter") is None:
        return
    mean = Fraction(told["long_run_meter"]["mean"])
    back = return_at(setting, outcomes, mean, seats)
    if back > 1:
        why = (
            f"At the long-run mean meter of {_amount(mean)} a player is paid back {_percent(back)}: more than the chip."
        )
        yield _finding("players_win_at_mean", "warning", why)


def _terms(setting: LabSetting, outcomes: Outcomes, told: Mapping[str, Any], seats: int) -> Iterator[Finding]:
    """What other terms cost, and what the laboratory could not count."""
    pays, overflow = told.get("house_pays"), told.get("overflow")
    # Twice its error: less may be the luck of the lives that were played.
    if pays is not None and pays["mean"] >= max(WORTH_SAYING, 2 * pays["standard_error"]):
        edge = told["house_edge_long_run"]
        why = (
            f"In the long run the house pays {_estimate(pays)} of each chip because the meter lacks it. With that the "
            f"house edge is {_estimate(edge)}, not {_percent(economy(setting, outcomes, seats).house_edge)}."
        )
        yield _finding("house_pays", "warning", why)
    envy = sum((row.chance * row.envy * (seats - 1) for row in row_costs(setting, outcomes)), Fraction(0))
    if envy:
        yield _finding("envy", "advice", f"Envy pays the other seats {_percent(envy)} of each chip at {seats} seats.")
    if overflow is not None and overflow["mean"] > 0:
        why = f"{_estimate(overflow)} of each chip rises above the limit and waits in overflow, won by nobody."
        yield _finding("overflow_waits", "warning", why)
    if pays is None:
        why = "What the house pays when the meter lacks it is not counted: the whole meter is won too rarely, or never."
        yield _finding("not_counted", "warning", why)


def _crossings(setting: LabSetting, outcomes: Outcomes) -> Iterator[Finding]:
    """Rows of which the rarer pays less than a commoner one at a meter that can come; of several the widest."""
    rows = row_costs(setting, outcomes)
    drains = any(row.from_meter for row in rows)
    # A meter that pays more than parts of itself may fall below its seed, down to nothing.
    lowest = Fraction(0) if drains else dollars(setting.seed)
    for rare in rows:
        commoner = [common for common in rows if rare.chance < common.chance]
        crossed = [found for common in commoner for found in _crossing(setting, rare, common, lowest)]
        yield from [max(crossed, key=lambda pair: pair[0])[1]] if crossed else []


def _crossing(
    setting: LabSetting, rare: RowCost, common: RowCost, lowest: Fraction
) -> Iterator[tuple[Fraction, Finding]]:
    """How wide the crossing is, to compare, and the finding."""
    wager = dollars(setting.wager)
    names = [setting.table.line(row.code).name for row in (rare, common)]
    fixed = [(row.from_meter + row.from_tray) * wager for row in (rare, common)]
    says = f"{names[0]} is rarer than {names[1].lower()} but pays less"
    everywhere = _finding("rows_cross", "warning", f"{says} at every meter.")
    match setting.table.line(rare.code).award, setting.table.line(common.code).award:
        case (PartOfMeter(part), ForOne()) if fixed[1] / part > lowest:
            meter = fixed[1] / part
            yield meter, _finding("rows_cross", "warning", f"{says} while the meter is below {_amount(meter)}.")
        case (ForOne(), PartOfMeter(part)) if setting.limit is None or fixed[0] / part < dollars(setting.limit):
            meter = fixed[0] / part
            # The lower it begins, the wider it is: so the least meter has to compare as the largest.
            yield -meter, _finding("rows_cross", "advice", f"{says} once the meter is above {_amount(meter)}.")
        case (ForOne(), ForOne()) if fixed[0] < fixed[1]:
            yield dollars(setting.seed), everywhere
        case (PartOfMeter(one), PartOfMeter(other)) if one < other:
            yield dollars(setting.seed), everywhere


def _amount(exact: Fraction | Money) -> str:
    """As people read it, cut to the cent: 21,000.00."""
    money = exact if isinstance(exact, Money) else Money(int(exact * UNIT))
    return f"{money.shown().decimal():,.2f}"


def _estimate(figure: Mapping[str, Any]) -> str:
    error = f" (± {100 * figure['standard_error']:.2f})" if figure["standard_error"] else ""
    return f"{100 * figure['mean']:.2f} %{error}".replace("-", "−")


def _percent(share: Fraction) -> str:
    return f"{100.0 * share:.2f} %".replace("-", "−")
