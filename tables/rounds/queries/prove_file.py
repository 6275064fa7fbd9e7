"""Rounds of an exported file: written for it, and judged from it. They are held in memory, some 700 bytes a round."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from itertools import chain, islice
from pathlib import Path
from typing import Any, Final

from django.contrib.postgres.expressions import ArraySubquery
from django.db.models import Exists, OuterRef, QuerySet

from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.evidence.queries import FOLDER, evidence_lines, kept_evidence
from jackpot.money import Money, stored_text, units_of
from jackpot.proof.queries import Progress, ProofReport, one_moment
from jackpot.proof.queries.database import jackpots_named
from jackpot.proof.queries.export import (
    Line,
    act_lines,
    entry_lines,
    opening_lines,
    payment_lines,
    receipt_lines,
    win_lines,
)
from jackpot.proof.queries.file import COUNTED, FileProof, Plain
from jackpot.proof.rules.proof import EntryRow, KnownVersion
from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.models.round import Round, RoundEntry
from tables.rounds.queries.played import fetch_further
from tables.rounds.queries.told_hands import hand_lines, judge_hands
from tables.rounds.rules.proof import EntryFound, FurtherFound, RoundFound, check_round

EACH: Final = 20_000
COUNTED_ON: Final = RoundEntry.objects.filter(
    table_id=OuterRef("table_id"), number=OuterRef("number"), revision=OuterRef("revision")
)
Name = tuple[str, int]


def export(*, jackpot_codes: Collection[str] | None = None, with_evidence: bool = False) -> Iterator[Line]:
    """The books of these jackpots, or of all, with the rounds that fed them: from one moment, line by line.

    With evidence the lines name files that whoever writes the export puts beside it.
    """
    counts = dict.fromkeys(COUNTED, 0)
    with one_moment():
        jackpots = jackpots_named(jackpot_codes)
        ids = None if jackpot_codes is None else [jackpot.pk for jackpot in jackpots]
        evidence = evidence_lines(kept_evidence(ids)) if with_evidence else ()
        for line in chain(_lines(jackpots, every=jackpot_codes is None), evidence):
            if line["line"] in counts:
                counts[line["line"]] += 1
            yield line
    yield {"line": "end", **counts}


def prove_file(
    path: Path, *, jackpot_codes: Collection[str] | None = None, progress: Progress | None = None
) -> ProofReport:
    """Proves an export without our database. Findings never stop it."""
    proof = FileProof(RoundsOfFile(), jackpot_codes, path.parent / FOLDER)
    size, done = path.stat().st_size, 0
    with path.open("rb") as file:
        for number, text in enumerate(file, 1):
            proof.take(number, text)
            done += len(text)
            if progress is not None and number % EACH == 0:
                progress(path.name, done, size)
    if progress is not None:
        progress(path.name, done, size)
    return proof.finish()


class RoundsOfFile:
    """Holds rounds and the entries that name them until the file has been read."""

    def __init__(self) -> None:
        # In a file rounds come before entries and in another order, so they are laid side by side only at its end.
        self._rounds: dict[Name, RoundFound] = {}
        self._entries: dict[Name, list[EntryFound]] = defaultdict(list)
        self._hands: list[dict[str, Any]] = []

    def hand(self, plain: Plain) -> None:
        self._hands.append(dict(plain))

    def round(self, plain: Plain) -> None:
        name = (plain["table"], plain["number"])
        self._rounds[name] = RoundFound(
            *name, plain["revision"], plain["seats"], Money.of(plain["wager"]).units, plain["state"],
            tuple(plain["entries"]), bytes.fromhex(plain["request"]), plain["gaming_day"], plain.get("kept_back", ""),
            tuple(_further_found(**each) for each in plain.get("further", ())),
        )  # fmt: skip

    def entry(self, plain: Plain, row: EntryRow, version: KnownVersion | None) -> None:
        self._entries[row.table, plain["round"]].append(
            EntryFound(
                plain["jackpot"], row.seq, row.kind, row.key, Money.of(plain["movement"][0]).units, plain["corrects"],
                bytes.fromhex(row.request), version and version.terms, row.day,
            )
        )  # fmt: skip

    def finish(self, scope: Collection[str], verdict: ProofReport) -> None:
        for name in sorted(self._rounds.keys() | self._entries.keys()):
            entries = self._entries.get(name, [])
            check_round(f"{name[0]}/{name[1]}", self._rounds.get(name), entries, scope, verdict.findings)
        verdict.rounds = len(self._rounds)
        judge_hands(self._hands, verdict.findings)


def _further_found(wager: str, chip: str, seats: str, jackpots: Sequence[str]) -> FurtherFound:
    return FurtherFound(wager, Money.of(chip).units, seats, tuple(jackpots))


def _lines(jackpots: Sequence[Jackpot], *, every: bool) -> Iterator[Line]:
    yield from opening_lines(jackpots)
    codes = dict(Jackpot.objects.values_list("id", "code"))
    rounds = _rounds_of(jackpots, every=every).iterator(chunk_size=2_000)
    while chunk := list(islice(rounds, 2_000)):
        fetch_further(chunk)
        for round_ in chunk:
            yield _round_line(round_, codes)
    if every:
        yield from hand_lines()
    yield from win_lines(jackpots)
    yield from act_lines(jackpots)
    yield from payment_lines(jackpots)
    yield from receipt_lines(jackpots)
    for jackpot in jackpots:
        yield from entry_lines(jackpot)


def _rounds_of(jackpots: Sequence[Jackpot], *, every: bool) -> QuerySet[Any]:
    """Each with the jackpots and numbers of the entries that it is counted on now."""
    listed = COUNTED_ON.order_by("level")
    rounds = Round.objects.select_related("table").order_by("table_id", "number")
    rounds = rounds.annotate(
        jackpots=ArraySubquery(listed.values("jackpot_id")), seqs=ArraySubquery(listed.values("seq"))
    )
    if every:
        return rounds
    ids = [jackpot.id for jackpot in jackpots]
    naming = Entry.objects.filter(
        jackpot_id__in=ids, table_code=OuterRef("table__code"), round_number=OuterRef("number")
    )
    return rounds.filter(Exists(COUNTED_ON.filter(jackpot_id__in=ids)) | Exists(naming))


def _round_line(round_: Any, codes: dict[int, str]) -> Line:
    listed = [codes.get(id_, f"#{id_}") for id_ in round_.jackpots]
    return {
        "line": "round", "table": round_.table.code, "number": round_.number, "revision": round_.revision,
        "seats": round_.seats, "wager": stored_text(units_of(round_.wager)), "state": round_.state,
        "entries": [f"{code}/{seq}" for code, seq in zip(listed, round_.seqs, strict=True)],
        "gaming_day": round_.gaming_day.isoformat(), "opened_at": round_.opened_at.isoformat(),
        "request": bytes(round_.request).hex(), "kept_back": round_.kept_back,
        **({"further": [_further_line(each, codes) for each in round_.further]} if round_.further else {}),
    }  # fmt: skip


def _further_line(played: FurtherCoinIn, codes: dict[int, str]) -> Line:
    """Only where somebody played a further wager, so that a round of one wager reads as it always did."""
    return {
        "wager": played.wager, "chip": stored_text(played.chip_money.units), "seats": played.seats,
        "jackpots": [codes.get(id_, f"#{id_}") for id_ in played.jackpots],
    }  # fmt: skip
