"""Numbers as people and programs write them. Every door reads them here, so one text means one number everywhere.

Plain digits 0 to 9, a point before the decimals, commas only between groups of three; no exponent, no fraction, no
digits of another script. What is written otherwise is refused in a sentence that names what was read and the cure.
"""

from __future__ import annotations

import re
from datetime import UTC, date, datetime, time, tzinfo
from typing import Final

from jackpot.money import Money, NotAnAmount, millionths_of, quoted

_GROUPED: Final = re.compile(r"-?[0-9]{1,3}(?:,[0-9]{3})+(?:\.[0-9]+)?", re.ASCII)
_DAY: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}", re.ASCII)
_MOMENT: Final = re.compile(
    r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2}(?:\.[0-9]{1,6})?)?" r"(?:Z|[+-][0-9]{2}:[0-9]{2})",
    re.ASCII,
)
_ON_A_CLOCK: Final = re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}[T ][0-9]{2}:[0-9]{2}(?::[0-9]{2})?", re.ASCII)
_CLOCK: Final = re.compile(r"[0-9]{2}:[0-9]{2}", re.ASCII)
# As long as the largest key of the database: turning thousands of digits into a number takes its time.
_WHOLE: Final = re.compile(r"[0-9]{1,19}", re.ASCII)
_PLUS_OR_MINUS: Final = str.maketrans({"−": "-"})


class NotANumber(NotAnAmount):
    """Something that is no number, or not the number that is meant here; the message says how it is written."""


def read_amount(
    written: object, what: str, *, digits: int = 2, least: Money | None = None, most: Money | None = None
) -> Money:
    """An amount with at most the currency's decimals: "7.50", "7,500.00", 7. A binary fraction is never meant."""
    if isinstance(written, bool) or not isinstance(written, str | int):
        raise NotANumber(f"Write the {what} as text such as “7.50”, not {quoted(written)}.")
    try:
        amount = Money.of(_plain(written))
    except NotAnAmount as why:
        raise NotANumber(f"The {what}: {why}") from None
    if not amount.is_whole(digits):
        unit = "whole cents" if digits == 2 else f"at most {digits} decimals" if digits else "whole units"
        raise NotANumber(f"The {what} of {amount} is not in {unit}.")
    if least is not None and amount < least:
        raise NotANumber(f"The {what} of {amount} is too small; it is {least} or more.")
    if most is not None and amount > most:
        raise NotANumber(f"The {what} of {amount} is too large; it is {most} or less.")
    return amount


def read_whole(written: object, what: str, low: int, high: int) -> int:
    """A whole number between two bounds, as a number or as its digits: 7, "7", "4,000"."""
    text = _plain(written) if isinstance(written, str | int) and not isinstance(written, bool) else ""
    number = text if isinstance(text, int) else int(text) if _WHOLE.fullmatch(text) else None
    if number is None or not low <= number <= high:
        raise NotANumber(f"The {what} is a whole number from {low:,} to {high:,}, not {quoted(written)}.")
    return number


def read_percent(written: object, what: str) -> int:
    """A rate from 0 to 100 percent as people write it, "17.33", in millionths."""
    if isinstance(written, bool) or not isinstance(written, str | int):
        raise NotANumber(f"Write the {what} as text such as “17.33”, not {quoted(written)}.")
    try:
        millionths = millionths_of(_plain(written))
    except NotAnAmount as why:
        raise NotANumber(f"The {what}: {why}") from None
    if not 0 <= millionths <= 1_000_000:
        raise NotANumber(f"The {what} of {str(written)[:40]} % lies outside 0 to 100 %.")
    return millionths


def read_day(written: object, what: str = "day") -> date:
    """A day of the calendar as everybody sorts it, 2026-11-18; weeks, days without dashes and other scripts are not."""
    text = written if isinstance(written, str) and _DAY.fullmatch(written) else ""
    try:
        return date.fromisoformat(text)
    except ValueError:
        why = f"Write the {what} as year-month-day of the calendar, such as 2026-11-18, not {quoted(written)}."
        raise NotANumber(why) from None


def read_clock(written: object, what: str = "time") -> time:
    """A time of day as clocks show it, 05:45; hours alone, four digits in a row and zones are not."""
    text = written if isinstance(written, str) and _CLOCK.fullmatch(written) else ""
    try:
        return time.fromisoformat(text)
    except ValueError:
        raise NotANumber(f"Write the {what} like 05:45, not {quoted(written)}.") from None


def read_zoned_moment(written: object, what: str = "time") -> datetime:
    """A moment as every answer writes it, ISO 8601 with its zone: without one nobody knows which hour is meant."""
    text = written if isinstance(written, str) and _MOMENT.fullmatch(written) else ""
    try:
        return datetime.fromisoformat(text).astimezone(UTC)  # at the edge of the calendar there is no such moment
    except (ValueError, OverflowError):
        why = f"Write the {what} with its zone, such as 2026-11-18T14:30:00Z, not {quoted(written)}."
        raise NotANumber(why) from None


def read_moment_in(zone: tzinfo | None, written: str, what: str = "time") -> datetime:
    """A moment with its zone, or as this house's clocks show it. An hour that came twice, or never, needs the zone."""
    if zone is None or not _ON_A_CLOCK.fullmatch(written):
        return read_zoned_moment(written, what)
    try:
        shown = datetime.fromisoformat(written).replace(tzinfo=zone)
    except ValueError:
        return read_zoned_moment(written, what)
    if shown.utcoffset() != shown.replace(fold=1).utcoffset():
        why = "came twice or never, since the clocks were changed in that hour"
        raise NotANumber(f"The {what} {written} {why}: write it with its zone, such as {written}Z.")
    return shown.astimezone(UTC)


def _plain(written: str | int) -> str | int:
    """Without blanks around it and without commas, where these stand between groups of three."""
    if isinstance(written, int):
        return written
    text = written.strip().translate(_PLUS_OR_MINUS)
    return text.replace(",", "") if _GROUPED.fullmatch(text) else text
