"""The worst round that can legally be dealt, at each meter, with a deal to show for it."""

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction

from jackpot.laboratory.growth import NoSuchFigure
from jackpot.laboratory.outcomes import Outcomes, Witness
from jackpot.laboratory.setting import LabSetting
from jackpot.money import Money, Rounding
from jackpot.terms.rules.aggregate import share_aggregate
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine


@dataclass(frozen=True, slots=True)
class Exposure:
    """What the costliest deal costs at a meter: from the meter, from the tray, and what the meter lacks of it."""

    meter: Money
    from_meter: Money
    from_tray: Money
    shortfall: Money
    witness: Witness

    @property
    def total(self) -> Money:
        return self.from_meter + self.from_tray

    @property
    def sentence(self) -> str:
        seats = ", ".join(f"seat {n} {cards}" for n, (cards, _) in enumerate(self.witness.seats, start=1))
        lacks = f", {self.shortfall} of it not in the meter" if self.shortfall else ""
        return (
            f"At a meter of {self.meter} the worst deal costs {self.total}{lacks}: board {self.witness.board}; {seats}."
        )


def worst_round(setting: LabSetting, outcomes: Outcomes, *, seats: int, meter: Money) -> Exposure:
    """The costliest of all deals that exist for so many coin-in seats, at this meter."""
    if not outcomes.witnesses or seats not in outcomes.witnesses:
        known = ", ".join(map(str, outcomes.witnesses or ())) or "none"
        raise NoSuchFigure(f"No deals are known for {seats} seats; they are for {known}.")
    costs = [_cost(setting, witness, meter, seats) for witness in outcomes.witnesses[seats]]
    # Of two that cost the same, the one of which the meter holds less.
    return max(costs, key=lambda cost: (cost.total, cost.shortfall))


def worst_rounds(setting: LabSetting, outcomes: Outcomes, *, seats: int, meters: Sequence[Money]) -> list[Exposure]:
    """One row for each meter, as the laboratory prints them."""
    return [worst_round(setting, outcomes, seats=seats, meter=meter) for meter in meters]


def _cost(setting: LabSetting, witness: Witness, meter: Money, seats: int) -> Exposure:
    """Parts first, each of what is left; then the fixed awards, on the meter as reset where all of it was won, envy
    after the hit that causes it. A fixed award that the meter lacks is paid all the same: that is the shortfall."""
    lines = sorted((setting.table.line(row) for row in witness.rows), key=lambda line: setting.table.rank(line.code))
    cuts = _within_aggregate(setting, lines)
    left, drawn, tray, short = meter, Money.of(0), Money.of(0), Money.of(0)
    for number, line in enumerate(lines):
        own = cuts.get(number) or _due(setting, line, left)
        takes_all = isinstance(line.award, PartOfMeter) and line.award.is_all
        for due, resets in [(own, takes_all), *[(line.envy, False)] * (seats - 1 if line.envy else 0)]:
            assert due is not None, "envy is counted only where there is some"
            if line.source == "tray":
                tray += due
                continue
            drawn += due
            short += max(due - left, Money.of(0))
            left = max(left - due, Money.of(0))
            # The reserve would come on top; leaving it out errs on the safe side.
            if resets or (setting.restarts and not left.shown(setting.digits)):
                left += setting.seed
    return Exposure(meter, drawn, tray, short, witness)


def _within_aggregate(setting: LabSetting, lines: Sequence[PayLine]) -> dict[int, Money]:
    """What the table's aggregate leaves of each fixed award, by its place in the round."""
    if setting.aggregate is None:
        return {}
    fixed = {
        number: _due(setting, line, Money.of(0)) for number, line in enumerate(lines) if isinstance(line.award, ForOne)
    }
    return share_aggregate(fixed, setting.aggregate)


def _due(setting: LabSetting, line: PayLine, meter: Money) -> Money:
    """What the line pays from this meter; by switch never less than any row below it."""
    if setting.policy.row != "never_less":
        return _by_itself(setting, line, meter)
    below = setting.table.lines[setting.table.rank(line.code) :]
    fixed_only = setting.aggregate is not None and isinstance(line.award, ForOne)
    others = [row for row in below if isinstance(row.award, ForOne) or not fixed_only]
    return max(_by_itself(setting, row, meter) for row in (line, *others))


def _by_itself(setting: LabSetting, line: PayLine, meter: Money) -> Money:
    match line.award:
        case ForOne(times):
            return setting.wager * times
        case PartOfMeter(part):
            # Up, whichever way the terms round: the worst case errs on the safe side.
            return meter.shown(setting.digits).share(Fraction(part), Rounding.HALF_UP, setting.digits)
