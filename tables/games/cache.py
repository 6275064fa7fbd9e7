"""Long calculations kept in a folder that the caller names: instant the second time, never stale."""

import json
import os
import tempfile
from collections.abc import Callable
from pathlib import Path
from typing import Any, TypeVar

Answer = TypeVar("Answer")


def remembered(
    folder: Path | None,
    name: str,
    digest: str,
    *,
    calculate: Callable[[], Answer],
    plain: Callable[[Answer], Any],
    from_plain: Callable[[Any], Answer],
) -> Answer:
    """The answer from the folder if it was calculated from the same sealed input, otherwise calculated and kept.

    A file that cannot be read is calculated anew: it is only a memory, never a source.
    """
    # The seal is in the name too: two versions of a table are kept side by side.
    path = folder / f"{name}-{digest[:16]}.json" if folder else None
    if path and path.exists():
        try:
            kept = json.loads(path.read_text(encoding="ascii"))
            if kept["digest"] == digest:
                return from_plain(kept["answer"])
        except (ValueError, KeyError, TypeError, OSError):
            path.unlink(missing_ok=True)
    answer = calculate()
    if path:
        _keep(path, {"digest": digest, "answer": plain(answer)})
    return answer


def _keep(path: Path, content: dict[str, Any]) -> None:
    """Written beside and moved into place, so that a reader never meets half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    opened, written = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(opened, "w", encoding="ascii") as file:
        json.dump(content, file)
    Path(written).replace(path)
