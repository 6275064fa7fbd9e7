"""Which jackpots a table may feed, and which meters a sign may show. Every refusal is a sentence with the cure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from jackpot.money import MILLION, Money
from jackpot.terms.rules.paytable import ForOne
from jackpot.terms.rules.terms import Terms, percent


class LinksRefused(ValueError):
    """Links that would count a wager wrongly, pay a hand twice or show a figure that does not fit."""


@dataclass(frozen=True, slots=True)
class LinkedLevel:
    """A jackpot as a table sees it: its terms and the games of the other tables that already feed it."""

    jackpot: str
    terms: Terms
    games: frozenset[str] = frozenset()


def check_levels(table: str, game: str, wager: Money, levels: Sequence[LinkedLevel]) -> None:
    """Tables share a jackpot when game and wager agree; the levels of one wager share its 100 % and no fixed line."""
    for level in levels:
        _check_game(table, game, level)
        _check_wager(table, wager, level)
    _check_once(table, levels)
    _check_rates(table, levels)
    _check_fixed_lines(table, levels)


def _check_game(table: str, game: str, level: LinkedLevel) -> None:
    others = sorted(level.games - {game})
    if others:
        raise LinksRefused(
            f"{table} plays {game}, but {level.jackpot} is fed by tables that play {others[0]}. "
            f"Tables share a jackpot only if the game agrees; give {table} another jackpot."
        )


def _check_wager(table: str, wager: Money, level: LinkedLevel) -> None:
    if wager != level.terms.wager:
        raise LinksRefused(
            f"{table} takes a wager of {wager}, but {level.jackpot} counts wagers of {level.terms.wager}. "
            f"Make the two agree."
        )


def _check_once(table: str, levels: Sequence[LinkedLevel]) -> None:
    codes = [level.jackpot for level in levels]
    twice = [code for code in codes if codes.count(code) > 1]
    if twice:
        raise LinksRefused(f"{table} names {twice[0]} twice. A table feeds a jackpot once.")


def _check_rates(table: str, levels: Sequence[LinkedLevel]) -> None:
    total = sum(level.terms.rate + level.terms.reserve_rate for level in levels)
    if total > MILLION:
        shares = " + ".join(
            f"{level.jackpot} {percent(level.terms.rate + level.terms.reserve_rate)}" for level in levels
        )
        raise LinksRefused(
            f"{table}: one wager would give {percent(total)} to its jackpots ({shares}). "
            f"Rates and reserve rates of one wager may reach 100 %; lower one or take a level away."
        )


def _check_fixed_lines(table: str, levels: Sequence[LinkedLevel]) -> None:
    # A part of each level's meter is another sum; a number for one would be paid twice for one hand.
    standing: dict[str, str] = {}
    for level in levels:
        for line in level.terms.pay_table:
            if not isinstance(line.award, ForOne):
                continue
            if line.code in standing:
                raise LinksRefused(
                    f"{table}: {line.name} would pay a fixed award on {standing[line.code]} and on {level.jackpot}. "
                    f"A fixed line stands on one level of a wager only; take it out of one pay table."
                )
            standing[line.code] = level.jackpot


def check_digits(sign: str, digits: int, jackpot: str, terms: Terms) -> None:
    """A limit that a sign cannot show would one day be a wrong figure on the wall."""
    # Without a limit no width is ever enough; the seed is what the sign must show on its first day.
    highest = terms.limit if terms.limit is not None else terms.seed
    needed = len(str(highest).split(".", maxsplit=1)[0]) + terms.digits
    if needed > digits:
        what = "limit" if terms.limit is not None else "seed"
        raise LinksRefused(
            f"Sign {sign} shows {digits} digits, but the {what} of {jackpot}, {highest.shown(terms.digits)}, "
            f"needs {needed}. Hang a wider sign or lower the {what}."
        )


def check_meters(sign: str, meters: Iterable[str]) -> None:
    """A sign shows at least one meter, and none twice."""
    codes = list(meters)
    if not codes:
        raise LinksRefused(f"Sign {sign} shows no meter. Name at least one jackpot.")
    twice = [code for code in codes if codes.count(code) > 1]
    if twice:
        raise LinksRefused(f"Sign {sign} names {twice[0]} twice. A sign shows a meter once.")
