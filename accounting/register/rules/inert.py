"""Texts of a file that a spreadsheet opens: what it would take for a formula is kept a text."""

from __future__ import annotations

from typing import Final

BEGINS_A_FORMULA: Final = ("=", "+", "-", "@", "\t", "\r", "\n", "＝", "＋", "－", "＠")


def inert(text: str) -> str:
    """The text itself, with an apostrophe before it where it begins like a formula."""
    return f"'{text}" if text.startswith(BEGINS_A_FORMULA) else text
