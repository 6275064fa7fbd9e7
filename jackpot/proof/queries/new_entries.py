"""What was posted since the last look, read for the rolling proof."""

from __future__ import annotations

from itertools import islice
from typing import Final

from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.proof.models import ProofReach
from jackpot.proof.queries.database import ENTRIES
from jackpot.proof.queries.streaming import AT_ONCE, stream
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.new_entries import NewEntries
from jackpot.proof.rules.proof import EntryRow

SPAN: Final = 100_000  # entries of one jackpot in one look; what is more waits for the next
# Up to where the row stood before its versions were read: so no entry names terms that were not there yet.
_SINCE: Final = ENTRIES.replace(" ORDER BY seq", " AND seq BETWEEN %s AND %s ORDER BY seq")


def prove_since(jackpot: Jackpot, reached: ProofReach | None, findings: Findings) -> NewEntries:
    """From the entry that was reached the last time, which must still be the same, to the newest."""
    digests = {str(id_): digest for id_, digest in Version.objects.filter(jackpot=jackpot).values_list("id", "digest")}
    proof = NewEntries(jackpot.code, digests, findings)
    begun = reached is None
    for rows in islice(stream(_SINCE, [jackpot.pk, reached.seq if reached else 1, jackpot.last_seq]), SPAN // AT_ONCE):
        if not begun and reached is not None:
            first, begun = EntryRow._make(rows[0]), True
            if (first.seq, first.seal) != (reached.seq, bytes(reached.seal).hex()):
                told = "none" if first.seq != reached.seq else f"seal {first.seal}"
                where, seal = f"{jackpot.code}/{reached.seq}", bytes(reached.seal).hex()
                findings.add(Promise.SEAL, where, "the entry that was proven the last time", f"seal {seal}", told)
            proof.begin(first)
            proof.read(map(EntryRow._make, rows[1:]))
        else:
            proof.read(map(EntryRow._make, rows))
    if not begun and reached is not None:
        findings.add(
            Promise.GAP, f"{jackpot.code}/{reached.seq}", "the entry that was proven the last time", reached.seq, "none"
        )
    # Unless the span cut this look short: then the rest is read by the next one.
    elif proof.seq < jackpot.last_seq and proof.entries < SPAN - AT_ONCE:
        findings.add(Promise.GAP, f"{jackpot.code}/{jackpot.last_seq}", "the last entry", jackpot.last_seq, proof.seq)
    return proof
