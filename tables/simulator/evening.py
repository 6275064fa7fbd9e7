"""All tables of a demo at once: everybody says hello, everybody plays, winners go to the cage."""

from __future__ import annotations

import asyncio
import signal
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from functools import partial
from random import Random

from tables.simulator.cage import Cage
from tables.simulator.desk import ApiSession
from tables.simulator.hits import Staff, TableAward
from tables.simulator.pace import Pace
from tables.simulator.script import Crowd, planned_rounds
from tables.simulator.table import GaveUp, TablePlayer, TakenOver, Tally
from tables.simulator.wires import Controller, ControllerWire, HttpWire, SocketWire

Told = Callable[[str], None]
Watch = Callable[[int, int], None]


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
    show: Told = lambda _: None
    tell: Told = lambda _: None


@dataclass(frozen=True, slots=True)
class EveningReport:
    """What came of it, as the tables and the cage were told."""

    tallies: Mapping[str, Tally]
    troubles: Sequence[str]
    paid: Sequence[TableAward] = ()

    @property
    def rounds(self) -> int:
        return sum(tally.rounds for tally in self.tallies.values())

    @property
    def chips(self) -> int:
        return sum(tally.chips for tally in self.tallies.values())

    @property
    def wins(self) -> list[TableAward]:
        return [win for tally in self.tallies.values() for win in tally.wins.values()]

    @property
    def left(self) -> list[str]:
        """Tables that somebody else took over, which is nobody's fault."""
        return [tally.left for tally in self.tallies.values() if tally.left]


def players_of(evening: Evening, stop: asyncio.Event, cage: Cage | None = None) -> list[TablePlayer]:
    kind: type[HttpWire] | type[SocketWire] = HttpWire if evening.over_http else SocketWire
    staff = evening.staff
    floor = None if staff is None or staff.floor is None else ApiSession(evening.url, staff.floor)

    def new_wire(controller: Controller) -> ControllerWire:
        return kind(evening.url, controller)

    dense = staff is not None and staff.show
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
            staff=staff,
            floor=floor,
            bring=cage.bring if cage is not None else lambda _: None,
            tell=evening.tell,
        )
        for controller in evening.controllers
    ]


def cage_of(evening: Evening, stop: asyncio.Event) -> Cage | None:
    staff = evening.staff
    if staff is None or staff.cage is None:
        return None
    return Cage(ApiSession(evening.url, staff.cage), evening.pace, stop, Random(f"{evening.seed} cage"))


async def play(evening: Evening, watch: Watch = lambda *_: None) -> EveningReport:
    """Plays to the end or until SIGINT or SIGTERM, which let every table finish its round."""
    stop = asyncio.Event()
    loop = asyncio.get_running_loop()
    with suppress(NotImplementedError, RuntimeError, ValueError):  # a test plays outside the main thread
        for number in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(number, stop.set)
    cage = cage_of(evening, stop)
    players = players_of(evening, stop, cage)
    try:
        return await _play(players, cage, evening.rounds, watch)
    finally:
        await asyncio.gather(*(player.hang_up() for player in players))


async def _play(players: Sequence[TablePlayer], cage: Cage | None, rounds: int | None, watch: Watch) -> EveningReport:
    tallies = {player.code: player.tally for player in players}
    if troubles := await _greeted(players):
        return EveningReport(tallies, troubles)
    loop = asyncio.get_running_loop()
    watcher = loop.create_task(_tell(players, watch))
    cashier = loop.create_task(_nobody_comes() if cage is None else cage.serve())
    await asyncio.gather(*(player.play(rounds) for player in players))
    if cage is not None:
        cage.nobody_comes_any_more()
    await cashier
    watcher.cancel()
    watch(*_so_far(players))
    ended = [tally.ended for tally in tallies.values() if tally.ended]
    return (
        EveningReport(tallies, ended) if cage is None else EveningReport(tallies, [*ended, *cage.troubles], cage.paid)
    )


async def _greeted(players: Sequence[TablePlayer]) -> list[str]:
    """Every table says hello; what kept one from it."""
    # All are waited for: a table still dialling when the evening is called off would leave its line open.
    answers = await asyncio.gather(*(player.connect() for player in players), return_exceptions=True)
    for answer in answers:
        if isinstance(answer, BaseException) and not isinstance(answer, GaveUp | TakenOver):
            raise answer
    return [str(answer) for answer in answers if isinstance(answer, GaveUp)]


async def _nobody_comes() -> None:
    """There is no cage this evening."""


async def _tell(players: Sequence[TablePlayer], watch: Watch) -> None:
    while True:
        await asyncio.sleep(0.25)
        watch(*_so_far(players))


def _so_far(players: Sequence[TablePlayer]) -> tuple[int, int]:
    """Rounds and awards of all tables."""
    return sum(player.tally.rounds for player in players), sum(len(player.tally.wins) for player in players)
