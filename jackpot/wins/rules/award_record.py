"""What the page of a win prints of its award, as one value: fixed at the approval, versioned, and read back strictly.

A page is held against the books years later, by programs that were not written then. So nothing on it is taken out of
a sentence: every amount is exact money, every choice a value, and a record that says more or less is refused.
"""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, fields, replace
from datetime import datetime
from fractions import Fraction
from typing import Any, Final, TypeVar, assert_never

from jackpot.books.rules.movement import Balances
from jackpot.money import ZERO, Money, NotAnAmount, text_of_units, texts_of
from jackpot.terms.rules.next_row import NextRow
from jackpot.terms.rules.paytable import Award as Pays
from jackpot.terms.rules.paytable import ForOne, NotAPayTable, PartOfMeter
from jackpot.terms.rules.terms import Terms
from jackpot.wins.rules.settlement import Award

VERSION: Final = 1
SOURCES: Final = ("meter", "tray", "house")  # only a difference is paid from the house
T = TypeVar("T")


class NotAnAwardRecord(ValueError):
    """What is stored is no record of an award; the message says what is wrong with it."""


class HandProof(enum.StrEnum):
    """What is known of a marked hand."""

    MISSING = "missing"
    SEEN = "seen"
    PROVEN = "proven"
    UNJUDGED = "unjudged"
    ANOTHER_LINE = "another_line"
    NO_LINE = "no_line"
    IMPOSSIBLE = "impossible"


@dataclass(frozen=True, slots=True)
class HandRecord:
    """The hand as it was known when the last card that was needed was swiped."""

    proof: HandProof
    hole: str
    board: str
    dealer: str
    five: tuple[str, ...]
    why: str
    by: str
    at: datetime | None
    revision: int
    overridden: bool

    def plain(self) -> dict[str, Any]:
        """As the column keeps it, and as programs read it."""
        return {
            "proof": self.proof.value, "hole": self.hole, "board": self.board, "dealer": self.dealer,
            "five": list(self.five), "why": self.why, "by": self.by,
            "at": None if self.at is None else self.at.isoformat(), "revision": self.revision,
            "overridden": self.overridden,
        }  # fmt: skip

    @classmethod
    def of(cls, plain: Any) -> HandRecord:
        stored = _exactly(plain, cls)
        five = _is(stored, "five", list)
        if not all(isinstance(card, str) for card in five):
            raise NotAnAwardRecord("The five cards of a hand are texts.")
        return cls(
            _choice(stored, "proof", HandProof), _is(stored, "hole", str), _is(stored, "board", str),
            _is(stored, "dealer", str), tuple(five), _is(stored, "why", str), _is(stored, "by", str),
            None if stored["at"] is None else datetime.fromisoformat(_is(stored, "at", str)),
            _is(stored, "revision", int), _is(stored, "overridden", bool),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class OverrideRecord:
    """Two people's word for a hit in spite of its cards: on which cards it was given, why, by whom, against what."""

    evidence: str
    why: str
    by: str
    against: str

    def plain(self) -> dict[str, Any]:
        return {"evidence": self.evidence, "why": self.why, "by": self.by, "against": self.against}

    @classmethod
    def of(cls, plain: Any) -> OverrideRecord:
        stored = _exactly(plain, cls)
        return cls(*(_is(stored, field.name, str) for field in fields(cls)))


@dataclass(frozen=True, slots=True)
class NextRowRecord:
    """What the switch “never less than the next row” compared: the row below, its worth, and the own row's."""

    code: str
    name: str
    pays: Pays
    worth: Money
    own: Money
    basis: Money

    @property
    def lifts(self) -> bool:
        """Whether the row below raised the award."""
        return self.worth > self.own

    def plain(self) -> dict[str, Any]:
        return {
            "code": self.code, "name": self.name, "pays": _pays_plain(self.pays), "worth": str(self.worth),
            "own": str(self.own), "basis": str(self.basis),
        }  # fmt: skip

    @classmethod
    def of(cls, plain: Any) -> NextRowRecord:
        stored = _exactly(plain, cls)
        return cls(
            _is(stored, "code", str), _is(stored, "name", str), _pays_of(stored["pays"]),
            _money(stored, "worth"), _money(stored, "own"), _money(stored, "basis"),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class DifferenceRecord:
    """Of the page of a difference: whose it is, why (a back-out, or `found`), and the two awards it lies between."""

    basis_was: Money
    basis: Money
    sharers: int
    was: Money
    would_be: Money
    owed: Money
    slip: int
    win: int
    back_out: int | None
    backed_out_slip: int | None
    request: int
    found: str = ""

    def plain(self) -> dict[str, Any]:
        return {
            "basis_was": str(self.basis_was), "basis": str(self.basis), "sharers": self.sharers, "was": str(self.was),
            "would_be": str(self.would_be), "owed": str(self.owed), "slip": self.slip, "win": self.win,
            "back_out": self.back_out, "backed_out_slip": self.backed_out_slip, "request": self.request,
            **({"found": self.found} if self.found else {}),
        }  # fmt: skip

    @classmethod
    def of(cls, plain: Any) -> DifferenceRecord:
        if isinstance(plain, Mapping):
            plain = {"found": ""} | dict(plain)
        stored = _exactly(plain, cls)
        return cls(
            _money(stored, "basis_was"), _money(stored, "basis"), _is(stored, "sharers", int), _money(stored, "was"),
            _money(stored, "would_be"), _money(stored, "owed"), _is(stored, "slip", int), _is(stored, "win", int),
            _optional(stored, "back_out", int), _optional(stored, "backed_out_slip", int),
            _is(stored, "request", int), _is(stored, "found", str),
        )  # fmt: skip


@dataclass(frozen=True, slots=True)
class MeterRecord:
    """What the entry did to the meter, known once the key is back at RUN."""

    before: Money
    after: Money
    reserve_after: Money

    def plain(self) -> dict[str, Any]:
        before, after, reserve_after = texts_of(self.before, self.after, self.reserve_after)
        return {"before": before, "after": after, "reserve_after": reserve_after}

    @classmethod
    def of(cls, plain: Any) -> MeterRecord:
        stored = _exactly(plain, cls)
        return cls(_money(stored, "before"), _money(stored, "after"), _money(stored, "reserve_after"))

    @classmethod
    def between(cls, before: Balances, after: Balances) -> MeterRecord:
        return cls(Money(before.meter), Money(after.meter), Money(after.reserve))


@dataclass(frozen=True, slots=True)
class DrawnRecord:
    """What the award and its reset drew, and from where; what the house advances is what a dry meter begins with."""

    seed: Money = ZERO
    reserve_released: Money = ZERO
    overflow_returned: Money = ZERO
    from_reserve: Money = ZERO
    from_house: Money = ZERO
    advance: Money = ZERO

    def plain(self) -> dict[str, str]:
        names = [field.name for field in fields(self)]
        return dict(zip(names, texts_of(*(getattr(self, name) for name in names)), strict=True))

    @classmethod
    def of(cls, plain: Any) -> DrawnRecord:
        stored = _exactly(plain, cls)
        return cls(*(_money(stored, field.name) for field in fields(cls)))

    @classmethod
    def by(cls, award: Award) -> DrawnRecord:
        return cls(
            award.seed, award.reserve_released, award.overflow_returned, award.from_reserve, award.from_house,
            Money(award.advance.meter),
        )  # fmt: skip


PartOfRecord = HandRecord | OverrideRecord | NextRowRecord | DifferenceRecord | MeterRecord


@dataclass(frozen=True, slots=True)
class AwardRecord:
    """Everything that is needed to do an award again by hand, as it was when it was fixed."""

    pays: Pays
    source: str
    wager: Money
    basis: Money | None
    order: str
    freeze: str
    envy: bool
    drawn: DrawnRecord
    next_row: NextRowRecord | None = None
    cards: HandRecord | None = None
    override: OverrideRecord | None = None
    difference: DifferenceRecord | None = None
    meter: MeterRecord | None = None
    wager_name: str = ""  # only where the table took several wagers: which of them won

    def __post_init__(self) -> None:
        if self.source not in SOURCES:
            raise NotAnAwardRecord(f"An award is paid from one of: {', '.join(SOURCES)}; not from {self.source!r}.")
        if self.basis is not None and not isinstance(self.pays, PartOfMeter):
            raise NotAnAwardRecord("Only a part of the meter has a basis.")

    @property
    def uncut(self) -> Money:
        """What a number for one would pay without the table's aggregate."""
        match self.pays:
            case ForOne(times):
                full = self.wager * times
                return full if self.next_row is None else max(full, self.next_row.worth)
            case PartOfMeter():
                raise AssertionError("no aggregate cuts a part of the meter")
            case _:
                assert_never(self.pays)

    def posted(self, award: Award, before: Balances, after: Balances) -> AwardRecord:
        """Once the entry is posted. What the amount was fixed from stays: since J-POT the meter may have moved."""
        return replace(self, drawn=DrawnRecord.by(award), meter=MeterRecord.between(before, after))

    def plain(self) -> dict[str, Any]:
        """As the column keeps it: amounts as text, nothing left out but the name where there is one wager only."""
        return {
            "version": VERSION, "pays": _pays_plain(self.pays), "source": self.source, "order": self.order,
            "freeze": self.freeze, "envy": self.envy, "basis": None if self.basis is None else str(self.basis),
            "wager": str(self.wager), "drawn": self.drawn.plain(),
            **{name: None if part is None else part.plain() for name, part in self._parts().items()},
            **({"wager_name": self.wager_name} if self.wager_name else {}),
        }  # fmt: skip

    def _parts(self) -> Mapping[str, PartOfRecord | None]:
        return {
            "next_row": self.next_row, "cards": self.cards, "override": self.override,
            "difference": self.difference, "meter": self.meter,
        }  # fmt: skip

    @classmethod
    def of(cls, plain: Any) -> AwardRecord:
        """Reads what `plain` wrote; anything else is refused."""
        if not isinstance(plain, Mapping) or plain.get("version") != VERSION:
            version = plain.get("version") if isinstance(plain, Mapping) else None
            raise NotAnAwardRecord(f"A record of version {version!r} is not known here; this program reads {VERSION}.")
        named = {"wager_name": ""} | {name: value for name, value in plain.items() if name != "version"}
        if named["wager_name"] == "" and "wager_name" in plain:
            raise NotAnAwardRecord("A wager without a name is not written down.")
        stored = _exactly(named, cls)
        return cls(
            pays=_pays_of(stored["pays"]), source=_is(stored, "source", str), order=_is(stored, "order", str),
            freeze=_is(stored, "freeze", str), envy=_is(stored, "envy", bool),
            basis=None if stored["basis"] is None else _money(stored, "basis"),
            wager=_money(stored, "wager"), drawn=DrawnRecord.of(stored["drawn"]),
            next_row=None if stored["next_row"] is None else NextRowRecord.of(stored["next_row"]),
            cards=None if stored["cards"] is None else HandRecord.of(stored["cards"]),
            override=None if stored["override"] is None else OverrideRecord.of(stored["override"]),
            difference=None if stored["difference"] is None else DifferenceRecord.of(stored["difference"]),
            meter=None if stored["meter"] is None else MeterRecord.of(stored["meter"]),
            wager_name=_is(stored, "wager_name", str),
        )  # fmt: skip


def record_of(
    award: Award, terms: Terms, cards: HandRecord | None, override: OverrideRecord | None, wager_name: str = ""
) -> AwardRecord:
    """The record of an award as its approval fixes it; the wager is named where its table takes several."""
    compared = None if award.compared is None else _compared(award.compared)
    return AwardRecord(
        award.line.award, award.line.source, terms.wager, award.basis, terms.policy.order, terms.policy.freeze,
        award.envy, DrawnRecord.by(award), next_row=compared, cards=cards, override=override,
        wager_name=wager_name,
    )  # fmt: skip


def logged_forms(
    win_id: str | int, people: Iterable[int], seat: int, line: str, envy_of: str | int | None, number: int | None,
    slip: int | None, amount: int | None,
) -> list[dict[str, Any]]:  # fmt: skip
    """What the request of a `log` has sealed, the oldest form first: that it was; what it was; and who approved it.

    So nobody moves an award to another seat, hand or slip unseen.
    """
    short = {"act": "log", "win": int(win_id), "by": "approval", "why": ""}
    whole = {
        **short, "seat": seat, "line": line, "envy_of": int(envy_of) if envy_of else None, "number": number,
        "slip": slip, "amount": None if amount is None else text_of_units(amount),
    }  # fmt: skip
    # Entries of before keep the form they were sealed in, so every form is tried; only the last is written.
    return [short, whole, {**whole, "people": sorted(people)}]


def _compared(found: NextRow) -> NextRowRecord:
    line = found.line
    return NextRowRecord(line.code, line.name, line.award, found.worth, found.own, found.basis)


def _pays_plain(pays: Pays) -> dict[str, Any]:
    match pays:
        case ForOne(times):
            return {"for_one": times}
        case PartOfMeter(part):
            return {"part": str(part)}
        case _:
            assert_never(pays)


def _pays_of(plain: Any) -> Pays:
    try:
        match plain:
            case {"for_one": int(times), **rest} if not rest:
                return ForOne(times)
            case {"part": str(part), **rest} if not rest:
                return PartOfMeter(Fraction(part))
            case _:
                raise NotAnAwardRecord(f"An award pays a number for one or a part of the meter, not {plain!r}.")
    except (NotAPayTable, ValueError, ZeroDivisionError) as wrong:
        raise NotAnAwardRecord(str(wrong)) from None


def _exactly(plain: Any, cls: type[Any]) -> Mapping[str, Any]:
    """Every field of the class and nothing else."""
    wanted = {field.name for field in fields(cls)}
    found = set(plain) if isinstance(plain, Mapping) else set()
    if found != wanted or not isinstance(plain, Mapping):
        wrong = ", ".join(sorted(map(str, found ^ wanted)))
        raise NotAnAwardRecord(f"{cls.__name__} has every field once and no other: {wrong or 'nothing'} is wrong.")
    return plain


def _is(stored: Mapping[str, Any], name: str, kind: type[T]) -> T:
    value = stored[name]
    if type(value) is not kind:  # not isinstance: True is an int to it
        raise NotAnAwardRecord(f"{name} is {value!r}; it has to be {kind.__name__}.")
    return value


def _optional(stored: Mapping[str, Any], name: str, kind: type[T]) -> T | None:
    return None if stored[name] is None else _is(stored, name, kind)


def _choice(stored: Mapping[str, Any], name: str, kind: type[HandProof]) -> HandProof:
    try:
        return kind(stored[name])
    except ValueError:
        raise NotAnAwardRecord(f"{name} is {stored[name]!r}; it has to be one of: {', '.join(kind)}.") from None


def _money(stored: Mapping[str, Any], name: str) -> Money:
    """Exact, and written the one way we write it."""
    text = _is(stored, name, str)
    try:
        amount = Money.of(text)
    except NotAnAmount as wrong:
        raise NotAnAwardRecord(f"{name}: {wrong}") from None
    if str(amount) != text:
        raise NotAnAwardRecord(f"{name} is written {text!r}; as we write it, it is {str(amount)!r}.")
    return amount
