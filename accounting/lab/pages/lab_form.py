"""What is asked of the laboratory: two configurations and how they are played, read from a form or a command line."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Final

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money, NotAnAmount
from jackpot.reading import read_amount, read_percent, read_whole
from jackpot.refusals import NotUnderstood
from jackpot.terms.rules.paytable import ForOne, PayTable
from jackpot.terms.rules.terms import Terms, percent_text
from tables.floor.queries.known_rows import pack_with_rows_of, progressives_of
from tables.games.game import Game
from tables.games.packs import BetTable
from tables.games.registry import find_games

SIDES: Final = ("a", "b")
LIVE: Final = "live"
AS_IT_IS: Final = "as_it_is"
LARGEST_SHORT: Final = 500_000_000  # coin-ins played over all paths: some tenths of a second
LARGEST: Final = 40_000_000_000
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
        meter = str(self.jackpot.meter_money.shown()) if self.jackpot else side["seed"]
        played = {"seats": str(self.seats), "coin_ins": "4000", "days": "180", "paths": "200", "meter": meter}
        return {**{f"{place}_{name}": value for place in SIDES for name, value in side.items()}, **played}


@dataclass(frozen=True, slots=True)
class Asked:
    """One configuration as the calculation reads it, and whether it is quick."""

    side: str
    plain: Mapping[str, Any]
    quick: bool


def values_of(ground: Ground, typed: Mapping[str, str]) -> dict[str, str]:
    """Everything the form holds: what was typed, over the values it started from."""
    start = ground.starting_values()
    return {name: typed.get(name, value).strip()[:40] for name, value in start.items()}


def refuse_unknown_names(ground: Ground, typed: Mapping[str, str]) -> None:
    """A program's misspelt knob would be answered with the value it started from; a page never misspells one."""
    unknown = sorted(typed.keys() - ground.starting_values().keys() - {"jackpot", "compare"})
    if unknown:
        known = ", ".join(["jackpot", "compare", *ground.starting_values()])
        raise NotUnderstood(f"There is no knob “{unknown[0][:40]}” here. Known: {known}.")


def asked_of(ground: Ground, values: Mapping[str, str], sides: tuple[str, ...]) -> list[Asked]:
    """The questions; what cannot be meant is refused in a sentence that names the field."""
    return [_asked(ground, values, side) for side in sides]


def _asked(ground: Ground, values: Mapping[str, str], side: str) -> Asked:
    table = _pay_table(ground, values[f"{side}_table"], values[f"{side}_fixed"])
    whole = {name: _whole(name, values[name]) for name in WHOLE}
    played = whole["days"] * whole["coin_ins"] * whole["paths"]
    if played > LARGEST:
        raise NotUnderstood("That is more than forty billion coin-ins to play. Take fewer days, coin-ins or lives.")
    seed, meter = _amount("seed", values[f"{side}_seed"]), _amount("meter", values["meter"])
    limit = values[f"{side}_limit"]
    setting = {
        "pay_table": table.plain(),
        "wager": str(_above_zero("wager", values[f"{side}_wager"])),
        "rate": str(_rate("rate", values[f"{side}_rate"])),
        "reserve_rate": str(_rate("reserve rate", values[f"{side}_reserve"])),
        "seed": str(seed),
        "limit": str(_amount("limit", limit)) if limit else None,
    }
    question = {
        "seats": whole["seats"],
        "coin_ins_a_day": whole["coin_ins"],
        "days": whole["days"],
        "paths": whole["paths"],
        "meters": [str(one) for one in dict.fromkeys([meter, seed, seed * 2, seed * 5, seed * 10])],
    }
    rows = pack_with_rows_of(ground.game, table)
    plain = {"do": "laboratory", "game": ground.game.code, "bet": rows.bet, "table": rows.code}
    return Asked(side, {**plain, "setting": setting, "question": question}, played <= LARGEST_SHORT)


def _pay_table(ground: Ground, code: str, fixed: str) -> PayTable:
    if fixed not in (AS_IT_IS, "tray", "meter"):
        raise NotUnderstood("Fixed awards come from the tray or from the meter.")
    if code == LIVE and ground.terms is not None:
        table = ground.terms.pay_table
    else:
        found = next((one for one in ground.progressives if one.code == code), None)
        if found is None:
            raise NotUnderstood(f"There is no progressive pay table “{code}” to look at.")
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


def _amount(name: str, text: str) -> Money:
    try:
        amount = read_amount(text, name)
    except NotAnAmount as why:
        raise NotUnderstood(str(why)) from None
    if amount < Money.of(0) or amount > Money.of(100_000_000):
        raise NotUnderstood(f"The {name} of {text} is no amount of this house. Take one up to 100,000,000.")
    return amount


def _above_zero(name: str, text: str) -> Money:
    amount = _amount(name, text)
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
    game = find_games().get(game_code, bare.game)
    return replace(bare, game=game, terms=jackpot.version.value, jackpot=jackpot, seats=seats)
