"""What the launcher says to the person at the keyboard."""

from __future__ import annotations

import sys


class CannotStart(Exception):
    """A sentence that names the thing and the cure."""


def say(text: str) -> None:
    sys.stdout.write(f"{text}\n")
    sys.stdout.flush()


def complain(text: str) -> None:
    sys.stdout.flush()
    sys.stderr.write(f"{text}\n")
    sys.stderr.flush()
