"""What is asked of the laboratory: two configurations and how they are played, read from a form or a command line."""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money, NotAnAmount
from jackpot.reading import read_amount, read_percent, read_whole
from jackpot.refusals import NotUnderstood
from jackpot.terms.rules.paytable import ForOne, PayTable
from jackpot.terms.rules.terms import Terms, percent_text
from tables.calculation.desk import IN_A_REQUEST, desk
from tables.calculation.job import Job, Lane
from tables.floor.queries.known_rows import pack_with_rows_of, progressives_of
from tables.games.game import Game
from tables.games.packs import BetTable
from tables.games.registry import find_games
from tables.requests.actions.laboratory import switches_of

SIDES: Final = ("a", "b")
LIVE: Final = "live"
AS_IT_IS: Final = "as_it_is"
TOP_AWARDS: Final = 1_300_000  # coin-ins until two top awards: each life is played as far where it must be
LARGEST_SHORT: Final = 600_000_000  # coin-ins played over all lives: about a second
LARGEST: Final = 40_000_000_000
LARGEST_LIFE: Final = 400_000_000
WHOLE: Final[Mapping[str, tuple[int, int, str]]] = {
    "seats": (1, 7, "seats a round"),
    "coin_ins": (1, 1_000_000, "coin-ins a day"),
    "days": (1, 3_650, "days"),
    "paths": (20, 20_000, "lives of the meter"),
}


@dataclass(frozen=True, slots=True)
class Ground:
    """Where a question starts from: the jackpot's live terms and the game of its tables, or a pack alone."""

    game: Game
    terms: Terms | None = None
    jackpot: Jackpot | None = None
    seats: int = 7

    @property
    def digits(self) -> int:
        """Of the currency that its jackpot pays; a pack alone is looked at in cents."""
        return self.terms.digits if self.terms else 2

    @property
    def progressives(self) -> list[BetTable]:
        return progressives_of(self.game)

    def starting_values(self) -> dict[str, str]:
        """What the form shows first: the live terms on both sides, played as the tables are."""
        terms, first = self.terms, self.progressives[0].code
        side = {"table": first, "fixed": "tray", "wager": "1.00", "seed": "10000", "rate": "70", "reserve": "5"}
        side["limit"] = ""
        if terms is not None:
            side = {
                "table": LIVE,
                "fixed": AS_IT_IS,
                "wager": str(terms.wager),
                "seed": str(terms.seed),
                "rate": percent_text(terms.rate),
                "reserve": percent_text(terms.reserve_rate),
                "limit": "" if terms.limit is None else str(terms.limit),
            }
        # As the sign shows it: that is the figure that people have in mind.
        meter = str(self.jackpot.meter_money.shown(self.digits)) if self.jackpot else side["seed"]
        played = {"seats": str(self.seats), "coin_ins": "4000", "days": "180", "paths": "200", "meter": meter}
        return {**{f"{place}_{name}": value for place in SIDES for name, value in side.items()}, **played}


@dataclass(frozen=True, slots=True)
class LabQuestion:
    """One configuration as the calculation reads it, and the lane in which it is calculated."""

    side: str
    plain: Mapping[str, Any]
    lane: Lane


def values_of(ground: Ground, typed: Mapping[str, str]) -> dict[str, str]:
    """Everything the form holds: what was typed, over the values it started from."""
    start = ground.starting_values()
    return {name: typed.get(name, value).strip()[:40] for name, value in start.items()}


def refuse_unknown(ground: Ground, typed: Mapping[str, str]) -> None:
    """A misspelt name would be answered with a figure that nobody asked for."""
    known = [*ground.starting_values(), "jackpot", "compare"]
    unknown = sorted(set(typed) - set(known))
    if unknown:
        raise NotUnderstood(f"The laboratory has no “{unknown[0][:40]}”. Known: {', '.join(sorted(known))}.")


def ask_all(asked: Sequence[LabQuestion], *, by: str, wait: float = IN_A_REQUEST) -> list[Job]:
    """Asks for every side at once; all of them together may take as long as one request may."""
    until = time.monotonic() + wait
    for one in asked:
        # First all of them without waiting, so that both sides are calculated at the same time.
        desk().ask(one.plain, lane=one.lane, wait=0, by=by)
    return [desk().ask(one.plain, lane=one.lane, wait=max(0.0, until - time.monotonic()), by=by) for one in asked]


def under_way(jobs: Sequence[Job]) -> dict[str, Any]:
    """How far the slowest of the questions is, how many of others are before it, and about how long it will take."""
    # The page is there when the last one is, so the slowest tells how long it takes.
    slowest = min((job for job in jobs if job.answer is None), key=lambda job: job.progress)
    return {"percent": slowest.percent, "waits_for": slowest.ahead, "seconds_left": slowest.seconds_left}


def take_back(asked: Sequence[LabQuestion], *, by: str) -> bool:
    """Nobody waits for it any more: what only this person asked ends. Says whether there was anything to end."""
    taken = [desk().cancel(one.plain, by=by) for one in asked]
    return any(taken)


def asked_of(ground: Ground, values: Mapping[str, str], sides: tuple[str, ...]) -> list[LabQuestion]:
    """The questions; what cannot be meant is refused in a sentence that names the field. All sides are looked at at
    the same meters: the one asked for first, then both seeds and what they may grow to."""
    meter = _amount("meter", values["meter"], ground.digits)
    seeds = [_amount("seed", values[f"{side}_seed"], ground.digits) for side in sides]
    # The same meters for both sides: two columns that are not of one meter compare nothing.
    grown = sorted({seed * times for seed in seeds for times in (1, 2, 5, 10)} - {meter, Money.of(0)})
    return [_asked(ground, values, side, [meter, *grown]) for side in sides]


def _asked(ground: Ground, values: Mapping[str, str], side: str, meters: Sequence[Money]) -> LabQuestion:
    table = _pay_table(ground, values[f"{side}_table"], values[f"{side}_fixed"])
    whole = {name: _whole(name, values[name]) for name in WHOLE}
    a_life = whole["days"] * whole["coin_ins"]
    # What will really be played, which decides the lane; what was asked for may be less.
    played = max(a_life, TOP_AWARDS) * whole["paths"]
    if a_life * whole["paths"] > LARGEST:
        raise NotUnderstood("That is more than forty billion coin-ins to play. Take fewer days, coin-ins or lives.")
    if a_life > LARGEST_LIFE:
        raise NotUnderstood("That is more than four hundred million coin-ins in one life. Take fewer days or coin-ins.")
    seed, limit = _amount("seed", values[f"{side}_seed"], ground.digits), values[f"{side}_limit"]
    setting = {
        "pay_table": table.plain(),
        "wager": str(_above_zero("wager", values[f"{side}_wager"], ground.digits)),
        "rate": str(_rate("rate", values[f"{side}_rate"])),
        "reserve_rate": str(_rate("reserve rate", values[f"{side}_reserve"])),
        "seed": str(seed),
        "limit": str(_amount("limit", limit, ground.digits)) if limit else None,
        **switches_of(ground.terms),
    }
    question = {
        "seats": whole["seats"],
        "coin_ins_a_day": whole["coin_ins"],
        "days": whole["days"],
        "paths": whole["paths"],
        "meters": [str(one) for one in meters],
    }
    rows = pack_with_rows_of(ground.game, table)
    # A question of minutes in the short lane would make everybody behind it wait.
    quick = played <= LARGEST_SHORT and a_life <= 4 * TOP_AWARDS
    plain = {"do": "laboratory", "game": ground.game.code, "bet": rows.bet, "table": rows.code}
    return LabQuestion(side, {**plain, "setting": setting, "question": question}, "short" if quick else "long")


def _pay_table(ground: Ground, code: str, fixed: str) -> PayTable:
    if fixed not in (AS_IT_IS, "tray", "meter"):
        raise NotUnderstood("Fixed awards come from the tray or from the meter.")
    if code == LIVE and ground.terms is not None:
        table = ground.terms.pay_table
    else:
        found = next((one for one in ground.progressives if one.code == code), None)
        if found is None:
            raise NotUnderstood(f"There is no progressive pay table “{code}” to look at.")
        # The source is set below, as it was asked for; a pack has none of its own.
        table = found.as_jackpot("tray")
    match fixed:
        case "tray":
            return table.paid_from("tray")
        case "meter":
            return table.paid_from("meter")
        case _:
            return table


def fixed_sources(table: PayTable) -> str:
    sources = sorted({line.source for line in table if isinstance(line.award, ForOne)})
    return " and ".join(sources) or "none"


def _whole(name: str, text: str) -> int:
    low, high, words = WHOLE[name]
    try:
        return read_whole(text, words, low, high)
    except NotAnAmount:
        raise NotUnderstood(f"“{text}” {words}: take a whole number from {low:,} to {high:,}.") from None


def _amount(name: str, text: str, digits: int) -> Money:
    try:
        amount = read_amount(text, name, digits=digits)
    except NotAnAmount as why:
        raise NotUnderstood(str(why)) from None
    if amount < Money.of(0) or amount > Money.of(100_000_000):
        raise NotUnderstood(f"The {name} of {text} is no amount of this house. Take one up to 100,000,000.")
    return amount


def _above_zero(name: str, text: str, digits: int) -> Money:
    amount = _amount(name, text, digits)
    if not amount:
        raise NotUnderstood(f"The {name} is more than nothing.")
    return amount


def _rate(name: str, text: str) -> Fraction:
    try:
        return Fraction(read_percent(text, name), 1_000_000)
    except NotAnAmount as why:
        raise NotUnderstood(str(why)) from None


def ground_without_jackpot() -> Ground:
    """The first game that has a progressive to look at."""
    for game in find_games().values():
        ground = Ground(game)
        if ground.progressives:
            return ground
    raise NotUnderstood("No game of this house has a progressive.")


def ground_of(jackpot: Jackpot | None, game_code: str, seats: int) -> Ground:
    """The jackpot's terms on the game that its tables play."""
    bare = ground_without_jackpot()
    if jackpot is None or jackpot.version is None:
        return bare
    # A game whose folder is gone: its terms are still looked at, by the first game there is.
    game = find_games().get(game_code, bare.game)
    return replace(bare, game=game, terms=jackpot.version.value, jackpot=jackpot, seats=seats)
