"""A floor for the random walk over remembered tables: two houses, jackpots on two levels, two boxes at each table."""

from __future__ import annotations

import queue
import threading
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from fractions import Fraction
from typing import Any, Final

from django.db import connection
from django.utils import timezone

from jackpot.books.models.jackpot import Jackpot
from jackpot.money import Money, units_of
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.rounds.actions.round import OutcomeUnknown, post_messages
from tables.rounds.rules.further import FurtherSeats
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, Outcome, Refusal
from tables.setup.actions.enrol import enrol, invite
from tests.builders import a_card, a_controller, a_jackpot, a_pay_table, a_person, a_property, a_table
from tests.patience import PATIENCE
from tests.scenes_configure import two_people

FURTHER: Final = "MEGA"
FIRST_CHIP, FURTHER_CHIP = Money.of("1.00"), Money.of("5.00")
ONLY_A_PART: Final = [{"code": "straight_flush", "name": "Straight flush", "part": "1"}]
BEAT: Final = 0.02  # seconds before an END is said again
STANDS_STILL: Final = {"suspended", "wager", "unknown"}  # what the busy table may be told beside a count


@dataclass(frozen=True)
class Rates:
    """What a chip does to a jackpot by one of its versions, in per cent."""

    wager: Money
    rate: str
    reserve_rate: str = "5"

    def raised(self, chips: int) -> tuple[int, int]:
        """Meter and reserve, in units."""
        meter, reserve = (self.wager.units * chips * Fraction(rate) / 100 for rate in (self.rate, self.reserve_rate))
        return int(meter), int(reserve)


class Line:
    """A thread with a connection of its own: what a web process remembers belongs to it alone."""

    def __init__(self) -> None:
        self.asked: queue.Queue[Any] = queue.Queue()
        self.said: queue.Queue[Any] = queue.Queue()
        self.thread = threading.Thread(target=self._serve, daemon=True)
        self.thread.start()

    def __call__(self, act: Callable[[], Any]) -> Any:
        self.asked.put(act)
        answer, problem = self.said.get(timeout=PATIENCE)
        if problem is not None:
            raise problem
        return answer

    def close(self) -> None:
        self.asked.put(None)
        self.thread.join(PATIENCE)

    def _serve(self) -> None:
        while (act := self.asked.get()) is not None:
            try:
                self.said.put((act(), None))
            except BaseException as problem:  # noqa: BLE001 - raised where it was asked for
                self.said.put((None, problem))
        connection.close()


class BusyTable:
    """Another process, whose table plays on the same jackpots all the while, both wagers, whatever it is told.

    A round for each step of the walk, as long as it keeps up: whoever is slow is not made slower.
    """

    SEATS, FURTHER_SEATS = "125", "2"

    def __init__(self, box: Device) -> None:
        self.box, self.number = box, 1
        self.begun = timezone.now() - timedelta(hours=12)
        self.told: Counter[str] = Counter()
        self.met: list[BaseException] = []
        self.over, self.beats = threading.Event(), threading.Semaphore(0)
        self.thread = threading.Thread(target=self._run, daemon=True)
        self.thread.start()

    def close(self) -> None:
        self.over.set()
        self.beats.release()
        self.thread.join(PATIENCE)

    def _run(self) -> None:
        try:
            while self.beats.acquire() and not self.over.is_set():
                self._play()
        except BaseException as problem:  # noqa: BLE001 - shown to the test
            self.met.append(problem)
        finally:
            connection.close()

    def _play(self) -> None:
        further = (FurtherSeats(FURTHER, self.FURTHER_SEATS),)
        at = self.begun + timedelta(seconds=self.number)  # as fast as its pace allows
        heard = self._says(CoinInRequest(self.number, self.SEATS, played_at=at, further=further))
        if isinstance(heard, Refusal):
            assert heard.code in STANDS_STILL, heard
            self.told[heard.code] += 1
            return
        self.told["counted"] += 1
        while isinstance(self._says(EndRequest(self.number)), Refusal):
            assert not self.over.wait(BEAT), "its END was never heard"
        self.number += 1

    def _says(self, ask: CoinInRequest | EndRequest) -> Outcome:
        try:
            return post_messages([DeviceRequest("BUSY-01", self.box.pk, 0, ask)])[0]
        except OutcomeUnknown:
            return Refusal("unknown", "Say it again.")


class WalkedFloor:
    """Four tables that the walk plays and changes, and one that another process plays."""

    def __init__(self) -> None:
        self.house, other, self.begun = a_property(), a_property("OTHER"), timezone.now() - timedelta(days=20)
        part = a_pay_table(lines=ONLY_A_PART)
        self.grand = a_jackpot("GRAND", premises=self.house)
        self.mini = a_jackpot("MINI", premises=self.house, rate="10", pay_table=part)
        self.big = a_jackpot("BIG", premises=self.house, wager=str(FURTHER_CHIP), rate="20", pay_table=part)
        self.far = a_jackpot("FAR", premises=other)
        self.rates = {
            "GRAND": [Rates(FIRST_CHIP, "70")], "MINI": [Rates(FIRST_CHIP, "10")],
            "BIG": [Rates(FURTHER_CHIP, "20")], "FAR": [Rates(FIRST_CHIP, "70")],
        }  # fmt: skip
        further = (FurtherWagerFacts(FURTHER, FURTHER_CHIP, ("BIG",)),)
        self.tables = [
            a_table("UTH-01", self.grand), a_table("UTH-02", self.grand, self.mini),
            a_table("UTH-03", self.mini, further=further), a_table("FAR-01", self.far, premises=other),
        ]  # fmt: skip
        self.boxes = [self._box(table, letter) for table in self.tables for letter in "AB"]
        fast = {"most_a_minute": 600, "most_in_ten": 600}
        self.busy_box = self._box(a_table("BUSY-01", self.grand, self.mini, further=further, **fast), "A")
        two_people(self.house)
        self.dealers = [a_person(f"dealer{number}") for number in range(3)]
        self.boss, self.second_card = a_person("boss"), a_card(a_person("second"))
        self.second_card.pin_given = True
        self.sequence = 1_000  # the newest number that a box has said over signed HTTP

    @property
    def own(self) -> list[Jackpot]:
        """Of the house whose people suspend them and sign other terms."""
        return [self.grand, self.mini, self.big]

    def box(self, box: Device) -> Device:
        """As it stands now."""
        return Device.objects.get(pk=box.pk)

    def table(self, table: Table) -> Table:
        return Table.objects.get(pk=table.pk)

    def rates_of(self, code: str, version: int) -> Rates:
        """Of a version, by its number."""
        return self.rates[code][version - 1]

    @staticmethod
    def _box(table: Table, letter: str) -> Device:
        box = a_controller(table, f"{table.code}-{letter}")
        enrol(code=invite(device=box, by="tests"))
        return box


def moved(entry: Any) -> tuple[int, int]:
    """Meter and reserve of an entry, in units."""
    return units_of(entry.meter), units_of(entry.reserve)
