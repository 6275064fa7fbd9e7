"""A table's wagers: the first stands on the table itself, a further one has a code, a chip and jackpots of its own."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from jackpot.money import ZERO, Money

# As the table's own column allows.
MOST_WAGERS: Final = 9
FIRST: Final = 1  # the place of a table's first wager
WAGER_CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}")


class WagersRefused(ValueError):
    """Wagers that a dealer, a controller or the books would confuse; the message says the cure."""


@dataclass(frozen=True, slots=True)
class FurtherWagerFacts:
    """A wager beside the first: what its controller calls it, its name, its chip, and what it feeds, by level."""

    code: str
    chip: Money
    jackpots: tuple[str, ...]
    name: str = ""

    def __str__(self) -> str:
        return f"{self.code} {self.chip}: {', '.join(self.jackpots)}"


def check_wagers(table: str, first: Sequence[str], further: Sequence[FurtherWagerFacts]) -> None:
    """Each code once, each chip whole cents, each further wager with a jackpot, and no jackpot on two of them."""
    if len(further) >= MOST_WAGERS:
        raise WagersRefused(f"{table} names {len(further) + 1} wagers. A table takes at most {MOST_WAGERS}.")
    codes = [each.code for each in further]
    for each in further:
        where = f"{table}, wager {each.code}"
        if not WAGER_CODE.fullmatch(each.code):
            raise WagersRefused(f"{table}: “{each.code}” is no code of a wager. Use up to 20 of A–Z, 0–9 and -.")
        if codes.count(each.code) > 1:
            raise WagersRefused(f"{where} stands twice. Give every further wager a code of its own.")
        if each.chip <= ZERO or not each.chip.is_whole():
            raise WagersRefused(f"{where}: a chip of {each.chip} is no chip. It is whole cents above zero.")
        if not each.jackpots:
            raise WagersRefused(f"{where} feeds no jackpot. Name at least one, or leave the wager out.")
    fed = [*first, *(jackpot for each in further for jackpot in each.jackpots)]
    twice = next((jackpot for jackpot in fed if fed.count(jackpot) > 1), None)
    if further and twice is not None:
        raise WagersRefused(f"{table} names {twice} twice. A table feeds a jackpot once, with one of its wagers.")
