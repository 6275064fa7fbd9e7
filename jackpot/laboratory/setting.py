"""One configuration, as the laboratory looks at it."""

from dataclasses import dataclass, field
from fractions import Fraction

from jackpot.laboratory.outcomes import NotAnOutcome, Outcomes
from jackpot.money import UNIT, Money
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine, PayTable
from jackpot.terms.rules.policy import Policy


@dataclass(frozen=True, slots=True)
class LabSetting:
    """A pay table, its wager, the rates in parts of one, the seed and the limit; the switches that move money."""

    table: PayTable
    wager: Money
    rate: Fraction
    reserve_rate: Fraction
    seed: Money
    limit: Money | None = None
    policy: Policy = field(default_factory=Policy)
    aggregate: Money | None = None
    repay_rate: Fraction = Fraction(0)
    digits: int = 2  # of the currency: what an award is rounded to

    @property
    def restarts(self) -> bool:
        """A meter that an award leaves dry begins anew, on the house's advance."""
        return self.policy.dry_meter == "restart"


@dataclass(frozen=True, slots=True)
class RowCost:
    """One row for one wager, in wagers: its chance, and the larger of a fixed sum (from meter or tray) and a part.

    Only the switch “never less than the next row” gives a row both. Envy is what each other seat gets.
    """

    code: str
    chance: Fraction
    part: Fraction
    from_meter: Fraction
    from_tray: Fraction
    envy: Fraction = Fraction(0)
    envy_from_tray: bool = False

    @property
    def fixed(self) -> Fraction:
        return self.from_meter + self.from_tray

    @property
    def lifted(self) -> bool:
        """Its award is a part at some meters and a fixed sum at others."""
        return bool(self.part and self.fixed)

    def pays(self, meter: Fraction) -> Fraction:
        """The award, in wagers, from a meter of so many wagers."""
        return max(self.fixed, self.part * meter)


def row_costs(setting: LabSetting, outcomes: Outcomes) -> tuple[RowCost, ...]:
    """The pay table's lines beside their chances; a table whose rows the outcomes do not know is refused."""
    unknown = [line.code for line in setting.table if line.code not in outcomes.rows]
    if unknown:
        raise NotAnOutcome(f"The outcomes do not know the line {unknown[0]} of pay table {setting.table.code}.")
    return tuple(_row_cost(setting, line, outcomes.chance(line.code)) for line in setting.table)


def wagers_in(amount: Money, wager: Money) -> Fraction:
    """An amount as a multiple of the wager, exact."""
    return Fraction(amount.units, wager.units)


def dollars(amount: Money) -> Fraction:
    return Fraction(amount.units, UNIT)


def _row_cost(setting: LabSetting, line: PayLine, chance: Fraction) -> RowCost:
    """By itself, and by the switch never less than any row below it."""
    paid = [line]
    if setting.policy.row == "never_less":
        # Under an aggregate only fixed rows lift a fixed award: it is cut before any meter is looked at.
        fixed_only = setting.aggregate is not None and isinstance(line.award, ForOne)
        below = setting.table.lines[setting.table.rank(line.code) :]
        paid += [row for row in below if isinstance(row.award, ForOne) or not fixed_only]
    part = max((row.award.part for row in paid if isinstance(row.award, PartOfMeter)), default=Fraction(0))
    fixed = Fraction(max((row.award.times for row in paid if isinstance(row.award, ForOne)), default=0))
    envy = wagers_in(line.envy, setting.wager) if line.envy else Fraction(0)
    from_tray = line.source == "tray"
    nothing = Fraction(0)
    return RowCost(
        line.code, chance, part, nothing if from_tray else fixed, fixed if from_tray else nothing, envy, from_tray
    )
