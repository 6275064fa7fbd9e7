"""A casino as its file tells it: plain values, each with the line it came from."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any

from accounting.house_file.sections import CasinoRefused, Section
from jackpot.books.actions.opening import Reading
from jackpot.property.rules.notice import NoticeRule
from jackpot.property.rules.shift import ShiftPlan
from jackpot.property.rules.tax import TaxRule
from jackpot.property.rules.unclaimed import UnclaimedRule
from jackpot.refusals import Refused
from jackpot.terms.rules.terms import Terms
from tables.custody.actions import CustodyFacts
from tables.floor.rules.collection import CollectionRule
from tables.floor.rules.limit_sheets import LimitSheet
from tables.floor.rules.schedules import ScheduleStanding
from tables.games.packs import BetTable
from tables.setup.actions.components import ComponentRule
from tables.setup.actions.floor import DeviceFacts, PropertyFacts, SignFacts, TableDescription
from tables.slip_book.actions import BookFacts


@dataclass(frozen=True, slots=True)
class FilePart:
    """Something the file declares. `section` knows its lines."""

    section: Section
    code: str

    def refused(self, refusal: Refused) -> CasinoRefused:
        """What an action refused, with the line; a refusal is named after the key it is about."""
        return self.section.refused(refusal.why, refusal.code)


@dataclass(frozen=True, slots=True)
class PropertyPart(FilePart):
    """`authority` holds the settings that the file names, `usual` those of its rule book, as plain values."""

    facts: PropertyFacts
    authority: Mapping[str, Any]
    usual: Mapping[str, Any]
    policy: Mapping[str, str]  # the switches of terms as the rule book has them
    demo: bool


@dataclass(frozen=True, slots=True)
class RolePart(FilePart):
    name: str
    may: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class CardPart(FilePart):
    """`code` is the card's number."""

    level: str
    pin: str
    expires_on: date | None


@dataclass(frozen=True, slots=True)
class PersonPart(FilePart):
    """`code` is the user name."""

    name: str
    roles: tuple[str, ...]
    password: str
    cards: tuple[CardPart, ...]


@dataclass(frozen=True, slots=True)
class JackpotPart(FilePart):
    name: str
    terms: Terms
    pack: BetTable | None
    taken_over: Reading | None
    signed_by: tuple[str, str]


@dataclass(frozen=True, slots=True)
class TablePart(FilePart):
    facts: TableDescription
    jackpots: tuple[str, ...]  # of its first wager

    @property
    def all_jackpots(self) -> tuple[str, ...]:
        """Of every wager."""
        return (*self.jackpots, *(jackpot for each in self.facts.further for jackpot in each.jackpots))


@dataclass(frozen=True, slots=True)
class SignPart(FilePart):
    facts: SignFacts
    meters: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class DevicePart(FilePart):
    facts: DeviceFacts
    back: bool = False  # a blocked one may be enrolled again; nothing that stands, so no file is written with it


@dataclass(frozen=True, slots=True)
class ShiftsPart(FilePart):
    """`code` is the day they begin on."""

    plan: ShiftPlan


@dataclass(frozen=True, slots=True)
class TaxPart(FilePart):
    """`code` is the day it begins on."""

    rule: TaxRule


@dataclass(frozen=True, slots=True)
class UnclaimedPart(FilePart):
    """`code` is the day it begins on."""

    rule: UnclaimedRule


@dataclass(frozen=True, slots=True)
class NoticePart(FilePart):
    """`code` is the day it begins on, what it is about and who is told."""

    rule: NoticeRule


@dataclass(frozen=True, slots=True)
class CollectionPart(FilePart):
    """`code` is the day it begins on, and the tables."""

    rule: CollectionRule
    tables: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class SchedulePart(FilePart):
    """`code` is the day it begins on, the rule set and its option."""

    standing: ScheduleStanding


@dataclass(frozen=True, slots=True)
class LimitsPart(FilePart):
    """`code` is the day it begins on and the sheet."""

    sheet: LimitSheet


@dataclass(frozen=True, slots=True)
class PrinterPart(FilePart):
    kind: str
    address: str
    form: str


@dataclass(frozen=True, slots=True)
class ComponentPart(FilePart):
    """`code` is the kind and the model."""

    rule: ComponentRule


@dataclass(frozen=True, slots=True)
class SlipBookPart(FilePart):
    """`added_by` is the user name of who put it on the register."""

    facts: BookFacts
    added_by: str


@dataclass(frozen=True, slots=True)
class CustodyPart(FilePart):
    """A key or a seal; `added_by` is the user name of who put it on the register."""

    facts: CustodyFacts
    added_by: str


@dataclass(frozen=True, slots=True)
class CasinoFile:
    name: str
    premises: PropertyPart
    roles: tuple[RolePart, ...]
    people: tuple[PersonPart, ...]
    jackpots: tuple[JackpotPart, ...]
    tables: tuple[TablePart, ...]
    signs: tuple[SignPart, ...]
    devices: tuple[DevicePart, ...]
    shifts: tuple[ShiftsPart, ...]
    tax: tuple[TaxPart, ...]
    unclaimed: tuple[UnclaimedPart, ...]
    notices: tuple[NoticePart, ...]
    collections: tuple[CollectionPart, ...]
    schedules: tuple[SchedulePart, ...]
    limits: tuple[LimitsPart, ...]
    printers: tuple[PrinterPart, ...]
    components: tuple[ComponentPart, ...]
    slip_books: tuple[SlipBookPart, ...]
    custody: tuple[CustodyPart, ...]
