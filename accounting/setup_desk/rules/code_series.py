"""Codes of many things at once: "T-01…T-12", or one by one with commas."""

from __future__ import annotations

import re
from typing import Final

from accounting.setup_desk.rules.part_fields import NotAValue

MOST_AT_ONCE: Final = 200
_SERIES: Final = re.compile(r"(.*?)([0-9]{1,6})\s*(?:…|\.\.\.?|–|\s-\s|\sto\s)\s*(.*?)([0-9]{1,6})")


def codes_in(typed: str) -> list[str]:
    """Every code that was meant, in its order; the figures of a series keep their width."""
    codes = [code for part in typed.split(",") if part.strip() for code in _of_part(part.strip())]
    if len(codes) > MOST_AT_ONCE:
        raise NotAValue(f"{len(codes)} at once are too many. Set up at most {MOST_AT_ONCE}, then the next.")
    twice = next((code for code in codes if codes.count(code) > 1), None)
    if twice is not None:
        raise NotAValue(f"{twice} stands twice. Every code stands once.")
    return codes


def _of_part(part: str) -> list[str]:
    found = _SERIES.fullmatch(part)
    if found is None:
        return [part.upper()]
    before, first, again, last = found.groups()
    if again.strip() and again.strip().upper() != before.upper():
        raise NotAValue(f"“{part[:60]}” begins with {before} and ends with {again}. Both ends begin alike.")
    # Judged by its ends, before a series of a million codes is written out.
    if not int(first) <= int(last) < int(first) + MOST_AT_ONCE:
        raise NotAValue(f"“{part[:60]}” is no row of at most {MOST_AT_ONCE} codes. Write it like T-01…T-12.")
    return [f"{before.upper()}{number:0{len(first)}}" for number in range(int(first), int(last) + 1)]
