"""What a password and a PIN must be. Each rule answers with the sentence of its refusal, or with nothing."""

from __future__ import annotations

from itertools import pairwise
from typing import Final

LEAST_PASSWORD: Final = 10
MOST_PASSWORD: Final = 200
LEAST_DIFFERENT: Final = 5
PIN_LENGTHS: Final = range(4, 9)


def password_refusal(password: str, *, username: str, name: str) -> str:
    """A long one that does not tell who its person is; what it is made of is the person's own business."""
    if not LEAST_PASSWORD <= len(password) <= MOST_PASSWORD:
        return f"A password has {LEAST_PASSWORD} to {MOST_PASSWORD} characters. Three words that only you join will do."
    if len(set(password)) < LEAST_DIFFERENT:
        return f"This password repeats itself. Use at least {LEAST_DIFFERENT} different characters."
    parts = [username, *name.split()]
    if any(len(part) > 2 and part.casefold() in password.casefold() for part in parts):
        return "This password holds your name. Choose one that does not."
    return ""


def pin_refusal(pin: str, *, last_four: str) -> str:
    """Digits that nobody guesses first: no row, no repetition, not what stands on the card."""
    if not (pin.isascii() and pin.isdigit() and len(pin) in PIN_LENGTHS):
        return f"A PIN is {PIN_LENGTHS[0]} to {PIN_LENGTHS[-1]} digits."
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    if steps in ({0}, {1}, {-1}):
        return "This PIN is a row or one digit repeated, which is guessed first. Choose another."
    if pin == last_four:
        return "This PIN stands on the card. Choose another."
    return ""
