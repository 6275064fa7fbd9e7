"""Kills a house at full load, again and again, lets its own supervisor raise it, and then asks the books."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from launcher.house import BLINK
from proving.drill.journal import Journals
from proving.drill.player import Player, player
from proving.gates import BooksFound, Gate, checked, prove, proven, verified
from proving.house import SOUND, NeverAgain, NotCarriedOut, ProvingHouse, Stage, Weakness, house

TABLES: Final = 40
SIGNS: Final = 12
WARM_UP: Final = 1.0
SOONEST: Final = 0.4
HASTY: Final = 0.2
BEFORE: Final = float("-inf")
ASSERTED: Final = ("server_version", "fsync", "full_page_writes", "synchronous_commit")
LONGEST_WAIT: Final = 60.0
WEB, POSTGRES, BESIDE = "web", "postgres", "beside"

Say = Callable[[str], None]


@dataclass(frozen=True, slots=True)
class Plan:
    """How often what is killed, how long it plays between two kills on average, and by which seed."""

    web: int = 10
    postgres: int = 10
    gap: float = 2.0
    seed: int = 1
    tables: int = TABLES
    signs: int = SIGNS
    doors: int = 1
    beside: int = 0  # the processes beside a gateway: one posts its batches, one does its acts

    def victims(self, dice: random.Random) -> list[str]:
        victims = [WEB] * self.web + [POSTGRES] * self.postgres + [BESIDE] * self.beside
        dice.shuffle(victims)
        return victims


@dataclass(frozen=True, slots=True)
class Kill:
    """One death: when, of whom, and how long until each table was acknowledged again."""

    victim: str
    at: float
    recoveries: tuple[float, ...] = ()
    disturbed: bool = False


@dataclass(frozen=True, slots=True)
class Drilled:
    """What came of a drill."""

    plan: Plan
    weakness: Weakness
    journals: Journals
    kills: Sequence[Kill]
    gates: Sequence[Gate]
    played: float
    settings: Mapping[str, str]

    @property
    def holds(self) -> bool:
        return all(gate.holds for gate in self.gates)

    @property
    def acknowledged(self) -> int:
        return sum(len(journal.told) for journal in self.journals.tables.values())


def drill(plan: Plan, weakness: Weakness = SOUND, say: Say = lambda _: None) -> Drilled:
    """Builds a house, plays it, kills it as planned, and judges what its books say."""
    with house(weakness) as ours:
        tables = {"S": plan.tables // 2, "B": plan.tables - plan.tables // 2}
        made = ours.scene(tables=tables, signs=plan.signs, shown=["GRAND", "MINOR"])
        controllers = [*made["tables"]["S"], *made["tables"]["B"]]
        for _ in range(plan.doors):
            ours.open_door()
        say(f"{plan.tables} tables and {plan.signs} signs, seed {plan.seed}; the house is {weakness.name}.")
        with player(ours, {"tables": controllers, "signs": made["signs"]}, plan.seed) as playing:
            since = time.monotonic()
            kills = _kill_all(ours, playing, plan, say)
            played = time.monotonic() - since
            journals = finish(ours, playing)
        say("Asking the books …")
        return Drilled(
            plan, weakness, journals, [recovered(kill, journals) for kill in kills],
            judge(ours, journals, controllers), played, ours.settings(*ASSERTED),
        )  # fmt: skip


def _kill_all(ours: ProvingHouse, playing: Player, plan: Plan, say: Say) -> list[Kill]:
    """Each kill at a moment of its own at full load; now and then the next one strikes before the house is up again."""
    dice = random.Random(plan.seed)
    kills: list[Kill] = []
    victims = plan.victims(dice)
    play_on(ours, playing, WARM_UP, since=0.0)
    for number, chosen in enumerate(victims, 1):
        play_on(ours, playing, SOONEST + dice.random() * 2 * max(plan.gap - SOONEST, 0.0), since=BEFORE)
        victim, at = _killed(ours, chosen, dice.random())
        hasty = dice.random() < HASTY and number < len(victims)
        kills.append(Kill(victim, at, disturbed=hasty))
        if hasty:
            say(f"{number:>3}  kill -9 {victim:<9} and the next one before the house is up again")
            continue
        play_on(ours, playing, 0.0, since=at)
        say(f"{number:>3}  kill -9 {victim:<9} all tables play again after {time.monotonic() - at:4.1f} s")
    play_on(ours, playing, WARM_UP, since=time.monotonic())
    return kills


def _killed(ours: ProvingHouse, victim: str, dice: float) -> tuple[str, float]:
    """Who was killed, and when: a gateway that posts by itself already is killed as a whole."""
    if victim == POSTGRES:
        return victim, ours.kill_postgres()
    at = ours.kill_beside(dice) if victim == BESIDE else None
    return (BESIDE, at) if at is not None else (WEB, ours.kill_web(dice))


def play_on(ours: Stage, playing: Player, seconds: float, *, since: float) -> None:
    """Looks after the house for so long, and until every table was acknowledged for something said after `since`."""
    until, latest = time.monotonic() + seconds, time.monotonic() + seconds + LONGEST_WAIT
    while time.monotonic() < until or playing.slowest <= since:
        ours.look_after()
        playing.hear()
        if time.monotonic() > latest:
            raise NeverAgain(f"Not every table plays again after {LONGEST_WAIT:.0f} s. {ours.last_words()}")
        time.sleep(BLINK)


def finish(ours: Stage, playing: Player) -> Journals:
    """Every table ends its round, the signs hear the last figure; the house is looked after until then."""
    playing.ask_to_stop()
    latest = time.monotonic() + LONGEST_WAIT
    while not playing.ended:
        ours.look_after()
        if time.monotonic() > latest:
            raise NotCarriedOut(f"The tables did not finish. {ours.words('load')}")
        time.sleep(BLINK)
    return playing.journals()


def recovered(kill: Kill, journals: Journals) -> Kill:
    """By table: from the kill to the first answer to something said after it."""
    answers = (
        min((told.answered_at for told in journal.told if told.sent_at > kill.at), default=None)
        for journal in journals.tables.values()
    )
    return replace(kill, recoveries=tuple(answered - kill.at for answered in answers if answered is not None))


def judge(ours: Stage, journals: Journals, controllers: Sequence[dict[str, Any]]) -> list[Gate]:
    with ours.connect() as connection:
        books = BooksFound.read(connection)
    fed = {each["place"]: each["meters"] for each in controllers}
    return [*checked(books, journals, fed), proven(prove(ours)), verified(ours)]


def percentiles(kills: Sequence[Kill], victim: str) -> tuple[float, float] | None:
    """The middle and the longest time without an answer, over all tables and all kills of this kind."""
    times = sorted(time for kill in kills if kill.victim == victim and not kill.disturbed for time in kill.recoveries)
    return (times[len(times) // 2], times[-1]) if times else None
