"""Par sheets of every bet: asked of the calculating process, put together, signed with the house's file key."""

from __future__ import annotations

import hmac
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any, Final, Literal

from django.conf import settings

from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.canonical import canonical
from jackpot.laboratory.growth import economy
from jackpot.laboratory.outcomes import Outcomes
from jackpot.laboratory.setting import LabSetting
from jackpot.money import MILLION, Money
from jackpot.people.models import Operator
from jackpot.refusals import NotUnderstood
from jackpot.terms.rules.paytable import ForOne, PartOfMeter
from jackpot.terms.rules.terms import Terms, percent
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef
from tables.calculation.desk import IN_A_REQUEST, desk
from tables.floor.models.table import Table
from tables.games.edge import MeterNeeded, net_of
from tables.games.edge import percent as share
from tables.games.game import Game, NotInThisGame
from tables.games.jackpot_lines import judged_table
from tables.games.own_table import own_table, plain_own_table, spoken_pays
from tables.games.packs import BetTable, PrintedLine
from tables.games.par_sheet import ParRow, ParSheet, whole_deals
from tables.games.registry import find_games, part_of_game

Fold = Literal["live", "dead"]
FORFEITS: Final = ("trips", "bad_beat", "progressive")  # what a fold can take with it
LOOKED_AT: Final = Money.of("10000.00")  # the meter where nobody says another
METER: Final = re.compile(r"(\d{1,3}(,\d{3}){1,3}|\d{1,12})(\.\d{1,2})?", re.ASCII)
BASE_RULES: Final = "every decision the best one: 4x or check, 2x or check, 1x or fold"


@dataclass(frozen=True, slots=True)
class SheetQuestion:
    """Which table, by which rules; `own` where it is not one of the game's published packs."""

    game: Game
    table: BetTable
    own: bool = False
    fold: Fold = "live"
    meter: Money = LOOKED_AT
    wager: Money = field(default_factory=lambda: Money.of("1.00"))
    rules: Mapping[str, str] = field(default_factory=dict)
    notes: tuple[str, ...] = ()
    digest: str = ""
    terms: Terms | None = None


@dataclass(frozen=True, slots=True)
class SheetAnswer:
    """The sheet, or how far its calculation is."""

    sheet: ParSheet | None
    percent: int = 100


def find_sheet(asked: SheetQuestion, wait: float | None = None) -> SheetAnswer:
    """The sheet if its counts are known or come within the wait; else they go on being counted."""
    wait = IN_A_REQUEST if wait is None else wait
    # A Blind has no chances of its own: whether it is won hangs on every decision of the round.
    if asked.table.bet == "blind":
        return _base_sheet(asked, wait)
    counted = desk().ask(_chances_question(asked), lane="long", wait=wait)
    if counted.answer is None:
        return SheetAnswer(None, counted.percent)
    chances = tuple(Fraction(chance) for chance in counted.answer["chances"])
    deals, counts = whole_deals(chances, asked.game.deals.get(asked.table.bet, 0))
    if asked.fold == "dead":
        found = _without_folds(asked, chances, wait)
        if isinstance(found, int):
            return SheetAnswer(None, found)
        deals, counts = found
    rows = tuple(
        ParRow(line.hand, line.name, spoken_pays(line.pays), count, _net(line, asked))
        for line, count in zip(asked.table.lines, counts, strict=True)
    )
    if asked.terms is not None:
        asked = replace(asked, notes=(*asked.notes, _long_run(asked.terms, rows, deals)))
    return SheetAnswer(_sheet(asked, deals, rows))


def setting_of_terms(terms: Terms) -> LabSetting:
    """The terms as the laboratory looks at them. What a limit cuts off waits for the next meter, so it is left out."""
    return LabSetting(
        terms.pay_table, terms.wager, Fraction(terms.rate, MILLION), Fraction(terms.reserve_rate, MILLION), terms.seed
    )


def outcomes_of_rows(rows: Sequence[ParRow], deals: int) -> Outcomes:
    """The rows' chances alone: where each coin goes needs no more."""
    return Outcomes(tuple(row.hand for row in rows), tuple(Fraction(row.combinations, deals) for row in rows))


def question_of_jackpot(jackpot: Jackpot, *, fold: Fold = "live", meter: Money | None = None) -> SheetQuestion:
    """The sheet of the terms in force, at their seed unless another meter is asked for."""
    assert jackpot.version is not None, "a jackpot has its first version before anybody can look at it"
    return question_of_terms(jackpot, jackpot.version, fold=fold, meter=meter)


def question_of_terms(
    jackpot: Jackpot, version: Version, *, fold: Fold = "live", meter: Money | None = None,
    seating: tuple[Game, int] | None = None,
) -> SheetQuestion:  # fmt: skip
    """The sheet of one version of a jackpot; `seating` where the game of its tables is known already."""
    terms, (game, seats) = version.value, seating or game_of(jackpot)
    judged = judged_table(game, terms.pay_table)
    known = game.hands[judged.bet] if judged else ()
    unknown = [line.name for line in terms.pay_table if line.code not in known]
    if judged is None or unknown:
        raise NotUnderstood(f"How often “{unknown[0]}” comes is not known: no pack of {game.title} has this line.")
    title = f"{jackpot.name} ({jackpot.code}), {terms.pay_table.code}"
    table = own_table(game, bet=judged.bet, code=terms.pay_table.code, title=title, lines=judged.lines)
    rules = {"jackpot": jackpot.code, "version": str(version.number), "terms_digest": version.digest}
    return SheetQuestion(
        game, table, own=True, fold=fold, meter=terms.seed if meter is None else meter, wager=terms.wager, rules=rules,
        notes=tuple(_notes(terms, seats)), digest=terms.pay_table.digest(), terms=terms,
    )  # fmt: skip


def game_of(jackpot: Jackpot) -> tuple[Game, int]:
    """The game and the seats of the tables that feed it; without a table the first game."""
    return seating_of(jackpot, games_of([jackpot]))


def games_of(jackpots: Sequence[Jackpot]) -> dict[int, tuple[str, str, int]]:
    """Code, game and seats of the first table that feeds each, where one does."""
    rows = Table.objects.filter(links__jackpot__in=jackpots).order_by("links__jackpot", "code")
    # The first table speaks for all: tables share a jackpot only where the game agrees.
    first = rows.distinct("links__jackpot").values_list("links__jackpot", "code", "game", "seats")
    return {pk: (code, game, seats) for pk, code, game, seats in first}


def seating_of(jackpot: Jackpot, first_tables: Mapping[int, tuple[str, str, int]]) -> tuple[Game, int]:
    """The game of a jackpot's first table with its seats; without a table the first game."""
    games = find_games()
    if jackpot.pk not in first_tables:
        return next(iter(games.values())), 7
    code, game, seats = first_tables[jackpot.pk]
    if game not in games:
        raise NotUnderstood(f"No pack describes the game “{game}” of {code}.")
    return games[game], seats


def meter_of(text: str) -> Money:
    """A meter to look at, as typed: plain digits, thousands apart or not, at most two decimals."""
    if not METER.fullmatch(text):
        raise NotUnderstood(
            f"“{text[:20]}” is no meter to look at. Write an amount such as 25000 or 25,000.00.", "meter"
        )
    return Money.of(text.replace(",", ""))


def sign(digest: str) -> str:
    """With a key drawn from the file key for this purpose: not to be forged with the database alone."""
    key = hmac.digest(settings.MASTER_KEY, b"par sheets", "sha256")
    return hmac.digest(key, canonical({"kind": "par sheet", "digest": digest}).encode("ascii"), "sha256").hex()


def is_signed_here(digest: str, signature: str) -> bool:
    # As bytes: it is typed off paper and may hold any character, which a comparison of texts would not take.
    return hmac.compare_digest(sign(digest).encode(), signature.encode("utf-8", "replace"))


def note_print(sheet: ParSheet, *, form: str, by: Operator) -> None:
    """Who took which sheet along, and when."""
    details = {"digest": sheet.digest, "signature": sign(sheet.digest), "form": form, "program": sheet.program}
    subject = f"{sheet.rules.get('jackpot', sheet.game)}/{sheet.bet}/{sheet.code}"
    record(actor=by, act="print_par_sheet", about=ObjectRef(ObjectKind.PAY_TABLE, subject), details=details)


def _chances_question(asked: SheetQuestion) -> dict[str, Any]:
    told: dict[str, Any] = {"do": "chances", "game": asked.game.code}
    if asked.own:
        # Tables that ask for the same hands share their chances, whatever they are called and pay.
        hands = [PrintedLine(line.hand, line.hand, ForOne(1)) for line in asked.table.lines]
        anonymous = own_table(asked.game, bet=asked.table.bet, code="OWN", title="own", lines=hands)
        return {**told, "own": plain_own_table(anonymous)}
    return {**told, "bet": asked.table.bet, "table": asked.table.code}


def _whole_game(asked: SheetQuestion, blind: BetTable, wait: float) -> Any:
    question: dict[str, Any] = {"do": "whole_game", "game": asked.game.code}
    own = asked.own and blind is asked.table
    told = {"own": plain_own_table(blind)} if own else {"bet": "blind", "table": blind.code}
    return desk().ask({**question, **told}, lane="long", wait=wait)


def _base_sheet(asked: SheetQuestion, wait: float) -> SheetAnswer:
    job = _whole_game(asked, asked.table, wait)
    if job.answer is None:
        return SheetAnswer(None, job.percent)
    deals, rows, paid = part_of_game(asked.game.code, "par_base").base_rows(asked.table, job.answer)
    return SheetAnswer(_sheet(asked, deals, rows, paid))


def _without_folds(
    asked: SheetQuestion, chances: tuple[Fraction, ...], wait: float
) -> tuple[int, tuple[int, ...]] | int:
    """The counts less what folded hands held, or how far their counting is."""
    if asked.table.bet not in FORFEITS:
        raise NotUnderstood(f"A fold takes no {asked.table.bet.replace('_', ' ')} wager with it.", "fold")
    blind = next((table for table in asked.game.tables if table.bet == "blind"), None)
    if blind is None:
        raise NotUnderstood(f"{asked.game.title} has no base game in which a hand is folded.", "fold")
    job = _whole_game(asked, blind, wait)
    if job.answer is None:
        percent: int = job.percent
        return percent
    deals, given_up = part_of_game(asked.game.code, "par_base").forfeited(asked.table, job.answer)
    _, counts = whole_deals(chances, deals)
    return deals, tuple(count - given for count, given in zip(counts, given_up, strict=True))


def _sheet(asked: SheetQuestion, deals: int, rows: tuple[ParRow, ...], paid: tuple[ParRow, ...] = ()) -> ParSheet:
    table, base = asked.table, asked.table.bet == "blind"
    rules = {**asked.rules}
    if base:
        rules["play"] = BASE_RULES
    if table.bet in FORFEITS:
        rules["fold"] = asked.fold
    # Sealed only where it matters: a sheet without parts is the same at every meter, and so is its digest.
    if any(isinstance(line.pays, PartOfMeter) for line in table.lines):
        rules["meter"] = str(asked.meter)
    if any(isinstance(line.pays, ForOne | PartOfMeter) for line in table.lines):
        rules["wager"] = str(asked.wager)
    return ParSheet(
        game=asked.game.code, bet="base_game" if base else table.bet, code=table.code, title=table.title,
        table_digest=asked.digest or table.digest, program=settings.PROGRAM, unit="ante" if base else "wager",
        deals=deals, rows=rows, lost=deals - sum(row.combinations for row in rows), rules=rules, paid=paid,
        notes=asked.notes,
    )  # fmt: skip


def _net(line: Any, asked: SheetQuestion) -> Fraction:
    try:
        return net_of(line, asked.meter, asked.wager)
    except (MeterNeeded, NotInThisGame, ZeroDivisionError) as why:
        raise NotUnderstood(str(why)) from None


def _long_run(terms: Terms, rows: Sequence[ParRow], deals: int) -> str:
    edge = economy(setting_of_terms(terms), outcomes_of_rows(rows, deals)).house_edge
    return (
        f"In the long run the house keeps {share(edge, 6)} % of each chip: what meter and reserve hold comes back to "
        "the players, and the seeds are the house’s cost."
    )


def _notes(terms: Terms, seats: int) -> list[str]:
    """What else the terms do with a chip, in sentences that are sealed with the figures."""
    shares = (
        f"Of each chip {percent(terms.rate)} goes to the meter and {percent(terms.reserve_rate)} to the reserve; the "
        f"seed is {terms.seed}. A part of the meter is counted at the meter named here."
    )
    envies = [
        f"{line.name} also pays an envy of {line.envy} to each other seat with a coin-in (up to {seats - 1}). It is no "
        "part of these rows."
        for line in terms.pay_table
        if line.envy is not None
    ]
    return [shares, *envies]
