"""The files beside an export: what a stranger needs to check their digests."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from datetime import UTC
from pathlib import Path
from typing import Any, Final

from jackpot.evidence.models import EvidenceFile
from jackpot.evidence.queries import kept_evidence
from jackpot.evidence.rules.evidence_file import EvidenceKind, name_in_export

FOLDER: Final = "evidence"


def evidence_lines(jackpot_ids: Collection[int] | None) -> Iterator[dict[str, Any]]:
    """One line a file: its digest, under which name it lies beside the export, and whose it is."""
    for file in kept_evidence(jackpot_ids).prefetch_related("uses"):
        yield {
            "line": "evidence", "sha256": file.sha256, "size": file.size,
            "file": name_in_export(file.sha256, EvidenceKind(file.kind)),
            "kept_at": file.kept_at.astimezone(UTC).isoformat(timespec="microseconds"),
            "requests": [{"request": use.request_id, "name": use.name} for use in file.uses.all()],
        }  # fmt: skip


def write_evidence(folder: Path, line: dict[str, Any]) -> None:
    """The file that a line names, whole or not at all."""
    folder.mkdir(exist_ok=True)
    path = folder / line["file"]
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(EvidenceFile.objects.get(pk=line["sha256"]).content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
