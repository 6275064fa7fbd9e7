"""What a setting returns, costs and grows to. Exact where a formula exists; every figure is for one wager or in wagers
of it, as its name says."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, log1p

from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.rounds import cut_by_aggregate
from jackpot.laboratory.setting import LabSetting, RowCost, dollars, row_costs, wagers_in
from jackpot.money import Money

QUANTILES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))

BILLION = 1_000_000_000


class NoSuchFigure(ValueError):
    """A figure that this setting does not have, with the reason."""


@dataclass(frozen=True, slots=True)
class Economy:
    """A setting in fractions of the coin-in."""

    fixed_return: Fraction
    tray_share: Fraction
    meter_fixed_share: Fraction
    part_share: Fraction
    lesser_part_share: Fraction
    top_chance: Fraction
    contribution: Fraction
    seed_cost: Fraction
    house_edge: Fraction


@dataclass(frozen=True, slots=True)
class TopHit:
    """When the whole meter is first won, and what it will be: coin-ins, days at so many a day, dollars."""

    mean_coin_ins: Fraction
    mean_days: Fraction
    mean_meter: Fraction
    quantiles: tuple[tuple[Fraction, int, Fraction, Fraction], ...]


def economy(setting: LabSetting, outcomes: Outcomes, seats: int = 1) -> Economy:
    """Where each coin goes: lines and envy from the tray, the meter and the reserve, the seeds. The rest is the
    house's; what the meter holds goes back to players sooner or later, so it is no gain of the house.

    What the house pays for shortfalls is not in it: that needs play (`long_run`). Under an aggregate the shares are
    only as good as how often seats win together is known.
    """
    rows = row_costs(setting, outcomes)
    cuts = cut_by_aggregate(setting, outcomes, seats)
    # Estimates: as exact fractions of what a float holds they would be long, and no truer.
    cut_meter, cut_tray = (Fraction(cut).limit_denominator(BILLION) for cut in cuts)
    envy = [(row, row.chance * row.envy * (seats - 1)) for row in rows]
    tray = sum((row.chance * row.from_tray for row in rows), Fraction(0)) - cut_tray
    tray += sum(share for row, share in envy if row.envy_from_tray)
    fixed = sum((row.chance * row.from_meter for row in rows if not row.part), Fraction(0)) - cut_meter
    fixed += sum(share for row, share in envy if not row.envy_from_tray)
    from_meter = [row for row in rows if not row.from_tray]
    parts = sum((row.chance * row.part for row in from_meter), Fraction(0))
    lesser = sum((row.chance * row.part for row in from_meter if row.part < 1), Fraction(0))
    top = sum((row.chance for row in rows if row.part == 1), Fraction(0))
    contribution = setting.rate + setting.reserve_rate
    seed_cost = top * wagers_in(setting.seed, setting.wager)
    return Economy(
        fixed_return=tray + fixed,
        tray_share=tray,
        meter_fixed_share=fixed,
        part_share=parts,
        lesser_part_share=lesser,
        top_chance=top,
        contribution=contribution,
        seed_cost=seed_cost,
        house_edge=1 - contribution - tray - seed_cost,
    )


def return_at(setting: LabSetting, outcomes: Outcomes, meter: Money | Fraction, seats: int = 1) -> Fraction:
    """What a player is paid back for one wager, on average, when the sign shows this meter."""
    held = (dollars(meter) if isinstance(meter, Money) else meter) / dollars(setting.wager)
    moving = sum((_above_tray(row, held) for row in row_costs(setting, outcomes) if row.part), Fraction(0))
    return economy(setting, outcomes, seats).fixed_return + moving


def break_even_meter(setting: LabSetting, outcomes: Outcomes, seats: int = 1) -> Fraction:
    """The meter, in dollars, at which a player is paid back all of the wager on average."""
    rows = [row for row in row_costs(setting, outcomes) if row.part]
    if not rows:
        raise NoSuchFigure("No line pays a part of the meter: the return does not depend on it.")
    wager = dollars(setting.wager)
    # Between the meters where a lifted row changes over, the return is a straight line.
    turns = [Fraction(0), *sorted({row.fixed / row.part for row in rows if row.fixed})]
    for low, high in zip(turns, [*turns[1:], None], strict=True):
        rising = [row for row in rows if row.fixed <= row.part * low]
        slope = sum((row.chance * row.part for row in rising), Fraction(0))
        lacks = 1 - return_at(setting, outcomes, low * wager, seats)
        if slope and (high is None or low + lacks / slope <= high):
            return (low + lacks / slope) * wager
    raise AssertionError("beyond the last change-over every part rises")


def neutral_contribution(setting: LabSetting, outcomes: Outcomes, meter: Money, seats: int = 1) -> Fraction:
    """The rate at which the meter neither grows nor falls on average between two top hits, at this meter."""
    rows = [row for row in row_costs(setting, outcomes) if 0 < row.part < 1 and not row.from_tray]
    lesser = sum((row.chance * row.pays(wagers_in(meter, setting.wager)) for row in rows), Fraction(0))
    return economy(setting, outcomes, seats).meter_fixed_share + lesser


def long_run_meter(setting: LabSetting, outcomes: Outcomes, seats: int = 1, added: Fraction = Fraction(0)) -> Fraction:
    """The meter from which hits are paid in the long run, in dollars: what comes in by chips, reserve, seeds and what
    the house adds for shortfalls (`added`, of each chip) is what fixed awards and parts take out.

    Exact where nothing overflows and no row is lifted; else only play tells it.
    """
    share = economy(setting, outcomes, seats)
    if share.part_share == 0:
        raise NoSuchFigure("No line pays a part of the meter: nothing ever takes what it holds.")
    left = share.contribution + share.seed_cost + added - share.meter_fixed_share
    return left * dollars(setting.wager) / share.part_share


def _above_tray(row: RowCost, held: Fraction) -> Fraction:
    """A row that depends on the meter, without what the tray pays of it anyway."""
    return row.chance * (row.pays(held) - row.from_tray)


def seed_cost(setting: LabSetting, outcomes: Outcomes) -> Fraction:
    """What the seeds cost the house, as a share of the coin-in."""
    return economy(setting, outcomes).seed_cost


def top_hit(
    setting: LabSetting, outcomes: Outcomes, *, coin_ins_a_day: int, seats: int = 1, start: Money | None = None
) -> TopHit:
    """The meter when all of it is won for the first time, from a start (the seed) on and with nothing in reserve:
    exact mean, and quantiles along the mean path. Not what later meters reach: those begin with the reserve too.

    Lines, envy and parts from the meter are counted; a limit, lifted rows and shortfalls are not: play shows those.
    """
    top = economy(setting, outcomes, seats).top_chance
    if top == 0:
        raise NoSuchFigure("No line pays the whole meter: it is never won.")
    if coin_ins_a_day < 1:
        raise NoSuchFigure("Give at least one coin-in a day.")
    path = _mean_path(setting, outcomes, seats, setting.seed if start is None else start)
    rows = tuple(
        (quantile, count, Fraction(count, coin_ins_a_day), path.after(count - 1) + path.contribution)
        for quantile in QUANTILES
        for count in (_coin_ins_until(quantile, top),)
    )
    return TopHit(1 / top, 1 / top / coin_ins_a_day, path.mean_at_hit(top), rows)


@dataclass(frozen=True, slots=True)
class _MeanPath:
    """The mean meter after n coin-ins without a top hit: each adds, is cut by the lesser parts, pays fixed lines."""

    start: Fraction
    contribution: Fraction
    keeps: Fraction
    drift: Fraction

    @property
    def ceiling(self) -> Fraction:
        return self.drift / (1 - self.keeps)

    def after(self, coin_ins: int) -> Fraction:
        if self.keeps == 1:
            return self.start + coin_ins * self.drift
        # The exact power has millions of digits; a double is nearer than any quantile needs.
        power = Fraction(exp(coin_ins * log1p(self.keeps - 1)))
        return self.ceiling + (self.start - self.ceiling) * power

    def mean_at_hit(self, top: Fraction) -> Fraction:
        stays = 1 - top
        if self.keeps == 1:
            return self.contribution + self.start + self.drift * stays / top
        weight = top / (1 - stays * self.keeps)
        return self.contribution + self.ceiling + (self.start - self.ceiling) * weight


def _mean_path(setting: LabSetting, outcomes: Outcomes, seats: int, start: Money) -> _MeanPath:
    share, wager = economy(setting, outcomes, seats), dollars(setting.wager)
    # The envy of a top award is paid after the reset: it is the next life's.
    top = [row for row in row_costs(setting, outcomes) if row.part == 1 and not row.envy_from_tray]
    later = sum((row.chance * row.envy * (seats - 1) for row in top), Fraction(0))
    # Given that no top hit came, the other rows come a little more often.
    stays = 1 - share.top_chance
    keeps = 1 - share.lesser_part_share / stays
    contribution = wager * setting.rate
    fixed = wager * (share.meter_fixed_share - later) / stays
    return _MeanPath(dollars(start), contribution, keeps, keeps * contribution - fixed)


def _coin_ins_until(quantile: Fraction, chance: Fraction) -> int:
    """The coin-in by which the hit has come with this probability."""
    # By the logarithm of one and a little: chances of a millionth would drown in the difference.
    return ceil(log1p(-quantile) / log1p(-chance))
