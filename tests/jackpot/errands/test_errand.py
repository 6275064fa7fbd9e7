from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from jackpot.errands.rules import is_overdue, pause_after

FIVE = timedelta(minutes=5)
NOON = datetime(2026, 11, 18, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("tries", "seconds"), [(1, 2), (2, 4), (3, 8), (7, 128), (8, 256), (9, 300), (500, 300), (10**9, 300)]
)
def test_a_failure_is_repeated_ever_more_rarely_and_never_more_rarely_than_the_errand(tries: int, seconds: int) -> None:
    assert pause_after(tries, FIVE) == timedelta(seconds=seconds)


def test_an_errand_is_overdue_when_it_is_owed_for_longer_than_its_patience() -> None:
    assert not is_overdue(NOON, FIVE, NOON + FIVE)
    assert is_overdue(NOON, FIVE, NOON + FIVE + timedelta(microseconds=1))
