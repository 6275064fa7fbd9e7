"""The accounts of the general ledger: what a jackpot's eight accounts and the tax withheld are called there."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final


@dataclass(frozen=True, slots=True)
class LedgerLine:
    """One account: of which side of a jackpot's books, under which code and name."""

    account: str
    code: str
    name: str


# A beginning, as a chart of accounts mostly looks; every house enters its own.
USUAL: Final = (
    LedgerLine("contributed", "5100", "Progressive contributions"),
    LedgerLine("meter", "2110", "Progressive meters"),
    LedgerLine("reserve", "2120", "Progressive reserves"),
    LedgerLine("overflow", "2130", "Progressive overflow"),
    LedgerLine("house", "5110", "House funding of jackpots"),
    LedgerLine("winners", "2140", "Jackpots owed to winners"),
    LedgerLine("paid", "1010", "Cage cash"),
    LedgerLine("withheld", "2150", "Tax withheld, payable"),
    LedgerLine("outside", "2190", "Jackpots taken over and transferred"),
)
ACCOUNTS_OF_THE_LEDGER: Final = tuple(line.account for line in USUAL)
