"""What a house has and what it lacks, and its parts as the forms show them."""

from __future__ import annotations

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final

from babel.numbers import get_currency_precision
from django.db.models import QuerySet

from accounting.house_file.references import SECOND_PERSON, StandingCodes
from accounting.house_file.writer import (
    collection_content,
    collections_in,
    component_content,
    device_content,
    devices_in,
    limits_content,
    limits_in,
    notice_content,
    printer_content,
    property_content,
    running,
    schedule_content,
    schedules_in,
    sign_content,
    signs_in,
    table_content,
    tables_in,
    tax_content,
)
from accounting.paper.models.printer import Printer
from accounting.setup_desk.rules.house_steps import HouseFacts
from accounting.setup_desk.rules.part_fields import HouseHabits
from accounting.setup_desk.rules.two_people import HouseAge
from jackpot.people.models import Operator, Role
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.requests.rules.life import OPEN
from tables.floor.models.device import Device, DeviceState
from tables.floor.models.table import Table
from tables.rounds.models.round import Round

SET_UP: Final = "set_up"
GIVES_ROLES: Final = "people"
WORKS: Final = {"deal": "deals", "approve": "approves wins", "pay": "pays at the window", "close_day": "closes the day"}
Content = dict[str, Any]


def house_age(premises: Property) -> HouseAge:
    rounds = Round.objects.filter(table__premises=premises)
    return HouseAge(running(premises).exists(), rounds.exists())


def people_who_may(premises: Property, verb: str) -> list[str]:
    """User names of those who work here and hold the verb."""
    rows = Operator.objects.filter(premises=premises, is_active=True, roles__may__contains=[verb])
    return list(rows.order_by("username").values_list("username", flat=True).distinct())


def standing_codes(premises: Property) -> StandingCodes:
    """What a form may name: all that stands in this house."""
    people = Operator.objects.filter(premises=premises, is_active=True)
    return StandingCodes(
        roles=tuple(Role.objects.values_list("code", flat=True)),
        people=tuple(people.values_list("username", flat=True)),
        signers=tuple(people_who_may(premises, SECOND_PERSON)),
        jackpots=tuple(running(premises).values_list("code", flat=True)),
        tables=tuple(premises.tables.values_list("code", flat=True)),
        signs=tuple(premises.signs.values_list("code", flat=True)),
    )


def house_habits(premises: Property, now: datetime) -> HouseHabits:
    return HouseHabits(get_currency_precision(premises.currency), premises.writes_month_first, premises.gaming_day(now))


def house_facts(premises: Property) -> HouseFacts:
    """Everything the way to the first round is judged by."""
    hour, minute = divmod(premises.day_roll_minutes, 60)
    jackpots, tables = running(premises), Table.objects.filter(premises=premises).order_by("code")
    lacking = [words for verb, words in WORKS.items() if not people_who_may(premises, verb)]
    devices = devices_in(premises).exclude(state=DeviceState.BLOCKED)
    return HouseFacts(
        premises=f"{premises.name}: {premises.currency}, the day rolls at {hour:02}:{minute:02} {premises.time_zone}.",
        administrators=people_who_may(premises, GIVES_ROLES),
        unmanned=lacking,
        shifts=_newest(premises.shift_plans.order_by("begins").last()),
        tax=_newest(premises.tax_rules.order_by("begins").last()),
        printers=list(Printer.objects.filter(premises=premises, in_use=True).values_list("code", flat=True)),
        jackpots=[jackpot.code for jackpot in jackpots],
        openings_waiting=waiting_requests(premises).count(),
        tables=_codes(tables),
        # A table that a player banks feeds none as a rule: the house may have no interest in its wagers.
        tables_feeding_none=_codes(tables.filter(links=None, bank="house")),
        jackpots_unshown=_codes(jackpots.filter(sign_meters=None)),
        signs=_codes(premises.signs.order_by("code")),
        tables_without_device=tables_without_device(premises),
        # Signs are left out: no round waits for a screen.
        devices_waiting=_codes(devices.filter(state=DeviceState.WAITING, sign=None)),
        rounds=int(house_age(premises).has_round),
    )


def tables_without_device(premises: Property) -> list[str]:
    """Tables at which nothing stands that could count a round."""
    # A blocked one is never let in again, so its table needs another.
    heard = Device.objects.filter(table__premises=premises).exclude(state=DeviceState.BLOCKED)
    rows = Table.objects.filter(premises=premises).exclude(pk__in=heard.values("table_id"))
    return _codes(rows.order_by("code"))


def waiting_requests(premises: Property) -> Any:
    """What was asked for here and waits for a second person."""
    return Request.objects.filter(kind=SET_UP, premises=premises, state__in=OPEN).order_by("asked_at", "id")


def coded_parts(premises: Property, key: str) -> tuple[QuerySet[Any], Callable[[Any], Content]] | None:
    """Rows and how each is told, of the kinds of which a house has thousands; they are looked at in pages."""
    match key:
        case "tables":
            return tables_in(premises), table_content
        case "signs":
            return signs_in(premises), sign_content
        case "devices":
            return devices_in(premises), _device_with_state
    return None


def standing_parts(premises: Property, key: str) -> list[Content]:
    """The parts of one kind as sections of the casino file, in the order in which people look for them."""
    many = coded_parts(premises, key)
    if many is not None:
        rows, told = many
        return [told(row) for row in rows]
    match key:
        case "property":
            return [property_content(premises)]
        case "shifts" | "tax" | "unclaimed" | "notices" | "collections" | "schedules" | "limits":
            return _dated_parts(premises, key)
        case "printers":
            return [printer_content(row) for row in Printer.objects.filter(premises=premises, in_use=True)]
        case "components":
            return [component_content(row) for row in premises.version_rules.all()]
        case "jackpots":
            return [_jackpot_content(row) for row in running(premises)]
    raise KeyError(key)


def _device_with_state(row: Device) -> Content:
    return {**device_content(row), "state": row.get_state_display()}


def _dated_parts(premises: Property, key: str) -> list[Content]:
    """Rules that begin on a gaming day, the newest first."""
    match key:
        case "shifts":
            return [_shift_content(row) for row in premises.shift_plans.order_by("-begins")]
        case "tax":
            return [tax_content(row.value) for row in premises.tax_rules.order_by("-begins")]
        case "unclaimed":
            rows = premises.unclaimed_rules.order_by("-begins")
            return [
                {"from": row.begins, "notice_after": row.notice_after, "lapse_after": row.lapse_after} for row in rows
            ]
        case "notices":
            return [notice_content(row.value) for row in premises.notice_rules.order_by("-begins", "about", "to")]
        case "collections":
            return [collection_content(row) for row in collections_in(premises).order_by("-begins", "table__code")]
        case "limits":
            return [limits_content(row.value) for row in limits_in(premises).order_by("-begins", "code")]
        case "schedules":
            return [schedule_content(row.value) for row in schedules_in(premises).order_by("-begins", "rule_set")]
    raise KeyError(key)


def _jackpot_content(jackpot: Any) -> Content:
    terms = jackpot.version.value.plain()
    told = {name: terms[name] for name in ("wager", "seed", "rate", "reserve_rate", "limit")}
    return {"code": jackpot.code, "name": jackpot.name, "pay_table": jackpot.version.value.pay_table.code, **told}


def _shift_content(row: Any) -> Content:
    begin = {shift.name: "{:02}:{:02}".format(*divmod(shift.begins_minutes, 60)) for shift in row.value.shifts}
    return {"from": row.begins, "begin": begin}


def _newest(row: Any) -> str:
    return f"From {row.begins} on." if row else ""


def _codes(rows: Any) -> list[str]:
    return list(rows.values_list("code", flat=True))
