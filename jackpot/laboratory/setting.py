"""One configuration, as the laboratory looks at it."""

from dataclasses import dataclass
from fractions import Fraction

from jackpot.laboratory.outcomes import NotAnOutcome, Outcomes
from jackpot.money import UNIT, Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine, PayTable


@dataclass(frozen=True, slots=True)
class Setting:
    """A pay table, its wager, the rates in parts of one, the seed and the limit."""

    table: PayTable
    wager: Money
    rate: Fraction
    reserve_rate: Fraction
    seed: Money
    limit: Money | None = None


@dataclass(frozen=True, slots=True)
class RowCost:
    """One row for one wager, in wagers: its chance, and what it draws from meter and tray or as a part."""

    code: str
    chance: Fraction
    part: Fraction
    from_meter: Fraction
    from_tray: Fraction


def row_costs(setting: Setting, outcomes: Outcomes) -> tuple[RowCost, ...]:
    """The pay table's lines beside their chances; a table whose rows the outcomes do not know is refused."""
    unknown = [line.code for line in setting.table if line.code not in outcomes.rows]
    if unknown:
        raise NotAnOutcome(f"The outcomes do not know the line {unknown[0]} of pay table {setting.table.code}.")
    return tuple(_row_cost(line, outcomes.chance(line.code)) for line in setting.table)


def wagers_in(amount: Money, wager: Money) -> Fraction:
    """An amount as a multiple of the wager, exact."""
    return Fraction(amount.units, wager.units)


def dollars(amount: Money) -> Fraction:
    return Fraction(amount.units, UNIT)


def _row_cost(line: PayLine, chance: Fraction) -> RowCost:
    nothing = Fraction(0)
    match line.award:
        case PartOfMeter(part):
            return RowCost(line.code, chance, part, nothing, nothing)
        case ForOne(times) if line.source == "meter":
            return RowCost(line.code, chance, nothing, Fraction(times), nothing)
        case ForOne(times):
            return RowCost(line.code, chance, nothing, nothing, Fraction(times))
