"""The chains of the trail, read out of the database for their proof."""

from __future__ import annotations

import json
from typing import Any, Final

from jackpot.proof.queries.streaming import stream
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.trail import ChainProof
from jackpot.property.models.property import Property
from jackpot.trail.rules.chain import ChainedLine

CHAINS: Final = """
SELECT s.chain, s.number, s.line, s.seal, t.id, (extract(epoch FROM t.at) * 1000000)::bigint, t.written_by, t.actor,
       t.person_id, t.act, t.object_kind, t.object_key, t.subject, t.outcome, t.why, t.details
  FROM jackpot_trailseal s LEFT JOIN jackpot_trail t ON t.id = s.line AND coalesce(t.premises_id, 0) = s.chain
 ORDER BY s.chain, s.number
"""
# Neither sealed nor waiting: somebody took it out of the queue. Waiting without a line: somebody took the line.
ASTRAY: Final = """
SELECT t.id, t.act, t.actor FROM jackpot_trail t
 WHERE NOT EXISTS (SELECT FROM jackpot_trailseal s WHERE s.line = t.id)
   AND NOT EXISTS (SELECT FROM jackpot_unsealedtrail u WHERE u.line = t.id)
UNION ALL
SELECT u.line, '', '' FROM jackpot_unsealedtrail u WHERE NOT EXISTS (SELECT FROM jackpot_trail t WHERE t.id = u.line)
 ORDER BY 1
"""


def prove_trail(findings: Findings) -> int:
    """Every chain from its first line; returns how many lines were read."""
    # Chain 0 holds the lines of the server, which belong to no house.
    houses = {0: "", **dict(Property.objects.values_list("pk", "code"))}
    proof, lines, at = ChainProof("", findings), 0, 0
    for rows in stream(CHAINS, []):
        for chain, number, line, seal, *said in rows:
            if chain != at:
                proof, at = ChainProof(houses.get(chain, f"{chain}, which is no house,"), findings), chain
            proof.read(number, line, _line_of(said), bytes(seal))
            lines += 1
    for rows in stream(ASTRAY, []):
        for line, act, actor in rows:
            told = f"line {line} of the trail ({act} by {actor})" if act else f"line {line} of the trail"
            found = "neither sealed nor waiting for it" if act else "only its place in the queue"
            findings.add(Promise.TRAIL, "trail", told, "a line and its seal", found)
    return lines


def _line_of(columns: list[Any]) -> ChainedLine | None:
    if columns[0] is None:
        return None
    *plain, details = columns
    return ChainedLine._make([*plain, json.loads(details) if isinstance(details, str) else details])
