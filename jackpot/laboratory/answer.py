"""The common answer of the laboratory: all figures of one setting, and of two side by side, as plain values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from jackpot.laboratory.exposure import worst_rounds
from jackpot.laboratory.growth import QUANTILES, NoSuchFigure, break_even_meter, economy, neutral_contribution, top_hit
from jackpot.laboratory.growth import return_at as return_at_meter
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.ruin import DryChance, one_bettor_runs_dry
from jackpot.laboratory.setting import Setting
from jackpot.laboratory.simulate import Play, Progress, fan, play
from jackpot.money import Money

FAN_POINTS = 24
PATHS = 200


@dataclass(frozen=True, slots=True)
class Question:
    """How the setting is played: seats a round, coin-ins a day, days the fan shows, meters to look at."""

    seats: int
    coin_ins_a_day: int
    days: int
    meters: tuple[Money, ...]
    paths: int = PATHS
    seed: int = 1

    def __post_init__(self) -> None:
        if min(self.seats, self.coin_ins_a_day, self.days) < 1 or self.paths < 2 or not self.meters:
            raise NoSuchFigure("Ask with a seat, a coin-in a day, a day, a meter and two paths at least.")

    @property
    def rounds(self) -> int:
        return max(1, self.days * self.coin_ins_a_day // self.seats)


def answer(
    setting: Setting, outcomes: Outcomes, question: Question, progress: Progress | None = None
) -> dict[str, Any]:
    """All figures of one setting: fractions as text where they are exact, plain numbers where they are estimates."""
    exact = economy(setting, outcomes)
    return {
        "house_edge": str(exact.house_edge),
        "seed_cost": str(exact.seed_cost),
        "tray_share": str(exact.tray_share),
        "meter_fixed_share": str(exact.meter_fixed_share),
        "break_even_meter": str(break_even_meter(setting, outcomes)) if exact.part_share else None,
        "at_meters": [_at_meter(setting, outcomes, meter) for meter in question.meters],
        "top_hit": _top_hit(setting, outcomes, question) if exact.top_chance else None,
        "one_bettor_runs_dry": one_bettor_runs_dry(setting, outcomes, start=setting.seed),
        **_simulated(setting, outcomes, question, progress),
        "worst_rounds": _worst(setting, outcomes, question),
    }


def side_by_side(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Two answers figure by figure, for a table or a CSV file; a figure that one lacks stays empty."""
    left, right = dict(_flat(one)), dict(_flat(other))
    return [(name, left.get(name, ""), right.get(name, "")) for name in dict.fromkeys([*left, *right])]


def _at_meter(setting: Setting, outcomes: Outcomes, meter: Money) -> dict[str, str]:
    return {
        "meter": str(meter),
        "player_return": str(return_at_meter(setting, outcomes, meter)),
        "neutral_contribution": str(neutral_contribution(setting, outcomes, meter)),
    }


def _top_hit(setting: Setting, outcomes: Outcomes, question: Question) -> dict[str, Any]:
    hit = top_hit(setting, outcomes, coin_ins_a_day=question.coin_ins_a_day)
    return {
        "mean_coin_ins": _number(hit.mean_coin_ins),
        "mean_days": _number(hit.mean_days),
        "mean_meter": _number(hit.mean_meter),
        "quantiles": [
            {"quantile": str(quantile), "coin_ins": count, "days": _number(days), "meter": _number(meter)}
            for quantile, count, days, meter in hit.quantiles
        ],
    }


def _simulated(setting: Setting, outcomes: Outcomes, question: Question, progress: Progress | None) -> dict[str, Any]:
    """One set of paths serves both the fan and the chance of running dry within the days asked for."""
    checkpoints = [question.rounds * point // FAN_POINTS for point in range(FAN_POINTS + 1)]
    how = Play(question.seats, question.rounds, until_dry=False, checkpoints=checkpoints)
    paths = play(setting, outcomes, how, paths=question.paths, seed=question.seed, progress=progress)
    dry = DryChance(sum(path.dry_at is not None for path in paths), question.paths)
    rows = fan(paths, checkpoints, [1.0 * quantile for quantile in QUANTILES])
    days_a_round = Fraction(question.seats, question.coin_ins_a_day)
    return {
        "seats_run_dry": {"chance": dry.chance, "standard_error": dry.standard_error, "paths": dry.paths},
        "fan": [
            {"day": _number(rounds * days_a_round), "quantiles": [round(meter, 2) for meter in row]}
            for rounds, row in zip(checkpoints, rows, strict=True)
        ],
        "fan_quantiles": [str(quantile) for quantile in QUANTILES],
    }


def _worst(setting: Setting, outcomes: Outcomes, question: Question) -> list[dict[str, str]]:
    if not outcomes.witnesses or question.seats not in outcomes.witnesses:
        return []
    found = worst_rounds(setting, outcomes, seats=question.seats, meters=question.meters)
    return [
        {
            "meter": str(row.meter),
            "from_meter": str(row.from_meter),
            "from_tray": str(row.from_tray),
            "shortfall": str(row.shortfall),
            "why": row.sentence,
        }
        for row in found
    ]


def _flat(value: object, name: str = "") -> Iterator[tuple[str, str]]:
    """A nested answer as one line a figure: "top_hit.quantiles.2.days"."""
    if isinstance(value, Mapping):
        for key, inner in value.items():
            yield from _flat(inner, f"{name}.{key}" if name else str(key))
    elif isinstance(value, Sequence) and not isinstance(value, str):
        for number, inner in enumerate(value, start=1):
            yield from _flat(inner, f"{name}.{number}")
    else:
        yield name, "" if value is None else str(value)


def _number(exact: Fraction) -> float:
    """For charts: an estimate needs no more than two digits after the point."""
    return round(exact.numerator / exact.denominator, 2)
