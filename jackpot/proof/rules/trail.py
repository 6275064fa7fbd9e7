"""The trail proven like the books: each chain without a gap, each line under the seal that it was given."""

from __future__ import annotations

from typing import Final

from jackpot.proof.rules.findings import Findings, Promise
from jackpot.trail.rules.chain import NO_SEAL_BEFORE, ChainedLine, seal_of_line

REMOVED: Final = "none: it was removed"


class ChainProof:
    """One chain, read from its first line on. Each line is judged against the stored seal before it, so that one
    changed line is named once and not with everything after it."""

    def __init__(self, house: str, findings: Findings) -> None:
        self.house, self.name, self.findings = house, f"trail {house or 'of the server'}", findings
        self.number, self.before = 0, NO_SEAL_BEFORE

    def read(self, number: int, line: int, said: ChainedLine | None, seal: bytes) -> None:
        where = f"{self.name} {number}"
        if number != self.number + 1:
            self.findings.add(Promise.TRAIL, where, "its number", self.number + 1, number)
        elif said is None:
            self.findings.add(Promise.TRAIL, where, f"line {line} of the trail", "the line", REMOVED)
        elif (found := seal_of_line(self.before, self.house, number, said)) != seal:
            what = f"the seal of line {line} ({said.act} by {said.actor})"
            self.findings.add(Promise.TRAIL, where, what, seal.hex(), found.hex())
        self.number, self.before = number, seal
