"""A table as a tile of the floor, as a value."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from decimal import Decimal
from typing import Any, Final

from tables.floor.models.device import DeviceState
from tables.floor.rules.link_light import LinkLight, link_light
from tables.rounds.models.round import Round, RoundState

LINK_WORDS: Final = {
    LinkLight.UP: "link up",
    LinkLight.LATE: "link late",
    LinkLight.DOWN: "link down",
    LinkLight.NONE: "no controller",
}
STATE_MARKS: Final = {"open": "●", "closed": "○", "held": "▲", "maintenance": "◆"}
AGES: Final = ((86_400, "d"), (3_600, "h"), (60, "min"))


@dataclass(frozen=True, slots=True)
class Seat:
    number: int
    counted: bool


@dataclass(frozen=True, slots=True)
class Tile:
    code: str
    name: str
    state: str
    state_name: str
    mark: str
    held_why: str
    round: int | None
    round_open: bool
    round_words: str
    seats: list[Seat]
    counted: int
    age: str
    link: str
    link_words: str
    meters: list[tuple[str, Decimal]]


def tile(table: Any, last: Round | None, now: datetime) -> Tile:
    active = [device.last_seen_at for device in table.controllers if device.state == DeviceState.ACTIVE]
    light = link_light(active, now)
    open_now = last is not None and last.state == RoundState.OPEN
    counted = last.seats if last is not None and open_now else ""
    return Tile(
        code=table.code,
        name=table.name,
        state=table.state,
        state_name=table.get_state_display(),
        mark=STATE_MARKS.get(table.state, "●"),
        held_why=table.held_why,
        round=last.number if last else None,
        round_open=open_now,
        round_words=_round_words(last),
        seats=[Seat(number, str(number) in counted) for number in range(1, table.seats + 1)],
        counted=len(counted),
        age=age_words(last.opened_at, now) if last else "",
        link=light.value,
        link_words=LINK_WORDS[light],
        meters=[(link.jackpot.code, link.jackpot.meter) for link in table.links.all()],
    )


def age_words(then: datetime, now: datetime) -> str:
    """ "8 s", "4 min", "2 h": how long ago, in one unit."""
    # Rounds have the database's time, which may be ahead of this node's.
    seconds = max(0, int((now - then).total_seconds()))
    for size, unit in AGES:
        if seconds >= size:
            return f"{seconds // size} {unit}"
    return f"{seconds} s"


def _round_words(last: Round | None) -> str:
    if last is None:
        return "no round yet"
    words = {"open": "running", "ended": "over", "void": "void"}
    return f"round {last.number:,} {words[last.state]}"
