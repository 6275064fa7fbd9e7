"""Reads a casino file: what it returns is consistent in itself, what is wrong is refused whole with line and reason."""

from __future__ import annotations

import re
import tomllib
from collections.abc import Callable, Collection, Iterable
from pathlib import Path
from typing import Any, Final, TypeVar

from accounting.house_file.jackpots import read_jackpot
from accounting.house_file.office_reader import read_notice, read_printer, read_shifts, read_tax, read_unclaimed
from accounting.house_file.parts import (
    CardPart,
    CasinoFile,
    DevicePart,
    FilePart,
    PersonPart,
    PropertyPart,
    RolePart,
    SignPart,
    TablePart,
)
from accounting.house_file.paytables import known_games
from accounting.house_file.positions import Positions
from accounting.house_file.sections import CasinoRefused, Section
from jackpot.people.actions.people import LEVELS, VERBS
from jackpot.property.rules.authority_change import MOST_WAGERS, SETTINGS, AuthorityRefused, SettingKind, read
from tables.floor.models.device import DeviceKind
from tables.floor.models.sign import Sign
from tables.floor.models.table import Bank, Profile
from tables.setup.actions.floor import DeviceFacts, PropertyFacts, SignFacts, TableDescription

FORMAT: Final = 1
SECOND_PERSON: Final = "configure"

SomePart = TypeVar("SomePart", bound=FilePart)


def read_casino(path: Path) -> CasinoFile:
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise CasinoRefused(path.name, 1, f"the file cannot be read: {problem}.") from None
    return read_text(text, path.name)


def read_text(text: str, name: str) -> CasinoFile:
    """The whole file or nothing."""
    try:
        content = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise CasinoRefused(name, _line_in(str(problem), text), f"this is not TOML: {problem}.") from None
    root = Section(name, Positions(text), content, (), "the file")
    root.whole("format", FORMAT, FORMAT)
    premises = _property(root.section("property", "the property"))
    casino = CasinoFile(
        name=name,
        premises=premises,
        roles=_each_once(_role(code, section) for code, section in root.named_sections("roles", "role")),
        people=_each_once(_person(section, premises.demo) for section in root.sections("people", "a person")),
        jackpots=_each_once(read_jackpot(section) for section in root.sections("jackpots", "a jackpot")),
        tables=_each_once(_table(section) for section in root.sections("tables", "a table")),
        signs=_each_once(_sign(section) for section in root.sections("signs", "a sign")),
        devices=_each_once(_device(section) for section in root.sections("devices", "a device")),
        shifts=_each_once(read_shifts(section) for section in root.sections("shifts", "shifts")),
        tax=_each_once(read_tax(section) for section in root.sections("tax", "a tax rule")),
        unclaimed=_each_once(read_unclaimed(each) for each in root.sections("unclaimed", "a rule of unclaimed slips")),
        notices=_each_once(read_notice(section) for section in root.sections("notices", "a rule of notices")),
        printers=_each_once(read_printer(section) for section in root.sections("printers", "a printer")),
    )
    root.closed()
    _check_references(casino)
    return casino


def _line_in(problem: str, text: str) -> int:
    found = re.search(r"line (\d+)", problem)
    return int(found[1]) if found else text.count("\n") + 1


def _property(section: Section) -> PropertyPart:
    facts = PropertyFacts(
        name=section.text("name", longest=100),
        address=section.text("address", "", longest=500),
        time_zone=section.text("time_zone", "UTC"),
        day_roll_minutes=section.minutes("day_roll", "06:00"),
        currency=section.text("currency", "USD"),
        locale=section.text("locale", "en_US", longest=20),
        limit_may_equal_meter=section.truth("limit_may_equal_meter", default=False),
        raise_limit_at_once=section.truth("raise_limit_at_once", default=False),
        surveillance=section.texts("surveillance", ()),
        checklist_opens=section.truth("checklist_opens", default=False),
        evidence_files=section.truth("evidence_files", default=False),
    )
    demo = section.truth("demo", default=False)
    part = PropertyPart(section, section.code(), facts, _authority(section), demo)
    section.closed()
    return part


def _authority(section: Section) -> dict[str, Any]:
    """Only what the file names: what it is silent about is the default at first, and later nobody's claim."""
    readers: dict[SettingKind, Callable[[str], Any]] = {
        SettingKind.AMOUNT: section.text,
        SettingKind.AMOUNT_OR_NEVER: section.text,
        SettingKind.LEVEL: lambda key: section.choice(key, list(LEVELS)),
        SettingKind.WAGERS: lambda key: section.whole(key, 1, MOST_WAGERS),
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


def _role(code: str, section: Section) -> RolePart:
    may = section.texts("may")
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
    if password and not demo:
        why = f"{username} has a password here, and this is no demo. Remove it and set one with “changepassword”."
        raise section.refused(why, "password")
    cards = _each_once(_card(card) for card in section.sections("cards", f"a card of {username}"))
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
    )
    part = TablePart(section, code, facts, section.texts("jackpots"))
    section.closed()
    return part


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
        serial=section.text("serial", "", longest=60),
        version=section.text("version", "", longest=40),
        contact=section.text("contact", "", longest=100),
    )
    section.closed()
    return DevicePart(section, code, facts)


def _each_once(parts: Iterable[SomePart]) -> tuple[SomePart, ...]:
    seen: dict[str, SomePart] = {}
    for part in parts:
        if part.code in seen:
            first = seen[part.code].section.line()
            raise part.section.refused(f"“{part.code}” stands here already, in line {first}. Every code stands once.")
        seen[part.code] = part
    return tuple(seen.values())


def _check_references(casino: CasinoFile) -> None:
    roles, jackpots = _codes(casino.roles), _codes(casino.jackpots)
    _each_once(card for person in casino.people for card in person.cards)
    _check_named(casino.people, "roles", lambda person: person.roles, "role", roles)
    _check_named(casino.tables, "jackpots", lambda table: table.jackpots, "jackpot", jackpots)
    _check_named(casino.signs, "meters", lambda sign: sign.meters, "jackpot", jackpots)
    _check_named(casino.devices, "table", lambda device: _if_named(device.facts.table), "table", _codes(casino.tables))
    _check_named(casino.devices, "sign", lambda device: _if_named(device.facts.sign), "sign", _codes(casino.signs))
    _check_named(casino.notices, "owner", lambda notice: (notice.rule.owner,), "role", roles)
    _check_signatures(casino)


def _check_signatures(casino: CasinoFile) -> None:
    """Terms and openings are signed by two people of the file who may configure."""
    verbs = {role.code: set(role.may) for role in casino.roles}
    may = {person.code for person in casino.people if any(SECOND_PERSON in verbs[role] for role in person.roles)}
    _check_named(casino.jackpots, "signed_by", lambda jackpot: jackpot.signed_by, "person", _codes(casino.people))
    for jackpot in casino.jackpots:
        for name in jackpot.signed_by:
            if name not in may:
                why = f"{name} signs for {jackpot.code} but has no role that may “{SECOND_PERSON}”."
                raise jackpot.section.refused(why, "signed_by")


def _check_named(
    parts: Iterable[SomePart],
    key: str,
    names: Callable[[SomePart], Iterable[str]],
    kind: str,
    known: Collection[str],
) -> None:
    for part in parts:
        for name in names(part):
            if name not in known:
                listed = ", ".join(known) or "none"
                raise part.section.refused(f"{part.code} names {kind} {name}, which this file lacks ({listed}).", key)


def _codes(parts: Iterable[FilePart]) -> list[str]:
    return [part.code for part in parts]


def _if_named(name: str) -> tuple[str, ...]:
    return (name,) if name else ()
