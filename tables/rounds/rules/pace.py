"""Can this have been played? A table deals so many rounds a minute and in ten, and no more, whoever says otherwise.

Judged by the times of play: what a box kept while its line was down is believed as fast as it is told, as long as the
times that it noted are those of a table.
"""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import Final, NamedTuple

MINUTE: Final = timedelta(minutes=1)
TEN_MINUTES: Final = timedelta(minutes=10)
CLOCKS_DIFFER: Final = timedelta(seconds=30)


class TablePace(NamedTuple):
    """The ceilings of a table: what can be dealt there at most."""

    a_minute: int
    in_ten: int
    seats: int
    open_since: datetime | None = None


class AcceptedAlone(NamedTuple):
    """Kept-back rounds of a gaming day that were accepted by one person each: here by all, by this one everywhere."""

    at_table: int
    by_person: int


def takes_two(accepted: AcceptedAlone, asked: int, in_ten: int, of_one: int | None) -> bool:
    """Whoever holds boxes' secrets and one login accepts, a day, no more than a table deals in ten minutes at each,
    and no more than the house lets one person accept at all of them."""
    return accepted.at_table + asked > in_ten or (of_one is not None and accepted.by_person + asked > of_one)


class Played(NamedTuple):
    """When a round was played, and the rounds before it: the last one, and those that many rounds ago."""

    at: datetime
    last: datetime | None = None
    a_minute_ago: datetime | None = None  # the round `TablePace.a_minute` rounds before
    ten_ago: datetime | None = None  # the round `TablePace.in_ten` rounds before


def why_implausible(
    pace: TablePace, played: Played, seats: int, now: datetime, clock: datetime | None = None
) -> str | None:
    """The first thing that no table can have done, in a few words; None where a table could.

    `now` is the books' moment, which never goes back. While the `clock` is behind it, because it was ahead and was put
    right, times tell nothing, and only the seats are judged: else every table would be kept back for that long.
    """
    if clock is not None and now - clock > CLOCKS_DIFFER:
        return f"more than {pace.seats} seats" if seats > pace.seats else None
    if played.at > now + CLOCKS_DIFFER:
        return "played in the future"
    # Rounds cannot be dealt at a closed table: whoever holds a box's secret must not fill last night's hours.
    if pace.open_since is not None and played.at < pace.open_since - CLOCKS_DIFFER:
        return "played before its table was opened"
    if played.last is not None and played.at < played.last:
        return "played before the round before it"
    if seats > pace.seats:
        return f"more than {pace.seats} seats"
    if _within(played.at, played.a_minute_ago, MINUTE):
        return f"more than {pace.a_minute} rounds a minute"
    if _within(played.at, played.ten_ago, TEN_MINUTES):
        return f"more than {pace.in_ten} rounds in ten minutes"
    return None


def _within(at: datetime, earlier: datetime | None, time: timedelta) -> bool:
    return earlier is not None and at - earlier < time
