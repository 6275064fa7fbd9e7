"""What a form of the setup desk offers to choose from, and how its words become sections of the casino file."""

from __future__ import annotations

from collections.abc import Mapping
from contextlib import suppress
from typing import Any, Final
from zoneinfo import available_timezones

from django.http import HttpRequest

from accounting.house_file.writer import running
from accounting.paper.models.printer import PrinterKind
from accounting.paper.rules.copies import Form
from accounting.setup_desk.rules.part_fields import (
    FieldKind,
    HouseHabits,
    NotAValue,
    read_field,
    written,
)
from accounting.setup_desk.rules.part_kinds import READING, SWITCHES, PartKind
from jackpot.people.models import Role
from jackpot.property.models.property import Property
from jackpot.property.rules.notice import DECLARED
from jackpot.refusals import NotUnderstood
from jackpot.rule_books.queries import rule_book_coded, rule_books
from jackpot.terms.rules.switch_words import SWITCH_WORDS
from tables.floor.models.device import ComponentKind, DeviceKind, VersionRule
from tables.floor.models.sign import Sign
from tables.floor.models.table import Bank, Profile
from tables.floor.queries.known_rows import progressives_of
from tables.floor.rules.collection import BASIS_WORDS
from tables.games.fees import ScheduleStatus
from tables.games.game import NotInThisGame
from tables.games.registry import find_games, part_of_game
from tables.hits.rules.surveillance import ITEMS
from tables.par.actions.own_tables import chosen_progressive, ready_progressives

Option = tuple[str, str]
LONGEST: Final = 500
MOST_CHOICES: Final = 200


def options_of(premises: Property) -> dict[str, list[Option]]:
    """Every list a field may name, with the words people read."""
    return {
        "time_zone": [(name, "") for name in sorted(available_timezones())],
        "rule_book": [(book.code, book.name) for book in rule_books().books.values()],
        "surveillance": [(code, item.label if hasattr(item, "label") else str(item)) for code, item in _items()],
        "printer_kind": list(PrinterKind.choices),
        "form": [(form.value, form.value.upper() if form is Form.A4 else form.value.capitalize()) for form in Form],
        "game": [(code, game.title) for code, game in find_games().items()],
        "profile": list(Profile.choices),
        "bank": list(Bank.choices),
        "shuffler": [("", "none named"), *_shufflers().items()],
        "notice_about": [(about.value, about.value.replace("_", " ")) for about in sorted(DECLARED)],
        "roles": [(role.code, role.name) for role in Role.objects.order_by("code")],
        "fee_basis": [(basis.value, words) for basis, words in BASIS_WORDS.items()],
        "schedule_status": [(status.value, status.spoken) for status in ScheduleStatus],
        "sign_type": list(Sign.Type.choices),
        "device_kind": list(DeviceKind.choices),
        "component_kind": list(ComponentKind.choices),
        "version_rule": list(VersionRule.Rule.choices),
        "tables": _choices("no table", premises.tables.order_by("code")),
        "signs": _choices("no sign", premises.signs.order_by("code")),
        "jackpots": _named(running(premises)),
        "pay_table": _pay_tables(premises),
        "fixed_from": [("tray", "the tray (the house)"), ("meter", "the meter")],
        "opening": [("seed", "its seed, from the house"), ("take_over", "a reading of an older system")],
        **{code: list(words.items()) for code, (_, words) in SWITCH_WORDS.items()},
    }  # fmt: skip


def _shufflers() -> dict[str, str]:
    """By the names on the machines: what somebody sets up is read off the label."""
    named: dict[str, str] = {}
    for code in find_games():
        with suppress(NotInThisGame):
            named |= part_of_game(code, "procedure").procedures().shufflers
    return named


def _choices(none: str, rows: Any) -> list[Option]:
    """Of more than a select can hold none is listed: the code is typed."""
    named = _named(rows[: MOST_CHOICES + 1])
    return [("", none), *named] if len(named) <= MOST_CHOICES else []


def typed_words(request: HttpRequest, kind: PartKind) -> dict[str, str]:
    """The form as it was typed, bounded; several ticks of one field stand behind each other."""
    return {
        field.name: ", ".join(_clean(word) for word in request.POST.getlist(field.name))[:LONGEST]
        for field in kind.fields
    }


def section_of(kind: PartKind, typed: Mapping[str, str], habits: HouseHabits, premises: Property) -> dict[str, Any]:
    """One section of the casino file; what is left empty is left out."""
    values: dict[str, Any] = {}
    for field in kind.fields:
        try:
            value = read_field(field, typed.get(field.name, ""), habits)
        except NotAValue as why:
            raise NotUnderstood(str(why), field.name) from None
        if value is not None and value != "":
            values[field.name] = value
    if kind.key == "property":
        return {"code": premises.code, **values}
    if kind.key == "devices":
        # The form has a list for each place: what stands at a table hangs as no sign, whatever was left chosen.
        values.pop("sign" if values.get("table") and values.get("kind") != "sign" else "", None)
    return _jackpot_section(values, habits, premises) if kind.key == "jackpots" else values


def shown_words(kind: PartKind, part: Mapping[str, Any]) -> dict[str, str]:
    """A standing part as its form shows it."""
    return {field.name: written(field, part.get(field.name)) for field in kind.fields}


def _jackpot_section(values: dict[str, Any], habits: HouseHabits, premises: Property) -> dict[str, Any]:
    reading = {name: values.pop(name) for name in READING if name in values}
    policy = {switch: values.pop(name) for name, switch in SWITCHES.items() if name in values}
    chosen, source = values.pop("pay_table", ""), values.pop("fixed_from", "tray")
    taken_over = values.get("opening") == "take_over"
    if reading and not taken_over:
        raise NotUnderstood("A reading is typed, but its books begin with the seed. Choose one of the two.", "opening")
    return {
        **values, "digits": habits.digits, "policy": policy, "pay_table": _pay_table(chosen, source, premises),
        **({"take_over": reading} if taken_over else {}),
    }  # fmt: skip


def _pay_table(chosen: str, source: str, premises: Property) -> dict[str, Any]:
    """A published table by its code; one of the house's own with its lines."""
    game, _, code = chosen.partition(":")
    if game not in find_games() or source not in ("tray", "meter"):
        raise NotUnderstood("Choose a pay table from the list, and where its fixed awards come from.", "pay_table")
    own = chosen_progressive(premises, find_games()[game], code)
    if own is None:
        return {"game": game, "code": code, "fixed_from": source}
    plain: dict[str, Any] = own.as_jackpot("meter" if source == "meter" else "tray").plain()
    return plain


def _pay_tables(premises: Property) -> list[Option]:
    published = [
        (f"{game.code}:{table.code}", f"{table.code} · {table.title}")
        for game in find_games().values()
        for table in progressives_of(game)
    ]
    own = [(f"{game}:{code}", f"{code} · {title} (own)") for code, title, game in ready_progressives(premises)]
    return [*published, *own]


def _named(rows: Any) -> list[Option]:
    return [(code, code) for code in rows.values_list("code", flat=True)]


def _items() -> list[tuple[str, Any]]:
    return list(ITEMS.items()) if isinstance(ITEMS, Mapping) else [(code, code.replace("_", " ")) for code in ITEMS]


def _clean(text: str) -> str:
    """Printable; the line ends of an address stay."""
    return "".join(each for each in text.replace("\r\n", "\n") if each.isprintable() or each == "\n")


def start_words(kind: PartKind, premises: Property, habits: HouseHabits) -> dict[str, str]:
    """The form of something new: the usual values, the day, and the only jackpot where there is one."""
    told = {field.name: field.start for field in kind.fields}
    jackpots = [code for code, _ in _named(running(premises))]
    for name in ("jackpots", "meters"):
        if name in told and len(jackpots) == 1:
            told[name] = jackpots[0]
    for field in kind.fields:
        if field.kind is FieldKind.DAY and field.needed:
            told[field.name] = habits.today.isoformat()
    return {**told, **_switches_of_its_book(premises)} if kind.key == "jackpots" else told


def _switches_of_its_book(premises: Property) -> dict[str, str]:
    """An opening begins with the switches as the rule book of the house has them."""
    book = rule_book_coded(premises.rule_book)
    usual = {} if book is None else book.values("policy")
    return {name: usual[switch] for name, switch in SWITCHES.items() if switch in usual}
