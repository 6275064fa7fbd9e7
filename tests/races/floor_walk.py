"""A random walk over whatever a remembered table may meet: two processes serve it, a third plays on its jackpots."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from datetime import datetime, timedelta
from random import Random
from typing import Any, Final

import pytest
from django.utils import timezone

from jackpot.books.actions import post
from jackpot.books.models.entry import Entry
from jackpot.database.raw import Question
from jackpot.refusals import Refused
from tables.floor.models.device import Device
from tables.floor.models.table import Table
from tables.rounds.actions.round import OutcomeUnknown, post_messages
from tables.rounds.models.round import Round
from tables.rounds.queries.floor_facts import RememberedTables
from tables.rounds.rules.further import FurtherSeats
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, Outcome, PostedAnswer, Refusal
from tests.races.floor_changes import CHANGES, heal, last_round, mostly
from tests.races.floor_oracle import COUNTED, KEPT_BACK, check, due
from tests.races.floor_scene import FURTHER, BusyTable, Line, WalkedFloor, moved

# By what a batch falls after it was decided: a row that is refused, a deadlock each time, a line that breaks.
FALLS: Final = (
    "SELECT 1 / 0",
    "DO $$ BEGIN RAISE 'as the server would say' USING ERRCODE = '40P01'; END $$",
    "SELECT pg_terminate_backend(pg_backend_pid())",
)
HEALED_EVERY, TOLD = 20, 40
CHANGED, STAYS = 0.18, 0.9  # of the steps, and at the same table
ELSEWHERE = (1, 1, 2)  # rounds that another process plays after a batch that fell and was not said again
FALLEN = 0.06  # of the coin-ins


class Disagreement(AssertionError):
    """What was heard is not what was due, with the steps that led there."""

    def __init__(self, problem: Exception, step: int, told: Sequence[str]) -> None:
        super().__init__("\n".join([f"{problem}", f"at step {step}, after:", *told]))
        self.step = step


class Watched(threading.local):
    """Of each thread: by what its next batch falls, and how many coin-ins it decided out of memory."""

    falls = ""
    recalled = 0


class FloorWalk:
    """One walk: each step plays a round on, or changes the floor; every answer is known beforehand."""

    def __init__(self, seed: int, watched: Watched) -> None:
        self.dice, self.floor, self.watched = Random(seed), WalkedFloor(), watched
        self.lines = [Line(), Line()]
        self.table, self.busy = self.floor.tables[0], BusyTable(self.floor.busy_box)
        self.elsewhere: Counter[str] = Counter()  # so many rounds of a table still go to another process
        self.reached: Counter[str] = Counter()
        self.told: list[str] = []

    def close(self) -> None:
        self.busy.close()
        for line in self.lines:
            line.close()

    def walk(self, steps: int) -> None:
        for step in range(steps):
            self.reached["steps"] += 1
            self.busy.beats.release()
            try:
                self._step()
                if step % HEALED_EVERY == 0:
                    self._note("healed", "")
                    heal(self.floor)
            except Exception as problem:
                raise Disagreement(problem, step, self.told[-TOLD:]) from problem

    def check_busy_table(self) -> None:
        """What the other process was told is what stands in the books, on every jackpot once."""
        assert self.busy.met == []
        assert self.busy.told[COUNTED], "it played"
        for code, chips in (("GRAND", 3), ("MINI", 3), ("BIG", 1)):
            entries = Entry.objects.filter(jackpot__code=code, table_code="BUSY-01").select_related("version")
            assert len(entries) == self.busy.told[COUNTED], code
            for entry in entries:
                assert moved(entry) == self.floor.rates_of(code, entry.version.number).raised(chips), entry

    def _step(self) -> None:
        if self.dice.random() < CHANGED:
            self._change()
        else:
            self._play()

    def _change(self) -> None:
        words, table = self.dice.choice(sorted(CHANGES)), self._table()
        line = self.dice.choice(self.lines)
        self._note(words, table.code)
        try:
            line(lambda: CHANGES[words](self.floor, self.dice, table))
        except Refused as refusal:
            self._note(f"{words}, refused", str(refusal))

    def _play(self) -> None:
        table = self.floor.table(self._table())
        box, last = self._box(table), last_round(table)
        if last is not None and last.state == "open" and self.dice.random() < 0.9:
            self._end(table, box, last.number)
        else:
            self._coin_in(self._asked(table, box, last))

    def _table(self) -> Table:
        """Mostly the one that was played or changed last: only what was counted just now is remembered."""
        if self.dice.random() > STAYS:
            self.table = self.dice.choice(self.floor.tables)
        return self.table

    def _coin_in(self, request: DeviceRequest) -> None:
        """Sometimes its batch falls first, and is said again or never."""
        line = self._line(request.table_code)
        if self.dice.random() < FALLEN:
            self._falls(line, request)
            if mostly(self.dice):
                self.elsewhere[request.table_code] = self.dice.choice(ELSEWHERE)
                return
        told = due(self.floor, request)
        heard, recalled = line(lambda: self._said(request))
        self.elsewhere[request.table_code] = max(0, self.elsewhere[request.table_code] - 1)
        self.told.append(f"{told.word} is due: {request}{', remembered' if recalled else ''}")
        word = check(request, self.floor, told, heard)
        self.reached[f"heard {word}"] += 1
        self.reached["counted out of memory"] += recalled and word in (COUNTED, KEPT_BACK)

    def _falls(self, line: Line, request: DeviceRequest) -> None:
        by = self.dice.choice(FALLS)
        before = Entry.objects.filter(table_code=request.table_code).count()
        line(lambda: self._fallen(by, request))
        self._note("batch that fell", f"by {by}: {request}")
        assert Entry.objects.filter(table_code=request.table_code).count() == before, "a batch that fell left entries"

    def _fallen(self, by: str, request: DeviceRequest) -> None:
        self.watched.falls = by
        try:
            post_messages([request])
        except OutcomeUnknown:
            pass
        finally:
            self.watched.falls = ""

    def _said(self, request: DeviceRequest) -> tuple[Outcome, bool]:
        before = self.watched.recalled
        (heard,) = post_messages([request])
        return heard, self.watched.recalled > before

    def _end(self, table: Table, box: Device, number: int) -> None:
        generation = self.dice.choice([None, box.generation])
        request = DeviceRequest(table.code, box.pk, 0, EndRequest(number), generation)
        (heard,) = self._line(table.code)(lambda: post_messages([request]))
        self._note("END" if isinstance(heard, PostedAnswer) else "END refused", f"{request} {heard}")
        over = Round.objects.get(table=table, number=number).state != "open"
        assert isinstance(heard, PostedAnswer) == over or (isinstance(heard, Refusal) and not over), heard

    def _asked(self, table: Table, box: Device, last: Round | None) -> DeviceRequest:
        number = (last.number if last is not None else 0) + 1
        if self.dice.random() < 0.08:
            number = max(1, number + self.dice.choice([-1, 1]))
        seats = self.dice.choice(["1", "12", "125", "", "4567"])
        further: tuple[FurtherSeats, ...] = ()
        if self.dice.random() < (0.6 if table.wagers > 1 else 0.03):
            further = (FurtherSeats(FURTHER, self.dice.choice(["1", "2", "12"])),)
        generation = box.generation if self.dice.random() < 0.93 else self.dice.choice([None, box.generation - 1])
        act = CoinInRequest(number, seats, "", self._played_at(table, last), further)
        return DeviceRequest(table.code, box.pk, self._sequence(generation), act, generation)

    def _sequence(self, generation: int | None) -> int:
        """Over signed HTTP a message has its number, mostly a new one; over a socket it has none."""
        self.floor.sequence += 1
        if generation is None or self.dice.random() < 0.6:
            return 0
        return self.floor.sequence - (0 if self.dice.random() < 0.9 else self.dice.randint(1, 5))

    def _box(self, table: Table) -> Device:
        here = list(Device.objects.filter(table=table).order_by("pk"))
        if here and self.dice.random() < 0.93:
            return here[0]
        return self.dice.choice(here) if here and self.dice.random() < 0.5 else self._any_box()

    def _any_box(self) -> Device:
        return self.floor.box(self.dice.choice(self.floor.boxes))

    def _line(self, table: str) -> Line:
        """Mostly the first process: what it remembers is what is asked."""
        return self.lines[1] if self.elsewhere[table] or self.dice.random() < 0.15 else self.lines[0]

    def _played_at(self, table: Table, last: Round | None) -> datetime | None:
        """Mostly some seconds after the round before it, as a box notes it; else at any time, or not told."""
        chance, now = self.dice.random(), timezone.now()
        if chance < 0.2:
            return None
        if chance < 0.3:
            return now - timedelta(seconds=self.dice.choice([0, 1, 20, 300, 4000]))
        since = (last and last.played_at) or table.opened_at or self.floor.begun
        at = since + timedelta(seconds=self.dice.choice([1, 10, 40, 250, 700]))
        return at if at < now else None

    def _note(self, what: str, about: str) -> None:
        self.reached[what] += 1
        self.told.append(f"{what} {about}")


@contextmanager
def watched_processes(monkeypatch: pytest.MonkeyPatch) -> Iterator[Watched]:
    """Each thread's own memory is counted, and its batches fall when it says so."""
    watched, recall, write = Watched(), RememberedTables.recall, post.write_questions

    def noted(*of_the_round: Any) -> Any:
        found = recall(*of_the_round)
        watched.recalled += found is not None
        return found

    def written(moved_on: Any) -> list[Question]:
        return [*write(moved_on), *([(watched.falls, ())] if watched.falls else [])]

    with monkeypatch.context() as patched:
        patched.setattr(RememberedTables, "recall", noted)
        patched.setattr(post, "write_questions", written)
        yield watched
