"""An answer of the laboratory as figures that people read: a name, what it means, and a value for each side."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
        _shares("House edge", "What the house keeps of each chip in the long run.", "house_edge", answers, leads=True),
        _at(f"Return at {meter}", "What a player is paid back of each chip.", "player_return", answers, leads=True),
        Figure(
            "Break-even meter",
            "From here on the player is paid back all of the chip.",
            tuple(_break_even(told, house) for told in answers),
            tuple(told["break_even_meter"] or NONE for told in answers),
            leads=True,
            brief=tuple(_break_even(told, house).partition(".")[0] for told in answers),
        ),
        _hits("Days to the top award", "On average, at the coin-ins a day you gave.", answers, _days),
        _hits("Meter at the top award", "On average, from the seed on.", answers, lambda hit: _dollars(hit, house)),
        _shares("Seed cost", "What new meters cost the house, of each chip.", "seed_cost", answers),
        _at(f"Neutral rate at {meter}", "At this rate the meter would stand still.", "neutral_contribution", answers),
        Figure(
            "Runs dry",
            "A fixed award falls due that the meter lacks, in the days asked for; seats share one board.",
            tuple(_dry(told["seats_run_dry"]) for told in answers),
            leads=True,
        ),
        Figure(
            "Runs dry, one bettor",
            "Before the next top award, by analysis.",
            tuple(_chance(told["one_bettor_runs_dry"]) for told in answers),
        ),
        Figure(
            f"Worst round at {meter}",
            "The costliest deal that exists; its cards stand below.",
            tuple(_worst(told, house) for told in answers),
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
        (f"{row[0]['day']:.0f}", [_plain(value, house) for side in row for value in side["quantiles"]])
        for row in zip(*columns, strict=True)
    ]


def hit_table(answers: Sequence[Answer], house: Property | None) -> list[tuple[str, list[str]]]:
    """When the top award falls: by then in so many of a hundred lives."""
    hits = [told["top_hit"] for told in answers]
    if not all(hits):
        return []
    rows = zip(*(hit["quantiles"] for hit in hits), strict=True)
    return [
        (
            f"{100 * Fraction(row[0]['quantile']).limit_denominator()} of 100",
            [text for one in row for text in (f"{one['days']:,.1f}", _plain(one["meter"], house))],
        )
        for row in rows
    ]


def meter_table(answers: Sequence[Answer], house: Property | None) -> list[tuple[str, str, str, str, str]]:
    """Per side and meter: return, neutral rate, the worst round and what the meter lacks of it."""
    rows = []
    for side, told in zip("AB", answers, strict=False):
        worst = {row["meter"]: row for row in told["worst_rounds"]}
        for at in told["at_meters"]:
            cost = worst.get(at["meter"])
            rows.append(
                (
                    side,
                    money(Money.of(at["meter"]), house),
                    share_text(Fraction(at["player_return"])),
                    share_text(Fraction(at["neutral_contribution"])),
                    _cost(cost, house) if cost else NONE,
                )
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
    return Figure(name, words, tuple(share_text(Fraction(text)) for text in exact), exact, leads)


def _at(name: str, words: str, key: str, answers: Sequence[Answer], *, leads: bool = False) -> Figure:
    exact = tuple(told["at_meters"][0][key] for told in answers)
    return Figure(name, words, tuple(share_text(Fraction(text)) for text in exact), exact, leads)


def _hits(name: str, words: str, answers: Sequence[Answer], said: Any) -> Figure:
    values = tuple(said(told["top_hit"]) if told["top_hit"] else NONE for told in answers)
    return Figure(name, words, values, leads=said is _days)


def _days(hit: Mapping[str, Any]) -> str:
    return f"{hit['mean_days']:,.1f}"


def _dollars(hit: Mapping[str, Any], house: Property | None) -> str:
    return str(money(Money.of(f"{hit['mean_meter']:.2f}"), house))


def _break_even(told: Answer, house: Property | None) -> str:
    if told["break_even_meter"] is None:
        return NONE
    cents = int(Fraction(told["break_even_meter"]) * 100)
    return str(money(Money(cents * (UNIT // 100)), house)) if cents > 0 else "always"


def _dry(dry: Mapping[str, Any]) -> str:
    return f"{_chance(dry['chance'])} ± {100 * dry['standard_error']:.2f}"


def _chance(chance: float) -> str:
    return f"{100 * chance:.2f} %" if chance >= 0.0001 or chance == 0 else "under 0.01 %"


def _worst(told: Answer, house: Property | None) -> str:
    return _cost(told["worst_rounds"][0], house) if told["worst_rounds"] else NONE


def _plain(value: float, house: Property | None) -> str:
    return str(figure(Money.of(f"{value:.2f}"), house))
