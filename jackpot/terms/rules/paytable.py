"""Pay lines as values: what a hand wins, from where, and in which rank."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any, Literal, assert_never, get_args

from jackpot.canonical import digest_of_value
from jackpot.money import Money, Rounding

Source = Literal["tray", "meter"]


class NotAPayTable(ValueError):
    """The words or numbers given do not make a pay table; the message says which and why."""


@dataclass(frozen=True, slots=True)
class ForOne:
    """A number for one: the wager times this, the wager itself is not returned."""

    times: int

    def __post_init__(self) -> None:
        # Not isinstance: True is an int to it.
        if type(self.times) is not int or self.times < 1:
            raise NotAPayTable(f"A pay for one is a whole number from 1 up, not {self.times!r}.")

    def __str__(self) -> str:
        return f"{self.times:,} for 1"


@dataclass(frozen=True, slots=True)
class PartOfMeter:
    """A part of the meter, above nothing and up to all of it."""

    part: Fraction

    def __post_init__(self) -> None:
        if type(self.part) is not Fraction:
            raise NotAPayTable(f"A part of the meter is an exact fraction, not {self.part!r}.")
        if not 0 < self.part <= 1:
            raise NotAPayTable(f"A part of the meter lies above 0 % and up to 100 %, not at {self}.")

    @property
    def is_all(self) -> bool:
        return self.part == 1

    def __str__(self) -> str:
        percent = self.part * 100
        return f"{percent} %" if percent.denominator == 1 else f"{self.part} of the meter"


Award = ForOne | PartOfMeter


@dataclass(frozen=True, slots=True)
class PayLine:
    """One row: the hand, its award, where the money comes from, and what the other seats receive."""

    code: str
    name: str
    award: Award
    source: Source = "meter"
    envy: Money | None = None

    def __post_init__(self) -> None:
        if not self.code or not self.name:
            raise NotAPayTable("Every pay line needs a code and a name.")
        if not isinstance(self.award, ForOne | PartOfMeter):
            raise NotAPayTable(f"Line {self.name} pays a number for one or a part of the meter, not {self.award!r}.")
        if self.source not in get_args(Source):
            raise NotAPayTable(f"Line {self.name} is paid from the tray or from the meter, not from {self.source!r}.")
        if isinstance(self.award, PartOfMeter) and self.source != "meter":
            raise NotAPayTable(f"Line {self.name} is a part of the meter; it cannot be paid from the tray.")
        if self.envy is not None and not self.envy > Money.of("0"):
            raise NotAPayTable(f"The envy of line {self.name} must be above zero; leave it out if there is none.")

    def pays(self, basis: Money, wager: Money, rounding: Rounding, digits: int) -> Money:
        """What the row pays by itself from this basis."""
        match self.award:
            case PartOfMeter(part):
                return basis.share(part, rounding, digits)
            case ForOne(times):
                return wager * times
            case _:
                assert_never(self.award)

    def plain(self) -> dict[str, Any]:
        match self.award:
            case ForOne(times):
                award: dict[str, Any] = {"for_one": times}
            case PartOfMeter(part):
                award = {"part": str(part)}
            case _:
                assert_never(self.award)
        envy = None if self.envy is None else str(self.envy)
        return {"code": self.code, "name": self.name, **award, "source": self.source, "envy": envy}


@dataclass(frozen=True, slots=True)
class PayTable:
    """The lines of one wager in rank order: a seat wins the first line its hand fulfils."""

    code: str
    lines: tuple[PayLine, ...]

    def __post_init__(self) -> None:
        if not self.code:
            raise NotAPayTable("A pay table needs a code.")
        if not self.lines:
            raise NotAPayTable(f"Pay table {self.code} has no line.")
        codes = [line.code for line in self.lines]
        twice = sorted({code for code in codes if codes.count(code) > 1})
        if twice:
            raise NotAPayTable(f"Pay table {self.code} has line {twice[0]} twice.")

    def __iter__(self) -> Iterator[PayLine]:
        return iter(self.lines)

    def line(self, code: str) -> PayLine:
        for line in self.lines:
            if line.code == code:
                return line
        offered = ", ".join(line.code for line in self.lines)
        raise NotAPayTable(f"Pay table {self.code} has no line {code}; it has {offered}.")

    def rank(self, code: str) -> int:
        """The place of a line, 1 is the highest."""
        return self.lines.index(self.line(code)) + 1

    @property
    def largest_for_one(self) -> int:
        """The largest fixed award as a multiple of the wager, 0 where every line is a part."""
        return max((line.award.times for line in self.lines if isinstance(line.award, ForOne)), default=0)

    @property
    def fixed_from_meter(self) -> bool:
        """Whether any line draws a number for one on the meter; else the meter pays only parts of itself."""
        return any(isinstance(line.award, ForOne) and line.source == "meter" for line in self.lines)

    def paid_from(self, source: Source) -> "PayTable":
        """The same table with every fixed award drawn from one source; parts stay on the meter."""
        return replace(
            self,
            lines=tuple(
                replace(line, source=source) if isinstance(line.award, ForOne) else line for line in self.lines
            ),
        )

    def plain(self) -> dict[str, Any]:
        """As JSON stores it: parts and envy as text, never a binary float."""
        return {"code": self.code, "lines": [line.plain() for line in self.lines]}

    def digest(self) -> str:
        """sha-256 over the canonical JSON: two tables agree exactly when their digests do."""
        return digest_of_value(self.plain())

    @classmethod
    def from_plain(cls, plain: Mapping[str, Any]) -> "PayTable":
        """Reads what `plain` wrote; a wrong table is refused whole, with the reason."""
        _refuse_unknown(plain, {"code", "lines"}, "A pay table")
        lines = plain.get("lines")
        if not isinstance(lines, list):
            raise NotAPayTable("A pay table lists its lines in rank order.")
        return cls(_text(plain, "code", "A pay table"), tuple(_line(line) for line in lines))


def _line(plain: object) -> PayLine:
    if not isinstance(plain, Mapping):
        raise NotAPayTable(f"A pay line names its code, name and award; {plain!r} does not.")
    _refuse_unknown(plain, {"code", "name", "for_one", "part", "source", "envy"}, "A pay line")
    name = _text(plain, "name", "A pay line")
    source = plain.get("source", "meter")
    envy = plain.get("envy")
    return PayLine(_text(plain, "code", f"Line {name}"), name, _award(plain, name), source, _envy(envy, name))


def _award(plain: Mapping[str, Any], name: str) -> Award:
    if ("for_one" in plain) == ("part" in plain):
        raise NotAPayTable(f"Line {name} pays either a number for one or a part of the meter.")
    if "for_one" in plain:
        return ForOne(plain["for_one"])
    # A part that came as a number has lost its exactness already; “?” is no fraction, so it is refused below.
    try:
        return PartOfMeter(Fraction(plain["part"] if isinstance(plain["part"], str) else "?"))
    except (ValueError, ZeroDivisionError) as wrong:
        # What the part itself refuses is a ValueError as well: its own sentence stays.
        if isinstance(wrong, NotAPayTable):
            raise
        raise NotAPayTable(f'Line {name} gives its part as text such as "1/20", not {plain["part"]!r}.') from None


def _envy(envy: object, name: str) -> Money | None:
    if envy is None:
        return None
    if not isinstance(envy, str):
        raise NotAPayTable(f'Line {name} gives its envy as text such as "1000.00", not {envy!r}.')
    return Money.of(envy)


def _text(plain: Mapping[str, Any], key: str, whose: str) -> str:
    value = plain.get(key)
    if not isinstance(value, str) or not value:
        raise NotAPayTable(f"{whose} needs a {key}.")
    return value


def _refuse_unknown(plain: Mapping[str, Any], known: set[str], whose: str) -> None:
    unknown = sorted(str(key) for key in set(plain) - known)
    if unknown:
        raise NotAPayTable(f"{whose} has no {unknown[0]}.")
