"""The floor: tables with their jackpots, signs with their meters, devices."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace

from accounting.house_file.change_kind import ChangeKind
from accounting.house_file.changes import FileChange, added, altered, at
from accounting.house_file.parts import CasinoFile, DevicePart, SignPart, TablePart
from accounting.house_file.standing import (
    changed_fact,
    component_rule,
    device_facts,
    difference,
    sign_facts,
    table_facts,
)
from jackpot.books.models.jackpot import Jackpot
from jackpot.property.models.property import Property
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table
from tables.floor.queries.wagers import first_jackpots_of
from tables.setup.actions import floor
from tables.setup.actions.components import set_version_rule
from tables.setup.actions.enrol import unblock


def load_tables(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    for part in casino.tables:
        table = Table.objects.filter(code=part.code).first()
        with at(part):
            if table is None:
                floor.set_up_table(
                    premises=premises, code=part.code, facts=part.facts, jackpots=_jackpots(part.jackpots), by=by
                )
                yield added(ChangeKind.TABLE, part.code, _table_words(part))
            else:
                yield from _altered_table(table, part, by)


def _altered_table(table: Table, part: TablePart, by: str) -> Iterator[FileChange]:
    words = difference(table_facts(table), part.facts)
    # Those of the first wager alone: further wagers stand among the facts, each with its own.
    feeds = first_jackpots_of(table)
    if feeds != part.jackpots:
        words.append(changed_fact("jackpots", feeds, part.jackpots))
    if words:
        floor.alter_table(table=table, facts=part.facts, jackpots=_jackpots(part.jackpots), by=by)
        yield altered(ChangeKind.TABLE, part.code, words)


def load_signs(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    for part in casino.signs:
        sign = Sign.objects.filter(code=part.code).first()
        with at(part):
            if sign is None:
                floor.hang_sign(
                    premises=premises, code=part.code, facts=part.facts, jackpots=_jackpots(part.meters), by=by
                )
                yield added(ChangeKind.SIGN, part.code, f"{part.facts.type}, {', '.join(part.meters)}")
            else:
                yield from _altered_sign(sign, part, by)


def _altered_sign(sign: Sign, part: SignPart, by: str) -> Iterator[FileChange]:
    words = difference(sign_facts(sign), part.facts)
    shows = tuple(sign.meters.order_by("place").values_list("jackpot__code", flat=True))
    if shows != part.meters:
        words.append(changed_fact("meters", shows, part.meters))
    if words:
        floor.alter_sign(sign=sign, facts=part.facts, jackpots=_jackpots(part.meters), by=by)
        yield altered(ChangeKind.SIGN, part.code, words)


def load_devices(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    standing = {device.code: device for device in Device.objects.select_related("table", "sign")}
    for part in casino.devices:
        device = standing.get(part.code)
        with at(part):
            if device is None:
                floor.register_device(code=part.code, facts=part.facts, by=by)
                yield added(ChangeKind.DEVICE, part.code, _device_words(part))
            else:
                yield from _altered_device(device, part, by)


def _altered_device(device: Device, part: DevicePart, by: str) -> Iterator[FileChange]:
    """The version in the file is the one the device came with; since its first hello it speaks for itself."""
    asked = replace(part.facts, version=device.version) if device.last_seen_at else part.facts
    words = difference(device_facts(device), asked)
    if words:
        floor.alter_device(device=device, facts=asked, by=by)
    if part.back and device.state == DeviceState.BLOCKED:
        words.append(changed_fact("state", "blocked", "waits to be enrolled"))
        # Whoever sets up a house judges whether it takes two; the request keeps their reason.
        unblock(device=device, by=by, why="it comes back, as it was set up", agreed=True)
    if words:
        yield altered(ChangeKind.DEVICE, part.code, words)


def _jackpots(codes: Sequence[str]) -> list[Jackpot]:
    found = {jackpot.code: jackpot for jackpot in Jackpot.objects.filter(code__in=codes)}
    # In the order of the file: the first is the table's first level, and a sign shows them in this order.
    return [found[code] for code in codes]


def _table_words(part: TablePart) -> str:
    facts = part.facts
    feeds = ", ".join(part.jackpots) or "no jackpot"
    beside = "".join(f"; wager {each}" for each in facts.further)
    return f"{facts.game}, {facts.seats} seats, wager {facts.wager}, {facts.profile} profile, feeds {feeds}{beside}"


def _device_words(part: DevicePart) -> str:
    return f"{part.facts.kind} at {part.facts.table or part.facts.sign}"


def load_components(casino: CasinoFile, by: str) -> Iterator[FileChange]:
    premises = Property.objects.get(code=casino.premises.code)
    standing = {(row.kind, row.model): component_rule(row) for row in premises.version_rules.all()}
    for part in casino.components:
        before = standing.get((part.rule.kind, part.rule.model))
        words = difference(before, part.rule) if before is not None else []
        if before is not None and not words:
            continue
        with at(part):
            set_version_rule(premises=premises, rule=part.rule, by=by)
        kind, rule = ChangeKind.COMPONENT, f"{part.rule.rule} {part.rule.version}".strip()
        yield altered(kind, part.code, words) if words else added(kind, part.code, rule)
