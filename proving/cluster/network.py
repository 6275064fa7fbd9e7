"""Machines of a cluster on one machine: as root network namespaces behind a switch of their own, else addresses.

Nothing of the host's network is touched: the switch, too, stands in a namespace. A link is cut by taking down its port
at the switch, so nobody hears a word of it, which is how a cable is pulled.
"""

from __future__ import annotations

import contextlib
import ctypes
import os
import signal
import subprocess
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final

from proving.house import NotCarriedOut
from proving.processes import parent_of, processes, signal_one

NAMESPACES: Final = Path("/run/netns")
PREFIX: Final = "fairmeter"
MARK: Final = "FAIRMETER_MACHINE"  # in the environment of everything that runs on a machine of ours
NEW_NETWORK: Final = 0x40000000


class Network:
    """Names and addresses of the machines; `can_cut` only where they are namespaces."""

    def __init__(self, names: Sequence[str]) -> None:
        self.token = f"{PREFIX}-{os.getpid()}"
        self.can_cut = os.geteuid() == 0 and _has_namespaces()
        subnet = "10.77.7" if self.can_cut else "127.0.0"
        self.addresses = {name: f"{subnet}.{number}" for number, name in enumerate(names, 11)}
        self._before: int | None = None

    def open(self) -> None:
        if not self.can_cut:
            return
        _sweep()
        self._ip("netns", "add", self._space("switch"))
        self._ip("-n", self._space("switch"), "link", "add", "switch", "type", "bridge")
        self._ip("-n", self._space("switch"), "link", "set", "switch", "up")
        for name, address in self.addresses.items():
            self._plug_in(name, address)

    def _plug_in(self, name: str, address: str) -> None:
        space, switch = self._space(name), self._space("switch")
        self._ip("netns", "add", space)
        self._ip("-n", space, "link", "set", "lo", "up")
        self._ip("link", "add", name, "netns", switch, "type", "veth", "peer", "name", "eth0", "netns", space)
        self._ip("-n", switch, "link", "set", name, "master", "switch", "up")
        self._ip("-n", space, "address", "add", f"{address}/24", "dev", "eth0")
        self._ip("-n", space, "link", "set", "eth0", "up")

    def on(self, name: str, command: Sequence[str]) -> list[str]:
        """The command, run on that machine."""
        return ["nsenter", f"--net={NAMESPACES / self._space(name)}", *command] if self.can_cut else list(command)

    def mark(self, name: str) -> dict[str, str]:
        return {MARK: f"{self.token}/{name}"}

    def pids(self, name: str = "") -> list[int]:
        """What runs on that machine, or on any of ours: what bears our mark, and whatever that has started.

        PostgreSQL's own children write their titles over the words of their environment.
        """
        wanted = f"{MARK}={self.token}/{name}".encode()
        parents = {pid: parent_of(pid) for pid in processes()}
        found = {pid for pid in parents if _bears(pid, wanted, whole=bool(name))} - {os.getpid()}
        while more := {pid for pid, parent in parents.items() if parent in found} - found:
            found |= more
        return sorted(found)

    def signal(self, name: str, number: signal.Signals) -> None:
        """To everything of that machine; again until nothing new has appeared meanwhile."""
        told: set[int] = set()
        while new := set(self.pids(name)) - told:
            for pid in new:
                signal_one(pid, number)
            told |= new

    def cut(self, name: str) -> None:
        self._ip("-n", self._space("switch"), "link", "set", name, "down")

    def heal(self, name: str) -> None:
        self._ip("-n", self._space("switch"), "link", "set", name, "up")

    def close(self) -> None:
        for number in (signal.SIGCONT, signal.SIGKILL):
            self.signal("", number)
        if self.can_cut:
            for name in (*self.addresses, "switch"):
                subprocess.run(["ip", "netns", "del", self._space(name)], check=False, capture_output=True)

    @contextlib.contextmanager
    def joined(self, name: str) -> Iterator[None]:
        """This process stands on that machine meanwhile, and whatever it starts."""
        if not self.can_cut:
            yield
            return
        before = os.open("/proc/self/ns/net", os.O_RDONLY)
        try:
            _enter(NAMESPACES / self._space(name))
            yield
        finally:
            _enter(Path(f"/proc/self/fd/{before}"))
            os.close(before)

    def _space(self, name: str) -> str:
        return f"{self.token}-{name}"

    def _ip(self, *words: str) -> None:
        done = subprocess.run(["ip", *words], check=False, capture_output=True, text=True)
        if done.returncode != 0:
            raise NotCarriedOut(f"`ip {' '.join(words)}` failed: {done.stderr.strip()}")


def _has_namespaces() -> bool:
    """Asked by making one: containers often forbid what the program offers."""
    name = f"{PREFIX}-{os.getpid()}-asked"
    try:
        made = subprocess.run(["ip", "netns", "add", name], check=False, capture_output=True).returncode == 0
        subprocess.run(["ip", "netns", "del", name], check=False, capture_output=True)
    except FileNotFoundError:
        return False
    return made


def _sweep() -> None:
    """Namespaces of drills that were killed: nobody with their number lives any more."""
    for space in NAMESPACES.glob(f"{PREFIX}-*-*"):
        number = space.name.split("-")[1]
        if not number.isdigit() or not Path("/proc", number).exists():
            subprocess.run(["ip", "netns", "del", space.name], check=False, capture_output=True)


def _enter(space: Path) -> None:
    libc = ctypes.CDLL(None, use_errno=True)
    with space.open("rb") as held:
        if libc.setns(held.fileno(), NEW_NETWORK) != 0:
            raise NotCarriedOut(f"Could not enter the network {space.name}: {os.strerror(ctypes.get_errno())}")


def _bears(pid: int, wanted: bytes, *, whole: bool) -> bool:
    with contextlib.suppress(OSError):
        words = Path(f"/proc/{pid}/environ").read_bytes().split(b"\0")
        return any(word == wanted if whole else word.startswith(wanted) for word in words)
    return False
