"""What a setting returns, costs and grows to. Exact where a formula exists; every figure is for one wager or in wagers
of it, as its name says."""

from dataclasses import dataclass
from fractions import Fraction
from math import ceil, exp, log1p

from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import Setting, dollars, row_costs, wagers_in
from jackpot.money import Money

QUANTILES = (Fraction(1, 10), Fraction(1, 4), Fraction(1, 2), Fraction(3, 4), Fraction(9, 10))


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
    """When the whole meter is won, and what it will be: coin-ins, days at a coin-in a day, dollars."""

    mean_coin_ins: Fraction
    mean_days: Fraction
    mean_meter: Fraction
    quantiles: tuple[tuple[Fraction, int, Fraction, Fraction], ...]


def economy(setting: Setting, outcomes: Outcomes) -> Economy:
    """Where each coin goes: lines from the tray, the meter and the reserve, the seeds. The rest is the house's; what
    the meter holds goes back to players sooner or later, so it is no gain of the house."""
    rows = row_costs(setting, outcomes)
    tray = sum((row.chance * row.from_tray for row in rows), Fraction(0))
    fixed = sum((row.chance * row.from_meter for row in rows), Fraction(0))
    parts = sum((row.chance * row.part for row in rows), Fraction(0))
    lesser = sum((row.chance * row.part for row in rows if row.part < 1), Fraction(0))
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


def return_at(setting: Setting, outcomes: Outcomes, meter: Money) -> Fraction:
    """What a player is paid back for one wager, on average, when the sign shows this meter."""
    share = economy(setting, outcomes)
    return share.fixed_return + share.part_share * wagers_in(meter, setting.wager)


def break_even_meter(setting: Setting, outcomes: Outcomes) -> Fraction:
    """The meter, in dollars, at which a player is paid back all of the wager on average."""
    share = economy(setting, outcomes)
    if share.part_share == 0:
        raise NoSuchFigure("No line pays a part of the meter: the return does not depend on it.")
    return (1 - share.fixed_return) * dollars(setting.wager) / share.part_share


def neutral_contribution(setting: Setting, outcomes: Outcomes, meter: Money) -> Fraction:
    """The rate at which the meter neither grows nor falls on average between two top hits, at this meter."""
    share = economy(setting, outcomes)
    return share.meter_fixed_share + share.lesser_part_share * wagers_in(meter, setting.wager)


def seed_cost(setting: Setting, outcomes: Outcomes) -> Fraction:
    """What the seeds cost the house, as a share of the coin-in."""
    return economy(setting, outcomes).seed_cost


def top_hit(setting: Setting, outcomes: Outcomes, *, coin_ins_a_day: int, start: Money | None = None) -> TopHit:
    """The meter when all of it is won, from a start (the seed) on: exact mean, and quantiles along the mean path.

    Lines and parts from the meter are counted, a limit and shortfalls are not: the simulation shows those.
    """
    top = economy(setting, outcomes).top_chance
    if top == 0:
        raise NoSuchFigure("No line pays the whole meter: it is never won.")
    if coin_ins_a_day < 1:
        raise NoSuchFigure("Give at least one coin-in a day.")
    path = _mean_path(setting, outcomes, start or setting.seed)
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


def _mean_path(setting: Setting, outcomes: Outcomes, start: Money) -> _MeanPath:
    share = economy(setting, outcomes)
    # Given that no top hit came, the other rows come a little more often.
    stays = 1 - share.top_chance
    keeps = 1 - share.lesser_part_share / stays
    contribution = dollars(setting.wager) * setting.rate
    fixed = dollars(setting.wager) * share.meter_fixed_share / stays
    return _MeanPath(dollars(start), contribution, keeps, keeps * contribution - fixed)


def _coin_ins_until(quantile: Fraction, chance: Fraction) -> int:
    """The coin-in by which the hit has come with this probability."""
    return ceil(log1p(-quantile) / log1p(-chance))
