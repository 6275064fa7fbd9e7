"""The accounts of the general ledger: what a jackpot's eight accounts and the tax withheld are called there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class JournalLine:
    """One account: of which side of a jackpot's books, under which code and name."""

    account: str
    code: str
    name: str


# A beginning, as a chart of accounts mostly looks; every house enters its own.
USUAL: Final = (
    JournalLine("contributed", "5100", "Progressive contributions"),
    JournalLine("meter", "2110", "Progressive meters"),
    JournalLine("reserve", "2120", "Progressive reserves"),
    JournalLine("overflow", "2130", "Progressive overflow"),
    JournalLine("house", "5110", "House funding of jackpots"),
    JournalLine("winners", "2140", "Jackpots owed to winners"),
    JournalLine("paid", "1010", "Cage cash"),
    JournalLine("withheld", "2150", "Tax withheld, payable"),
    JournalLine("outside", "2190", "Jackpots taken over and transferred"),
)
ACCOUNTS_OF_THE_LEDGER: Final = tuple(line.account for line in USUAL)
