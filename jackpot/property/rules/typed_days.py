"""Days and spans of days as people write them: "17 Nov 2026", "11/17/2026", "yesterday", "November 2026"."""

from __future__ import annotations

import re
from dataclasses import dataclass
from datetime import date, time, timedelta
from typing import Final

LONGEST: Final = 60
EXAMPLES: Final = "Write a day like 17 Nov 2026, 2026-11-17 or yesterday; two days like 1 Nov 2026 to 17 Nov 2026."
FIRST_DAY: Final = date(1970, 1, 1)  # no book is older
ALL_DAYS: Final = frozenset({"all", "ever", "all days"})
_ISO: Final = re.compile(r"(\d{4})-(\d{1,2})-(\d{1,2})", re.ASCII)
_POINTS: Final = re.compile(r"(\d{1,2})\.\s?(\d{1,2})\.\s?(\d{4})", re.ASCII)
_STROKES: Final = re.compile(r"(\d{1,2})/(\d{1,2})/(\d{4})", re.ASCII)
_DAY_FIRST: Final = re.compile(r"(?:[a-z]{3,9},? )?(\d{1,2})(?:st|nd|rd|th)?\.? ([a-z]{3,9})\.?,? (\d{4})", re.ASCII)
_MONTH_FIRST: Final = re.compile(r"(?:[a-z]{3,9},? )?([a-z]{3,9})\.? (\d{1,2})(?:st|nd|rd|th)?,? (\d{4})", re.ASCII)
_MONTH: Final = re.compile(r"([a-z]{3,9})\.? (\d{4})", re.ASCII)
_ISO_MONTH: Final = re.compile(r"(\d{4})-(\d{2})", re.ASCII)
_YEAR: Final = re.compile(r"(2\d{3})", re.ASCII)
_LAST_DAYS: Final = re.compile(r"last (\d{1,3}) days", re.ASCII)
_BETWEEN: Final = re.compile(r"\s+(?:to|until|till|through|[-–—])\s+|\s*(?:\.\.|–|—)\s*")
_CLOCK: Final = re.compile(r"(.+?)[ ,T]+(?:at )?(\d{1,2}):(\d{2})(?::(\d{2}))?", re.ASCII)
_MONTHS: Final = (
    "january", "february", "march", "april", "may", "june", "july", "august", "september", "october", "november",
    "december",
)  # fmt: skip


class NotADay(ValueError):
    """What was typed names no day; the message says how days are written."""


@dataclass(frozen=True, slots=True)
class DaySpan:
    """Gaming days from the first to the last, both counted."""

    first: date
    last: date

    def __post_init__(self) -> None:
        assert self.first <= self.last, "a span ends on or after its first day"

    @property
    def is_one_day(self) -> bool:
        return self.first == self.last


def read_span(typed: str, today: date, *, month_first: bool) -> DaySpan:
    """One day, a month, a year, some words, or two of these with "to" between them; the order may be turned."""
    text = _tidy(typed)
    # As a whole first: a single day may hold the dashes that stand between two.
    whole = _span(text, today, month_first)
    if whole is not None:
        return whole
    ends = _BETWEEN.split(text)
    if len(ends) == 2 and all(ends):
        first, last = (_span(end, today, month_first) for end in ends)
        if first is not None and last is not None:
            return DaySpan(min(first.first, last.first), max(first.last, last.last))
    raise NotADay(f"“{typed.strip()[:LONGEST]}” is no day. {EXAMPLES}")


def read_day(typed: str, today: date, *, month_first: bool) -> date:
    """Exactly one day."""
    found = read_span(typed, today, month_first=month_first)
    if not found.is_one_day:
        raise NotADay(f"“{typed.strip()[:LONGEST]}” is more than one day. Write one, like 17 Nov 2026.")
    return found.first


def read_clock(typed: str) -> tuple[str, time | None]:
    """Splits "17 Nov 2026 14:30" into its day as it was typed and its time of day, where it has one."""
    found = _CLOCK.fullmatch(typed.strip()[:LONGEST])
    if found is None:
        return typed, None
    hour, minute, second = int(found.group(2)), int(found.group(3)), int(found.group(4) or 0)
    if hour > 23 or minute > 59 or second > 59:
        raise NotADay(f"{found.group(2)}:{found.group(3)} is no time of day. Write it like 14:30.")
    return found.group(1), time(hour, minute, second)


def _tidy(typed: str) -> str:
    text = " ".join(typed.strip().lower().split())
    if not text or len(text) > LONGEST:
        raise NotADay(EXAMPLES)
    return text


def _span(text: str, today: date, month_first: bool) -> DaySpan | None:
    """What the words mean by themselves; None where they mean nothing."""
    return _of_words(text, today) or _of_one_day(text, month_first) or _of_months(text)


def _of_words(text: str, today: date) -> DaySpan | None:
    monday = today - timedelta(days=today.weekday())
    month = today.replace(day=1)
    spans = {
        "today": (today, today), "now": (today, today),
        "yesterday": (today - timedelta(days=1), today - timedelta(days=1)),
        "this week": (monday, today), "last week": (monday - timedelta(days=7), monday - timedelta(days=1)),
        "this month": (month, today),
        "last month": ((month - timedelta(days=1)).replace(day=1), month - timedelta(days=1)),
        "this year": (date(today.year, 1, 1), today),
        "last year": (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
    }  # fmt: skip
    if text in ALL_DAYS:
        return DaySpan(FIRST_DAY, max(today, FIRST_DAY))
    if found := _LAST_DAYS.fullmatch(text):
        count = int(found.group(1))
        return DaySpan(today - timedelta(days=count - 1), today) if count else None
    return DaySpan(*spans[text]) if text in spans else None


def _of_one_day(text: str, month_first: bool) -> DaySpan | None:
    if found := _ISO.fullmatch(text):
        return _day(found.group(1), found.group(2), found.group(3), text)
    if found := _POINTS.fullmatch(text):
        return _day(found.group(3), found.group(2), found.group(1), text)
    if found := _STROKES.fullmatch(text):
        first, second, year = found.groups()
        return _day(year, first, second, text) if month_first else _day(year, second, first, text)
    if found := _DAY_FIRST.fullmatch(text):
        return _named(found.group(3), found.group(2), found.group(1), text)
    if found := _MONTH_FIRST.fullmatch(text):
        return _named(found.group(3), found.group(1), found.group(2), text)
    return None


def _of_months(text: str) -> DaySpan | None:
    if found := _YEAR.fullmatch(text):
        year = int(found.group(1))
        return DaySpan(date(year, 1, 1), date(year, 12, 31))
    if found := _ISO_MONTH.fullmatch(text):
        return _whole_month(int(found.group(1)), int(found.group(2)))
    if found := _MONTH.fullmatch(text):
        month = _month(found.group(1))
        return None if month is None else _whole_month(int(found.group(2)), month)
    return None


def _named(year: str, name: str, day: str, text: str) -> DaySpan | None:
    month = _month(name)
    return None if month is None else _day(year, str(month), day, text)


def _month(name: str) -> int | None:
    """ "nov", "sept" and "november"; three letters tell every month."""
    fits = [number for number, whole in enumerate(_MONTHS, start=1) if whole.startswith(name)]
    return fits[0] if len(fits) == 1 else None


def _day(year: str, month: str, day: str, text: str) -> DaySpan:
    try:
        found = date(int(year), int(month), int(day))
    except ValueError:
        raise NotADay(f"“{text}” is not in the calendar. {EXAMPLES}") from None
    return DaySpan(found, found)


def _whole_month(year: int, month: int) -> DaySpan | None:
    # The month after the last of 9999 is in no calendar.
    if not 1 <= month <= 12 or not 1 <= year < 9999:
        return None
    first = date(year, month, 1)
    return DaySpan(first, (first + timedelta(days=31)).replace(day=1) - timedelta(days=1))
