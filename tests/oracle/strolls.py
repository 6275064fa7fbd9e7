"""Walks with a seed: the same seed leads to the same evening, and a walk that fails is made as short as it can be."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Any

from websockets.exceptions import WebSocketException

from tests.oracle.choose import Chooser
from tests.oracle.scene import Scene
from tests.oracle.walk import Disagreement, Evening

EVENING = int(os.environ.get("FAIRMETER_ORACLE_EVENING", "150"))
BROKEN = (AssertionError, OSError, WebSocketException)  # a fault may also break the product in two


def stroll(scene: Scene, switches: str, seed: str, tally: Counter[str], steps: int, *, proven: bool = True) -> None:
    """One evening of so many steps."""
    with scene.evening(proven=proven) as house:
        evening = Evening(house, switches, tally)
        goal = tally["steps"] + steps
        for act in Chooser(evening.floor, Random(seed)).acts():
            evening.play(act)
            if tally["steps"] >= goal:
                break
        evening.ends()


def play_again(scene: Scene, switches: str, acts: Sequence[Any], *, proven: bool = True) -> None:
    with scene.evening(proven=proven) as house:
        evening = Evening(house, switches)
        for act in acts:
            evening.play(act)
        evening.ends()


def shortened(scene: Scene, switches: str, found: Disagreement, tries: int = 40) -> Disagreement:
    """Leaves out what is not needed, half of it first, for as long as the story still ends in a disagreement."""
    size = len(found.acts) // 2
    while size and tries:
        at = 0
        while at < len(found.acts) and tries:
            tries -= 1
            try:
                play_again(scene, switches, found.acts[:at] + found.acts[at + size :], proven=False)
                at += size
            except Disagreement as again:
                found = again
        size //= 2
    return found
