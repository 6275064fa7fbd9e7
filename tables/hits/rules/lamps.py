"""What the lamp of each Coin Spot shows, and the sentence beside the keys. Values in, a value out."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Protocol

from tables.rounds.rules.sensors import LIT, SILENT

OFF, CHIP, COUNTED, WINNER, FAULT = "off", "chip", "counted", "winner", "fault"


class LitSpots(Protocol):
    """What a round shows on the sensors of its table."""

    @property
    def counted(self) -> str | None: ...

    @property
    def winners(self) -> tuple[int, ...]: ...

    @property
    def further(self) -> Mapping[str, str]: ...

    @property
    def won_on(self) -> Mapping[str, frozenset[int]]: ...


def lamps(seats: int, counted: str | None, winners: Sequence[int], spots: str) -> list[str]:
    """Seat 1 first. `counted` are the seats of the running round, None where none runs; `spots` the live sensor map."""
    # A box that has sent no map yet lights nothing; it is not taken for a table of dead spots.
    live = spots.ljust(seats, "0")
    return [_lamp(str(seat), counted, seat in winners, live[seat - 1]) for seat in range(1, seats + 1)]


def lamps_of_table(
    seats: int, progress: LitSpots, further: Sequence[Mapping[str, Any]], live: Callable[[str], str]
) -> dict[str, Any]:  # fmt: skip
    """Every sensor of a table: the first wager's, and by code those of each further one as hello named it."""
    elsewhere = {code for each in further for code in each["jackpots"]}
    first = [seat for code, won in progress.won_on.items() if code not in elsewhere for seat in won]
    told: dict[str, Any] = {"lamps": lamps(seats, progress.counted, first if further else progress.winners, live(""))}
    if further:
        told["further_lamps"] = {each["wager"]: _further_lamps(seats, progress, each, live) for each in further}
    return told


def _further_lamps(
    seats: int, progress: LitSpots, wager: Mapping[str, Any], live: Callable[[str], str]
) -> list[str]:  # fmt: skip
    code = wager["wager"]
    won = [seat for jackpot in wager["jackpots"] for seat in progress.won_on.get(jackpot, ())]
    counted = None if progress.counted is None else progress.further.get(code, "")
    return lamps(seats, counted, won, live(code))


def _lamp(seat: str, counted: str | None, won: bool, spot: str) -> str:
    if won:
        return WINNER
    if spot == SILENT:
        return FAULT
    if counted is not None:
        return COUNTED if seat in counted else OFF
    return CHIP if spot == LIT else OFF


def notice(hits: Sequence[Mapping[str, Any]], parked: Sequence[Mapping[str, Any]], key: str) -> str:
    """What the table waits for, and from whom; nothing where it waits for nobody."""
    states = {hit["state"] for hit in hits}
    if "logged" in states:
        return f"The win is logged. Turn key {key} to RUN: then the meter moves." if key else "The win is logged."
    if "asked" in states:
        return f"{_spoken(hits, 'asked')}: waiting for approval, here or on the pit page."
    if "marked" in states and any(hit["seat"] is None for hit in hits):
        return "A key is lit. Say on the pit page which seats hold the hand."
    if key:
        return f"Key {key} stands at JPH. Turn the key to RUN."
    if states & {"owed", "paid"}:
        return "The meter has moved. Pay by the win page, then end the round."
    return f"{_spoken(parked)}: open at the pit." if parked else ""


def _spoken(hits: Sequence[Mapping[str, Any]], state: str = "") -> str:
    shown = [f"{hit['name']} at seat {hit['seat']}" for hit in hits if not state or hit["state"] == state]
    return ", ".join(dict.fromkeys(shown))
