"""The rolling proof: what is new every minute, everything once a day. What it finds stops that jackpot and rings."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Final

from django.utils import timezone

from jackpot.books.models.jackpot import Jackpot
from jackpot.books.models.went_back import WentBack
from jackpot.books.rules.high_water import HighWater
from jackpot.errands.rules import Rhythm
from jackpot.proof.actions.high_water import stop
from jackpot.proof.models import ProofReach
from jackpot.proof.queries.new_entries import prove_since
from jackpot.proof.rules.findings import Findings, ProofFinding
from jackpot.trail.actions.trail import record_once_a_minute
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

NEW: Final = Rhythm("prove what is new", every=timedelta(minutes=1), alarm_after=timedelta(minutes=5))
EVERYTHING: Final = Rhythm("prove everything", every=timedelta(days=1), alarm_after=timedelta(hours=6))
BY: Final = "the proof"
SERVER: Final = "Server"


def prove_what_is_new() -> Findings:
    """Jackpot by jackpot; how far it came stands in the database, so any worker goes on from there."""
    findings = Findings()
    reached = {each.jackpot_id: each for each in ProofReach.objects.all()}
    for jackpot in Jackpot.objects.filter(last_seq__gt=0).order_by("id"):
        known = reached.get(jackpot.pk)
        # A jackpot at rest costs this comparison and no more.
        if known is not None and (known.seq, bytes(known.seal)) == (jackpot.last_seq, bytes(jackpot.seal)):
            continue
        proof = prove_since(jackpot, known, findings)
        if proof.seq:
            now = {"seq": proof.seq, "seal": bytes.fromhex(proof.seal), "at": timezone.now()}
            ProofReach.objects.update_or_create(jackpot=jackpot, defaults=now)
    # After all of them: what is found of one keeps no other from being proven.
    stop_what_was_found(findings)
    return findings


def stop_what_was_found(findings: Findings) -> list[str]:
    """Nothing is posted on a jackpot that a finding names, until two people have accepted it. Returns their codes.

    What names no jackpot (a line of the trail, a file of evidence) stops none; it rings, thing by thing, while it is
    found.
    """
    first: dict[str, ProofFinding] = {}
    for each in findings.listed:
        # One sentence stops a jackpot; the others are found again by the whole proof.
        first.setdefault(_subject(each), each)
    jackpots = {jackpot.code: jackpot for jackpot in Jackpot.objects.filter(code__in=first)}
    for code, jackpot in jackpots.items():
        _stop(jackpot, first[code])
    _ring(each for subject, each in first.items() if subject not in jackpots)
    return sorted(jackpots)


def _stop(jackpot: Jackpot, finding: ProofFinding) -> None:
    """Once: what two people have accepted is found again every day, and stops nothing any more."""
    why = (
        f"The proof of {jackpot.code} found that {finding}. Nothing is counted, won or paid on it until two people say."
    )
    if not WentBack.objects.filter(jackpot=jackpot, why=why).exists():
        # Nothing is missing here: what is known and what is found are the same entry, and play goes on from it.
        seen = HighWater(b"", jackpot.last_seq, bytes(jackpot.seal), int(timezone.now().timestamp()))
        stop(jackpot_id=jackpot.pk, code=jackpot.code, mark=seen, found_seq=jackpot.last_seq, why=why, by=BY)


def _ring(findings: Iterable[ProofFinding]) -> None:
    for each in findings:
        about = ObjectRef(ObjectKind.PROOF, "rolling")
        record_once_a_minute(
            actor=SERVER, act="proof found", about=about, outcome="alarm", why=str(each), subject=each.where
        )


def _subject(finding: ProofFinding) -> str:
    """`GRAND/812`, `GRAND version 2`, `GRAND`: the code in front."""
    return finding.where.partition("/")[0].partition(" ")[0]
