"""What no table can have played: judged by the times of play alone."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from tables.rounds.rules.pace import Played, TablePace, why_implausible

NOW = datetime(2026, 11, 19, 3, 0, tzinfo=UTC)
PACE = TablePace(a_minute=4, in_ten=20, seats=7)


def ago(seconds: float) -> datetime:
    return NOW - timedelta(seconds=seconds)


@pytest.mark.parametrize(
    ("played", "seats", "why"),
    [
        (Played(NOW), 7, None),
        (Played(NOW, ago(15), ago(60), ago(600)), 7, None),
        (Played(NOW, ago(15), ago(59.9), None), 7, "more than 4 rounds a minute"),
        (Played(NOW, ago(15), ago(61), ago(599)), 7, "more than 20 rounds in ten minutes"),
        (Played(NOW), 8, "more than 7 seats"),
        (Played(NOW + timedelta(seconds=31)), 1, "played in the future"),
        (Played(NOW + timedelta(seconds=29)), 1, None),
        (Played(ago(20), ago(10)), 1, "played before the round before it"),
        (Played(ago(3600), ago(3610), ago(3650), ago(7200)), 7, "more than 4 rounds a minute"),
        (Played(ago(3600), ago(3660), ago(3660), ago(4200)), 7, None),
    ],
)
def test_the_first_thing_that_no_table_does(played: Played, seats: int, why: str | None) -> None:
    assert why_implausible(PACE, played, seats, NOW) == why


@pytest.mark.parametrize(("at", "why"), [(3631, "played before its table was opened"), (3630, None), (0, None)])
def test_nothing_is_played_while_a_table_is_closed(at: int, why: str | None) -> None:
    opened = PACE._replace(open_since=ago(3600))
    assert why_implausible(opened, Played(ago(at)), 7, NOW) == why


@pytest.mark.parametrize(
    ("behind", "seats", "why"),
    [
        (0, 7, "more than 4 rounds a minute"),
        (30, 7, "more than 4 rounds a minute"),
        (31, 7, None),
        (3600, 7, None),
        (3600, 8, "more than 7 seats"),
    ],
)
def test_while_the_clock_is_behind_the_books_times_tell_nothing(behind: int, seats: int, why: str | None) -> None:
    """It was ahead and was put right; the books' moment stands still until it has caught up."""
    played = Played(NOW, NOW, NOW, NOW)
    assert why_implausible(PACE, played, seats, NOW, ago(behind)) == why
