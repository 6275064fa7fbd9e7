"""Evidence of a hit: added to its round with a late claim or an override, or afterwards; taken home. Nothing else."""

from __future__ import annotations

from typing import Final

from django.db import transaction

from jackpot.evidence.actions.keep import MOST_FILES, file_of, one_after_another
from jackpot.evidence.models import RoundEvidence
from jackpot.evidence.queries import evidence_of_round
from jackpot.evidence.rules.evidence_file import EvidenceUpload
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.wins.queries.of_round import wins_of
from jackpot.wins.rules.round_ref import RoundRef

ADDERS: Final = frozenset({"verify", "approve", "adjust", "sign_adjustments", "camera"})


@transaction.atomic
def add_to_round(*, place: RoundRef, upload: EvidenceUpload, by: Operator) -> RoundEvidence:
    """Whoever judges hits, adjusts, or sits at the cameras adds what proves one, also after it was settled."""
    check_works_here(by)
    if by.verbs().isdisjoint(ADDERS):
        raise NotAllowed(f"{by} may not add evidence to a hit. Whoever approves hits adds it.", "role")
    if not wins_of(place).exists():
        where = f"Round {place.round_number} at {place.table_code}"
        raise NotAllowedNow(f"{where} has no hit. Open the claim first, or add the file to a request.", "no_hit")
    return attach_to_round(place=place, upload=upload, by=by)


def attach_to_round(*, place: RoundRef, upload: EvidenceUpload, by: Operator) -> RoundEvidence:
    """Inside the act that claims, overrides or adds: the content once, its use in this round once."""
    # No row is the round's alone, so its name is held: the twentieth file is counted once.
    one_after_another(f"round {place}")
    standing = evidence_of_round(place)
    found = standing.filter(file_id=upload.sha256).first()
    if found is not None:
        return found
    if standing.count() >= MOST_FILES:
        why = f"Round {place} has {MOST_FILES} files already. Join what belongs together in one."
        raise NotAllowedNow(why, "many")
    row = RoundEvidence.objects.create(
        table_code=place.table_code, round_number=place.round_number, file=file_of(upload, by),
        name=upload.name, added_by=by, added_by_name=str(by)[:100],
    )  # fmt: skip
    _note(row, by, "add_evidence")
    return row


@transaction.atomic
def take_from_round(*, row: RoundEvidence, by: Operator) -> None:
    """Somebody takes the file to look at it, and the trail says so."""
    _note(row, by, "look_at_evidence")


def check_round_evidence(place: RoundRef, house: Property, what: str, upload: EvidenceUpload | None = None) -> None:
    """Where the house asks for a file, two people's word on a hit rests on one."""
    if house.evidence_files and upload is None and not evidence_of_round(place).exists():
        raise NotAllowedNow(f"{what} has no file of evidence, and this house asks for one. Add it first.", "file")


def _note(row: RoundEvidence, by: Operator, act: str) -> None:
    details = {"file": row.name, "sha256": row.file_id, "size": row.file.size}
    record(actor=by, act=act, about=objects.round_played(row.table_code, row.round_number), details=details)
