"""A disk that fills under the books, and room that comes back: PostgreSQL ends for want of a byte, and begins again.

The books lie on a small ext4 in a file, as the power cut's do. Root only, since it mounts.
"""

from __future__ import annotations

import contextlib
import os
import random
import time
from typing import Final

import psycopg

from launcher.house import Trouble
from proving.drill.faults import Fault, FaultsDrilled, strike_all
from proving.drill.kill import ASSERTED, Say
from proving.drill.power import SIGNS, Disk, house_on
from proving.house import SOUND, NotCarriedOut, ProvingHouse

MEGABYTES: Final = 600
FULL_FOR: Final = 15.0
BACK_WITHIN: Final = (
    FULL_FOR + Trouble.LONGEST_PAUSE
)  # from the moment it was full; PostgreSQL is tried ever more rarely
MOST_SWITCHES: Final = 40  # of segments that PostgreSQL had made before; with the last one it has nowhere to write
BALLAST: Final = "ballast"
USE_UP: Final = b"SELECT pg_logical_emit_message(true, 'drill', 'x'), pg_switch_wal()"


def fill(ours: ProvingHouse, disk: Disk, after: float) -> float:
    """Somebody else's file takes what is left. Then the log's spare room is used up, as a busy house would in time."""
    time.sleep(after)
    ballast = disk.mounted / BALLAST
    with ballast.open("wb") as file:
        size = 0
        for step in (2**24, 2**20, 2**12):
            with contextlib.suppress(OSError):
                while True:
                    os.posix_fallocate(file.fileno(), size, step)
                    size += step
    moment = time.monotonic()
    with contextlib.suppress(psycopg.Error):
        for _ in range(MOST_SWITCHES):
            with ours.connect() as connection:
                connection.execute(USE_UP)
        raise NotCarriedOut("PostgreSQL still found room for its log: the disk of the drill was not full.")
    return moment


def make_room(disk: Disk) -> None:
    (disk.mounted / BALLAST).unlink()


def drill_disk(times: int, *, tables: int, seed: int, say: Say) -> FaultsDrilled:
    disk, dice = Disk(MEGABYTES), random.Random(seed)
    with house_on(disk, SOUND) as ours:
        made = ours.scene(tables={"S": tables // 2, "B": tables - tables // 2}, signs=SIGNS, shown=["GRAND", "MINOR"])
        ours.open_door()
        say(f"{tables} tables and {SIGNS} signs, seed {seed}; the disk of the books fills {times} times.")
        told = {"tables": [*made["tables"]["S"], *made["tables"]["B"]], "signs": made["signs"]}
        faults = [
            Fault(
                f"disk full for {FULL_FOR:.0f} s, {number}", BACK_WITHIN, lambda: fill(ours, disk, dice.random()),
                lambda: make_room(disk), FULL_FOR,
            )
            for number in range(1, times + 1)
        ]  # fmt: skip
        drilled = FaultsDrilled("disk", SOUND.name)
        strike_all(ours, told, faults, drilled, seed, say)
        drilled.settings = ours.settings(*ASSERTED)
        return drilled
