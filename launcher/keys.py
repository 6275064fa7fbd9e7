"""The file key: one secret outside the database, from which each purpose draws its own."""

from __future__ import annotations

import contextlib
import hmac
import os
import secrets
from pathlib import Path

FILE_NAME = "fairmeter.key"


def make_key_file(folder: Path) -> Path:
    """Makes the key file once; a second starter finds the first one's."""
    path = folder / FILE_NAME
    if path.exists():
        return path
    draft = folder / f".{FILE_NAME}.{secrets.token_hex(4)}"
    draft.touch(mode=0o600)
    draft.write_text(secrets.token_hex(32))
    with contextlib.suppress(FileExistsError):
        os.link(draft, path)  # whole or not at all: a reader never meets a half-written key
    draft.unlink()
    return path


def read_master(folder: Path) -> bytes:
    """The key of this installation; without a file (checks, type checker) one for this run only."""
    path = Path(os.environ.get("FAIRMETER_KEY_FILE") or folder / FILE_NAME)
    if path.is_file():
        return bytes.fromhex(path.read_text().strip())
    return secrets.token_bytes(32)


def drawn(master: bytes, purpose: str) -> bytes:
    return hmac.digest(master, purpose.encode(), "sha256")
