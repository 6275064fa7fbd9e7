"""What a refused act must leave as it was: one digest over everything that counts, asked of the database itself."""

from __future__ import annotations

from django.db import connection

# Wrong PINs and the trail are no part of it: what was refused is counted and told.
KEPT = (
    "jackpot_jackpot", "jackpot_win", "jackpot_signature", "jackpot_slipcounter", "jackpot_request",
    "jackpot_requestentry", "jackpot_adjustment", "jackpot_termschange", "jackpot_version", "jackpot_keyregister",
    "jackpot_property", "jackpot_authoritychange",
    "tables_table", "tables_link", "tables_furtherwager", "tables_round", "tables_furthercoinin",
    "tables_roundentry", "tables_keptback", "tables_opencase", "tables_roundcards",
)  # fmt: skip
EACH = " UNION ALL ".join(f"SELECT '{table}' || row::text FROM {table} AS row" for table in KEPT)
DIGEST = f"""
SELECT (SELECT count(*) FROM jackpot_entry), md5(string_agg(line, ' ' ORDER BY line)) FROM ({EACH}) AS kept(line)
"""


def digest() -> tuple[int, str]:
    """How many entries there are, and the digest of every row beside them."""
    with connection.cursor() as cursor:
        cursor.execute(DIGEST)
        entries, rows = cursor.fetchone()
    return int(entries), str(rows)
