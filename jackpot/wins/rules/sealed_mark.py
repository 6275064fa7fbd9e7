"""What the request of a `mark` seals: who said it, and from the second form on of which seat and hand."""

from __future__ import annotations

from typing import Any

from jackpot.canonical import digest_of_value


def said_at_mark(win_id: str | int, by: str) -> str:
    """The oldest form, and a part of every later one: a file carries it as a digest, for a name has no place there."""
    return digest_of_value({"act": "mark", "win": int(win_id), "by": by, "why": ""})


def marked_forms(win_id: str | int, seat: int, line: str, said: str) -> list[str]:
    """The oldest first. So nobody moves a hit to another seat by what was approved alone."""
    whole: dict[str, Any] = {"act": "mark", "win": int(win_id), "seat": seat, "line": line, "said": said}
    return [said, digest_of_value(whole)]
