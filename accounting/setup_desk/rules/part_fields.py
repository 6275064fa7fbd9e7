"""The fields of a part of a house, as a form shows them and a list names its columns, read into the file's values."""

from __future__ import annotations

import enum
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, assert_never

from jackpot.property.rules.typed_days import NotADay, read_day
from jackpot.reading import read_amount, read_percent, read_whole

MOST: Final = 1_000_000
YES: Final = frozenset({"on", "yes", "true", "1", "x", "y"})
NO: Final = frozenset({"", "no", "false", "0", "n", "off"})
_BETWEEN: Final = re.compile(r"[,;\n]")
# No comma: within a wager it stands between the jackpots that it feeds.
_BETWEEN_WAGERS: Final = re.compile(r"[;\n]")
_WAGER: Final = re.compile(r"([A-Za-z0-9][A-Za-z0-9-]*)(?:\s+(\S.*?))?\s+([0-9][0-9.,]*)\s*:\s*(.+)")
_HOURS: Final = re.compile(r"(.+?)[\s=]+([0-9]{1,2}):([0-9]{2})")


class NotAValue(ValueError):
    """What was typed is no value of its field; the message is a sentence."""


class FieldKind(enum.Enum):
    TEXT = enum.auto()
    LINES = enum.auto()
    WHOLE = enum.auto()
    AMOUNT = enum.auto()
    PERCENT = enum.auto()
    DAY = enum.auto()
    TRUTH = enum.auto()
    WORDS = enum.auto()
    CHOICE = enum.auto()
    CHOICES = enum.auto()
    HOURS = enum.auto()
    WAGERS = enum.auto()


_FIGURES: Final = frozenset({FieldKind.WHOLE, FieldKind.AMOUNT, FieldKind.PERCENT})


@dataclass(frozen=True, slots=True)
class PartField:
    """One key of a section of the casino file. `options` names the list a choice is made from."""

    name: str
    label: str
    kind: FieldKind = FieldKind.TEXT
    needed: bool = False
    start: str = ""
    meaning: str = ""
    options: str = ""

    @property
    def is_figure(self) -> bool:
        return self.kind in _FIGURES


@dataclass(frozen=True, slots=True)
class HouseHabits:
    """How this house writes: decimals of its money, the order of a day's figures, and which day it is."""

    digits: int
    month_first: bool
    today: date


def read_field(field: PartField, typed: str, habits: HouseHabits) -> Any:
    """The value that the casino file would hold, or None where nothing was typed and nothing is needed."""
    text = typed.strip()
    if field.kind is FieldKind.TRUTH:
        return _truth(field, text)
    if not text and field.kind not in (FieldKind.WORDS, FieldKind.CHOICES):
        if field.needed:
            raise NotAValue(f"{field.label} is empty.")
        return "" if field.kind in (FieldKind.TEXT, FieldKind.LINES, FieldKind.CHOICE) else None
    try:
        return _value(field, text, habits)
    except NotAValue:
        raise
    except ValueError as why:  # every refusal of a reading is one, and a sentence
        raise NotAValue(str(why)) from None


def _value(field: PartField, text: str, habits: HouseHabits) -> Any:
    match field.kind:
        case FieldKind.TEXT | FieldKind.LINES | FieldKind.CHOICE:
            return text
        case FieldKind.WHOLE:
            return read_whole(text, field.label.lower(), 0, MOST)
        case FieldKind.AMOUNT:
            return str(read_amount(text, field.label.lower(), digits=habits.digits))
        case FieldKind.PERCENT:
            read_percent(text, field.label.lower())
            return text
        case FieldKind.DAY:
            return _day(text, habits)
        case FieldKind.WORDS | FieldKind.CHOICES:
            return [word.strip() for word in _BETWEEN.split(text) if word.strip()]
        case FieldKind.HOURS:
            return _hours(text)
        case FieldKind.WAGERS:
            return _wagers(text, habits)
        case FieldKind.TRUTH:
            return _truth(field, text)
        case _:
            assert_never(field.kind)


def _truth(field: PartField, text: str) -> bool:
    if text.lower() in YES:
        return True
    if text.lower() in NO:
        return False
    raise NotAValue(f"{field.label} is “{text[:20]}”. Write yes or no.")


def _day(text: str, habits: HouseHabits) -> date:
    try:
        return read_day(text, habits.today, month_first=habits.month_first)
    except NotADay as why:
        raise NotAValue(str(why)) from None


def _hours(text: str) -> dict[str, str]:
    """ "Day 06:00, Night 18:00": names with the time at which each begins."""
    hours: dict[str, str] = {}
    for part in (each.strip() for each in _BETWEEN.split(text) if each.strip()):
        found = _HOURS.fullmatch(part)
        if found is None:
            raise NotAValue(f"“{part[:40]}” is no beginning of a shift. Write a name and a time, such as Day 06:00.")
        if found[1] in hours:
            raise NotAValue(f"The shift {found[1][:30]} stands twice. Every shift has a name of its own.")
        hours[found[1]] = f"{int(found[2]):02}:{found[3]}"
    return hours


def _wagers(text: str, habits: HouseHabits) -> list[dict[str, Any]]:
    """One a line: “MEGA 5.00: MEGA, MINI-B”, or with a name “MEGA Mega Royal 5.00: MEGA”."""
    wagers = []
    for line in (each.strip() for each in _BETWEEN_WAGERS.split(text) if each.strip()):
        found = _WAGER.fullmatch(line)
        if found is None:
            why = f"“{line[:40]}” is no further wager. Write its code, its chip and what it feeds: MEGA 5.00: MEGA."
            raise NotAValue(why)
        code, name, chip, fed = found.groups()
        amount = str(read_amount(chip, f"chip of {code}", digits=habits.digits))
        jackpots = [word.strip() for word in fed.split(",") if word.strip()]
        wagers.append({"code": code.upper(), "name": (name or "").strip(), "wager": amount, "jackpots": jackpots})
    return wagers


def _wager_line(wager: Mapping[str, Any]) -> str:
    named = " ".join(filter(None, (wager["code"], wager.get("name", ""), wager["wager"])))
    return f"{named}: {', '.join(wager['jackpots'])}"


def written(field: PartField, value: Any) -> str:
    """The value as it stands in the form."""
    match value:
        case None:
            return ""
        case bool():
            return "yes" if value else ""
        case Mapping():
            return "\n".join(f"{name} {time}" for name, time in value.items())
        case str() | int() | date():
            return str(value)
        case [{"code": _, "wager": _, "jackpots": _}, *_]:
            return "\n".join(map(_wager_line, value))
        case Sequence():
            return ", ".join(value)
    raise TypeError(f"{field.name} holds {value!r}, which no form shows")
