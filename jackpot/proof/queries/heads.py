"""The heads that were published: read back, and judged by their signature."""

from __future__ import annotations

import hmac
from collections.abc import Iterator
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


def published_heads(findings: Findings) -> Iterator[SignedHead]:
    """Every head published so far; a line that is not one of ours is a finding."""
    path, key = heads_path(), heads_key()
    if not path.exists():
        return
    with path.open(encoding="ascii", errors="replace") as file:
        for number, line in enumerate(file, 1):
            try:
                yield read_head(line, key)
            except NotAHead as problem:
                findings.add(
                    Promise.PUBLISHED, f"{FILE_NAME} line {number}", "a published head", "a line signed here", problem
                )
