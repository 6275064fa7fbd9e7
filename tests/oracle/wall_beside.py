"""The recorded wall beside an evening: what it must tell after each act, and whether a payment contradicts it."""

from __future__ import annotations

import json
import time
from collections.abc import Sequence
from typing import Protocol

from tests.oracle.floor import Act, Expected, Floor, Hit
from tests.oracle.recorder import LOST, MeterStood, Recorder, Recording, Shown, Stood
from tests.oracle.wall import judged

PAYS = ("card", "key")


class Disagreement(AssertionError):
    """The product and the oracle tell different stories; the acts that lead there can be played again."""

    def __init__(self, what: str, acts: Sequence[Act]) -> None:
        super().__init__(what)
        self.what, self.acts = what, list(acts)

    def __str__(self) -> str:
        script = "\n".join(json.dumps(dict(act)) for act in self.acts)
        return f"{self.what}\nafter these acts, which FAIRMETER_ORACLE_SCRIPT=<a file of them> plays again:\n{script}"


class Story(Protocol):
    """What of an evening the wall is held against."""

    floor: Floor
    acts: list[Act]

    def check(self, holds: bool, what: str) -> None: ...


class WallBeside:
    """Every second payment waits until the wall tells what stands, so that what it said last is known."""

    def __init__(self, recorder: Recorder, story: Story) -> None:
        self.recorder, self.story = recorder, story
        self.recording = Recording()
        self.said_at = time.monotonic()
        self.told: Shown | None = None
        self.recording.stood(self._stands())

    def before(self, act: Act) -> None:
        self.told = None
        if act["do"] in PAYS and len(self.story.acts) % 2:
            self.told = self.wait()
        self.said_at = time.monotonic()

    def after(self, act: Act, due: Expected) -> None:
        """Called once an act was answered; frames that came meanwhile may tell the state before it or after it."""
        self.recording.stood(self._stands())
        self.hear()
        if self.told is not None and due.pages:
            self._paid(act, self.told, due.pages)

    def hear(self) -> None:
        while self.recorder.heard:
            wrong = self.recording.hear(self.recorder.heard.popleft())
            self.story.check(not wrong, f"the recorded sign: {wrong}")

    def wait(self) -> Shown:
        """Until the wall tells what stands."""
        ends = time.monotonic() + LOST
        self.hear()
        while not self.recording.is_current:
            self.story.check(time.monotonic() < ends, "the recorded sign stands still")
            time.sleep(0.005)
            self.hear()
        assert self.recording.newest is not None
        return self.recording.newest

    def _paid(self, act: Act, told: Shown, pages: Sequence[Hit]) -> None:
        """Where the order is that of the cards, nobody knows before who comes first, and no wall can say it."""
        own = [page for page in pages if not page.envied]
        jackpots = sorted({page.jackpot for page in pages})
        if any(self._by_card(page) for page in own):
            return
        amounts = [page.payment.amount for page in own if page.payment is not None]
        wrong = self.recording.paid(told, self.wait(), act["table"], amounts, jackpots)
        self.story.check(not wrong, f"the recorded sign: {wrong}")

    def _by_card(self, page: Hit) -> bool:
        return self.story.floor.ledgers[page.jackpot].counted[page.place].sheet.freeze == "approval"

    def _stands(self) -> Stood:
        meters = {}
        for code in self.story.floor.ledgers:
            judgement = judged(self.story.floor, code)
            meters[code] = MeterStood(judgement.live, tuple(sorted(judgement.verifying())), judgement.has_part)
        return Stood(self.said_at, meters)
