"""The heads that were published: read back, and judged by their signature."""

from __future__ import annotations

import hmac
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from django.conf import settings

from jackpot.proof.rules.findings import Findings, Promise
from jackpot.proof.rules.heads import NotAHead, SignedHead, read_head

FILE_NAME: Final = "heads.jsonl"


def heads_path() -> Path:
    return Path(settings.DATA_DIR) / FILE_NAME


def heads_key() -> bytes:
    """Drawn from the file key, so that a line cannot be forged with the database alone."""
    return hmac.digest(settings.MASTER_KEY, b"heads", "sha256")


def published_heads(findings: Findings, came_back: Sequence[Path] = ()) -> Iterator[SignedHead]:
    """Every head published so far, and those that came back from elsewhere; a line that is not ours is a finding."""
    # A house that has published nothing yet has no file, and that is no finding.
    for path in (*([heads_path()] if heads_path().exists() else []), *came_back):
        yield from _heads_in(path, findings)


def _heads_in(path: Path, findings: Findings) -> Iterator[SignedHead]:
    key = heads_key()
    # A byte that is not ASCII makes a line that is not ours, and no end of the reading.
    with path.open(encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                yield read_head(line, key)
            except NotAHead as problem:
                findings.add(
                    Promise.PUBLISHED, f"{path.name} line {number}", "a published head", "a line signed here", problem
                )
