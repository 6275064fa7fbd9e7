"""What was posted since the last look, added and sealed again: cheap enough for every minute.

The whole proof judges what each kind of entry may move; here only what holds of every entry is looked at, so that it
can begin in the middle of the books.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from operator import add
from typing import Final

from jackpot.books.rules.movement import ACCOUNTS
from jackpot.books.rules.seal import NO_SEAL_BEFORE
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.proof import EntryRow, whole_columns

NOTHING_YET: Final = (0,) * len(ACCOUNTS)
AMOUNTS: Final = "8 amounts with 8 decimals, twice"


class NewEntries:
    """One jackpot's entries from a proven one on."""

    def __init__(self, code: str, digests: Mapping[str, str], findings: Findings) -> None:
        self.code, self.digests, self.findings = code, digests, findings
        self.seq, self.seal, self.at, self.entries = 0, NO_SEAL_BEFORE.hex(), 0, 0
        self.after: Sequence[int] = NOTHING_YET

    def begin(self, row: EntryRow) -> None:
        """The entry that was reached the last time: what follows is held against it."""
        self.seq, self.seal, self.at = row.seq, row.seal, row.at
        self.after = whole_columns(row.after) or NOTHING_YET

    def read(self, rows: Iterable[EntryRow]) -> None:
        for row in rows:
            self._examine(EntryRow._make(row))

    def _examine(self, row: EntryRow) -> None:
        where, tell = f"{self.code}/{row.seq}", self.findings.add
        if row.seq != self.seq + 1:
            tell(Promise.GAP, where, "the number", self.seq + 1, row.seq)
        if row.version not in self.digests:
            tell(Promise.VERSION, where, "its version", "a version of this jackpot", "none known")
        elif (expected := self._sealed(row)) != row.seal:
            tell(Promise.SEAL, where, "the seal over what it says and the seal before", expected, row.seal)
        if row.at < self.at:
            tell(Promise.TIME, where, "its time (µs)", f"{self.at} or later", row.at)
        moved, after = whole_columns(row.movement), whole_columns(row.after)
        if moved is None or after is None:
            tell(Promise.UNREADABLE, where, "its amounts", AMOUNTS, row.movement)
        else:
            if sum(moved):
                tell(Promise.SUM, where, "its movement", "0", sum(moved))
            if after != tuple(map(add, self.after, moved)):
                tell(Promise.BALANCE, where, "the balances after it", "those before and its movement", row.after)
            # On from what is stored: one wrong row is one finding, and not every row behind it.
            self.after = after
        self.seq, self.seal, self.at, self.entries = row.seq, row.seal, row.at, self.entries + 1

    def _sealed(self, row: EntryRow) -> str:
        line = (
            f"v1|{self.seal}|{self.code}|{row.seq}|{row.kind}|{row.key}|{row.at}|{row.day}|{row.table}|{row.round}|"
            f"{row.win}|{row.corrects}|{self.digests[row.version]}|{row.movement}|{row.after}|{row.request}"
        )
        return hashlib.sha256(line.encode()).hexdigest()
