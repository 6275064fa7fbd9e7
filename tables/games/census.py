"""Every hand of a deck, counted: the proof that the evaluator is exact."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from itertools import combinations
from math import comb
from pathlib import Path
from typing import TYPE_CHECKING, Any

from tables.games.cache import remembered
from tables.games.evaluator import CLASSES, build_tables, categories, values_of_sums
from tables.games.poker import Category

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Progress = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Census:
    """How many hands there are of each category, and how many different ones."""

    total: int
    hands: dict[Category, int]
    classes: dict[Category, int]

    @property
    def distinct(self) -> int:
        return sum(self.classes.values())

    def plain(self) -> dict[str, Any]:
        counts = {kind.name: [self.hands[kind], self.classes[kind]] for kind in Category}
        return {"total": self.total, "hands_and_classes": counts}

    @classmethod
    def from_plain(cls, kept: dict[str, Any]) -> Census:
        counts = {kind: kept["hands_and_classes"][kind.name] for kind in Category}
        return cls(kept["total"], {kind: both[0] for kind, both in counts.items()},
                   {kind: both[1] for kind, both in counts.items()})  # fmt: skip


def remembered_census(size: int, folder: Path | None, progress: Progress | None = None) -> Census:
    """The census of a whole deck needs no table and no switch, so its size is all that is asked."""
    return remembered(
        folder, "census", f"{size}-of-52", calculate=lambda: count_hands(size, progress), plain=Census.plain,
        from_plain=Census.from_plain,
    )  # fmt: skip


def count_hands(size: int, progress: Progress | None = None) -> Census:
    """Looks at each of the C(52, size) hands once; 133,784,560 of seven cards take some seconds."""
    import numpy as np

    # The evaluator has tables for hands of these sizes only.
    if size not in (5, 6, 7):
        raise ValueError(f"A census counts hands of 5, 6 or 7 cards, not of {size}.")
    seen = np.zeros(CLASSES + 1, dtype=np.int64)
    done, total = 0, comb(52, size)
    for values in _all_values(size):
        seen += np.bincount(values, minlength=CLASSES + 1)
        done += len(values)
        if progress:
            progress(done / total)
    return _summed(seen)


def _summed(seen: NDArray[np.int64]) -> Census:
    import numpy as np

    category = categories(np.arange(1, CLASSES + 1, dtype=np.uint16))
    hands = {kind: int(seen[1:][category == kind].sum()) for kind in Category}
    classes = {kind: int((seen[1:][category == kind] > 0).sum()) for kind in Category}
    return Census(sum(hands.values()), hands, classes)


def _all_values(size: int) -> Iterator[NDArray[np.uint16]]:
    """Batches: all sets of three low cards under each set of high ones.

    In colexicographic order the threes below card c are the first C(c, 3) rows, so a slice serves every batch.
    """
    import numpy as np

    tables = build_tables(size)
    threes = np.array([low[::-1] for low in combinations(range(51, -1, -1), 3)])[::-1]
    sums = tables.summands[threes].sum(axis=1, dtype=np.uint32)
    masks = tables.masks[threes].sum(axis=1, dtype=np.uint64)
    for high in combinations(range(3, 52), size - 3):
        below = comb(high[0], 3)
        added = tables.summands[list(high)].sum(dtype=np.uint32)
        mask = tables.masks[list(high)].sum(dtype=np.uint64)
        yield values_of_sums(sums[:below] + added, size, lambda at, mask=mask: masks[at] + mask)  # type: ignore[misc]
