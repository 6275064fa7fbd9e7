"""An answer of the laboratory as figures that people read: a name, what it means, and a value for each side."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

from jackpot.money import UNIT, Money
from jackpot.property.models.property import Property
from jackpot.web.templatetags.figures import figure, money
from tables.games.edge import percent

Answer = Mapping[str, Any]
NONE = "–"


@dataclass(frozen=True, slots=True)
class Figure:
    """One row of the page; `exact` is the fraction behind a rounded value."""

    name: str
    words: str
    values: tuple[str, ...]
    exact: tuple[str, ...] = ()
    leads: bool = False
    brief: tuple[str, ...] = ()
    apart: str = ""

    @property
    def tile(self) -> list[tuple[str, str]]:
        """For the row of large figures: the value, and its error apart from it."""
        return [(value, f"± {error}" if error else "") for value, _, error in self._parted]

    @property
    def _parted(self) -> list[tuple[str, str, str]]:
        return [value.partition(" ± ") for value in self.brief or self.values]


def figures(answers: Sequence[Answer], house: Property | None) -> list[Figure]:
    """The figures above the charts, the same for every side."""
    meter = _meter(answers[0], house)
    return [
        _shares(
            "House edge",
            "What the house keeps of each chip, before it pays for a dry meter.",
            "house_edge",
            answers,
            leads=True,
        ),
        _at(f"Return at {meter}", "What a player is paid back of each chip.", "player_return", answers, leads=True),
        Figure(
            "Break-even meter",
            "From here on the player is paid back all of the chip.",
            tuple(_break_even(told, house) for told in answers),
            tuple(told["break_even_meter"] or NONE for told in answers),
            leads=True,
            brief=tuple(_break_even(told, house).partition(".")[0] for told in answers),
            apart=_apart([_fraction(told["break_even_meter"]) for told in answers], lambda more: _more(more, house)),
        ),
        _hits("Days to the top award", "On average, at the coin-ins a day you gave.", answers),
        *_in_the_long_run(answers, house),
        *_when_it_goes_wrong(answers, house, meter),
    ]


def without_cards(words: str) -> str:
    """What a figure means where the laboratory's cards do not stand below it."""
    return words.partition(";")[0].rstrip(".") + "."


def _in_the_long_run(answers: Sequence[Answer], house: Property | None) -> list[Figure]:
    """What later meters come to, and what the house adds or keeps."""
    return [
        _meters(
            "Meter at the top award, long run",
            "What later meters are won at, the reserve of the one before in them.",
            "long_run_meter",
            answers,
            house,
        ),
        _meters(
            "Meter at the first top award", "Of a new jackpot: from the bare seed on.", "first_meter", answers, house
        ),
        _estimates(
            "House edge, all counted",
            "With what the house pays when the meter lacks it, and what it earns above a limit.",
            "house_edge_long_run",
            answers,
        ),
        _estimates("The house pays for a dry meter", "Shortfalls and advances, of each chip.", "house_pays", answers),
        _estimates(
            "Waits in overflow", "Rises above the limit and is won by nobody, of each chip.", "overflow", answers
        ),
    ]


def _when_it_goes_wrong(answers: Sequence[Answer], house: Property | None, meter: str) -> list[Figure]:
    """What stands still, runs dry and costs most."""
    return [
        _shares("Seed cost", "What new meters cost the house, of each chip.", "seed_cost", answers),
        _at(f"Neutral rate at {meter}", "At this rate the meter would stand still.", "neutral_contribution", answers),
        Figure(
            "Runs dry",
            "A fixed award falls due that the meter lacks, in the days asked for; seats share one board.",
            tuple(_dry(told["seats_run_dry"]) for told in answers),
            leads=True,
            apart=_apart([told["seats_run_dry"]["chance"] for told in answers], _points),
        ),
        Figure(
            "Runs dry, one bettor",
            "From the seed, before the next top award, by analysis; not told with a limit.",
            tuple(_one_bettor(told) for told in answers),
            apart=_apart([told["one_bettor_runs_dry"] for told in answers], _points),
        ),
        Figure(
            f"Worst round at {meter}",
            "The costliest deal that exists; its cards stand below.",
            tuple(_worst(told, house) for told in answers),
            apart=_apart([_worst_total(told) for told in answers], lambda cost: _more(cost, house)),
        ),
    ]


def coin_parts(told: Answer, plain: Mapping[str, Any]) -> list[tuple[str, Fraction]]:
    """Where each chip goes; the house's part is what is left, and may be less than nothing."""
    setting = plain["setting"]
    return [
        ("to the meter", Fraction(setting["rate"])),
        ("to the reserve", Fraction(setting["reserve_rate"])),
        ("fixed awards from the tray", Fraction(told["tray_share"])),
        ("new seeds", Fraction(told["seed_cost"])),
        ("kept by the house", Fraction(told["house_edge"])),
    ]


def coin_table(answers: Sequence[Answer], plains: Sequence[Mapping[str, Any]]) -> list[tuple[str, list[str]]]:
    columns = [coin_parts(told, plain) for told, plain in zip(answers, plains, strict=True)]
    return [(row[0][0], [share_text(share) for _, share in row]) for row in zip(*columns, strict=True)]


def share_text(share: Fraction) -> str:
    return f"{percent(share, 2)} %".replace("-", "−")


def fan_table(answers: Sequence[Answer], house: Property | None) -> list[tuple[str, list[str]]]:
    """Every point of the fan: the day, then the quantiles of each side."""
    columns = [told["fan"] for told in answers]
    return [
        (f"{row[0]['day']:.0f}", [text for side in row for text in _banded(side, house)])
        for row in zip(*columns, strict=True)
    ]


def _banded(point: Mapping[str, Any], house: Property | None) -> list[str]:
    """Each quantile with its standard error."""
    pairs = zip(point["quantiles"], point["standard_errors"], strict=True)
    return [f"{_plain(value, house)}{f' ± {_plain(error, house)}' if error else ''}" for value, error in pairs]


def hit_table(answers: Sequence[Answer], house: Property | None) -> list[tuple[str, list[str]]]:
    """When the top award falls: by then in so many of a hundred lives."""
    hits = [told["top_hit"] for told in answers]
    if not all(hits):
        return []
    rows = zip(*(hit["quantiles"] for hit in hits), strict=True)
    return [
        (
            f"{100 * Fraction(row[0]['quantile']).limit_denominator()} of 100",
            [
                text
                for one in row
                for text in (f"{one['days']:,.1f}", NONE if one["meter"] is None else _plain(one["meter"], house))
            ],
        )
        for row in rows
    ]


def meter_table(answers: Sequence[Answer], house: Property | None) -> list[tuple[str, list[tuple[str, list[str]]]]]:
    """Meter by meter, the same for both sides: return, neutral rate, the worst round; and what the second differs."""
    rows = []
    for number, first in enumerate(answers[0]["at_meters"]):
        at = [told["at_meters"][number] for told in answers]
        worst = [told["worst_rounds"][number] if told["worst_rounds"] else None for told in answers]
        cells = [
            [
                share_text(Fraction(one["player_return"])),
                share_text(Fraction(one["neutral_contribution"])),
                _cost(cost, house) if cost else NONE,
            ]
            for one, cost in zip(at, worst, strict=True)
        ]
        if len(answers) > 1:
            shares = ("player_return", "neutral_contribution")
            apart = [_apart([Fraction(one[share]) for one in at], _points) for share in shares]
            costs = [
                cost and 1.0 * (Money.of(cost["from_meter"]) + Money.of(cost["from_tray"])).units / UNIT
                for cost in worst
            ]
            cells.append([*apart, _apart(costs, lambda more: _more(more, house))])
        rows.append(
            (str(money(Money.of(first["meter"]), house)), list(zip(("A", "B", "B less A"), cells, strict=False)))
        )
    return rows


def witnesses(answers: Sequence[Answer], house: Property | None) -> list[tuple[str, str, Mapping[str, Any]]]:
    """The worst deal at the meter asked for: what it costs, and its cards. Sides with the same deal show it once."""
    found: dict[str, tuple[str, str, Mapping[str, Any]]] = {}
    for side, told in zip("AB", answers, strict=False):
        for deal in told["witnesses"][:1]:
            says = f"At a meter of {_meter(told, house)} the costliest deal pays {_worst(told, house)}."
            sides = found[says][0] if says in found else ""
            found[says] = (sides + side, says, deal)
    return list(found.values())


def _meter(told: Answer, house: Property | None) -> str:
    return str(money(Money.of(told["at_meters"][0]["meter"]), house))


def _cost(row: Mapping[str, str], house: Property | None) -> str:
    total = money(Money.of(row["from_meter"]) + Money.of(row["from_tray"]), house)
    short = Money.of(row["shortfall"])
    return f"{total}, {money(short, house)} of it not in the meter" if short else total


def _shares(name: str, words: str, key: str, answers: Sequence[Answer], *, leads: bool = False) -> Figure:
    exact = tuple(told[key] for told in answers)
    shares = [Fraction(text) for text in exact]
    return Figure(name, words, tuple(map(share_text, shares)), exact, leads, apart=_apart(shares, _points))


def _at(name: str, words: str, key: str, answers: Sequence[Answer], *, leads: bool = False) -> Figure:
    exact = tuple(told["at_meters"][0][key] for told in answers)
    shares = [Fraction(text) for text in exact]
    return Figure(name, words, tuple(map(share_text, shares)), exact, leads, apart=_apart(shares, _points))


def _meters(name: str, words: str, key: str, answers: Sequence[Answer], house: Property | None) -> Figure:
    told = [one[key] for one in answers]
    values = tuple(NONE if one is None else _with_error(one, lambda sum_: _plain(sum_, house)) for one in told)
    return Figure(
        name, words, values, apart=_apart([one and one["mean"] for one in told], lambda more: _more(more, house))
    )


def _estimates(name: str, words: str, key: str, answers: Sequence[Answer]) -> Figure:
    told = [one[key] for one in answers]
    values = tuple(NONE if one is None else _with_error(one, lambda share: f"{100 * share:.2f} %") for one in told)
    return Figure(name, words, values, apart=_apart([one and one["mean"] for one in told], _points))


def _with_error(one: Mapping[str, Any], said: Callable[[float], str]) -> str:
    """A standard error is never rounded away to nothing."""
    value, error = said(one["mean"]).replace("-", "−"), one["standard_error"]
    value = value.removeprefix("−") if not value.strip("−0.% ") else value
    if not error:
        return value
    text = said(error).removesuffix(" %")
    return f"{value} ± {'under 0.01' if text == '0.00' else text}"


def _apart(values: Sequence[Any], said: Callable[[Any], str]) -> str:
    """What the second side is more than the first; nothing where there is no second, or one has no such figure."""
    if len(values) < 2:
        return ""
    return NONE if None in values else said(values[1] - values[0])


def _points(share: Fraction | float) -> str:
    """A difference of two shares, in percentage points."""
    return _signed(100.0 * share, f"{abs(100.0 * share):,.2f} points")


def _more(more: Fraction | float, house: Property | None) -> str:
    return _signed(1.0 * more, _plain(abs(1.0 * more), house))


def _days_more(days: float) -> str:
    return _signed(days, f"{abs(days):,.1f}")


def _signed(value: float, said: str) -> str:
    """What rounds to nothing has no sign."""
    return said if abs(value) < 0.005 else f"{'+' if value > 0 else '−'}{said}"


def _fraction(text: str | None) -> Fraction | None:
    return None if text is None else Fraction(text)


def _worst_total(told: Answer) -> float | None:
    if not told["worst_rounds"]:
        return None
    row = told["worst_rounds"][0]
    return 1.0 * (Money.of(row["from_meter"]) + Money.of(row["from_tray"])).units / UNIT


def _one_bettor(told: Answer) -> str:
    chance = told["one_bettor_runs_dry"]
    if chance is None:
        bound = told.get("one_bettor_runs_dry_under")  # answers of before have none
        return f"under {100 * bound:g} %" if bound else NONE
    return _chance(chance)


def _hits(name: str, words: str, answers: Sequence[Answer]) -> Figure:
    days = [told["top_hit"] and told["top_hit"]["mean_days"] for told in answers]
    values = tuple(NONE if one is None else f"{one:,.1f}" for one in days)
    return Figure(name, words, values, leads=True, apart=_apart(days, _days_more))


def _break_even(told: Answer, house: Property | None) -> str:
    if told["break_even_meter"] is None:
        return NONE
    # Cut and not rounded, as a sign cuts: at the meter that is shown the player has not more than the chip yet.
    cents = int(Fraction(told["break_even_meter"]) * 100)
    return str(money(Money(cents * (UNIT // 100)), house)) if cents > 0 else "always"


def _dry(dry: Mapping[str, Any]) -> str:
    error = f" ± {100 * dry['standard_error']:.2f}" if dry["standard_error"] else ""
    return f"{_chance(dry['chance'])}{error}"


def _chance(chance: float) -> str:
    return f"{100 * chance:.2f} %" if chance >= 0.0001 or chance == 0 else "under 0.01 %"


def _worst(told: Answer, house: Property | None) -> str:
    return _cost(told["worst_rounds"][0], house) if told["worst_rounds"] else NONE


def _plain(value: float, house: Property | None) -> str:
    return str(figure(Money.of(f"{value:.2f}"), house))
