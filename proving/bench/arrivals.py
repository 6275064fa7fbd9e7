"""From commit to wall: when did each sign show each entry, or a newer one?"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

Numbers = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Lag:
    """`late` counts pairs of sign and entry of which nothing was ever seen; `fell` counts versions that went back."""

    pairs: int
    p50_ms: float
    p99_ms: float
    late: int
    fell: int


def read_arrivals(path: Path) -> Numbers:
    """Rows of sign, version, nanoseconds since 1970, as the client wrote them."""
    return np.fromfile(path, dtype=np.int64).reshape(-1, 3)


def lag(arrivals: Numbers, entries: Numbers) -> Lag:
    """Over all signs and entries; `entries` are rows of number and nanoseconds of the books' clock, in order.

    The books' clock is read before the commit, so the time until the disk has it is counted too.
    """
    delays: list[Any] = []
    late = fell = 0
    by_sign = arrivals[np.argsort(arrivals[:, 0], kind="stable")]
    for seen in np.split(by_sign, np.flatnonzero(np.diff(by_sign[:, 0])) + 1):
        fell += int((np.diff(seen[:, 1]) < 0).sum())
        place = np.searchsorted(seen[:, 1], entries[:, 0])
        came = place < len(seen)
        late += int((~came).sum())
        delays.append(seen[place[came], 2] - entries[came, 1])
    spent = np.concatenate(delays) / 1e6 if delays else np.empty(0)
    if not len(spent):
        return Lag(0, 0.0, 0.0, late, fell)
    return Lag(len(spent), float(np.percentile(spent, 50)), float(np.percentile(spent, 99)), late, fell)
