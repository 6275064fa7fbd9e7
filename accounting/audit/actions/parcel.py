"""The auditor's parcel: one ZIP with the books as they can be proven, and everything of a period beside them.

The books go whole, from the first entry on: a meter of a day rests on every day before it, and a proof that begins in
the middle proves nothing. `deploy/verify_books.py` reads the parcel without this product.
"""

from __future__ import annotations

import hashlib
import zipfile
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, date, timedelta
from pathlib import Path
from typing import Any, Final

import orjson
from django.conf import settings
from django.db.models import Sum
from django.utils import timezone

from accounting.audit.queries.sections import SECTIONS, ParcelPeriod, evidence_in, jackpot_codes
from jackpot.books.models.jackpot import Jackpot
from jackpot.evidence.models import EvidenceFile
from jackpot.evidence.queries import FOLDER
from jackpot.evidence.rules.evidence_file import EvidenceKind, name_in_export
from jackpot.proof.queries import Progress, one_moment
from jackpot.property.models.property import Property
from jackpot.property.rules.gaming_day import start_of
from tables.rounds.queries.prove_file import export

FORMAT: Final = "fairmeter parcel 1"
BOOKS: Final = "books"
MANIFEST: Final = "manifest.json"
TELLS_EVERY: Final = 500
LISTED: Final = orjson.OPT_INDENT_2 | orjson.OPT_APPEND_NEWLINE


@dataclass(frozen=True, slots=True)
class WrittenParcel:
    """What was written: the manifest with its sections, and its digest, by which the parcel is known."""

    manifest: dict[str, Any]
    sha256: str
    size: int

    @property
    def lines(self) -> int:
        return sum(section["lines"] for section in self.manifest["sections"])


def parcel_period(house: Property, first: date, last: date) -> ParcelPeriod:
    """The days as moments, by the clock of the house."""
    begins, ends = (start_of(day, house.time_zone, house.day_roll_minutes) for day in (first, last + timedelta(days=1)))
    return ParcelPeriod(house, first, last, begins, ends)


def write_parcel(period: ParcelPeriod, path: Path, *, made_by: str, progress: Progress | None = None) -> WrittenParcel:
    """Everything from one moment; the finished file takes its name whole."""
    # What breaks off on the way never bears the name of a whole parcel.
    draft = path.with_name(f".{path.name}.part")
    path.parent.mkdir(parents=True, exist_ok=True)
    try:
        with zipfile.ZipFile(draft, "w", zipfile.ZIP_DEFLATED) as parcel:
            text, manifest = _written(period, parcel, made_by, progress or (lambda *_: None))
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
    return WrittenParcel(manifest, hashlib.sha256(text).hexdigest(), path.stat().st_size)


def _written(
    period: ParcelPeriod, parcel: zipfile.ZipFile, made_by: str, progress: Progress
) -> tuple[bytes, dict[str, Any]]:
    codes = jackpot_codes(period.house)
    told: list[dict[str, Any]] = []
    # One snapshot for all sections: a win, its slip and its entry are told as of the same instant.
    with one_moment():
        of = Jackpot.objects.filter(premises=period.house).aggregate(entries=Sum("last_seq"))["entries"] or 0
        told.append(_section(parcel, BOOKS, export(jackpot_codes=codes), _teller(progress, BOOKS, of)))
        _add_evidence(parcel, period)
        told += [_section(parcel, each.name, each.lines(period), _teller(progress, each.name, of)) for each in SECTIONS]
    manifest = {
        "format": FORMAT, "house": period.house.code, "first": period.first.isoformat(),
        "last": period.last.isoformat(), "made_at": timezone.now().astimezone(UTC).isoformat(), "made_by": made_by,
        "program": settings.PROGRAM, "sections": told,
    }  # fmt: skip
    # Last, when every section has its digest: the digest of this text stands for the whole parcel.
    text = orjson.dumps(manifest, option=LISTED)
    parcel.writestr(MANIFEST, text)
    return text, manifest


def _add_evidence(parcel: zipfile.ZipFile, period: ParcelPeriod) -> None:
    """The files beside the lines that tell their digests, one at a time: each may have some megabytes."""
    for row in evidence_in(period):
        content = EvidenceFile.objects.values_list("content", flat=True).get(pk=row.pk)
        parcel.writestr(f"{FOLDER}/{name_in_export(row.sha256, EvidenceKind(row.kind))}", bytes(content))


def _teller(progress: Progress, part: str, of: int) -> Callable[[int], None]:
    return lambda done: progress(part, done, of)


def _section(
    parcel: zipfile.ZipFile, name: str, lines: Iterable[dict[str, Any]], tell: Callable[[int], None]
) -> dict[str, Any]:
    """One file of the parcel, streamed; the manifest keeps how many lines it has and the digest of its bytes."""
    digest, count = hashlib.sha256(), 0
    # The size is not known while it is streamed, and books of years may pass 4 GiB.
    with parcel.open(f"{name}.jsonl", "w", force_zip64=True) as file:
        for text in _texts(lines):
            file.write(text)
            digest.update(text)
            count += 1
            if count % TELLS_EVERY == 0:
                tell(count)
    return {"section": name, "file": f"{name}.jsonl", "lines": count, "sha256": digest.hexdigest()}


def _texts(lines: Iterable[dict[str, Any]]) -> Iterator[bytes]:
    for line in lines:
        yield orjson.dumps(line, option=orjson.OPT_APPEND_NEWLINE)
