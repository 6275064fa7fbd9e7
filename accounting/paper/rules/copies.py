"""Which copy of a win page comes next: ORIGINAL once, then reprints with a reason, VOID once it is backed out."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Final, assert_never

from jackpot.wins.rules.win_life import SPOKEN, WinState


class CopyKind(enum.StrEnum):
    ORIGINAL = "original"
    REPRINT = "reprint"
    VOID = "void"


class Form(enum.StrEnum):
    LETTER = "letter"
    A4 = "a4"
    RECEIPT = "receipt"


LETTER_LANDS: Final = frozenset({"US", "CA", "MX", "PH", "CO", "CL", "VE", "PR"})


def paper_of(locale: str) -> Form:
    """The sheet that a house of this locale has in its printers."""
    return Form.LETTER if locale.replace("-", "_").rpartition("_")[2].upper() in LETTER_LANDS else Form.A4


def sheet_asked(typed: str, locale: str | None) -> Form:
    """Letter or A4 as somebody asked for it; else the house's, and Letter where there is no house yet."""
    usual = Form.LETTER if locale is None else paper_of(locale)
    return {"letter": Form.LETTER, "a4": Form.A4}.get(typed, usual)


@dataclass(frozen=True, slots=True)
class CopyStamp:
    """What a copy says of itself. Number 0 is the ORIGINAL's alone; a file copy has none."""

    kind: CopyKind | None
    number: int | None
    reason: str
    by: str
    at: datetime | None

    @property
    def word(self) -> str:
        match self.kind:
            case None:
                return "FILE COPY"
            case CopyKind.REPRINT:
                return f"REPRINT {self.number}"
            case CopyKind.ORIGINAL | CopyKind.VOID:
                return self.kind.value.upper()
            case _:
                assert_never(self.kind)


FILE_COPY = CopyStamp(None, None, "", "", None)


class NoSuchCopy(ValueError):
    """The page cannot be printed so; the message says what to do."""


def next_copy(state: WinState, earlier: Sequence[CopyStamp], *, reason: str, by: str, at: datetime) -> CopyStamp:
    """The copy that a print makes now, given those there are. A second print of the same page needs a reason."""
    if state not in (WinState.LOGGED, WinState.OWED, WinState.PAID, WinState.BACKED_OUT):
        raise NoSuchCopy(f"This win is {SPOKEN[state]}; it has no page until it is approved.")
    voided = state == WinState.BACKED_OUT
    # A page and its VOID are counted apart: the first VOID needs no reason, the second does.
    same = [mark for mark in earlier if (mark.kind == CopyKind.VOID) == voided]
    if same and not reason.strip():
        raise NoSuchCopy(_why_a_reason(same[0]))
    if not voided and not earlier:
        return CopyStamp(CopyKind.ORIGINAL, 0, "", by, at)
    # And numbered together: a number stands for one sheet of this page, whatever is printed across it.
    number = max((mark.number or 0 for mark in earlier), default=0) + 1
    return CopyStamp(CopyKind.VOID if voided else CopyKind.REPRINT, number, reason.strip(), by, at)


def _why_a_reason(first: CopyStamp) -> str:
    when = f" on {first.at:%d %b %Y at %H:%M} UTC" if first.at else ""
    return f"The {first.word} was printed by {first.by}{when}. A further copy needs a reason, such as “printer jam”."
