"""The proof of the whole house: every jackpot's books, and every round against its entries."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, Final

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import units_of
from jackpot.proof.actions import Progress, ProofReport, one_moment, prove_jackpots
from jackpot.proof.actions.database import jackpots_named, stream, versions_of
from jackpot.proof.rules.findings import Findings
from jackpot.proof.rules.proof import KnownVersion
from tables.floor.models.table import Table
from tables.rounds.models.round import Round
from tables.rounds.rules.proof import EntryFound, RoundFound, check_round

ROUNDS: Final = """
SELECT r.table_id, r.number, 0, r.revision, r.seats, r.wager, r.state, r.entries, r.request
  FROM tables_round r ORDER BY r.table_id, r.number
"""
ENTRIES: Final = """
SELECT coalesce(t.id, 0) AS at, e.round_number, 1, e.jackpot_id, e.seq, e.kind, e.key, e.contributed, e.corrects,
       e.request, e.version_id, e.table_code
  FROM jackpot_entry e LEFT JOIN tables_table t ON t.code = e.table_code
 WHERE e.round_number IS NOT NULL AND e.jackpot_id = ANY(%s) ORDER BY at, e.round_number, e.jackpot_id, e.seq
"""
EACH: Final = 20_000
Found = tuple[Any, ...]


def prove(*, jackpot_codes: Collection[str] | None = None, progress: Progress | None = None) -> ProofReport:
    """Proves the books of these jackpots, or of all, and the rounds that fed them. Findings never stop it."""
    verdict = ProofReport()
    with one_moment():
        jackpots = jackpots_named(jackpot_codes)
        prove_jackpots(jackpots, verdict, progress, every=jackpot_codes is None)
        prove_rounds(jackpots, verdict, progress)
    return verdict


def prove_rounds(jackpots: Sequence[Jackpot], verdict: ProofReport, progress: Progress | None = None) -> None:
    """Lays rounds and entries side by side, in the order of tables and round numbers."""
    codes = dict(Jackpot.objects.values_list("id", "code"))
    tables = dict(Table.objects.values_list("id", "code"))
    versions = _versions(jackpots)
    scope = {jackpot.code for jackpot in jackpots}
    there = Round.objects.count()
    for (table_id, number), rows in _side_by_side([jackpot.id for jackpot in jackpots]):
        found = list(rows)
        table = tables.get(table_id) or (found[0][-1] if found[0][2] else f"table {table_id}")
        round_ = _round(found[0], table, codes) if found[0][2] == 0 else None
        entries = [_entry(row, codes, versions) for row in found if row[2] == 1]
        check_round(f"{table}/{number}", round_, entries, scope, verdict.findings)
        verdict.rounds += round_ is not None
        if progress is not None and verdict.rounds % EACH == 0:
            progress("rounds", verdict.rounds, there)
    if progress is not None:
        progress("rounds", verdict.rounds, there)


def _side_by_side(jackpot_ids: Sequence[int]) -> Iterator[tuple[tuple[int, int], Iterator[Found]]]:
    rounds = (row for rows in stream(ROUNDS, []) for row in rows)
    entries = (row for rows in stream(ENTRIES, [list(jackpot_ids)]) for row in rows)
    return groupby(heapq.merge(rounds, entries, key=itemgetter(0, 1, 2)), key=itemgetter(0, 1))


def _versions(jackpots: Sequence[Jackpot]) -> dict[int, KnownVersion]:
    told_already = Findings()
    return {int(id_): version for jackpot in jackpots for id_, version in versions_of(jackpot, told_already).items()}


def _round(row: Found, table: str, codes: Mapping[int, str]) -> RoundFound:
    _, number, _, revision, seats, wager, state, listed, request = row
    entries = tuple(_named(pair, codes) for pair in listed.split())
    return RoundFound(table, number, revision, seats, units_of(wager), state, entries, bytes(request))


def _named(pair: str, codes: Mapping[int, str]) -> str:
    """ "1/88213" as people say it: GRAND/88213."""
    jackpot_id, _, seq = pair.partition("/")
    code = codes.get(int(jackpot_id)) if jackpot_id.isdecimal() else None
    return f"{code or '#' + jackpot_id}/{seq}"


def _entry(row: Found, codes: Mapping[int, str], versions: Mapping[int, KnownVersion]) -> EntryFound:
    _, _, _, jackpot_id, seq, kind, key, contributed, corrects, request, version_id, _ = row
    version = versions.get(version_id)
    return EntryFound(
        codes[jackpot_id], seq, kind, key, units_of(contributed), corrects, bytes(request), version and version.terms
    )
