"""From commit to wall, in numbers small enough to check by hand."""

from __future__ import annotations

import numpy as np

from proving.bench.arrivals import Numbers, lag

MS = 1_000_000


def rows(*them: tuple[int, ...]) -> Numbers:
    return np.array(them, dtype=np.int64)


ENTRIES = rows((1, 0), (2, 100 * MS), (3, 200 * MS))


def test_a_sign_shows_an_entry_when_it_shows_it_or_a_newer_one() -> None:
    found = lag(rows((0, 2, 150 * MS), (0, 3, 400 * MS)), ENTRIES)
    assert (found.pairs, found.p50_ms, found.late) == (3, 150, 0)  # 150, 50 and 200


def test_every_sign_counts_by_itself() -> None:
    found = lag(rows((0, 3, 210 * MS), (1, 3, 1200 * MS)), ENTRIES)
    assert (found.pairs, found.p99_ms > 1100) == (6, True)


def test_an_entry_that_is_never_shown_is_late_and_not_left_out() -> None:
    found = lag(rows((0, 2, 150 * MS)), ENTRIES)
    assert (found.pairs, found.late) == (2, 1)


def test_a_version_that_goes_backwards_is_noticed() -> None:
    assert lag(rows((0, 3, 210 * MS), (0, 2, 220 * MS)), ENTRIES).fell == 1


def test_nothing_seen_is_no_figure() -> None:
    assert lag(np.empty((0, 3), dtype=np.int64), ENTRIES).pairs == 0
