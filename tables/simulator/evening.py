"""All tables of a demo at once: everybody says hello, everybody plays, then the meters are reckoned up."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from decimal import Decimal
from functools import partial

from tables.simulator.hits import Staff, Won
from tables.simulator.pace import Pace
from tables.simulator.reckoning import Reckoned, Terms, chips_by_jackpot, reckon
from tables.simulator.script import Crowd, planned_rounds
from tables.simulator.table import GaveUp, TablePlayer, Tally
from tables.simulator.wires import Controller, HttpWire, SocketWire, Wire


@dataclass(frozen=True, slots=True)
class Evening:
    """What is to be played. `rounds` is per table; None goes on until somebody stops it."""

    url: str
    controllers: Sequence[Controller]
    rounds: int | None
    crowd: Crowd
    seed: int = 1
    pace: Pace = field(default_factory=Pace)
    over_http: bool = False
    staff: Staff | None = None
    show: Callable[[str], None] = lambda _: None


@dataclass(frozen=True, slots=True)
class Report:
    """What came of it."""

    tallies: Mapping[str, Tally]
    reckoned: Sequence[Reckoned]
    troubles: Sequence[str]

    @property
    def rounds(self) -> int:
        return sum(tally.rounds for tally in self.tallies.values())

    @property
    def chips(self) -> int:
        return sum(tally.chips for tally in self.tallies.values())

    @property
    def wins(self) -> list[Won]:
        return [win for tally in self.tallies.values() for win in tally.wins.values()]

    def with_awards(self, moved: Mapping[str, Decimal]) -> Report:
        """The same evening, where awards moved the meters by this much."""
        return replace(self, reckoned=[line.with_awards(moved.get(line.jackpot, Decimal(0))) for line in self.reckoned])

    @property
    def good(self) -> bool:
        return not self.troubles and bool(self.reckoned) and all(line.agrees for line in self.reckoned)


def players_of(evening: Evening, stop: asyncio.Event) -> list[TablePlayer]:
    kind: type[HttpWire] | type[SocketWire] = HttpWire if evening.over_http else SocketWire

    def new_wire(controller: Controller) -> Wire:
        return kind(evening.url, controller)

    dense = evening.staff is not None and evening.staff.show
    return [
        TablePlayer(
            code=controller.table,
            new_wire=partial(new_wire, controller),
            script=partial(planned_rounds, evening.seed, controller.table, crowd=evening.crowd, dense=dense),
            pace=evening.pace,
            stop=stop,
            badge=controller.badge,
            show=evening.show,
            profile=controller.profile,
            key=controller.key,
            staff=evening.staff,
        )
        for controller in evening.controllers
    ]


async def play(evening: Evening, terms: Mapping[str, Terms], watch: Callable[[int], None] = lambda _: None) -> Report:
    """Plays to the end or until SIGINT or SIGTERM, which let every table finish its round."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError, RuntimeError, ValueError):  # a test plays outside the main thread
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
    players = players_of(evening, stop)
    try:
        return await _play(players, evening.rounds, terms, watch)
    finally:
        await asyncio.gather(*(player.hang_up() for player in players))


async def _play(
    players: Sequence[TablePlayer], rounds: int | None, terms: Mapping[str, Terms], watch: Callable[[int], None]
) -> Report:
    tallies = {player.code: player.tally for player in players}
    before, troubles = await _meters(players)
    if troubles:
        return Report(tallies, [], troubles)
    watcher = asyncio.get_running_loop().create_task(_tell(players, watch))
    await asyncio.gather(*(player.play(rounds) for player in players))
    watcher.cancel()
    watch(sum(tally.rounds for tally in tallies.values()))
    ended = [tally.ended for tally in tallies.values() if tally.ended]
    after, troubles = await _meters(players)
    if troubles:
        return Report(tallies, [], [*ended, f"The meters could not be read again: {troubles[0]}"])
    chips = chips_by_jackpot((player.tally.chips, player.facts["meters"]) for player in players)
    return Report(tallies, reckon(before, after, chips, terms), ended)


async def _meters(players: Sequence[TablePlayer]) -> tuple[dict[str, str], list[str]]:
    """Every meter of every table, and what kept a table from telling them."""
    told: dict[str, str] = {}
    troubles: list[str] = []
    # All are waited for: a table still dialling when the evening is called off would leave its line open.
    for answer in await asyncio.gather(*(player.meters() for player in players), return_exceptions=True):
        match answer:
            case GaveUp():
                troubles.append(str(answer))
            case BaseException():
                raise answer
            case _:
                told.update(answer)
    return told, troubles


async def _tell(players: Sequence[TablePlayer], watch: Callable[[int], None]) -> None:
    while True:
        await asyncio.sleep(0.25)
        watch(sum(player.tally.rounds for player in players))
