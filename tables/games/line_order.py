"""Whether the lines of a pay table stand so that each can be won: a hand wins the first line that it fulfils."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from typing import Any, Literal

from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from tables.games.game import Game
from tables.games.packs import PackRefused, PrintedLine, ToOne

Weight = Literal["refused", "warning"]


@dataclass(frozen=True, slots=True)
class LineFinding:
    """What is wrong with a pay table, in a sentence with its cure. A refused one cannot be used."""

    code: str
    weight: Weight
    why: str


def order_findings(game: Game, bet: str, lines: Sequence[PrintedLine]) -> list[LineFinding]:
    """Lines that are never reached, lines that cross, pays that fall and rise, the meter promised twice."""
    found = [finding for place in range(len(lines)) for finding in _of_line(game, bet, lines, place)]
    wholes = [line for line in lines if isinstance(line.pays, PartOfMeter) and line.pays.is_all]
    if len(wholes) > 1:
        names = " and ".join(f"“{line.name}”" for line in wholes)
        why = f"{names} each pay all of the meter. Two at once share what only one can have; look whether you mean it."
        found.append(LineFinding("all_twice", "warning", why))
    return found


def refuse_wrong_order(game: Game, bet: str, lines: Sequence[PrintedLine]) -> None:
    """The first refusing finding as a refusal of the whole table."""
    for finding in order_findings(game, bet, lines):
        if finding.weight == "refused":
            raise PackRefused(finding.why)


def _of_line(game: Game, bet: str, lines: Sequence[PrintedLine], place: int) -> Iterator[LineFinding]:
    line = lines[place]
    taken = [(other, _common(game, bet, other, line)) for other in lines[:place]]
    never = list(_never_reached(game, bet, line, taken))
    yield from never
    # A line that is never reached crosses whatever takes its hands; one sentence about it is enough.
    if not never:
        yield from (_crossing(other, line) for other, common in taken if common and _pays_less(other, line))
    # Pays that never rise from one line of their kind to the next never rise at all.
    above = next((other for other, _ in reversed(taken) if type(other.pays) is type(line.pays)), None)
    if above is not None and _pays_less(above, line) and not _common(game, bet, above, line):
        yield _rising(above, line)


def _crossing(above: PrintedLine, line: PrintedLine) -> LineFinding:
    why = (
        f"“{above.name}” and “{line.name}” cross: some hands fulfil both, and “{above.name}”, which stands above, "
        f"takes them for {above.pays} instead of {line.pays}. Stand “{line.name}” above it."
    )
    return LineFinding("crossing", "refused", why)


def _rising(above: PrintedLine, line: PrintedLine) -> LineFinding:
    why = (
        f"“{above.name}” stands above “{line.name}” and pays less, {above.pays} against {line.pays}. Lines stand from "
        "the highest hand down; look whether the pays are meant so."
    )
    return LineFinding("pay_order", "warning", why)


def _never_reached(
    game: Game, bet: str, line: PrintedLine, taken: Sequence[tuple[PrintedLine, frozenset[Any]]]
) -> Iterator[LineFinding]:
    if game.situations is None:
        return
    left = set(game.situations(bet, line.hand))
    takers = [other for other, common in taken if common]
    for _, common in taken:
        left -= common
    if not left:
        names = " and ".join(f"“{other.name}”" for other in takers)
        stands = "which stands" if len(takers) == 1 else "which stand"
        takes = "takes" if len(takers) == 1 else "take"
        why = (
            f"“{line.name}” is never reached: {names}, {stands} above it, {takes} every one of its hands. "
            f"Stand “{line.name}” above, or leave it out."
        )
        yield LineFinding("never_reached", "refused", why)


def _common(game: Game, bet: str, one: PrintedLine, other: PrintedLine) -> frozenset[Any]:
    if game.situations is None:
        return frozenset()
    return game.situations(bet, one.hand) & game.situations(bet, other.hand)


def _pays_less(one: PrintedLine, other: PrintedLine) -> bool:
    """Of two pays of one kind; a part of a meter and a number for one cannot be compared."""
    match one.pays, other.pays:
        case (ToOne(mine), ToOne(theirs)):
            return mine < theirs
        case (ForOne(mine), ForOne(theirs)):
            return mine < theirs
        case (PartOfMeter(mine), PartOfMeter(theirs)):
            return mine < theirs
        case _:
            return False


def chance_findings(lines: Sequence[PrintedLine], chances: Sequence[Fraction]) -> list[LineFinding]:
    """What only the calculation shows: a line that no deal wins."""
    return [
        LineFinding("no_chance", "refused", f"No deal of one deck wins “{line.name}”: its chance is 0. Leave it out.")
        for line, chance in zip(lines, chances, strict=True)
        if not chance
    ]
