"""Strict reading of a file's sections: every wrong value is refused with its line, its name and the cure."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from datetime import date
from typing import Any, Final, Protocol

from accounting.house_file.positions import Path
from jackpot.money import Money, NotAnAmount, millionths_of
from jackpot.reading import read_clock
from jackpot.refusals import Refused

CODE: Final = re.compile(r"[A-Z0-9][A-Z0-9-]{0,19}")
MISSING: Final = object()


class WrittenPlaces(Protocol):
    """Where what was written stands: in a file its line, in a list its line and column, on a form nowhere."""

    def line_of(self, path: Path) -> int: ...

    def column_of(self, path: Path) -> str: ...


class CasinoRefused(Refused):
    """Refused whole; nothing of it was taken. `faults` are all that were found, this one if there are no more."""

    code = "casino_file"

    def __init__(self, file: str, line: int, why: str, column: str = "") -> None:
        where = f"{file}, line {line}{f', column {column}' if column else ''}: " if file else ""
        super().__init__(f"{where}{why}")
        self.line, self.column = line, column
        self.faults: tuple[CasinoRefused, ...] = (self,)

    @classmethod
    def joined(cls, found: Sequence[CasinoRefused]) -> CasinoRefused:
        """One refusal that names every fault, in the order in which they stand."""
        assert found, "nothing is refused without a reason"
        if len(found) == 1:
            return found[0]
        every = cls("", found[0].line, "\n".join(fault.why for fault in found))
        every.faults = tuple(found)
        return every


class Section:
    """One table of the file. Each key is asked for once; `closed` refuses what nobody asked for."""

    def __init__(self, file: str, places: WrittenPlaces, content: Mapping[str, Any], path: Path, what: str) -> None:
        self.file, self.path, self.what = file, path, what
        self._places, self._content = places, content
        self._asked: set[str] = set()

    def refused(self, why: str, key: str = "") -> CasinoRefused:
        path = (*self.path, key) if key else self.path
        return CasinoRefused(self.file, self._places.line_of(path), why, self._places.column_of(path))

    def line(self, key: str = "") -> int:
        return self._places.line_of((*self.path, key) if key else self.path)

    def called(self, what: str) -> None:
        """From here on refusals say “table UTH-04” instead of “a table”."""
        self.what = what

    def __contains__(self, key: str) -> bool:
        return key in self._content

    def text(self, key: str, default: str | None = None, longest: int = 200) -> str:
        value = self._value(key, default)
        if not isinstance(value, str) or len(value) > longest:
            raise self.refused(f"{key} of {self.what} must be a text of at most {longest} characters.", key)
        if not value and default is None:
            raise self.refused(f"{key} of {self.what} is empty.", key)
        return value

    def code(self, key: str = "code") -> str:
        value = self.text(key)
        if not CODE.fullmatch(value):
            raise self.refused(f"“{value}” is no {key}. Use up to 20 of A–Z, 0–9 and -, such as UTH-04.", key)
        return value

    def choice(self, key: str, choices: Collection[str], default: str | None = None) -> str:
        value = self.text(key, default)
        if value not in choices:
            raise self.refused(f"{key} of {self.what} is “{value}”. Choose one of: {', '.join(choices)}.", key)
        return value

    def whole(self, key: str, low: int, high: int, default: int | None = None) -> int:
        value = self._value(key, default)
        # In Python true is a whole number; in a file it is a slip.
        if isinstance(value, bool) or not isinstance(value, int) or not low <= value <= high:
            raise self.refused(f"{key} of {self.what} must be a whole number from {low} to {high}.", key)
        return value

    def truth(self, key: str, default: bool) -> bool:
        value = self._value(key, default)
        if not isinstance(value, bool):
            raise self.refused(f"{key} of {self.what} must be true or false.", key)
        return value

    def amount(self, key: str, default: str | None = None) -> Money:
        try:
            return Money.of(self._exact(key, default))
        except NotAnAmount as why:
            raise self.refused(f"{key} of {self.what}: {why}", key) from None

    def percent(self, key: str, default: str | None = None) -> str:
        """A rate as text, once it is known to be one."""
        value = self._exact(key, default)
        try:
            millionths_of(value)
        except NotAnAmount as why:
            raise self.refused(f"{key} of {self.what}: {why}", key) from None
        return str(value)

    def day(self, key: str) -> date | None:
        value = self._value(key, None) if key in self._content else None
        # Not `isinstance`: a moment is a date as well, and a gaming day has no time of day.
        if value is not None and type(value) is not date:
            raise self.refused(f"{key} of {self.what} must be a date such as 2027-12-31, without quotes.", key)
        return value

    def minutes(self, key: str, default: str) -> int:
        """A time of day, "06:00", in minutes after midnight."""
        value = self.text(key, default)
        try:
            read = read_clock(value)
        except ValueError:
            raise self.refused(f"{key} of {self.what} is “{value}”. Write a time like 06:00.", key) from None
        return read.hour * 60 + read.minute

    def texts(self, key: str, default: Sequence[str] | None = None) -> tuple[str, ...]:
        value = self._value(key, default)
        if not isinstance(value, list | tuple) or not all(isinstance(one, str) and one for one in value):
            raise self.refused(f'{key} of {self.what} must be a list of texts, such as ["GRAND", "MINI"].', key)
        return tuple(value)

    def section(self, key: str, what: str) -> Section:
        value = self._value(key, None)
        if not isinstance(value, Mapping):
            raise self.refused(f"{key} of {self.what} must be a section with keys of its own.", key)
        return self._inner(value, key, what)

    def sections(self, key: str, what: str) -> Iterator[Section]:
        value = self._value(key, ())
        if not isinstance(value, list | tuple) or not all(isinstance(one, Mapping) for one in value):
            raise self.refused(f"{key} of {self.what} must be a list of sections.", key)
        for place, one in enumerate(value):
            yield Section(self.file, self._places, one, (*self.path, key, place), what)

    def named_sections(self, key: str, what: str) -> Iterator[tuple[str, Section]]:
        """[roles.dealer] and its like: sections whose name is their key."""
        holder = self.section(key, key)
        for name in holder._content:
            yield name, holder.section(name, f"{what} {name}")

    def closed(self) -> None:
        # A key that nobody asked for is mostly a mistyped one, whose value would silently be the usual.
        for key in self._content:
            if key not in self._asked:
                known = ", ".join(sorted(self._asked))
                raise self.refused(f"“{key}” is no key of {self.what}. Known: {known}.", key)

    def content(self) -> Mapping[str, Any]:
        """Everything as it stands, for a reader of its own; nothing of it counts as unknown."""
        self._asked.update(self._content)
        return self._content

    def _inner(self, value: Mapping[str, Any], key: str, what: str) -> Section:
        return Section(self.file, self._places, value, (*self.path, key), what)

    def _exact(self, key: str, default: str | None) -> str | int:
        value = self._value(key, default)
        # A TOML number with a point is a binary fraction, and money never passes through one.
        if isinstance(value, bool) or not isinstance(value, str | int):
            raise self.refused(f'{key} of {self.what} must stand in quotes, such as {key} = "1.00".', key)
        return value

    def _value(self, key: str, default: Any) -> Any:
        # Noted before it is looked for, so that the list of known keys names those that are missing too.
        self._asked.add(key)
        value = self._content.get(key, MISSING)
        if value is MISSING:
            if default is None:
                raise self.refused(f"{self.what} has no {key}.")
            return default
        return value
