"""One name, one value: JSON lets a name stand twice, and readers then take the last without a word."""

from __future__ import annotations

import json
from typing import Any


class SaidTwice(ValueError):
    """A name that stands twice in one object."""

    def __init__(self, name: str) -> None:
        super().__init__(f"“{name[:40]}” stands twice. Say it once.")
        self.name = name


def refuse_twice(body: bytes | str) -> None:
    """Looks at every object of a body that was read already; whichever value were taken, another could be meant."""
    json.loads(body, object_pairs_hook=_once)


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    told = dict(pairs)
    if len(told) < len(pairs):
        names = [name for name, _ in pairs]
        raise SaidTwice(next(name for name in names if names.count(name) > 1))
    return told
