"""The process that keeps the archive: it receives the log as it is written, copies once a day, and clears up."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from types import FrameType
from typing import Any, Final

import psycopg

from launcher.archive.copies import SLOT, admin_url, current_folder, make_base
from launcher.archive.folder import ArchiveFolder, ArchiveLimits, archive_root, base_is_due, clear, folders
from launcher.children import spawn
from launcher.cluster import clean_environment, wheel_binaries
from launcher.places import Places
from launcher.postgres import Server
from launcher.sentences import CannotStart, say

BLINK: Final = 1.0
BETWEEN_LOOKS: Final = 10.0  # seconds; also what `doctor` may be told late
SETTLING: Final = 60.0  # a first start has more urgent work than a copy of an empty house
LONGEST_PAUSE: Final = 30.0
_LOOK: Final = """
SELECT pg_current_wal_flush_lsn(), clock_timestamp(), restart_lsn >= %s::pg_lsn
  FROM pg_replication_slots WHERE slot_name = %s
"""


class ArchiveKeeper:
    """One receiver at a time; whatever ends it, it is begun again, later each time."""

    def __init__(self, server: Server, root: Path, limits: ArchiveLimits, *, settling: float = SETTLING) -> None:
        self.server, self.root, self.limits = server, root, limits
        self.receiver: subprocess.Popen[bytes] | None = None
        self.folder: ArchiveFolder | None = None
        self.begun = time.monotonic()
        self.settling = settling
        self.not_before, self.pause, self.look_at = 0.0, BLINK, 0.0
        self.asked: tuple[str, datetime] | None = None

    def turn(self) -> None:
        """One look: the receiver runs, what it reached is noted, copies are as old as they may be."""
        now = time.monotonic()
        if self.receiver is not None and self.receiver.poll() is not None:
            say(f"The receiver ended ({self.receiver.returncode}); again in {self.pause:.0f} s.")
            self.receiver, self.not_before = None, now + self.pause
            self.pause = min(LONGEST_PAUSE, self.pause * 2)
        if now < max(self.not_before, self.look_at):
            return
        try:
            self._receive()
            self._look()
        # Tried again at the next look: an archive in trouble ends no house.
        except (psycopg.Error, OSError, CannotStart) as why:
            say(f"The archive: {' '.join(str(why).split())}")
        self.look_at = time.monotonic() + BETWEEN_LOOKS

    def _receive(self) -> None:
        if self.receiver is not None:
            return
        self.folder = current_folder(self.server, self.root)
        command = [wheel_binaries().program("pg_receivewal"), "-d", admin_url(self.server), "--slot", SLOT]
        # Flushed as it comes; on trouble it ends, and this process says so and begins it anew.
        command += ["-D", str(self.folder.path), "--synchronous", "--compress=gzip:1", "--no-loop", "-s", "1", "-w"]
        self.receiver, self.asked = spawn(command, env=clean_environment(os.environ)), None

    def _look(self) -> None:
        """What was written at the last look and is here now was here by then."""
        assert self.folder is not None
        with psycopg.connect(admin_url(self.server), autocommit=True) as connection:
            before = self.asked
            row = connection.execute(_LOOK, [before[0] if before else "0/0", SLOT]).fetchone()
        if row is None:
            return
        lsn, at, here = row
        if before and here:
            self.folder.note_reached(before[1])
            # It works: the next trouble counts as the first one again.
            self.pause = BLINK
        if not before or here:
            self.asked = (lsn, at)
        self._copy(at)

    def _copy(self, now: datetime) -> None:
        assert self.folder is not None
        settled = time.monotonic() - self.begun >= self.settling
        if settled and base_is_due(self.folder, now, self.limits):
            base = make_base(self.server, self.folder)
            say(f"Base copy {base.folder.name}: {base.size:,} bytes.")
        for gone in clear(folders(self.root, f"{self.folder.house}-"), now.astimezone(UTC), self.limits):
            say(f"Base copy {gone.folder.name} is no longer kept.")

    def stop(self) -> None:
        if self.receiver is not None and self.receiver.poll() is None:
            self.receiver.send_signal(signal.SIGINT)  # it ends with its file flushed
            self.receiver.wait(10)


def keep(keeper: ArchiveKeeper, asked_to_stop: Callable[[], bool]) -> None:
    try:
        while not asked_to_stop():
            keeper.turn()
            time.sleep(BLINK)
    finally:
        keeper.stop()


def main() -> int:
    """`up` starts this with the data folder in the environment."""
    places = Places(Path(os.environ["FAIRMETER_DATA"]))
    root = archive_root(places, os.environ)
    if root is None:
        return 0
    came: list[int] = []

    def come(number: int, _frame: FrameType | Any) -> None:
        came.append(number)

    for number in (signal.SIGTERM, signal.SIGINT):
        signal.signal(number, come)
    keep(ArchiveKeeper(Server(places), root, ArchiveLimits.of(os.environ)), lambda: bool(came))
    return 0


if __name__ == "__main__":
    sys.exit(main())
