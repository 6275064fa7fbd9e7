"""The figures above the trail: what was refused and taken home today, and how old the proof of the books is."""

from __future__ import annotations

import hashlib
import os
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from django.db import connection

from accounting.audit.models import AuditKind, AuditRun, AuditState
from jackpot.errands.models import Errand
from jackpot.proof.actions.heads import RHYTHM
from jackpot.proof.queries.heads import heads_path
from jackpot.proof.rules.heads import NotAHead, read_head
from jackpot.property.models.property import Property

TAIL: Final = 4_096
TODAY: Final = """
SELECT count(*) FILTER (WHERE outcome = 'refused') AS refused,
       count(*) FILTER (WHERE outcome = 'locked') AS locked,
       count(*) FILTER (WHERE outcome = 'wrong') AS wrong,
       count(*) FILTER (WHERE act LIKE 'export%%' OR act IN ('make_parcel', 'take_parcel')) AS exports,
       count(*) FILTER (WHERE act = 'print_page' AND details ->> 'copy' LIKE 'REPRINT%%') AS reprints,
       count(*) FILTER (WHERE act = 'look') AS looks, count(*) AS lines
  FROM jackpot_trail
 WHERE (premises_id IS NULL OR premises_id = %(house)s) AND at >= %(begins)s
"""


@dataclass(frozen=True, slots=True)
class PublishedTail:
    """The file of published heads: how long it is, and its last line, by which a copy elsewhere is compared."""

    size: int
    sha256: str
    jackpot: str
    seq: int
    at: str


@dataclass(frozen=True, slots=True)
class AuditFigures:
    """What an auditor looks at first."""

    today: dict[str, int]
    proof: AuditRun | None
    proving: AuditRun | None
    head: PublishedTail | None
    published_at: datetime | None


def audit_figures(house: Property, begins: datetime) -> AuditFigures:
    with connection.cursor() as cursor:
        cursor.execute(TODAY, {"house": house.pk, "begins": begins})
        names = [column[0] for column in cursor.description or ()]
        row: tuple[Any, ...] | None = cursor.fetchone()
        assert row is not None, "counts have a row"
    errand = Errand.objects.filter(code=RHYTHM.code).first()
    return AuditFigures(
        dict(zip(names, row, strict=True)), last_proof(house), proof_under_way(house), published_tail(),
        None if errand is None else errand.done_at,
    )  # fmt: skip


def runs_of(house: Property, kind: AuditKind) -> Any:
    return AuditRun.objects.filter(premises=house, kind=kind).select_related("asked_by", "premises").order_by("-id")


def last_proof(house: Property) -> AuditRun | None:
    found: AuditRun | None = runs_of(house, AuditKind.PROOF).filter(state=AuditState.DONE).first()
    return found


def proof_under_way(house: Property) -> AuditRun | None:
    waiting = (AuditState.ASKED, AuditState.WORKING)
    found: AuditRun | None = runs_of(house, AuditKind.PROOF).filter(state__in=waiting).first()
    return found


def published_tail() -> PublishedTail | None:
    """The last whole line of the file; nothing where nothing was published yet."""
    line = _last_line(heads_path())
    if not line:
        return None
    try:
        head = read_head(line.decode("ascii", "replace"))
    except NotAHead:
        return None
    return PublishedTail(heads_path().stat().st_size, hashlib.sha256(line).hexdigest(), head.jackpot, head.seq, head.at)


def _last_line(path: Path) -> bytes:
    if not path.exists():
        return b""
    with path.open("rb") as file:
        end = file.seek(0, os.SEEK_END)
        # From the end alone: the file holds every head that was ever published.
        file.seek(max(end - TAIL, 0))
        lines = file.read().split(b"\n")
    # The last part is what stands behind the last line end: nothing, or a line that is being written.
    return lines[-2] if len(lines) > 1 else b""
