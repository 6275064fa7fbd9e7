"""What people type into the search of the ledger, read as a value. What cannot be meant gets a sentence."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final
from urllib.parse import urlencode

from jackpot.books.rules.entry_kind import known_kind
from jackpot.reading import read_day

LARGEST: Final = 2**63 - 1
LONGEST: Final = len(str(LARGEST))
_ENTRY: Final = re.compile(r"#?(\d{1,19})", re.ASCII)
_ROUND: Final = re.compile(r"([A-Z0-9][A-Z0-9-]{0,19})\s*/\s*(\d{1,19})", re.ASCII)
_TABLE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}")


@dataclass(frozen=True, slots=True)
class Search:
    """What was asked: an entry's number, or columns to filter by, from where on; or why it was not understood."""

    q: str = ""
    kind: str = ""
    day: str = ""
    seq: int | None = None
    before: int | None = None
    asked: Mapping[str, Any] = field(default_factory=dict)
    problem: str = ""

    @property
    def words(self) -> list[tuple[str, str]]:
        """The same question again, but for where it begins: what a form that jumps takes along."""
        words = {"q": self.q, "kind": self.kind, "day": self.day, "falls": "on" if self.asked.get("falls") else ""}
        return [(word, value) for word, value in words.items() if value]

    @property
    def query(self) -> str:
        """It as an address, for the next page and the export."""
        return urlencode(self.words)


class _NotMeant(ValueError):
    pass


def search_of(words: Mapping[str, str]) -> Search:
    q, kind, day = (words.get(word, "").strip()[:60] for word in ("q", "kind", "day"))
    try:
        seq, place = _place(q.upper())
        asked = {**place, "kind": _kind(kind), "day": _day(day), "falls": words.get("falls") == "on"}
        return Search(q, kind, day, seq, _before(words.get("before", "")), asked)
    except _NotMeant as problem:
        return Search(q, kind, day, problem=str(problem))


def _place(q: str) -> tuple[int | None, dict[str, Any]]:
    """ "88213" is an entry, "UTH-04" a table, "UTH-04/118" a round."""
    if not q:
        return None, {}
    if number := _ENTRY.fullmatch(q):
        return _bounded(number.group(1)), {}
    if round_ := _ROUND.fullmatch(q):
        return None, {"table": round_.group(1), "round": _bounded(round_.group(2))}
    if _TABLE.fullmatch(q):
        return None, {"table": q}
    raise _NotMeant("Search for an entry (88213), a table (UTH-04) or a round (UTH-04/118).")


def _kind(kind: str) -> str:
    if kind and known_kind(kind) is None:
        raise _NotMeant("There is no such kind of entry.")
    return kind


def _day(day: str) -> date | None:
    try:
        return read_day(day) if day else None
    except ValueError:
        raise _NotMeant("Write the gaming day like 2026-11-18.") from None


def _before(before: str) -> int | None:
    return _bounded(before) if before else None


def _bounded(digits: str) -> int:
    # By its length first: turning thousands of digits into a number takes its time.
    if not digits.isascii() or not digits.isdigit() or len(digits) > LONGEST or int(digits) > LARGEST:
        raise _NotMeant("This number is larger than any entry's.")
    return int(digits)
