"""Files that a request or a hit rests on: each is still what its digest says."""

from __future__ import annotations

from typing import Final

from django.db import connection

from jackpot.proof.rules.findings import Findings, Promise

# The database adds it up where it lies: contents of some megabytes do not travel for a comparison.
CHANGED: Final = """
SELECT f.sha256, encode(sha256(f.content), 'hex'), coalesce(string_agg(DISTINCT u.name, ', '), 'no request')
  FROM jackpot_evidencefile f
  LEFT JOIN (SELECT file_id, name FROM jackpot_requestevidence
             UNION ALL SELECT file_id, name FROM jackpot_roundevidence) u ON u.file_id = f.sha256
 WHERE encode(sha256(f.content), 'hex') <> f.sha256 GROUP BY f.sha256, f.content ORDER BY f.sha256
"""


def prove_evidence(findings: Findings) -> None:
    with connection.cursor() as cursor:
        cursor.execute(CHANGED)
        for digest, instead, names in cursor.fetchall():
            findings.add(Promise.EVIDENCE, f"evidence {digest[:12]}", names, digest, instead)
