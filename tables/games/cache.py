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
    counted: Path | None = None,
) -> Answer:
    """The answer from the folder if it was calculated from the same sealed input, otherwise calculated and kept.

    A file that cannot be read is calculated anew: it is only a memory, never a source. `counted` holds what came with
    the program, so that a new house need not wait for it.
    """
    # The seal is in the name too: two versions of a table are kept side by side.
    file = f"{name}-{digest[:16]}.json"
    for path in [place / file for place in (folder, counted) if place is not None]:
        answer = _read(path, digest, from_plain)
        if answer is not None:
            return answer
    answer = calculate()
    if folder:
        _keep(folder / file, {"digest": digest, "answer": plain(answer)})
    return answer


def _read(path: Path, digest: str, from_plain: Callable[[Any], Answer]) -> Answer | None:
    try:
        kept = json.loads(path.read_text(encoding="ascii"))
        return from_plain(kept["answer"]) if kept["digest"] == digest else None
    except (ValueError, KeyError, TypeError, OSError):
        return None


def _keep(path: Path, content: dict[str, Any]) -> None:
    """Written beside and moved into place, so that a reader never meets half a file."""
    path.parent.mkdir(parents=True, exist_ok=True)
    opened, written = tempfile.mkstemp(dir=path.parent, suffix=".part")
    with os.fdopen(opened, "w", encoding="ascii") as file:
        json.dump(content, file)
    Path(written).replace(path)
