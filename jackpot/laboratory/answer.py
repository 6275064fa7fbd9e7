"""The common answer of the laboratory: all figures of one setting, and of two side by side, as plain values."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from jackpot.laboratory.exposure import worst_rounds
from jackpot.laboratory.growth import QUANTILES, NoSuchFigure, break_even_meter, economy, neutral_contribution, top_hit
from jackpot.laboratory.growth import return_at as return_at_meter
from jackpot.laboratory.lives import Lives, Play, fan, fan_errors
from jackpot.laboratory.long_run import LongRun, can_run_dry, long_run, top_hits_to_play
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.ruin import LEAST_TOLD, DryChance, one_bettor_runs_dry
from jackpot.laboratory.setting import LabSetting, row_costs
from jackpot.laboratory.simulate import Progress, play
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

    @property
    def checkpoints(self) -> list[int]:
        """The rounds after which the fan looks at the meter."""
        return [self.rounds * point // FAN_POINTS for point in range(FAN_POINTS + 1)]


def answer(
    setting: LabSetting, outcomes: Outcomes, question: Question, progress: Progress | None = None
) -> dict[str, Any]:
    """All figures of one setting: fractions as text where they are exact, plain numbers where they are estimates,
    each with its standard error; and in words what is left out."""
    seats = question.seats
    exact = economy(setting, outcomes, seats)
    moves = any(row.part for row in row_costs(setting, outcomes))
    lives = _played(setting, outcomes, question, progress)
    run = long_run(setting, outcomes, seats=seats, played=lives)
    one_bettor = _one_bettor(setting, outcomes)
    return {
        "house_edge": str(exact.house_edge),
        "seed_cost": str(exact.seed_cost),
        "tray_share": str(exact.tray_share),
        "meter_fixed_share": str(exact.meter_fixed_share),
        "break_even_meter": str(break_even_meter(setting, outcomes, seats)) if moves else None,
        "at_meters": [_at_meter(setting, outcomes, meter, seats) for meter in question.meters],
        "top_hit": _top_hit(setting, outcomes, question) if exact.top_chance else None,
        **_in_the_long_run(run, exact.house_edge),
        **one_bettor,
        **_simulated(lives, question, certain=not can_run_dry(setting, outcomes)),
        "worst_rounds": _worst(setting, outcomes, question),
        "leaves_out": [*left_out(setting, outcomes, run), *_noise(one_bettor)],
    }


def _one_bettor(setting: LabSetting, outcomes: Outcomes) -> dict[str, float | None]:
    """By analysis; below what it can tell only the bound is said, never a figure that is noise."""
    chance = one_bettor_runs_dry(setting, outcomes, start=setting.seed)
    noise = chance is not None and chance < LEAST_TOLD and can_run_dry(setting, outcomes)
    return {
        "one_bettor_runs_dry": None if noise else chance,
        "one_bettor_runs_dry_under": LEAST_TOLD if noise else None,
    }


def _noise(one_bettor: Mapping[str, float | None]) -> Iterator[str]:
    if one_bettor["one_bettor_runs_dry_under"] is not None:
        yield "Running dry with one bettor is less likely than 0.0005: the analysis tells no figure below that."


def left_out(setting: LabSetting, outcomes: Outcomes, run: LongRun) -> Iterator[str]:
    """What the figures do not count, in words."""
    yield (
        "Every hit is paid in the round it falls in: hits that wait for each other are not played, fixed awards of a "
        "round are paid before its parts, and no award is rounded to the cent."
    )
    if any(line.envy for line in setting.table):
        yield "Envy is counted for the seats given, as if all of them had a coin-in in every round."
    if setting.aggregate is not None:
        yield "What the aggregate cuts rests on deals played together; the shares and the edge are not exact there."
    if setting.limit is not None:
        yield "Running dry with one bettor is not told with a limit: the analysis knows none."
        if setting.policy.overflow == "next_meter" and setting.policy.overflow_at_reset == "since_frozen":
            yield "What rises above the limit waits in overflow: only what came while a hit was open would return."
    if any(row.lifted for row in row_costs(setting, outcomes)):
        yield (
            "Rows are lifted to the next row below some meter, so the return is no straight line: the return at the "
            "mean meter is not the mean return."
        )
    if run.meter is None:
        why = (
            "no line pays the whole meter" if not run.lives and _never_won(setting) else "it is won too rarely to play"
        )
        yield f"The long run is not told: {why}. What the house pays for shortfalls is not in the house edge."


def _never_won(setting: LabSetting) -> bool:
    return not any(line.plain().get("part") == "1" for line in setting.table)


def _in_the_long_run(run: LongRun, edge: Fraction) -> dict[str, Any]:
    told = {
        "first_meter": run.first_meter,
        "long_run_meter": run.meter,
        "house_pays": run.house_pays,
        "house_edge_long_run": run.edge(edge),
        "overflow": run.overflow,
    }
    return {name: None if figure is None else figure.plain() for name, figure in told.items()}


def side_by_side(one: Mapping[str, Any], other: Mapping[str, Any]) -> list[tuple[str, str, str]]:
    """Two answers figure by figure, for a table or a CSV file; a figure that one lacks stays empty."""
    left, right = dict(_flat(one)), dict(_flat(other))
    return [(name, left.get(name, ""), right.get(name, "")) for name in dict.fromkeys([*left, *right])]


def difference(left: str, right: str) -> str:
    """What the second figure is more than the first: exact where both are; nothing where one is no figure."""
    try:
        apart = Fraction(right) - Fraction(left)
    except (ValueError, ZeroDivisionError):
        return ""
    return str(apart) if "." not in left + right and "e" not in left + right else f"{1.0 * apart:.10g}"


def _at_meter(setting: LabSetting, outcomes: Outcomes, meter: Money, seats: int) -> dict[str, str]:
    return {
        "meter": str(meter),
        "player_return": str(return_at_meter(setting, outcomes, meter, seats)),
        "neutral_contribution": str(neutral_contribution(setting, outcomes, meter, seats)),
    }


def _top_hit(setting: LabSetting, outcomes: Outcomes, question: Question) -> dict[str, Any]:
    """When the top award falls, exact. The meter then follows the mean path, which knows neither limit nor lift."""
    hit = top_hit(setting, outcomes, coin_ins_a_day=question.coin_ins_a_day, seats=question.seats)
    straight = setting.limit is None and not any(row.lifted for row in row_costs(setting, outcomes))
    return {
        "mean_coin_ins": _number(hit.mean_coin_ins),
        "mean_days": _number(hit.mean_days),
        "quantiles": [
            {
                "quantile": str(quantile),
                "coin_ins": count,
                "days": _number(days),
                # The mean path may fall below nothing where fixed awards drain it; no meter does.
                "meter": max(0.0, _number(meter)) if straight else None,
            }
            for quantile, count, days, meter in hit.quantiles
        ],
    }


def _played(setting: LabSetting, outcomes: Outcomes, question: Question, progress: Progress | None) -> Lives:
    """One set of lives serves the fan, the chance of running dry within the days asked for, and the long run."""
    hits = top_hits_to_play(setting, outcomes, question.seats)
    how = Play(question.seats, question.rounds, hits, checkpoints=question.checkpoints)
    return play(setting, outcomes, how, paths=question.paths, seed=question.seed, progress=progress)


def _simulated(lives: Lives, question: Question, *, certain: bool) -> dict[str, Any]:
    dry, checkpoints = DryChance(lives.dry_by(question.rounds), question.paths), question.checkpoints
    shares = [1.0 * quantile for quantile in QUANTILES]
    rows = zip(checkpoints, fan(lives, shares), fan_errors(lives, shares), strict=True)
    days_a_round = Fraction(question.seats, question.coin_ins_a_day)
    return {
        "seats_run_dry": {
            "chance": dry.chance,
            # Where nothing fixed is ever drawn on the meter the nought is exact, and no estimate.
            "standard_error": 0.0 if certain else dry.standard_error,
            "paths": dry.paths,
        },
        "fan": [
            {
                "day": _number(rounds * days_a_round),
                "quantiles": [round(meter, 2) for meter in row],
                "standard_errors": [round(error, 2) for error in errors],
            }
            for rounds, row, errors in rows
        ],
        "fan_quantiles": [str(quantile) for quantile in QUANTILES],
    }


def _worst(setting: LabSetting, outcomes: Outcomes, question: Question) -> list[dict[str, str]]:
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
