"""The drills of faults as a command offers them: their lengths, what can be chosen, and each one’s broken house."""

from __future__ import annotations

from argparse import ArgumentTypeError
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from proving.cluster import drill as of_the_cluster
from proving.drill import clock, disk, fuzz, power, strain
from proving.drill.faults import FaultsDrilled
from proving.drill.kill import Say
from proving.house import LOOSE, SOUND

CUTS: Final = {"short": 3, "": 10, "long": 30}
FILLED: Final = {"short": 1, "": 3, "long": 10}
PAUSES: Final = {"short": 5.0, "": 30.0, "long": 30.0}
REQUESTS: Final = {"short": 200, "": 20_000, "long": 100_000}
ROUNDS: Final = {"short": 1, "": 1, "long": 10}


def add_faults(drills: Any) -> None:
    """Each with its lengths; what can be left out is named."""
    cut = drills.add_parser("power", help="power cuts on a file system of its own (root), then the gates")
    cut.add_argument("--cuts", type=int, metavar="N", help="how many (10)")
    cut.add_argument("--broken", action="store_true", help="with synchronous_commit = off: this must fail")
    full = drills.add_parser("disk", help="the disk of the books fills, and room comes back (root), then the gates")
    full.add_argument("--times", type=int, metavar="N", help="how often (3)")
    one = drills.add_parser("strain", help="a halted database, a stuck lock, crowds, floods, a deaf sign")
    one.add_argument("--only", type=_some_of(strain.KINDS), metavar="A,B", help=", ".join(strain.KINDS))
    jump = drills.add_parser("clock", help="the clock an hour ahead, an hour behind, the database's alone")
    jump.add_argument("--only", type=_some_of(clock.KINDS), metavar="A,B", help=", ".join(clock.KINDS))
    strange = drills.add_parser("fuzz", help="what nobody means, by every surface, while a neighbour plays on")
    strange.add_argument("--only", type=_some_of(fuzz.SURFACES), metavar="A,B", help=", ".join(fuzz.SURFACES))
    strange.add_argument("--requests", type=int, metavar="N", help="to each surface (20,000)")
    many = drills.add_parser("cluster", help="Patroni, etcd, HAProxy, Redis and two web machines: kill, halt, cut")
    many.add_argument(
        "--only", type=_some_of(of_the_cluster.KINDS), metavar="A,B", help=", ".join(of_the_cluster.KINDS)
    )
    many.add_argument("--broken", action="store_true", help="with asynchronous standbys: this must fail")
    for parser in (cut, full, one, jump, strange, many):
        length = parser.add_mutually_exclusive_group()
        length.add_argument("--short", action="store_const", const="short", dest="length", default="")
        length.add_argument("--long", action="store_const", const="long", dest="length")
        parser.add_argument("--seed", type=int, default=1, help="the same seed plays alike (1)")
        parser.add_argument("--tables", type=int, default=12, metavar="N", help="tables that play (12)")
        parser.add_argument("--keep", action="store_true", help="keep the figures in proving/drill/results")


def _some_of(kinds: Sequence[str]) -> Callable[[str], list[str]]:
    def chosen(text: str) -> list[str]:
        words = [word.strip() for word in text.split(",") if word.strip()]
        if strange := [word for word in words if word not in kinds]:
            raise ArgumentTypeError(f"{strange[0]} is none of: {', '.join(kinds)}.")
        return words

    return chosen


def _power(told: Mapping[str, Any], say: Say) -> FaultsDrilled:
    cuts = CUTS[told["length"]] if told["cuts"] is None else told["cuts"]
    weakness = LOOSE if told["broken"] else SOUND
    return power.drill_power(cuts, tables=told["tables"], seed=told["seed"], weakness=weakness, say=say)


def _disk(told: Mapping[str, Any], say: Say) -> FaultsDrilled:
    times = FILLED[told["length"]] if told["times"] is None else told["times"]
    return disk.drill_disk(times, tables=told["tables"], seed=told["seed"], say=say)


def _strain(told: Mapping[str, Any], say: Say) -> FaultsDrilled:
    kinds = (told["only"] or strain.KINDS) * ROUNDS[told["length"]]
    pause = PAUSES[told["length"]]
    return strain.drill_strain(list(kinds), tables=told["tables"], seed=told["seed"], pause=pause, say=say)


def _clock(told: Mapping[str, Any], say: Say) -> FaultsDrilled:
    kinds = (told["only"] or clock.KINDS) * ROUNDS[told["length"]]
    return clock.drill_clock(list(kinds), tables=told["tables"], seed=told["seed"], say=say)


def _fuzz(told: Mapping[str, Any], say: Say) -> FaultsDrilled:
    requests = REQUESTS[told["length"]] if told["requests"] is None else told["requests"]
    return fuzz.drill_fuzz(told["only"] or fuzz.SURFACES, requests=requests, seed=told["seed"], say=say)


def _cluster(told: Mapping[str, Any], say: Say) -> FaultsDrilled:
    whole = (
        ("machine",) if told["broken"] else of_the_cluster.SHORT if told["length"] == "short" else of_the_cluster.KINDS
    )
    kinds = [*(told["only"] or whole)] * ROUNDS[told["length"]]
    return of_the_cluster.drill_cluster(
        kinds, tables=told["tables"], seed=told["seed"], loose=told["broken"], say=say
    )  # fmt: skip


FAULT_DRILLS: Final = {
    "power": _power,
    "disk": _disk,
    "strain": _strain,
    "clock": _clock,
    "fuzz": _fuzz,
    "cluster": _cluster,
}
