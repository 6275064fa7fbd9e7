"""Pay tables as sealed packs: read from TOML, checked whole, refused whole with the reason."""

import hashlib
import json
import re
import tomllib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, field
from datetime import date
from fractions import Fraction
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final, Literal

from jackpot.reading import NotANumber, read_whole
from jackpot.terms.rules.paytable import ForOne, PartOfMeter, PayLine, PayTable, Source

Status = Literal["offered", "withdrawn"]
LARGEST_TIMES: Final = 10**12


class PackRefused(ValueError):
    """A pack file that cannot be used; nothing of it was taken."""


class NotOffered(ValueError):
    """A pay table that may not be chosen."""


@dataclass(frozen=True, slots=True)
class ToOne:
    """The stake comes back and wins this many times itself: 3 to 2 is one and a half."""

    times: Fraction

    def __str__(self) -> str:
        return f"{self.times.numerator:,} to {self.times.denominator}"


Pays = ToOne | ForOne | PartOfMeter


@dataclass(frozen=True, slots=True)
class PrintedLine:
    """One printed row: the hand by its predicate, its printed name and what it pays."""

    hand: str
    name: str
    pays: Pays


@dataclass(frozen=True, slots=True)
class BetTable:
    """One pay table of one bet, with whose it is, where it is printed and when it may be used.

    Without a date the source prints none on that side: the table is not bound to a day there.
    """

    game: str
    bet: str
    code: str
    title: str
    owner: str
    licence: str
    status: Status
    from_date: date | None
    until_date: date | None
    approval: str
    source: str
    needs: tuple[str, ...]
    lines: tuple[PrintedLine, ...]
    published: Mapping[str, str]
    digest: str
    presets: Mapping[str, str] = field(
        default_factory=dict
    )  # of the terms: preset_seed, preset_rate; where they are printed

    def line(self, hand: str) -> PrintedLine:
        return next(line for line in self.lines if line.hand == hand)

    def refuse_unless_offered(self, on: date) -> None:
        """A withdrawn table, or one outside its dates, cannot be chosen."""
        if self.status == "withdrawn":
            raise NotOffered(f"{self.title} is withdrawn and cannot be chosen. See approval reference {self.approval}.")
        if (self.from_date and on < self.from_date) or (self.until_date and on > self.until_date):
            start = f" from {self.from_date}" if self.from_date else ""
            end = f" until {self.until_date}" if self.until_date else ""
            raise NotOffered(f"{self.title} may be used{start}{end}, not on {on}.")

    def as_jackpot(self, source: Source) -> PayTable:
        """The lines as the progressive pays them, the fixed ones from the tray or from the meter."""
        return PayTable(self.code, tuple(self._jackpot_line(line, source) for line in self.lines))

    def _jackpot_line(self, line: PrintedLine, source: Source) -> PayLine:
        match line.pays:
            case ForOne():
                return PayLine(line.hand, line.name, line.pays, source)
            # A part is always of the meter: the source is a question of fixed awards alone.
            case PartOfMeter():
                return PayLine(line.hand, line.name, line.pays, "meter")
            case ToOne():
                raise NotOffered(f"{self.title} pays {line.pays}: it is a side bet and no jackpot can carry it.")


def parse_pays(text: str) -> Pays:
    """ "50 to 1" and "3 to 2" return the stake, "250 for 1" does not, "5 %" is a part of the meter."""
    to_one = re.fullmatch(r"([0-9,]+) to ([0-9]+)", text)
    for_one = re.fullmatch(r"([0-9,]+) for 1", text)
    part = re.fullmatch(r"([0-9]+(?:\.[0-9]+)?) ?%", text)
    if to_one and int(to_one[2]) and _times(to_one[1]):
        return ToOne(Fraction(_times(to_one[1]), int(to_one[2])))
    if for_one:
        return ForOne(_times(for_one[1]))
    if part:
        return PartOfMeter(Fraction(part[1]) / 100)
    raise PackRefused(f'“{text}” is no pay. Write "50 to 1", "250 for 1" or "5 %".')


def _times(text: str) -> int:
    """A comma that parts no thousands may be meant as a point, and ten times as much would be paid."""
    try:
        return read_whole(text, "number of times a line pays", 0, LARGEST_TIMES)
    except NotANumber as why:
        raise PackRefused(str(why)) from None


def seal(content: Mapping[str, Any]) -> str:
    """sha-256 over canonical JSON; dates are written as text."""
    text = json.dumps(content, sort_keys=True, separators=(",", ":"), ensure_ascii=True, default=str)
    return hashlib.sha256(text.encode("ascii")).hexdigest()


def read_toml(path: Path) -> dict[str, Any]:
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, UnicodeDecodeError, tomllib.TOMLDecodeError) as wrong:
        raise PackRefused(f"Pack {path.name} cannot be read: {wrong}.") from None


def load_bet_tables(path: Path, game: str, hands: Mapping[str, Collection[str]]) -> tuple[BetTable, ...]:
    """All tables of a pack file, or none: `hands` names the predicates that each bet of the game knows."""
    content = read_toml(path)
    try:
        tables = content.pop("table", None)
        if not isinstance(tables, list) or not tables:
            raise PackRefused("it holds no [[table]]")
        read = tuple(_bet_table({**content, **table}, game, hands) for table in tables)
        codes = [(table.bet, table.code) for table in read]
        for bet, code in codes:
            if codes.count((bet, code)) > 1:
                raise PackRefused(f"table {code} of {bet} stands in it twice")
    except ValueError as wrong:
        raise PackRefused(f"Pack {path.name} is refused whole: {str(wrong).rstrip('.')}.") from None
    return read


def _bet_table(content: Mapping[str, Any], game: str, hands: Mapping[str, Collection[str]]) -> BetTable:
    code = _text(content, "code", "a table")
    whose = f"table {code}"
    known = {*_TEXTS, "code", "bet", "status", "from", "until", "needs", "lines", "published", "presets"}
    # A misspelt “until” would be a table that may be used for ever.
    unknown = sorted(set(content) - known)
    if unknown:
        raise PackRefused(f"{whose} has an unknown entry {unknown[0]}")
    bet = _text(content, "bet", whose)
    if bet not in hands:
        raise PackRefused(f"{whose} is for the bet {bet}, which this game does not have")
    texts = {name: _text(content, name, whose) for name in _TEXTS}
    return BetTable(
        game=game,
        bet=bet,
        code=code,
        **texts,
        status=_status(content, whose),
        from_date=_date(content, "from", whose) if "from" in content else None,
        until_date=_date(content, "until", whose) if "until" in content else None,
        needs=tuple(content.get("needs", ())),
        lines=_lines(content.get("lines"), hands[bet], whose),
        published=MappingProxyType(dict(content.get("published", {}))),
        # The header belongs to each table: moving a word from one to the other does not change the seal.
        digest=seal({"game": game, **content}),
        presets=_presets(content.get("presets", {}), whose),
    )


PRESETS = ("preset_seed", "preset_rate")


def _presets(told: object, whose: str) -> Mapping[str, str]:
    """With which seed and rate its owner, or whoever approved it, wants the table played."""
    if not isinstance(told, dict) or not set(told) <= set(PRESETS):
        raise PackRefused(f"{whose} has presets other than {' and '.join(PRESETS)}")
    for name, text in told.items():
        # As text only: a number of the file would come as a binary float.
        if not isinstance(text, str) or not re.fullmatch(r"\d{1,9}(\.\d{1,4})?", text) or Fraction(text) <= 0:
            raise PackRefused(f'{whose} has the {name} {text!r}; write it as text above zero, such as "10000.00"')
    return MappingProxyType(dict(told))


_TEXTS = ("title", "owner", "licence", "approval", "source")


def _lines(lines: object, known: Collection[str], whose: str) -> tuple[PrintedLine, ...]:
    if not isinstance(lines, list) or not lines:
        raise PackRefused(f"{whose} has no lines")
    read: list[PrintedLine] = []
    for line in lines:
        if not (isinstance(line, list) and len(line) == 3 and all(isinstance(part, str) and part for part in line)):
            raise PackRefused(f"{whose} has the line {line!r}; a line is hand, printed name, pay")
        hand, name, pays = line
        if hand not in known:
            raise PackRefused(f"{whose} asks for the hand {hand}, which the game does not know")
        # The second could never be won: the first row that a hand fulfils takes it.
        if any(other.hand == hand for other in read):
            raise PackRefused(f"{whose} has the hand {hand} twice")
        read.append(PrintedLine(hand, name, parse_pays(pays)))
    return tuple(read)


def _status(content: Mapping[str, Any], whose: str) -> Status:
    match content.get("status"):
        case "offered":
            return "offered"
        case "withdrawn":
            return "withdrawn"
        case other:
            raise PackRefused(f"{whose} has the status {other!r}; it is offered or withdrawn")


def _text(content: Mapping[str, Any], name: str, whose: str) -> str:
    text = content.get(name)
    if not isinstance(text, str) or not text.strip():
        raise PackRefused(f"{whose} does not say its {name}")
    return text


def _date(content: Mapping[str, Any], name: str, whose: str) -> date:
    day = content.get(name)
    # Not `isinstance`: a moment is a date too, and whose midnight it meant nobody could say.
    if type(day) is not date:
        raise PackRefused(f"{whose} gives {name} as {day!r}; write a date such as 2026-01-01")
    return day
