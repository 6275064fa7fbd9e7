"""The two entries of a transfer name each other, and what one jackpot lost the other got."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable
from typing import Final, NamedTuple

from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import text_of_units
from jackpot.proof.rules.findings import Findings, Promise

KEY: Final = re.compile(r"transfer/(\d+)/(to|from)/([A-Z0-9-]+)/(\d+)")
OUT, IN = EntryKind.TRANSFER_OUT, EntryKind.TRANSFER_IN
WAY: Final = {OUT: "to", IN: "from"}
OTHER: Final = {OUT: IN, IN: OUT}


class Sent(NamedTuple):
    """One entry of a transfer; `outside` is what it sent out (+) or took in (−)."""

    jackpot: str
    seq: int
    kind: EntryKind
    key: str
    outside: int

    def __str__(self) -> str:
        return f"{self.kind} {self.key} of {text_of_units(self.outside)}"


def check_transfers(sent: Iterable[Sent], scope: Container[str], findings: Findings) -> None:
    """Both entries of every transfer, as far as both jackpots are being proven."""
    known = {(each.jackpot, each.seq): each for each in sent}
    for each in known.values():
        where, named = f"{each.jackpot}/{each.seq}", KEY.fullmatch(each.key)
        if named is None or named[2] != WAY[each.kind]:
            findings.add(Promise.TRANSFER, where, "the entry it names", "transfer/7/to/GRAND/45 or …/from/…", each.key)
        # The other jackpot may not be among those that are proven now: then nothing is known of its entry.
        elif named[3] in scope:
            number, other_seq, kind = named[1], int(named[4]), OTHER[each.kind]
            back = f"transfer/{number}/{WAY[kind]}/{each.jackpot}/{each.seq}"
            expected = Sent(named[3], other_seq, kind, back, -each.outside)
            other = known.get((named[3], other_seq))
            if other != expected:
                findings.add(
                    Promise.TRANSFER, where, f"its other entry {named[3]}/{other_seq}", expected, other or "none"
                )  # fmt: skip
