"""What stands in the database, told in the same words as the file, so that the two can be compared."""

from __future__ import annotations

from dataclasses import fields
from typing import Any, Final

from accounting.house_file.changes import ChangedFact
from jackpot.money import Money
from jackpot.property.models.property import Property
from tables.floor.models.device import Device, VersionRule
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table
from tables.floor.queries.wagers import further_facts_of
from tables.setup.actions.components import ComponentRule
from tables.setup.actions.floor import DeviceFacts, PropertyFacts, SignFacts, TableDescription

ROLL: Final = "day_roll_minutes"  # kept as a number, and spoken of as the clock shows it


def property_facts(premises: Property) -> PropertyFacts:
    facts = {fact.name: getattr(premises, fact.name) for fact in fields(PropertyFacts)}
    return PropertyFacts(**{**facts, "surveillance": tuple(premises.surveillance)})


def table_facts(table: Table) -> TableDescription:
    return TableDescription(
        wager=table.wager_money,
        game=table.game,
        seats=table.seats,
        profile=table.profile,
        name=table.name,
        shuffler=table.shuffler,
        bank=table.bank,
        deck_colours=tuple(table.deck_colours),
        drop_box=table.drop_box,
        for_people=table.for_people,
        most_a_minute=table.most_a_minute,
        most_in_ten=table.most_in_ten,
        most_seats=table.most_seats,
        games=tuple(table.games),
        wager_name=table.wager_name,
        further=further_facts_of(table),
    )


def sign_facts(sign: Sign) -> SignFacts:
    return SignFacts(**{fact.name: getattr(sign, fact.name) for fact in fields(SignFacts)})


def device_facts(device: Device) -> DeviceFacts:
    return DeviceFacts(
        kind=device.kind,
        table=device.table.code if device.table else "",
        sign=device.sign.code if device.sign else "",
        model=device.model,
        serial=device.serial,
        version=device.version,
        contact=device.contact,
    )


def component_rule(row: VersionRule) -> ComponentRule:
    return ComponentRule(**{fact.name: getattr(row, fact.name) for fact in fields(ComponentRule)})


def difference(before: Any, after: Any) -> list[ChangedFact]:
    """ "seats 6 → 7": the facts that differ, each in a few words."""
    assert type(before) is type(after), "only like is compared with like"
    return [
        changed_fact(fact.name, getattr(before, fact.name), getattr(after, fact.name))
        for fact in fields(before)
        if getattr(before, fact.name) != getattr(after, fact.name)
    ]


def changed_fact(name: str, before: object, after: object) -> ChangedFact:
    if name == ROLL and isinstance(before, int) and isinstance(after, int):
        return ChangedFact(name, f"day roll {_clock(before)} → {_clock(after)}")
    return ChangedFact(name, f"{name.replace('_', ' ')} {_spoken(before)} → {_spoken(after)}")


def _clock(minutes: int) -> str:
    hour, minute = divmod(minutes, 60)
    return f"{hour:02}:{minute:02}"


def _spoken(value: object) -> str:
    match value:
        case tuple() | list():
            return ", ".join(map(str, value)) or "none"
        case bool():
            return "yes" if value else "no"
        case Money() | int():
            return str(value)
        case None | "":
            return "none"
        case _:
            return f"“{value}”"
