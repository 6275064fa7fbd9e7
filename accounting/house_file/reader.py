"""Reads a casino file: what it returns is consistent in itself, what is wrong is refused whole with line and reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

from accounting.house_file.bounds import beyond_bounds
from accounting.house_file.jackpots import read_jackpot
from accounting.house_file.office_reader import (
    read_collection,
    read_component,
    read_custody,
    read_limits,
    read_notice,
    read_printer,
    read_schedule,
    read_shifts,
    read_slip_book,
    read_tax,
    read_unclaimed,
)
from accounting.house_file.parts import (
    CardPart,
    CasinoFile,
    DevicePart,
    PersonPart,
    PropertyPart,
    RolePart,
    SignPart,
    TablePart,
)
from accounting.house_file.paytables import known_games
from accounting.house_file.positions import Positions
from accounting.house_file.references import Faults, SomePart, StandingCodes, check_references, each_once
from accounting.house_file.sections import CasinoRefused, Section
from jackpot.people.actions.people import LEVELS, VERBS
from jackpot.property.rules.authority_change import MOST_WAGERS, SETTINGS, AuthorityRefused, SettingKind, read
from jackpot.rule_books.queries import rule_books
from jackpot.rule_books.rules.rule_book import MOST_GAMES, MOST_SHARE, NO_RULE_BOOK, ON, TRUTHS, RuleBook
from tables.floor.models.device import DeviceKind
from tables.floor.models.sign import Sign
from tables.floor.models.table import Bank, Profile
from tables.floor.rules.wagers import FurtherWagerFacts
from tables.setup.actions.floor import DeviceFacts, PropertyFacts, SignFacts, TableDescription

FORMAT: Final = 1


def read_casino(path: Path) -> CasinoFile:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise CasinoRefused(path.name, 1, f"the file cannot be read: {problem}.") from None
    return read_text(text, path.name)


def read_text(text: str, name: str) -> CasinoFile:
    """The whole file or nothing."""
    beyond = beyond_bounds(text)
    if beyond is not None:
        raise CasinoRefused(name, *beyond)
    try:
        content = tomllib.loads(text)
    except ValueError as problem:  # its own, and Python's of a number
        raise CasinoRefused(name, _line_in(str(problem), text), f"this is not TOML: {problem}.") from None
    return read_house(Section(name, Positions(text), content, (), "the file"))


def read_house(root: Section, standing: StandingCodes | None = None) -> CasinoFile:
    """From here on it does not matter who wrote it: a file, a form, a list or a program."""
    # First of all: a file of another format would be refused key by key, with sentences that mislead.
    root.whole("format", FORMAT, FORMAT)
    premises = _property(root.section("property", "the property"))
    faults = Faults()

    def each(key: str, what: str, read: Callable[[Section], SomePart]) -> tuple[SomePart, ...]:
        return faults.each(root.sections(key, what), read)

    casino = CasinoFile(
        name=root.file,
        premises=premises,
        roles=faults.each((section for _, section in root.named_sections("roles", "role")), _role),
        people=each("people", "a person", lambda section: _person(section, premises.demo)),
        jackpots=each("jackpots", "a jackpot", lambda section: read_jackpot(section, premises.policy)),
        tables=each("tables", "a table", _table),
        signs=each("signs", "a sign", _sign),
        devices=each("devices", "a device", _device),
        shifts=each("shifts", "shifts", read_shifts),
        tax=each("tax", "a tax rule", read_tax),
        unclaimed=each("unclaimed", "a rule of unclaimed slips", read_unclaimed),
        notices=each("notices", "a rule of notices", read_notice),
        collections=each("collections", "a collection", read_collection),
        limits=each("limits", "a limit sheet", read_limits),
        schedules=each("schedules", "how a schedule stands", read_schedule),
        printers=each("printers", "a printer", read_printer),
        components=each("components", "a rule of software", read_component),
        slip_books=each("slip_books", "a book of slips", read_slip_book),
        custody=each("custody", "a key or a seal", read_custody),
    )
    # Before names are compared: a table that could not be read would make every device at it a fault, too.
    faults.refuse_any()
    root.closed()
    check_references(casino, standing or StandingCodes())
    return casino


def _line_in(problem: str, text: str) -> int:
    found = re.search(r"line (\d+)", problem)
    # Where no line is named, the end of the file was met too early.
    return int(found[1]) if found else text.count("\n") + 1


def _property(section: Section) -> PropertyPart:
    """What the file leaves out is as its rule book has it, and where that is silent as it usually is."""
    book = _rule_book(section)
    usual = book.values("property")

    facts = PropertyFacts(
        name=section.text("name", longest=100),
        address=section.text("address", "", longest=500),
        time_zone=section.text("time_zone", "UTC"),
        day_roll_minutes=section.minutes("day_roll", "06:00"),
        currency=section.text("currency", "USD"),
        locale=section.text("locale", "en_US", longest=20),
        surveillance=section.texts("surveillance", usual.get("surveillance", ())),
        plausible_play=section.truth("plausible_play", default=True),
        most_games=section.whole("most_games", 1, MOST_GAMES, usual.get("most_games", 4)),
        unreasonable_share=section.whole("unreasonable_share", 0, MOST_SHARE, usual.get("unreasonable_share", 0)),
        **{key: section.truth(key, default=usual.get(key, key in ON)) for key in TRUTHS},
        rule_book=book.code,
    )
    demo = section.truth("demo", default=False)
    part = PropertyPart(
        section, section.code(), facts, _authority(section), book.values("authority"), book.values("policy"), demo
    )
    section.closed()
    return part


def _rule_book(section: Section) -> RuleBook:
    code, shelf = section.text("rule_book", NO_RULE_BOOK, longest=20), rule_books()
    if code not in shelf.books:
        why = " ".join([f"There is no rule book “{code}”. Known: {', '.join(shelf.books)}.", *shelf.faults])
        raise section.refused(why, "rule_book")
    return shelf.books[code]


def _authority(section: Section) -> dict[str, Any]:
    """Only what the file names: what it is silent about is the default at first, and later nobody's claim."""
    readers: dict[SettingKind, Callable[[str], Any]] = {
        SettingKind.AMOUNT: section.text,
        SettingKind.AMOUNT_OR_NEVER: section.text,
        SettingKind.LEVEL: lambda key: section.choice(key, list(LEVELS)),
        SettingKind.COUNT_OR_NEVER: section.text,
        SettingKind.WAGERS: lambda key: section.whole(key, 1, MOST_WAGERS),
        SettingKind.AMOUNTS_BY_PLACE: lambda key: list(section.texts(key)),
        SettingKind.SWITCH: lambda key: section.truth(key, default=False),
    }
    named = {}
    for key, setting in SETTINGS.items():
        if key in section:
            try:
                named[key] = read(key, readers[setting.kind](key))
            except AuthorityRefused as why:
                raise section.refused(f"{why}", key) from None
    return named


def _role(section: Section) -> RolePart:
    code, may = str(section.path[-1]), section.texts("may")
    for verb in may:
        if verb not in VERBS:
            raise section.refused(f"“{verb}” is no verb of a role. Known: {', '.join(VERBS)}.", "may")
    part = RolePart(section, code, section.text("name", longest=60), may)
    section.closed()
    return part


def _person(section: Section, demo: bool) -> PersonPart:
    username = section.text("username", longest=60)
    section.called(f"person {username}")
    password = section.text("password", "", longest=100)
    # A password in a file is known to whoever reads the file.
    if password and not demo:
        why = f"{username} has a password here, and this is no demo. Remove it and set one with “changepassword”."
        raise section.refused(why, "password")
    cards = each_once(_card(card) for card in section.sections("cards", f"a card of {username}"))
    part = PersonPart(section, username, section.text("name", longest=100), section.texts("roles"), password, cards)
    section.closed()
    return part


def _card(section: Section) -> CardPart:
    number = section.text("number", longest=24)
    level = section.choice("level", LEVELS)
    part = CardPart(section, number, level, section.text("pin", "", longest=8), section.day("expires_on"))
    section.closed()
    return part


def _table(section: Section) -> TablePart:
    code = section.code()
    section.called(f"table {code}")
    facts = TableDescription(
        wager=section.amount("wager"),
        game=section.choice("game", known_games()),
        seats=section.whole("seats", 1, 9),
        profile=section.choice("profile", Profile.values),
        name=section.text("name", "", longest=60),
        shuffler=section.text("shuffler", "", longest=20),
        bank=section.choice("bank", Bank.values, Bank.HOUSE.value),
        deck_colours=section.texts("deck_colours", ()),
        drop_box=section.text("drop_box", "", longest=20),
        for_people=section.truth("for_people", default=False),
        most_a_minute=section.whole("most_a_minute", 1, 600, 4),
        most_in_ten=section.whole("most_in_ten", 1, 600, 20),
        most_seats=section.whole("most_seats", 1, 9, 9),
        games=section.texts("games", ()),
        wager_name=section.text("wager_name", "", longest=60),
        further=tuple(_further(each) for each in section.sections("further", f"a further wager of {code}")),
    )
    part = TablePart(section, code, facts, section.texts("jackpots"))
    section.closed()
    return part


def _further(section: Section) -> FurtherWagerFacts:
    code = section.code()
    section.called(f"wager {code}")
    chip, jackpots = section.amount("wager"), section.texts("jackpots")
    facts = FurtherWagerFacts(code, chip, jackpots, section.text("name", "", longest=60))
    section.closed()
    return facts


def _sign(section: Section) -> SignPart:
    code = section.code()
    section.called(f"sign {code}")
    facts = SignFacts(
        name=section.text("name", "", longest=60),
        type=section.choice("type", Sign.Type.values, Sign.Type.PICTURE.value),
        digits=section.whole("digits", 4, 20, 12),
        notice=section.text("notice", ""),
    )
    part = SignPart(section, code, facts, section.texts("meters"))
    section.closed()
    return part


def _device(section: Section) -> DevicePart:
    code = section.text("code", longest=40)
    section.called(f"device {code}")
    facts = DeviceFacts(
        kind=section.choice("kind", DeviceKind.values),
        table=section.text("table", ""),
        sign=section.text("sign", ""),
        model=section.text("model", "", longest=60),
        serial=section.text("serial", "", longest=60),
        version=section.text("version", "", longest=40),
        contact=section.text("contact", "", longest=100),
    )
    part = DevicePart(section, code, facts, section.truth("back", False))
    section.closed()
    return part
