"""Reads the books out of the database for their proof: one snapshot, streamed, nothing held in memory but numbers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final

from django.db import connection, transaction

from jackpot.books.models.jackpot import Jackpot, Version
from jackpot.books.rules.movement import ACCOUNTS, Balances
from jackpot.books.rules.seal import microseconds
from jackpot.money import units_of
from jackpot.proof.queries.adjustments import acts_of, check_state
from jackpot.proof.queries.evidence import prove_evidence
from jackpot.proof.queries.heads import published_heads
from jackpot.proof.queries.house import clocks_of, payments_of, reading_of, receipts_of_jackpot, taxes_of
from jackpot.proof.queries.shown import check_shown, check_slips
from jackpot.proof.queries.streaming import stream
from jackpot.proof.queries.trail import prove_trail
from jackpot.proof.queries.verdict import Progress, ProofReport, Proven
from jackpot.proof.queries.versions import known_version
from jackpot.proof.queries.wins import note_coin_ins, wins_of
from jackpot.proof.rules.awards import AwardProof, CoinInOfHit
from jackpot.proof.rules.days import DayClock
from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.hits import Place
from jackpot.proof.rules.payments import check_payments
from jackpot.proof.rules.proof import JackpotProof, JackpotRow, KnownVersion, PublishedHead
from jackpot.proof.rules.receipts import check_receipts
from jackpot.proof.rules.signed import check_reading, check_signed
from jackpot.proof.rules.transfers import Sent, check_transfers
from jackpot.refusals import NotFound

Published = dict[str, dict[int, list[PublishedHead]]]

# The columns come as the sealed line spells them: PostgreSQL writes amounts of eight decimals as `stored_text` does.
ENTRIES: Final = f"""
SELECT seq, kind, key, (extract(epoch FROM occurred_at) * 1000000)::bigint, gaming_day::text, table_code,
       coalesce(round_number::text, ''), coalesce(win_id::text, ''), coalesce(corrects::text, ''), version_id::text,
       concat_ws(',', {", ".join(ACCOUNTS)}), concat_ws(',', {", ".join(f"{account}_after" for account in ACCOUNTS)}),
       encode(request, 'hex'), encode(seal, 'hex')
  FROM jackpot_entry WHERE jackpot_id = %s ORDER BY seq
"""


def prove(*, jackpot_codes: Collection[str] | None = None, progress: Progress | None = None) -> ProofReport:
    """Proves the books of these jackpots, or of all. Findings never stop it."""
    verdict = ProofReport()
    with one_moment():
        prove_jackpots(jackpots_named(jackpot_codes), verdict, progress, every=jackpot_codes is None)
    return verdict


def prove_jackpots(
    jackpots: Sequence[Jackpot],
    verdict: ProofReport,
    progress: Progress | None = None,
    *,
    every: bool = True,
    heads: Sequence[Path] = (),
) -> None:
    """Proves each jackpot in turn; `every` says that no other jackpot can have been published."""
    published = _published(verdict.findings, heads)
    transfers: list[Sent] = []
    for jackpot in jackpots:
        proven, sent = _prove_one(jackpot, published.pop(jackpot.code, {}), verdict.findings, progress)
        verdict.jackpots.append(proven)
        transfers += sent
    # Only now: a transfer is judged when the books of both sides have been read.
    check_transfers(transfers, {jackpot.code for jackpot in jackpots}, verdict.findings)
    prove_evidence(verdict.findings)
    # Slips and the trail are the house's: who asks for one jackpot asks for neither.
    if every:
        check_slips(verdict.findings)
        verdict.lines = prove_trail(verdict.findings)
        # What is left here was said of a jackpot whose row is gone: books and all were taken away.
        for code in sorted(published):
            verdict.findings.add(
                Promise.PUBLISHED, code, "published heads name this jackpot", "its books", "no such jackpot"
            )


@contextmanager
def one_moment() -> Iterator[None]:
    """Everything read inside is from one moment, however long the reading takes and whatever is posted meanwhile."""
    outermost = not connection.in_atomic_block
    with transaction.atomic(), connection.cursor() as cursor:
        if outermost:  # a test's transaction has begun already and holds still by itself
            cursor.execute("SET TRANSACTION ISOLATION LEVEL REPEATABLE READ, READ ONLY")
        # The sealed line spells days as ISO writes them, however this server is set up.
        cursor.execute("SELECT set_config('datestyle', 'ISO, YMD', true)")
        yield


def jackpots_named(codes: Collection[str] | None) -> list[Jackpot]:
    """These jackpots, or all; one that is not there is refused by its name."""
    if codes is None:
        return list(Jackpot.objects.order_by("id"))
    jackpots = list(Jackpot.objects.filter(code__in=codes).order_by("id"))
    missing = sorted(set(codes) - {jackpot.code for jackpot in jackpots})
    if missing:
        raise NotFound(f"There is no jackpot {missing[0]} here.", "no_jackpot")
    return jackpots


def _prove_one(
    jackpot: Jackpot, published: dict[int, list[PublishedHead]], findings: Findings, progress: Progress | None
) -> tuple[Proven, list[Sent]]:
    before = findings.total
    versions = versions_of(jackpot, findings)
    wins = wins_of(jackpot)
    places, coin_ins = {win.place for win in wins.values()}, dict[Place, list[CoinInOfHit]]()
    awards = AwardProof(jackpot.code, wins, versions, coin_ins, findings)
    proof = JackpotProof(jackpot.code, versions, published, findings, awards, DayClock(clocks_of(jackpot.premises)))
    for rows in stream(ENTRIES, [jackpot.id]):
        if places:
            note_coin_ins(coin_ins, places, rows)
        proof.read(rows)
        if progress is not None:
            progress(jackpot.code, proof.entries, jackpot.last_seq)
    proof.close(standing_of(jackpot))
    check_signed(jackpot.code, proof.kept, acts_of(jackpot), versions, findings)
    check_reading(jackpot.code, proof.kept, reading_of(jackpot), findings)
    check_state(jackpot, findings)
    check_shown(jackpot, versions, findings)
    about = wins, versions, taxes_of(jackpot.premises)
    payments = payments_of(jackpot)
    check_payments(jackpot.code, proof.kept, payments, about, findings)
    check_receipts(jackpot.code, proof.kept, receipts_of_jackpot(jackpot), payments, wins, findings)
    found = findings.total - before
    return Proven(jackpot.code, proof.entries, proof.seq, proof.seal, proof.balances, found), proof.transfers


def versions_of(jackpot: Jackpot, findings: Findings) -> dict[str, KnownVersion]:
    """By the id that entries hold."""
    rows = Version.objects.filter(jackpot=jackpot).order_by("number")
    return {
        str(id_): known_version(f"{jackpot.code} version {number}", terms, digest, findings)
        for id_, number, terms, digest in rows.values_list("id", "number", "terms", "digest")
    }


def standing_of(jackpot: Jackpot) -> JackpotRow:
    at = None if jackpot.last_at is None else microseconds(jackpot.last_at)
    balances = Balances(*(units_of(getattr(jackpot, account)) for account in ACCOUNTS))
    return JackpotRow(jackpot.last_seq, bytes(jackpot.seal).hex(), at, balances, units_of(jackpot.advance))


def _published(findings: Findings, heads: Sequence[Path]) -> Published:
    by_jackpot: Published = defaultdict(lambda: defaultdict(list))
    for head in published_heads(findings, heads):
        by_jackpot[head.jackpot][head.seq].append(PublishedHead(head.seal, head.meter))
    return by_jackpot
