"""What happens to a cluster at full load: each machine dies, halts, or is cut off without a word and comes back."""

from __future__ import annotations

import contextlib
import signal
import time
from collections.abc import Sequence
from typing import Final

from proving.cluster.house import ClusterHouse, cluster
from proving.cluster.machines import DATABASES, ETCDS, FRONT
from proving.drill.faults import Fault, FaultsDrilled, strike_all
from proving.drill.kill import ASSERTED, Say
from proving.gates import Gate
from proving.house import NotCarriedOut
from proving.processes import signal_one

CRASH: Final = 10.0
MACHINE: Final = 30.0
BEHIND: Final = 0.8
SETTLED_WITHIN: Final = 180.0
TABLES, SIGNS = 12, 4
STRICT: Final = "synchronous and strict"
LOOSE: Final = "asynchronous on purpose"
ASYNCHRONOUS: Final = {"synchronous_mode": False, "synchronous_mode_strict": False}
SHORT: Final = ("postmaster", "web", "machine")
KINDS: Final = ("postmaster", "web", "redis", "standby", "etcd", "machine", "halt", "cut", "standbys")


class Nemesis:
    """Strikes and cures, by the name of what happens."""

    def __init__(self, ours: ClusterHouse) -> None:
        self.ours, self.machines, self.network = ours, ours.machines, ours.network
        self.victim = ""

    def fault(self, kind: str) -> Fault:
        calm, revive = self.settle, self.revive
        match kind:
            case "postmaster":
                return Fault("postmaster of the primary killed", CRASH, self.kill_postmaster, calm=calm)
            case "web":
                return Fault("web machine killed", CRASH, lambda: self.kill("web1"), revive, 5.0, calm=calm)
            case "redis":
                return Fault("Redis killed", CRASH, self.kill_redis, calm=calm)
            case "standby":
                return Fault("synchronous standby's machine killed", CRASH, self.kill_standby, revive, 8.0, calm=calm)
            case "etcd":
                return Fault("all of etcd killed, 10 s", CRASH, self.kill_etcd, revive, 10.0, calm=calm)
            case "machine":
                return Fault("primary's machine killed", MACHINE, self.kill_primary, revive, 32.0, calm=calm)
            case "halt":
                return Fault("primary's machine halted, 35 s", MACHINE, self.halt_primary, self.go_on, 35.0, calm=calm)
            case "cut":
                return Fault("primary cut off, 45 s, and healed", MACHINE, self.cut_primary, self.heal, 45.0, calm=calm)
            case "standbys":
                both = "both standbys killed, 8 s"
                return Fault(both, CRASH, self.kill_standbys, revive, 8.0, stands=True, calm=calm)
        raise NotCarriedOut(f"There is no fault called {kind}: {', '.join(KINDS)}.")

    def settle(self) -> None:
        """A fault that hits a cluster still healing from the last one is another fault."""
        self.ours.wait_for(self.ours.settled, "the standbys did not follow again", SETTLED_WITHIN)
        self.ours.wait_for(self.ours.webs_are_ready, "not every web machine is ready again", SETTLED_WITHIN)

    def kill(self, name: str) -> float:
        """The machine is gone: everything on it, at once, and nothing starts again before it is revived."""
        self.machines.down.add(name)
        moment = time.monotonic()
        self.network.signal(name, signal.SIGKILL)
        return moment

    def revive(self) -> None:
        self.machines.down.clear()

    def kill_postmaster(self) -> float:
        name = self.machines.primary()
        note = self.ours.places.data / name / "books" / "data" / "postmaster.pid"
        pid = int(note.read_text().split()[0])
        if pid not in self.network.pids(name):
            raise NotCarriedOut(f"{note} names a process that is not ours.")
        signal_one(pid, signal.SIGKILL)
        return time.monotonic()

    def kill_redis(self) -> float:
        process = self.machines.child(FRONT, "redis").process
        if process is not None:
            process.kill()
        return time.monotonic()

    def kill_standby(self) -> float:
        members = self.machines.answer_of(self.machines.primary(), "cluster")["members"]
        return self.kill(next(each["name"] for each in members if each["role"] in ("sync_standby", "quorum_standby")))

    def kill_standbys(self) -> float:
        leading = self.machines.primary()
        return max(self.kill(name) for name in DATABASES if name != leading)

    def kill_etcd(self) -> float:
        for name in ETCDS:
            child = self.machines.child(name, "etcd")
            self.machines.down.add(child.name)
            if child.process is not None:
                child.process.kill()
        return time.monotonic()

    def kill_primary(self) -> float:
        """The worst moment: its standbys heard nothing for a while, and what it sent them lies in its own buffers."""
        leading = self.machines.primary()
        standbys = [name for name in DATABASES if name != leading] if self.network.can_cut else []
        for name in standbys:
            self.network.cut(name)
        time.sleep(BEHIND)
        moment = self.kill(leading)
        for name in standbys:
            self.network.heal(name)
        return moment

    def halt_primary(self) -> float:
        self.victim = self.machines.primary()
        self.network.signal(self.victim, signal.SIGSTOP)
        return time.monotonic()

    def go_on(self) -> None:
        self.network.signal(self.victim, signal.SIGCONT)

    def cut_primary(self) -> float:
        self.victim = self.machines.primary()
        self.network.cut(self.victim)
        return time.monotonic()

    def heal(self) -> None:
        self.network.heal(self.victim)


def drill_cluster(kinds: Sequence[str], *, tables: int, seed: int, loose: bool, say: Say) -> FaultsDrilled:
    """Raises the cluster, plays at full load, lets each fault happen, and judges what the books of the primary say."""
    with cluster(say) as ours:
        made = ours.scene(tables={"S": tables // 2, "B": tables - tables // 2}, signs=SIGNS, shown=["GRAND", "MINOR"])
        ours.raise_webs()
        if loose:
            ours.strict = False
            ours.machines.configure(ours.machines.primary(), ASYNCHRONOUS)
            ours.wait_for(ours.is_asynchronous, "the cluster did not become asynchronous")
        nemesis = Nemesis(ours)
        chosen = [kind for kind in kinds if kind != "cut" or ours.network.can_cut]
        if len(chosen) < len(kinds):
            say("No link can be cut here: that needs root and network namespaces. It is left out.")
        say(f"{tables} tables and {SIGNS} signs, seed {seed}; replication is {LOOSE if loose else STRICT}.")
        told = {"tables": [*made["tables"]["S"], *made["tables"]["B"]], "signs": made["signs"]}
        drilled = FaultsDrilled("cluster", LOOSE if loose else STRICT)
        strike_all(ours, told, [nemesis.fault(kind) for kind in chosen], drilled, seed, say)
        with contextlib.suppress(KeyError):
            drilled.settings = ours.settings(*ASSERTED)
        drilled.gates.append(_one_history(ours))
        return drilled


def _one_history(ours: ClusterHouse) -> Gate:
    """After everything healed there is one primary, and every member follows its timeline."""
    gate = Gate("one primary, and every machine on its timeline")
    leading = ours.machines.primary()
    gate.must(bool(leading), "nobody is primary, or more than one is")
    if leading:
        members = ours.machines.answer_of(leading, "cluster")["members"]
        lines = {each["timeline"] for each in members if "timeline" in each}
        gate.must(len(members) == len(DATABASES) and len(lines) == 1, f"{members}")
    return gate
