"""Writes a house as the sections of a casino file: loaded into an empty database they make an equal house.

What is secret or only kept as a hash is not written: passwords, card numbers, PINs, what devices know. Who is
dismissed, what is retired and devices that are blocked are left out as well, since a file brings things into being.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from datetime import datetime
from typing import Any, Final

from django.db.models import QuerySet

from accounting.house_file.registers import custody_content, slip_books_content
from accounting.house_file.spelling import toml_text
from accounting.house_file.standing import device_facts, sign_facts, table_facts
from accounting.paper.models.printer import Printer
from jackpot.approvals.rules import ApprovedThing
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot, JackpotState, Version
from jackpot.books.rules.entry_kind import EntryKind
from jackpot.money import Money
from jackpot.people.models import Operator, Role
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import LEVELS, NEVER
from jackpot.property.rules.notice import NoticeRule
from jackpot.property.rules.tax import TaxRule
from jackpot.terms.rules.terms import Terms, percent_text
from jackpot.trail.models import Trail
from tables.custody.rules import ADDS
from tables.floor.models.collection import TableCollection
from tables.floor.models.device import Device, DeviceState, VersionRule
from tables.floor.models.limit_sheet import EnteredLimits
from tables.floor.models.schedule import NotedSchedule
from tables.floor.models.sign import Sign
from tables.floor.models.table import Table
from tables.floor.rules.limit_sheets import LimitSheet
from tables.floor.rules.schedules import ScheduleStanding
from tables.floor.rules.wagers import FIRST

Content = dict[str, Any]
HEAD: Final = """\
# {name}, written as a casino file. docs/casino-file.md explains every key.
# Not in it, since only hashes of them are kept: passwords, cards and their PINs, and the secrets of devices.
"""
SIGNS: Final = "configure"


def house_text(premises: Property, now: datetime) -> str:
    """The whole house as a file."""
    return f"{HEAD.format(name=' '.join(premises.name.split()))}{toml_text(house_content(premises, now))}"


def house_content(premises: Property, now: datetime) -> Content:
    """The same as plain values, as the reader wants them."""
    return {
        "format": 1,
        "property": {**property_content(premises), **_authority(premises, now)},
        "roles": {role.code: {"name": role.name, "may": list(role.may)} for role in Role.objects.order_by("code")},
        **{name: parts for name, parts in _lists(premises).items() if parts},
    }


def _lists(premises: Property) -> dict[str, list[Content]]:
    # Looked up once for all jackpots and registers: each line names somebody who still may.
    may, adders = ([*_who_may(premises, verb)] for verb in (SIGNS, ADDS))
    return {
        "shifts": [_shifts(row) for row in premises.shift_plans.order_by("begins")],
        "tax": [tax_content(row.value) for row in premises.tax_rules.order_by("begins")],
        "unclaimed": [
            {"from": row.begins, "notice_after": row.notice_after, "lapse_after": row.lapse_after}
            for row in premises.unclaimed_rules.order_by("begins")
        ],
        "notices": [notice_content(row.value) for row in premises.notice_rules.order_by("begins", "about", "to")],
        "collections": [collection_content(row) for row in collections_in(premises).order_by("begins", "table__code")],
        "limits": [limits_content(row.value) for row in limits_in(premises)],
        "schedules": [schedule_content(row.value) for row in schedules_in(premises)],
        "printers": [printer_content(row) for row in Printer.objects.filter(premises=premises, in_use=True)],
        "components": [component_content(row) for row in premises.version_rules.all()],
        "people": [
            {"username": person.username, "name": person.name, "roles": _roles(person)} for person in _working(premises)
        ],
        "jackpots": [_jackpot(row, may) for row in running(premises)],
        "tables": [table_content(row) for row in tables_in(premises)],
        "signs": [sign_content(row) for row in signs_in(premises)],
        "devices": [device_content(row) for row in devices_in(premises).exclude(state=DeviceState.BLOCKED)],
        "slip_books": slip_books_content(premises, adders),
        "custody": custody_content(premises, adders),
    }


def property_content(premises: Property) -> Content:
    """Its facts; who may approve what is left out, so that a part of a house claims nothing about it."""
    hour, minute = divmod(premises.day_roll_minutes, 60)
    return {
        "code": premises.code, "name": premises.name, "address": premises.address, "time_zone": premises.time_zone,
        "day_roll": f"{hour:02}:{minute:02}", "currency": premises.currency, "locale": premises.locale,
        "limit_may_equal_meter": premises.limit_may_equal_meter, "raise_limit_at_once": premises.raise_limit_at_once,
        "surveillance": list(premises.surveillance), "checklist_opens": premises.checklist_opens,
        "evidence_files": premises.evidence_files, "seed_recovery": premises.seed_recovery,
        "short_cover_suspends": premises.short_cover_suspends, "unapproved_closes": premises.unapproved_closes,
        "terms_wait_for_notice": premises.terms_wait_for_notice,
        **{f"approves_{thing}": getattr(premises, f"approves_{thing}") for thing in ApprovedThing},
        "plausible_play": premises.plausible_play, "most_games": premises.most_games,
        "each_wager_a_game": premises.each_wager_a_game, "player_dealer_jackpots": premises.player_dealer_jackpots,
        "slips_need_two": premises.slips_need_two, "surveillance_first": premises.surveillance_first,
        "limits_close": premises.limits_close, "each_progressive_a_game": premises.each_progressive_a_game,
        "bad_beat_takes_trips": premises.bad_beat_takes_trips, "losers_play_first": premises.losers_play_first,
        "end_waits_for_settling": premises.end_waits_for_settling, "unreasonable_share": premises.unreasonable_share,
        "rule_book": premises.rule_book, "demo": premises.demo,
    }  # fmt: skip


def notice_content(rule: NoticeRule) -> Content:
    due = {"no_more": True} if rule.within_hours is None else {"within_hours": rule.within_hours}
    least = {} if rule.from_amount is None else {"from_amount": str(rule.from_amount)}
    return {"from": rule.begins, "about": rule.about.value, "to": rule.to, "owner": rule.owner, **due, **least}


def collection_content(row: TableCollection) -> Content:
    """A section for each table: what many were declared with, each keeps by itself."""
    rule = row.value
    fee = {"fee": str(rule.fee)} if rule.fee else {}
    schedule = {"set": rule.rule_set, "option": rule.option} if rule.rule_set else {}
    return {"from": rule.begins, "tables": [row.table.code], "for": rule.basis.value, **fee, **schedule}


def collections_in(premises: Property) -> QuerySet[TableCollection]:
    return TableCollection.objects.filter(table__premises=premises).select_related("table")


def schedule_content(standing: ScheduleStanding) -> Content:
    return {
        "from": standing.begins, "game": standing.game, "set": standing.rule_set, "option": standing.option,
        "status": standing.status.value, "reference": standing.reference,
    }  # fmt: skip


def limits_content(sheet: LimitSheet) -> Content:
    until = {} if sheet.ends is None else {"until": sheet.ends}
    return {
        "from": sheet.begins, "sheet": sheet.code, "game": sheet.game, "reference": sheet.reference,
        "least": sheet.least, "most": sheet.most, **({"wager": sheet.wager} if sheet.wager else {}), **until,
    }  # fmt: skip


def limits_in(premises: Property) -> QuerySet[EnteredLimits]:
    return EnteredLimits.objects.filter(premises=premises)


def schedules_in(premises: Property) -> QuerySet[NotedSchedule]:
    return NotedSchedule.objects.filter(premises=premises)


def tax_content(rule: TaxRule) -> Content:
    above = {} if rule.withhold_above is None else {"withhold_above": str(rule.withhold_above)}
    forms = {"form": rule.form, "shared_form": rule.shared_form} if rule.form else {}
    cash = {} if rule.currency_above is None else {"currency_above": str(rule.currency_above)}
    return {
        "from": rule.begins, "minimum": str(rule.minimum), "multiple": rule.multiple, **above,
        "rate": percent_text(rule.rate), "wager_deducted": rule.wager_deducted, **forms,
        **cash,
    }  # fmt: skip


def table_content(table: Table) -> Content:
    facts = table_facts(table)
    links = sorted(table.links.all(), key=lambda link: link.level)
    jackpots = _alive(link for link in links if link.wager == FIRST)
    further = [
        {"code": row.code, "name": row.name, "wager": str(row.chip_money),
         "jackpots": _alive(link for link in links if link.wager == row.place)}
        for row in sorted(table.further_wagers.all(), key=lambda row: row.place)
    ]  # fmt: skip
    several = {"wager_name": facts.wager_name, "further": further} if further else {}
    return {
        "code": table.code, "name": facts.name, "game": facts.game, "seats": facts.seats, "wager": str(facts.wager),
        "profile": facts.profile, "shuffler": facts.shuffler, "bank": facts.bank,
        "games": list(facts.games), "deck_colours": list(facts.deck_colours), "drop_box": facts.drop_box,
        "for_people": facts.for_people,
        "most_a_minute": facts.most_a_minute, "most_in_ten": facts.most_in_ten, "most_seats": facts.most_seats,
        "jackpots": jackpots, **several,
    }  # fmt: skip


def sign_content(sign: Sign) -> Content:
    facts = sign_facts(sign)
    meters = _alive(sorted(sign.meters.all(), key=lambda meter: meter.place))
    return {
        "code": sign.code, "name": facts.name, "type": facts.type, "digits": facts.digits, "notice": facts.notice,
        "meters": meters,
    }  # fmt: skip


def device_content(device: Device) -> Content:
    facts = device_facts(device)
    place = {"table": facts.table} if facts.table else {"sign": facts.sign}
    words = {"model": facts.model, "serial": facts.serial, "version": facts.version, "contact": facts.contact}
    return {"code": device.code, "kind": facts.kind, **place, **words}


def component_content(rule: VersionRule) -> Content:
    told = {"version": rule.version} if rule.version else {}
    return {
        "kind": rule.kind, "model": rule.model, "rule": rule.rule, **told, "keeps_closed": rule.keeps_closed,
        "approval": rule.approval,
    }  # fmt: skip


def printer_content(printer: Printer) -> Content:
    return {"code": printer.code, "kind": printer.kind, "address": printer.address, "form": printer.form}


def terms_content(terms: Terms) -> Content:
    """What a jackpot's section says of its terms; what there is none of is left out."""
    # TOML has no way to write nothing.
    plain = {name: value for name, value in terms.plain().items() if value is not None}
    lines = [{key: value for key, value in line.items() if value is not None} for line in plain["pay_table"]["lines"]]
    return {**plain, "pay_table": {"code": plain["pay_table"]["code"], "lines": lines}}


def devices_in(premises: Property) -> Any:
    """Every device at a table or a sign of the house."""
    rows = Device.objects.select_related("table", "sign")
    return (rows.filter(table__premises=premises) | rows.filter(sign__premises=premises)).order_by("code")


def running(premises: Property) -> Any:
    rows = Jackpot.objects.filter(premises=premises).exclude(state=JackpotState.RETIRED)
    return rows.select_related("version").order_by("code")


def tables_in(premises: Property) -> Any:
    """With what they feed, in one look for all of them."""
    return premises.tables.prefetch_related("links__jackpot", "further_wagers").order_by("code")


def signs_in(premises: Property) -> Any:
    return premises.signs.prefetch_related("meters__jackpot").order_by("code")


def _working(premises: Property) -> Any:
    rows = Operator.objects.filter(premises=premises, is_active=True)
    return rows.prefetch_related("roles").order_by("username")


def _who_may(premises: Property, verb: str) -> Iterable[str]:
    """User names of the house."""
    # One with two such roles comes twice from the join; the dict keeps the order and each name once.
    named: Iterable[str] = _working(premises).filter(roles__may__contains=[verb]).values_list("username", flat=True)
    return dict.fromkeys(named)


def _roles(person: Operator) -> list[str]:
    return sorted(role.code for role in person.roles.all())


def _alive(rows: Iterable[Any]) -> list[str]:
    """What is retired is not in the file, so nothing in it may name it."""
    return [row.jackpot.code for row in rows if row.jackpot.state != JackpotState.RETIRED]


def _authority(premises: Property, now: datetime) -> Content:
    """As it counts now: it becomes the first values of whoever loads the file elsewhere."""
    stands = premises.authority_at((now, premises.gaming_day(now)))
    # The reader takes these as text, for they may also be “never”.
    counts = {name: stands[name] for name in ("unseen_count", "kept_alone")}
    told = {**stands, **{name: None if count is None else str(count) for name, count in counts.items()}}
    told = {setting: NEVER if value is None else _lines(value) for setting, value in told.items()}
    return {**told, "pin_from_level": LEVELS[stands["pin_from_level"]]}


def _lines(value: Any) -> Any:
    """A table of jackpots and rows is written line by line; any other value is written as it is."""
    return [f"{place} {amount}" for place, amount in value.items()] if isinstance(value, dict) else value


def _shifts(row: Any) -> Content:
    begin = {shift.name: "{:02}:{:02}".format(*divmod(shift.begins_minutes, 60)) for shift in row.value.shifts}
    return {"from": row.begins, "begin": begin}


def _jackpot(jackpot: Jackpot, may: list[str]) -> Content:
    """With the terms in force and the way its books began; what it grew to since is in the books, not in a file."""
    assert jackpot.version is not None, "a jackpot has its version from its opening on"
    head = {"code": jackpot.code, "name": jackpot.name, "signed_by": _signers(jackpot, may)}
    return {**head, **terms_content(jackpot.version.value), **_opening(jackpot)}


def _signers(jackpot: Jackpot, may: list[str]) -> list[str]:
    """Who signed its opening, if they still may; else others of the house who may."""
    first = Version.objects.get(jackpot=jackpot, number=1)
    return sorted(may, key=lambda name: name not in (first.requested_by, first.approved_by))[:2]


def _opening(jackpot: Jackpot) -> Content:
    first = Entry.objects.select_related("version").get(jackpot=jackpot, seq=1)
    if first.kind != EntryKind.TAKE_OVER:
        return {"opening": "seed"}
    moved = first.movement
    told = {"meter": moved.meter, "reserve": moved.reserve, "overflow": moved.overflow, "house_seed": -moved.house}
    reading = {name: str(Money(units)) for name, units in told.items()}
    return {"opening": "take_over", "take_over": {**reading, "evidence": _evidence(jackpot)}}


def _evidence(jackpot: Jackpot) -> str:
    row = Trail.objects.filter(act="take_over", subject=jackpot.code).order_by("id").first()
    reading: Mapping[str, Any] = (row.details if row else {}).get("reading", {})
    return str(reading.get("evidence", "")) or "entry 1 of its books"
