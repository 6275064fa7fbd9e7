"""A power cut without pulling a plug: the books lie on an ext4 in a file, and the file system is shut down under them.

What was not flushed is gone, as it is when the machine loses its supply. It does not model a disk that lies about its
own cache. Root only, since it mounts.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import random
import shutil
import signal
import struct
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from launcher.children import wait_until
from launcher.cluster import home_of_roots_server, server_account
from launcher.places import Places
from proving.drill.faults import Fault, FaultsDrilled, strike_all
from proving.drill.kill import ASSERTED, Say
from proving.drill.strain import signal_all
from proving.house import NotCarriedOut, ProvingHouse, Weakness, house
from proving.processes import children_of

TABLES, SIGNS = 12, 4
SHUTDOWN: Final = 0x8004587D  # FS_IOC_SHUTDOWN
WITHOUT_FLUSHING: Final = 2
MEGABYTES: Final = 1500
BACK_WITHIN: Final = 15.0


class Disk:
    """An ext4 of its own in a file, under the books of one house."""

    def __init__(self, megabytes: int = MEGABYTES) -> None:
        if os.geteuid() != 0:
            raise NotCarriedOut("This is drilled by root only: it mounts a file system of its own.")
        self.megabytes = megabytes
        self.folder = Path(tempfile.mkdtemp(prefix="drill-", dir=home_of_roots_server()))
        self.folder.chmod(0o711)
        self.file, self.mounted = self.folder / "disk", self.folder / "books"

    def make(self) -> None:
        self.mounted.mkdir()
        with self.file.open("wb") as file:
            file.truncate(self.megabytes * 2**20)
        _must("mkfs.ext4", "-q", "-F", str(self.file))
        self.mount()
        server_account().owns(self.mounted)
        self.mounted.chmod(0o700)

    def mount(self) -> None:
        _must("mount", "-o", "loop", str(self.file), str(self.mounted))

    def cut(self) -> None:
        """From here on nothing reaches the file; what was not flushed is lost."""
        handle = os.open(self.mounted, os.O_RDONLY)
        try:
            fcntl.ioctl(handle, SHUTDOWN, struct.pack("I", WITHOUT_FLUSHING))
        finally:
            os.close(handle)

    def unmount(self) -> None:
        if not wait_until(lambda: _done("umount", str(self.mounted)), 20.0, 0.1):
            raise NotCarriedOut(f"{self.mounted} could not be unmounted: somebody still works there.")

    def remove(self) -> None:
        _done("umount", "-l", str(self.mounted))
        shutil.rmtree(self.folder, ignore_errors=True)


def _must(*command: str) -> None:
    done = subprocess.run(command, check=False, capture_output=True, text=True)
    if done.returncode != 0:
        raise NotCarriedOut(f"`{' '.join(command[:2])}` failed: {done.stderr.strip()}")


def _done(*command: str) -> bool:
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


@contextlib.contextmanager
def house_on(disk: Disk, weakness: Weakness) -> Iterator[ProvingHouse]:
    def lay_out(places: Places) -> None:
        disk.make()
        places.server.symlink_to(disk.mounted)

    try:
        with house(weakness, lay_out) as ours:
            yield ours
    finally:
        disk.remove()


def power_cut(ours: ProvingHouse, disk: Disk, after: float) -> float:
    """The supply fails at any moment; the machine starts again with what the disk holds."""
    time.sleep(after)
    process = ours.server.process
    assert process is not None
    everything = [process.pid, *children_of(process.pid)]
    disk.cut()
    moment = time.monotonic()
    signal_all(everything, signal.SIGKILL)
    process.wait()
    wait_until(lambda: not any(Path(f"/proc/{pid}").exists() for pid in everything), 10.0)
    disk.unmount()
    disk.mount()
    return moment


def drill_power(cuts: int, *, tables: int, seed: int, weakness: Weakness, say: Say) -> FaultsDrilled:
    disk, dice = Disk(), random.Random(seed)
    with house_on(disk, weakness) as ours:
        made = ours.scene(tables={"S": tables // 2, "B": tables - tables // 2}, signs=SIGNS, shown=["GRAND", "MINOR"])
        ours.open_door()
        say(f"{tables} tables and {SIGNS} signs, seed {seed}, {cuts} power cuts; the house is {weakness.name}.")
        told = {"tables": [*made["tables"]["S"], *made["tables"]["B"]], "signs": made["signs"]}
        faults = [
            Fault(f"power cut {number}", BACK_WITHIN, lambda: power_cut(ours, disk, dice.random()))
            for number in range(1, cuts + 1)
        ]
        drilled = FaultsDrilled("power", weakness.name)
        strike_all(ours, told, faults, drilled, seed, say)
        drilled.settings = ours.settings(*ASSERTED)
        return drilled
