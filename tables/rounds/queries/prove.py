"""The proof of the whole house: every jackpot's books, every round against its entries, every banked hand."""

from __future__ import annotations

import heapq
from collections.abc import Collection, Iterator, Mapping, Sequence
from decimal import Decimal
from itertools import groupby
from operator import itemgetter
from pathlib import Path
from typing import Any, Final, NamedTuple

import orjson

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money, units_of
from jackpot.proof.queries import Progress, ProofReport, one_moment, prove_jackpots
from jackpot.proof.queries.database import jackpots_named, versions_of
from jackpot.proof.queries.streaming import stream
from jackpot.proof.rules.findings import Findings
from jackpot.proof.rules.proof import KnownVersion
from tables.floor.models.table import Table
from tables.rounds.models.round import Round
from tables.rounds.queries.told_hands import hand_lines, judge_hands
from tables.rounds.rules.proof import EntryFound, FurtherFound, RoundFound, check_round

# Code, chip, seats and jackpots of each further wager in a round r, as it counts now.
FURTHER_PLAYED: Final = """(
  SELECT jsonb_agg(jsonb_build_array(f.wager, f.chip::text, f.seats, f.jackpots) ORDER BY f.place)::text
    FROM tables_furthercoinin f
   WHERE f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision)"""
# A round comes once for each jackpot that it is counted on now, or once with none.
ROUNDS: Final = f"""
SELECT r.table_id, r.number, 0, r.revision, r.seats, r.wager, r.state, r.request, r.gaming_day::text,
       r.kept_back, {FURTHER_PLAYED}, e.jackpot_id, e.seq
  FROM tables_round r
  LEFT JOIN tables_roundentry e ON e.table_id = r.table_id AND e.number = r.number AND e.revision = r.revision
 ORDER BY r.table_id, r.number, e.level
"""
ENTRIES: Final = """
SELECT coalesce(t.id, 0) AS at, e.round_number, 1, e.table_code, e.jackpot_id, e.seq, e.kind, e.key, e.contributed,
       e.corrects, e.request, e.version_id, e.gaming_day::text
  FROM jackpot_entry e LEFT JOIN tables_table t ON t.code = e.table_code
 WHERE e.round_number IS NOT NULL AND e.jackpot_id = ANY(%s) ORDER BY at, e.round_number, e.jackpot_id, e.seq
"""
EACH: Final = 20_000


class ListedRow(NamedTuple):
    """A round and one of the entries that it says it is counted on."""

    table_id: int
    number: int
    side: int
    revision: int
    seats: str
    wager: Decimal
    state: str
    request: bytes
    day: str
    kept_back: str
    further: str | None
    jackpot_id: int | None
    seq: int | None


class EnteredRow(NamedTuple):
    """An entry that names a round; `table_id` is 0 where there is no such table."""

    table_id: int
    number: int
    side: int
    table_code: str
    jackpot_id: int
    seq: int
    kind: str
    key: str
    contributed: Decimal
    corrects: int | None
    request: bytes
    version_id: int
    day: str


def prove(
    *, jackpot_codes: Collection[str] | None = None, progress: Progress | None = None, heads: Sequence[Path] = ()
) -> ProofReport:
    """Proves the books of these jackpots, or of all, and the rounds that fed them. Findings never stop it.

    `heads` are files of heads that were sent away and came back.
    """
    verdict = ProofReport()
    # Rounds and entries of the same moment, or a coin-in that is posted meanwhile would look like a finding.
    with one_moment():
        jackpots = jackpots_named(jackpot_codes)
        prove_jackpots(jackpots, verdict, progress, every=jackpot_codes is None, heads=heads)
        prove_rounds(jackpots, verdict, progress)
        if jackpot_codes is None:
            judge_hands(hand_lines(), verdict.findings)
    return verdict


def prove_rounds(jackpots: Sequence[Jackpot], verdict: ProofReport, progress: Progress | None = None) -> None:
    """Lays rounds and entries side by side, in the order of tables and round numbers."""
    codes = dict(Jackpot.objects.values_list("id", "code"))
    tables = dict(Table.objects.values_list("id", "code"))
    versions = _versions(jackpots)
    scope = {jackpot.code for jackpot in jackpots}
    there = Round.objects.count()
    for (table_id, number), rows in _side_by_side([jackpot.id for jackpot in jackpots]):
        listed: list[ListedRow] = []
        entered: list[EnteredRow] = []
        for row in rows:
            listed.append(row) if isinstance(row, ListedRow) else entered.append(row)
        table = tables.get(table_id) or (entered[0].table_code if entered else f"table {table_id}")
        round_ = _round(listed, table, codes) if listed else None
        entries = [_entry(row, codes, versions) for row in entered]
        check_round(f"{table}/{number}", round_, entries, scope, verdict.findings)
        verdict.rounds += round_ is not None
        if progress is not None and verdict.rounds % EACH == 0:
            progress("rounds", verdict.rounds, there)
    if progress is not None:
        progress("rounds", verdict.rounds, there)


def _side_by_side(jackpot_ids: Sequence[int]) -> Iterator[tuple[tuple[int, int], Iterator[ListedRow | EnteredRow]]]:
    listed = (ListedRow._make(row) for rows in stream(ROUNDS, []) for row in rows)
    entered = (EnteredRow._make(row) for rows in stream(ENTRIES, [list(jackpot_ids)]) for row in rows)
    # Two streams in one order: a house of millions of rounds is proved without holding more than one of them.
    return groupby(heapq.merge(listed, entered, key=itemgetter(0, 1, 2)), key=itemgetter(0, 1))


def _versions(jackpots: Sequence[Jackpot]) -> dict[int, KnownVersion]:
    told_already = Findings()
    return {int(id_): version for jackpot in jackpots for id_, version in versions_of(jackpot, told_already).items()}


def _round(listed: Sequence[ListedRow], table: str, codes: Mapping[int, str]) -> RoundFound:
    row = listed[0]
    entries = tuple(f"{codes.get(jackpot_id, f'#{jackpot_id}')}/{seq}" for *_, jackpot_id, seq in listed if jackpot_id)
    wager, request = units_of(row.wager), bytes(row.request)
    facts = (row.number, row.revision, row.seats, wager, row.state, entries, request, row.day, row.kept_back)
    return RoundFound(table, *facts, further=tuple(_further(each, codes) for each in orjson.loads(row.further or "[]")))


def _further(told: list[Any], codes: Mapping[int, str]) -> FurtherFound:
    wager, chip, seats, fed = told
    return FurtherFound(wager, Money.of(chip).units, seats, tuple(codes.get(id_, f"#{id_}") for id_ in fed))


def _entry(row: EnteredRow, codes: Mapping[int, str], versions: Mapping[int, KnownVersion]) -> EntryFound:
    version, contributed = versions.get(row.version_id), units_of(row.contributed)
    terms = version and version.terms
    return EntryFound(
        codes[row.jackpot_id],
        row.seq,
        row.kind,
        row.key,
        contributed,
        row.corrects,
        bytes(row.request),
        terms,
        row.day,
    )
