"""The sign's own feed, recorded frame by frame while an evening is played, and held against the story and the payments.

Nobody waits for the wall: frames come when the product sends them. Each must be one of the states that the rule book
tells, none older than a frame before it, none younger than what has been said at a door. What the wall said of a hit
just before it was paid is what it is paid, and by a payment the figure does not fall.
"""

from __future__ import annotations

import hmac
import itertools
import json
import threading
import time
from collections import Counter, deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

from websockets.exceptions import ConnectionClosed
from websockets.sync.client import connect

from tests.oracle.doors import Answer, Box
from tests.oracle.sheet import spoken, units

LOST = 30.0  # seconds after which a wall that says nothing new is a wall that stands still


@dataclass(frozen=True)
class Shown:
    """One frame: when it came, and what it told."""

    at: float
    told: Answer

    def figures(self) -> dict[str, int]:
        return {meter["code"]: units(meter["amount"]) for meter in self.told["meters"]}

    def versions(self) -> dict[str, int]:
        return {meter["code"]: meter["version"] for meter in self.told["meters"]}

    def verifying(self, table: str = "") -> list[tuple[str, int]]:
        told = [(each["table"], units(each["amount"])) for each in self.told["verifying"]]
        return sorted(each for each in told if table in ("", each[0]))


class MeterStood(NamedTuple):
    """What the wall must tell of one meter: its figure, which hits are verified, and whether a part of it is asked."""

    figure: int
    verifying: tuple[tuple[str, int], ...] = ()
    part: bool = False

    def is_told_by(self, meter: Answer) -> bool:
        return units(meter["amount"]) == self.figure and (not self.part or meter["reason"] == "verifying")


@dataclass(frozen=True)
class Stood:
    """Every meter once an act is done, and when that act was said."""

    said_at: float
    meters: Mapping[str, MeterStood]


class Recording:
    """Frames and states in their order. Pure: it is told both, and says what disagrees.

    The product looks at one meter after another, so two meters of a frame may be an act apart; each is held against its
    own states.
    """

    def __init__(self) -> None:
        self.states: dict[str, list[tuple[float, MeterStood]]] = {}
        self.newest: Shown | None = None
        self.at: Counter[str] = Counter()  # by meter, the state that the newest frame told
        self.tally: Counter[str] = Counter()

    def stood(self, state: Stood) -> None:
        for code, meter in state.meters.items():
            known = self.states.setdefault(code, [])
            if not known or known[-1][1] != meter:
                known.append((state.said_at, meter))

    def hear(self, frame: Shown) -> str:
        """Why this frame may not hang there; empty if it may."""
        if frame.told["fault"]:  # on a starved machine the books are out of reach for a moment: no figure hangs there
            self.tally["frames without a figure"] += 1
            return ""
        self.tally["frames"] += 1
        self.tally["frames with several hits"] += len({table for table, _ in frame.verifying()}) > 1
        told = self._told_by(frame)
        if told is None:
            due = [(code, known[-1][1]) for code, known in self.states.items()]
            rule = {code: meter.figure for code, meter in due}, [hit for _, meter in due for hit in meter.verifying]
            return (
                f"no act led to what hangs there: {spoken_frame(frame.figures(), frame.verifying())}; "
                f"the rule says {spoken_frame(*rule)}"
            )
        fallen = self._fallen(frame)
        self.at, self.newest = told, frame
        return f"{fallen} falls on the sign without a reason: {frame.told}" if fallen else ""

    def _told_by(self, frame: Shown) -> Counter[str] | None:
        """The earliest states, meter by meter, that make this frame."""
        shown = {meter["code"]: meter for meter in frame.told["meters"]}
        if shown.keys() != self.states.keys():
            return None
        may_be = [
            [number for number in range(self.at[code], len(known))
             if known[number][0] <= frame.at and known[number][1].is_told_by(shown[code])]
            for code, known in self.states.items()
        ]  # fmt: skip
        for numbers in itertools.product(*may_be):
            told = Counter(dict(zip(self.states, numbers, strict=True)))
            hits = [hit for code, number in told.items() for hit in self.states[code][number][1].verifying]
            if sorted(hits) == frame.verifying():
                return told
        return None

    def _fallen(self, frame: Shown) -> str:
        if self.newest is None:
            return ""
        before, versions = self.newest.figures(), self.newest.versions()
        for meter in frame.told["meters"]:
            code = meter["code"]
            explained = meter["reason"] and meter["version"] > versions[code]
            if units(meter["amount"]) < before[code] and not explained:
                return str(code)
        return ""

    @property
    def is_current(self) -> bool:
        """Whether the newest frame tells what stands now."""
        return self.newest is not None and all(
            self.states[code][self.at[code]][1] == known[-1][1] for code, known in self.states.items()
        )

    def paid(self, before: Shown, after: Shown, table: str, pages: Sequence[int], jackpots: Sequence[str]) -> str:
        """Whether this payment contradicts what hung there just before it; nothing but the payment lies between."""
        told = [amount for _, amount in before.verifying(table)]
        if not told:  # its hits were approved in the act that asked for them
            return ""
        self.tally["payments held against the wall"] += 1
        if Counter(pages) - Counter(told):  # a parked round of the same table may hang beside it
            due = ", ".join(spoken(amount) for amount in sorted(pages))
            return f"{table} was told {', '.join(spoken(amount) for amount in told)} and was paid {due}"
        was, now = before.figures(), after.figures()
        for code in jackpots:
            if now[code] < was[code]:
                return (
                    f"{code} promised {spoken(was[code])} after all that it verified; paid, it is {spoken(now[code])}"
                )
        return ""


class Recorder:
    """A sign on the wall: an enrolled box that proves its secret, and a thread that writes down what it hears."""

    def __init__(self, port: int, sign: str, box: Box) -> None:
        path = f"/ws/signs/{sign}"
        self.heard: deque[Shown] = deque()
        self.entered = connect(f"ws://127.0.0.1:{port}{path}", compression=None, ping_interval=None)
        self.socket = self.entered.__enter__()
        nonce = json.loads(self.socket.recv(timeout=LOST))["nonce"]
        proof = hmac.new(box.secret, f"{nonce}|{path}|{box.device}|2.0.0".encode(), "sha256").hexdigest()
        hello = {"do": "hello", "device": box.device, "version": "2.0.0", "proof": proof}
        self.socket.send(json.dumps(hello))
        self.thread = threading.Thread(target=self._write_down, daemon=True)
        self.thread.start()

    def _write_down(self) -> None:
        try:
            for text in self.socket:
                told: dict[str, Any] = json.loads(text)
                if "meters" in told:
                    self.heard.append(Shown(time.monotonic(), told))
        except ConnectionClosed:
            return

    def close(self) -> None:
        self.entered.__exit__(None, None, None)
        self.thread.join(LOST)


def spoken_frame(figures: Mapping[str, int], verifying: Sequence[tuple[str, int]]) -> str:
    meters = ", ".join(f"{code} {spoken(amount)}" for code, amount in figures.items())
    return f"{meters}; verified {[f'{table} {spoken(amount)}' for table, amount in verifying] or 'nothing'}"
