"""What else can happen to a house than a quick death: struck under load, cured, and then the books are asked.

A fault says how soon play must be back, and what must not happen while it lasts.
"""

from __future__ import annotations

import contextlib
import json
import math
import platform
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from proving.drill.journal import AcknowledgedCoinIn, Journals
from proving.drill.kill import WARM_UP, Kill, Say, finish, judge, play_on, recovered
from proving.drill.player import Player, player
from proving.gates import Gate
from proving.house import NeverAgain, Stage

KEPT: Final = Path(__file__).parent / "results"
FINDINGS_SHOWN: Final = 3
Strike = Callable[[], float]  # returns the moment at which it happened
Act = Callable[[], object]


def nothing() -> None:
    """Some faults pass by themselves."""


@dataclass(frozen=True, slots=True)
class Fault:
    """One thing that happens: `within` counts from the strike, or from the cure where play rightly stands till then."""

    name: str
    within: float
    strike: Strike
    cure: Act = nothing
    lasts: float = 0.0
    stands: bool = False  # nothing can be acknowledged before the cure
    calm: Act = nothing  # awaited before the next fault


@dataclass(slots=True)
class Struck:
    """What came of it: when, and the longest that each table waited for an answer."""

    fault: Fault
    at: float
    cured_at: float = 0.0
    waited: Sequence[float] = ()
    meanwhile: int = 0

    @property
    def longest(self) -> float:
        return max(self.waited, default=float("inf"))

    @property
    def middle(self) -> float:
        return sorted(self.waited)[len(self.waited) // 2] if self.waited else float("inf")


@dataclass(slots=True)
class FaultsDrilled:
    """A drill of faults, with its figures and gates."""

    name: str
    house: str
    struck: list[Struck] = field(default_factory=list)
    gates: list[Gate] = field(default_factory=list)
    acknowledged: int = 0
    repeats: int = 0
    figures: int = 0
    played: float = 0.0
    stuck: str = ""  # why some table plays no more
    settings: Mapping[str, str] = field(default_factory=dict)

    @property
    def holds(self) -> bool:
        return all(gate.holds for gate in self.gates)


def strike_all(
    ours: Stage, made: Mapping[str, Any], faults: Sequence[Fault], drilled: FaultsDrilled, seed: int, say: Say
) -> FaultsDrilled:
    """Plays, lets each fault happen, waits until every table plays again, and judges what the books say."""
    with player(ours, made, seed) as playing:
        since = time.monotonic()
        play_on(ours, playing, WARM_UP, since=0.0)
        try:
            for fault in faults:
                _strike(ours, playing, fault, drilled, say)
            play_on(ours, playing, WARM_UP, since=time.monotonic())
        except NeverAgain as why:
            drilled.stuck = str(why)
            say(f"{drilled.stuck[:200]} No further fault; the books are asked.")
        drilled.played = time.monotonic() - since
        journals = finish(ours, playing)
    say("Asking the books …")
    _waits(drilled, journals)
    drilled.gates = [
        *judge(ours, journals, made["tables"]), back_in_time(drilled), every_table_plays(drilled),
        nothing_told_meanwhile(drilled),
    ]  # fmt: skip
    tables = journals.tables.values()
    drilled.acknowledged = sum(len(each.told) for each in tables)
    drilled.repeats = sum(told.repeat for each in tables for told in each.told)
    drilled.figures = sum(sign.figures for sign in journals.signs.values())
    return drilled


def _strike(ours: Stage, playing: Player, fault: Fault, drilled: FaultsDrilled, say: Say) -> None:
    at = fault.strike()
    struck = Struck(fault, at)
    drilled.struck.append(struck)
    until = time.monotonic() + fault.lasts
    while time.monotonic() < until:
        ours.look_after()
        playing.hear()
        time.sleep(0.1)
    fault.cure()
    struck.cured_at = time.monotonic()
    play_on(ours, playing, 0.0, since=struck.cured_at)
    say(f"{fault.name}: all tables play again, {time.monotonic() - at:.1f} s after it began")
    fault.calm()
    play_on(ours, playing, WARM_UP, since=time.monotonic())


def _waits(drilled: FaultsDrilled, journals: Journals) -> None:
    for struck in drilled.struck:
        tables = [journal.told for journal in journals.tables.values()]
        if struck.fault.stands:
            struck.waited = recovered(Kill(struck.fault.name, struck.cured_at), journals).recoveries
            struck.meanwhile = sum(
                struck.at + 1.0 < told.sent_at and told.answered_at < struck.cured_at
                for each in tables
                for told in each
            )
        else:
            struck.waited = [silence(each, struck.at, struck.cured_at) for each in tables]


def silence(told: Sequence[AcknowledgedCoinIn], since: float, cured_at: float) -> float:
    """The longest a table waited, from the strike to the first answer to something said after the cure."""
    longest, before = 0.0, since
    for each in told:
        if each.answered_at > since:
            longest, before = max(longest, each.answered_at - before), each.answered_at
            if each.sent_at > cured_at:
                return longest
    return float("inf")


def back_in_time(drilled: FaultsDrilled) -> Gate:
    gate = Gate("service is back within its stated time")
    for struck in drilled.struck:
        words = f"{struck.fault.name}: a table waited {struck.longest:.1f} s, stated are {struck.fault.within:.0f} s"
        gate.must(struck.longest <= struck.fault.within, words)
    return gate


def every_table_plays(drilled: FaultsDrilled) -> Gate:
    gate = Gate("every table plays again")
    gate.must(not drilled.stuck, drilled.stuck[:300])
    return gate


def nothing_told_meanwhile(drilled: FaultsDrilled) -> Gate:
    """What was said while nothing could be kept must not have been acknowledged then."""
    gate = Gate("nothing is acknowledged while nothing can be kept")
    for struck in drilled.struck:
        if struck.fault.stands:
            gate.must(struck.meanwhile == 0, f"{struck.fault.name}: {struck.meanwhile} acknowledged meanwhile")
    return gate


def lines_of(drilled: FaultsDrilled) -> Iterator[str]:
    yield f"{'coin-ins acknowledged':<44}{drilled.acknowledged:>12,}"
    yield f"{'recognised as said before':<44}{drilled.repeats:>12,}"
    yield f"{'figures heard by signs':<44}{drilled.figures:>12,}"
    yield ""
    yield f"{'what happened':<44}{'p50 s':>9}{'longest s':>11}{'stated s':>10}"
    for struck in drilled.struck:
        fault = struck.fault
        after = " (after its cure)" if fault.stands else ""
        yield f"{fault.name + after:<44}{struck.middle:>9.2f}{struck.longest:>11.2f}{fault.within:>10.0f}"
    yield ""
    for gate in drilled.gates:
        verdict = "holds" if gate.holds else f"FAILS, {len(gate.against):,} ×"
        yield f"{gate.name:<66}{gate.checked:>12,}  {verdict}"
        yield from (f"      {finding}" for finding in gate.against[:FINDINGS_SHOWN])
    yield ""
    failed = sum(not gate.holds for gate in drilled.gates)
    words = f"FAILED: {failed} of {len(drilled.gates)} gates" if failed else f"Held: {len(drilled.gates)} gates"
    yield f"{words} after {len(drilled.struck)} faults; the house is {drilled.house}."


def _kept_seconds(seconds: float) -> float | None:
    """None: it never came back."""
    return round(seconds, 2) if math.isfinite(seconds) else None


def keep(drilled: FaultsDrilled, folder: Path = KEPT) -> Path:
    """The figures for the record, as the benches keep theirs."""
    folder.mkdir(parents=True, exist_ok=True)
    today = datetime.now(UTC).date().isoformat()
    path = folder / f"{today}-{drilled.name}.json"
    told = {
        "drill": drilled.name, "on": today, "house": drilled.house, "holds": drilled.holds,
        "system": f"{platform.system()} {platform.release().split('-')[0]}", "settings": dict(drilled.settings),
        "acknowledged": drilled.acknowledged, "repeats": drilled.repeats, "figures": drilled.figures,
        "seconds": round(drilled.played, 1),
        "faults": [
            {"name": each.fault.name, "stated": each.fault.within, "from": "cure" if each.fault.stands else "strike",
             "p50": _kept_seconds(each.middle), "longest": _kept_seconds(each.longest)}
            for each in drilled.struck
        ],
        "gates": [
            {"name": gate.name, "looked_at": gate.checked, "against": gate.against[:10]} for gate in drilled.gates
        ],
    }  # fmt: skip
    with contextlib.suppress(PermissionError):
        path.write_text(json.dumps(told, indent=2, ensure_ascii=False) + "\n")
    return path
