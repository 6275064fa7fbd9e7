"""Books of slips that are written by hand in an outage: printed numbers, what may follow what, what is missing."""

from __future__ import annotations

import enum
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final

CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}")
# It begins with a letter, so that it is never taken for one of our own numbers, and ends with none of its digits.
PREFIX: Final = re.compile(r"[A-Z]([A-Z0-9-]{0,6}[A-Z-])?")
PRINTED: Final = re.compile(r"([A-Z](?:[A-Z0-9-]{0,6}[A-Z-])?)(\d{1,9})", re.ASCII)
TAKEN: Final = frozenset({"SLIP", "NO"})  # so people begin our own numbers
LARGEST: Final = 999_999_999
# Whoever looks at the register goes through each book number by number (`unaccounted`).
MOST_SLIPS: Final = 1_000
LONGEST_WHY: Final = 120
LONGEST_PIT: Final = 40
WRITES: Final = ("approve", "close_day", "pay")
ADDS: Final = "set_up"
READS: Final = (*WRITES, ADDS, "run_tables", "read_books", "read_trail")


@dataclass(frozen=True, slots=True)
class PrintedNumber:
    """A number as it is printed: what stands before it, itself, and with how many digits."""

    prefix: str
    number: int
    digits: int


class BookAct(enum.StrEnum):
    """What happens to a book as a whole."""

    OUT = "out"
    BACK = "back"


class SlipWord(enum.StrEnum):
    """What became of one printed number."""

    USED = "used"
    VOID = "void"
    MISSING = "missing"


WORD_MEANINGS: Final[Mapping[SlipWord, str]] = {
    SlipWord.USED: "used for a win",
    SlipWord.VOID: "void, all parts are in the book",
    SlipWord.MISSING: "missing",
}
FINAL: Final = frozenset({SlipWord.USED, SlipWord.VOID})
# What may be written of a number after what; a missing one may turn up. What is not listed is refused.
LIFE: Final = frozenset(
    {
        (None, SlipWord.USED), (None, SlipWord.VOID), (None, SlipWord.MISSING),
        (SlipWord.MISSING, SlipWord.USED), (SlipWord.MISSING, SlipWord.VOID),
    }
)  # fmt: skip


def may_follow(before: SlipWord | None, word: SlipWord) -> bool:
    return (before, word) in LIFE


def printed(prefix: str, digits: int, number: int) -> str:
    """As the printer of the book set it: M-0012."""
    return f"{prefix}{number:0{digits}}"


def read_printed(typed: str) -> PrintedNumber | None:
    """What somebody reads off a slip; nothing where it can be no printed number."""
    found = PRINTED.fullmatch(re.sub(r"\s+", "", typed[:40]).upper())
    return PrintedNumber(found.group(1), int(found.group(2)), len(found.group(2))) if found else None


def unaccounted(first: int, told: Collection[int], next_blank: int) -> list[int]:
    """The numbers below the first blank one of which nobody said what became of them.

    Slips leave a book in their order: whatever was written down of a number, every lower one was gone by then.
    """
    reached = max(next_blank, max(told, default=first - 1) + 1)
    known = frozenset(told)
    return [number for number in range(first, reached) if number not in known]
