"""The files beside an export: what a stranger needs to check their digests."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from jackpot.evidence.models import EvidenceFile


def write_evidence(folder: Path, line: dict[str, Any]) -> None:
    """The file that a line of the export names, whole or not at all."""
    folder.mkdir(exist_ok=True)
    path = folder / line["file"]
    draft = path.with_name(f".{path.name}.part")
    try:
        draft.write_bytes(EvidenceFile.objects.get(pk=line["sha256"]).content)
        draft.replace(path)
    finally:
        draft.unlink(missing_ok=True)
