"""Waiting for a fact. How long a busy machine takes for it is nobody's promise, so the limit is only for the lost."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final, TypeVar

PATIENCE: Final = 200.0  # seconds after which a fact will not come any more
LONGEST_PAUSE: Final = 0.3  # seconds between two questions

T = TypeVar("T")


def until(fact: Callable[[], T], what: str = "") -> T:
    """Asks again and again; what it says as soon as it is true. Fails with what was waited for.

    Ever more rarely: a question in a tight loop takes the processor from whatever is to make it true.
    """
    given_up, pause = time.monotonic() + PATIENCE, 0.02
    while not (found := fact()):
        assert time.monotonic() < given_up, f"never came true: {what or fact}"
        time.sleep(pause)
        pause = min(pause * 1.2, LONGEST_PAUSE)
    return found
