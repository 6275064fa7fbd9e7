"""A jackpot's pay table: from a pack by its code, or line by line in the file."""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass
from typing import Final, cast

from accounting.house_file.sections import Section
from jackpot.terms.rules.paytable import NotAPayTable, PayTable, Source
from tables.games.game import NotInThisGame
from tables.games.packs import BetTable, NotOffered
from tables.games.registry import find_game, find_games, refuse_unreached

SOURCES: Final = ("tray", "meter")


@dataclass(frozen=True, slots=True)
class ChosenTable:
    """The lines, and the pack's table they were taken from."""

    lines: PayTable
    pack: BetTable | None = None


def known_games() -> Collection[str]:
    return find_games().keys()


def read_pay_table(section: Section) -> ChosenTable:
    """`{ game, code, fixed_from }` takes a pack's table, `{ code, lines }` states one."""
    # By the key and not by trial: else a mistyped code of a pack would be refused as a table without lines.
    chosen = _from_pack(section) if "game" in section else _stated(section)
    section.closed()
    return chosen


def _from_pack(section: Section) -> ChosenTable:
    game = find_game(section.choice("game", known_games()))
    bet, code = section.text("bet", "progressive"), section.text("code")
    source = section.choice("fixed_from", SOURCES)
    try:
        pack = game.table(bet, code)
        return ChosenTable(pack.as_jackpot(cast("Source", source)), pack)
    except (NotInThisGame, NotOffered) as why:
        raise section.refused(str(why), "code") from None


def _stated(section: Section) -> ChosenTable:
    if "lines" not in section:
        raise section.refused(f"{section.what} names no game of a pack and states no lines. Give one of the two.")
    try:
        stated = PayTable.from_plain(dict(section.content()))
        # A row whose hands another one always takes would stand on the rule card and never be paid.
        refuse_unreached(stated)
        return ChosenTable(stated)
    except (NotAPayTable, ValueError) as why:
        raise section.refused(str(why), "lines") from None
