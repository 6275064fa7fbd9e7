"""A clock that jumps: the machine's, or its database's alone, at full load, an hour ahead or behind and right again.

Only root may set a machine's clock, and everybody on it would notice. So the house is started under libfaketime
(Debian's package): PostgreSQL, web and worker read the time of day that a file says. Controllers and signs keep their
own, as boxes on a floor do; the monotonic clock goes on evenly, as it does when a real clock is set.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final

from launcher.children import wait_until
from proving.drill.faults import Fault, FaultsDrilled, strike_all
from proving.drill.kill import ASSERTED, Say
from proving.engines import false_clock_library
from proving.gates import Gate
from proving.house import HOUSE_OF_ONE, NotCarriedOut, ProvingHouse, house

KINDS: Final = ("ahead", "behind", "database")
TABLES, SIGNS = 12, 4
HOUR: Final = 3600
LASTS: Final = 8.0
READ_AGAIN: Final = "1"  # seconds after which a process looks at the file again
AWAKE_WITHIN: Final = 20.0
WENT_BACK: Final = b"""
SELECT j.code, e.seq FROM (
  SELECT jackpot_id, seq, occurred_at, gaming_day, lag(occurred_at) OVER w AS before, lag(gaming_day) OVER w AS day
    FROM jackpot_entry WINDOW w AS (PARTITION BY jackpot_id ORDER BY seq)) e
  JOIN jackpot_jackpot j ON j.id = e.jackpot_id WHERE e.occurred_at < e.before OR e.gaming_day < e.day
"""
AHEAD: Final = b"SELECT count(*) FROM jackpot_entry WHERE occurred_at > clock_timestamp() + interval '50 minutes'"
ASLEEP: Final = b"SELECT code FROM jackpot_errand WHERE due_at > clock_timestamp() + every ORDER BY code"


class FalseClock:
    """What the processes that wear it take for the time of day."""

    def __init__(self, file: Path) -> None:
        self.file = file
        self.say(0)

    @property
    def environ(self) -> Mapping[str, str]:
        return {
            "LD_PRELOAD": str(false_clock_library()), "FAKETIME_TIMESTAMP_FILE": str(self.file),
            "FAKETIME_CACHE_DURATION": READ_AGAIN, "FAKETIME_DONT_FAKE_MONOTONIC": "1",
            "FAKETIME_FORCE_MONOTONIC_FIX": "0",  # its repair of timed waits makes them busy ones here
        }  # fmt: skip

    def say(self, seconds: int) -> float:
        """Whole or not at all: a process may read it in this moment."""
        draft = self.file.with_suffix(".draft")
        draft.write_text(f"{seconds:+d}\n")
        draft.chmod(0o644)
        draft.replace(self.file)
        return time.monotonic()

    @contextlib.contextmanager
    def worn(self) -> Iterator[None]:
        """By whatever is started meanwhile."""
        before = {name: os.environ.get(name) for name in self.environ}
        os.environ.update(self.environ)
        try:
            yield
        finally:
            for name, value in before.items():
                os.environ.pop(name, None) if value is None else os.environ.update({name: value})


@contextlib.contextmanager
def tidied(memory: Path = Path("/dev/shm")) -> Iterator[None]:
    """What a killed process of libfaketime leaves there, one file by the number of each."""
    before = set(memory.glob("*faketime_*"))
    try:
        yield
    finally:
        for left in set(memory.glob("*faketime_*")) - before:
            if not Path("/proc", left.name.rpartition("_")[2]).exists():
                left.unlink(missing_ok=True)


class TwoClocks:
    """The database's and the program's: together they are one machine's."""

    def __init__(self, folder: Path) -> None:
        folder.chmod(0o755)  # the account that runs PostgreSQL reads it too
        self.books, self.program = FalseClock(folder / "books"), FalseClock(folder / "program")

    def both(self, seconds: int) -> float:
        self.books.say(seconds)
        return self.program.say(seconds)

    def right(self) -> None:
        self.both(0)

    def fault(self, kind: str) -> Fault:
        match kind:
            case "ahead":
                name = "the clock an hour ahead, and right again"
                return Fault(name, 5, lambda: self.both(HOUR), self.right, LASTS)
            case "behind":
                name = "the clock an hour behind, and right again"
                return Fault(name, 5, lambda: self.both(-HOUR), self.right, LASTS)
            case "database":
                name = "the database's clock alone an hour ahead"
                return Fault(name, 5, lambda: self.books.say(HOUR), self.right, LASTS)
        raise NotCarriedOut(f"There is no jump called {kind}: {', '.join(KINDS)}.")


def never_back(ours: ProvingHouse) -> Gate:
    gate = Gate("moments and gaming days of the books never go back")
    with ours.connect() as connection:
        gate.checked = (connection.execute(b"SELECT count(*) FROM jackpot_entry").fetchone() or (0,))[0]
        gate.against = [f"{code}/{seq} is earlier than the entry before" for code, seq in connection.execute(WENT_BACK)]
    return gate


def was_ahead(ours: ProvingHouse) -> Gate:
    """Else the clock was never seen to move, and nothing was drilled."""
    gate = Gate("the books did see the hour that was wrong")
    with ours.connect() as connection:
        found = (connection.execute(AHEAD).fetchone() or (0,))[0]
    gate.must(found > 0, "no entry has a moment of the hour ahead")
    return gate


def nothing_sleeps(ours: ProvingHouse) -> Gate:
    """What was put off while the clock was ahead is not put off for that hour more."""
    gate = Gate("no errand sleeps through the hour that was taken back")

    def asleep() -> list[str]:
        ours.look_after()
        with ours.connect() as connection:
            return [code for (code,) in connection.execute(ASLEEP)]

    wait_until(lambda: not asleep(), AWAKE_WITHIN, 0.5)
    gate.checked, gate.against = 1, asleep()
    return gate


def drill_clock(kinds: Sequence[str], *, tables: int, seed: int, say: Say) -> FaultsDrilled:
    with contextlib.ExitStack() as held:
        held.enter_context(tidied())
        clocks = TwoClocks(Path(held.enter_context(tempfile.TemporaryDirectory(prefix="fairmeter-clock-"))))
        with clocks.books.worn():
            ours = held.enter_context(house())
        made = ours.scene(tables={"S": tables // 2, "B": tables - tables // 2}, signs=SIGNS, shown=["GRAND", "MINOR"])
        plain, ours.environ = ours.environ, {**ours.environ, **clocks.program.environ}
        ours.open_door()
        ours.work()
        ours.environ = plain
        say(f"{tables} tables and {SIGNS} signs, seed {seed}; controllers and signs keep clocks of their own.")
        told = {"tables": [*made["tables"]["S"], *made["tables"]["B"]], "signs": made["signs"]}
        drilled = FaultsDrilled("clock", HOUSE_OF_ONE)
        strike_all(ours, told, [clocks.fault(kind) for kind in kinds], drilled, seed, say)
        drilled.gates += [never_back(ours), nothing_sleeps(ours)]
        if "ahead" in kinds or "database" in kinds:
            drilled.gates.append(was_ahead(ours))
        drilled.settings = ours.settings(*ASSERTED)
        return drilled
