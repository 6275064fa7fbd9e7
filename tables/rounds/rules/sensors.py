"""What a sensor map says that a person should look at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from typing import Final

LIT, SILENT = "1", "x"
STUCK_ROUNDS: Final = 3
SILENT_ROUNDS: Final = 40

Alarm = tuple[int, str, str]


@dataclass(slots=True)
class SpotHistory:
    """What the spots of one table did lately; kept by the server while the controller is connected."""

    live: str = ""
    locked: str | None = None
    lit_through: list[int] = field(default_factory=lambda: [0] * 10)
    dark_rounds: list[int] = field(default_factory=lambda: [0] * 10)
    told: set[tuple[int, str]] = field(default_factory=set)


def lock_alarms(history: SpotHistory, seats: str) -> list[Alarm]:
    """At COIN IN: a chip that lay there a moment ago and is not counted, and seats dark among busy neighbours."""
    # What was counted, not what the map said: a chip that is lit beside the count is the alarm that is looked for.
    locked = "".join(LIT if str(seat) in seats else "0" for seat in range(1, 10))
    removed = [
        (seat, "removed_before_lock", "lit before the lock, not counted")
        for seat in _lit(history.live)
        if str(seat) not in seats
    ]
    history.locked, history.live = locked, ""
    for seat in range(1, 10):
        history.dark_rounds[seat] = 0 if str(seat) in seats else history.dark_rounds[seat] + 1
    return [*removed, *_first_time(history, _silent(history))]


def live_alarms(history: SpotHistory, spots: str) -> list[Alarm]:
    """While a round runs: chips that arrive after the lock, and spots that do not answer."""
    history.live = spots
    alarms: list[Alarm] = []
    if history.locked is not None:
        late = [seat for seat in _lit(spots) if history.locked[seat - 1] != LIT]
        alarms += [(seat, "chip_after_lock", "lit after the lock; the chip takes no part") for seat in late]
    alarms += [(seat, "silent", "the sensor gives no answer") for seat, spot in _spots(spots) if spot == SILENT]
    return _first_time(history, alarms)


def end_alarms(history: SpotHistory) -> list[Alarm]:
    """At the end the felt is empty: a spot still lit round after round is stuck."""
    lit = set(_lit(history.live))
    for seat in range(1, 10):
        history.lit_through[seat] = history.lit_through[seat] + 1 if seat in lit else 0
    history.locked = None
    stuck = [seat for seat in lit if history.lit_through[seat] >= STUCK_ROUNDS]
    # Each round may raise its alarms anew; a spot that is stuck stays told until it goes dark.
    history.told = {(seat, alarm) for seat, alarm in history.told if alarm == "stuck" and seat in lit}
    return _first_time(history, [(seat, "stuck", f"lit through {STUCK_ROUNDS} rounds' ends") for seat in stuck])


def _silent(history: SpotHistory) -> Iterator[Alarm]:
    for seat in range(2, 9):
        # Held against its neighbours: a whole table without chips has no dead spot, it has players who leave them out.
        neighbours = (history.dark_rounds[seat - 1], history.dark_rounds[seat + 1])
        if history.dark_rounds[seat] == SILENT_ROUNDS and max(neighbours) < SILENT_ROUNDS // 4:
            yield seat, "silent", f"dark for {SILENT_ROUNDS} rounds while both neighbours played"


def _first_time(history: SpotHistory, alarms: Sequence[Alarm] | Iterator[Alarm]) -> list[Alarm]:
    """An alarm is raised once, not with every message of a round."""
    fresh = [alarm for alarm in alarms if (alarm[0], alarm[1]) not in history.told]
    history.told.update((seat, alarm) for seat, alarm, _ in fresh)
    return fresh


def _spots(spots: str) -> Iterator[tuple[int, str]]:
    return iter(enumerate(spots, start=1))


def _lit(spots: str) -> list[int]:
    return [seat for seat, spot in _spots(spots) if spot == LIT]
