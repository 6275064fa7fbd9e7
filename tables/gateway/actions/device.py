"""What a controller asks besides counting: who it is talking to, who deals, what its sensors saw."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db import transaction
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Greatest
from django.utils import timezone

from jackpot.books.actions.post import in_force
from jackpot.database.raw import ask_together
from jackpot.money import Money, text_of_units, units_of
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.actions.presence import CardSource, badge_of
from jackpot.people.models import Card, NoBadge, Operator
from jackpot.proof.actions.high_water import marks_of
from jackpot.refusals import NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.actions.state import lock_jackpots_of, set_table_state
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import FurtherWager, Table, TableState
from tables.floor.queries.components import why_kept_closed
from tables.gateway.actions.greeting import Hands, further_told, hands_of, wagers_told
from tables.hits.actions.lit_keys import board_hands
from tables.rounds.models.sensor import SensorEvent
from tables.rounds.queries.begin import check_may_begin

# What each table feeds, the highest level first: one row a table, however many levels it has.
FED: Final = """
SELECT t.code, ARRAY(SELECT j.code FROM tables_link l JOIN jackpot_jackpot j ON j.id = l.jackpot_id
                      WHERE l.table_id = t.id)
  FROM tables_table t WHERE t.code = ANY(%s)
"""
STANDING: Final = """
SELECT t.code, t.state, t.held_why, t.wager, t.wager_name, t.game,
       ARRAY(SELECT l.jackpot_id FROM tables_link l WHERE l.table_id = t.id ORDER BY l.level)
  FROM tables_table t
"""
FURTHER: Final = """
SELECT t.code, f.code, f.name, f.chip,
       ARRAY(SELECT j.code FROM tables_link l JOIN jackpot_jackpot j ON j.id = l.jackpot_id
              WHERE l.table_id = t.id AND l.wager = f.place ORDER BY l.level)
  FROM tables_furtherwager f JOIN tables_table t ON t.id = f.table_id
 ORDER BY t.code, f.place
"""
METERS: Final = """
SELECT j.id, j.code, j.meter, j.version_id, v.digest
  FROM jackpot_jackpot j LEFT JOIN jackpot_version v ON v.id = j.version_id
"""


def marks_at(*, table_codes: Collection[str]) -> dict[str, dict[str, str]]:
    """By table: the marks of the jackpots that it feeds."""
    (rows,) = ask_together([(FED, [list(table_codes)])])
    marks = marks_of({jackpot for _, jackpots in rows for jackpot in jackpots})
    return {table: {each: marks[each] for each in jackpots if each in marks} for table, jackpots in rows}


def below_version(device: Device) -> str | None:
    """Why the software of a machine at this device's table keeps the table closed, or None."""
    return None if device.table is None else why_kept_closed(device.table)


def judged_software(*, code: str) -> str | None:
    """The same of a device that is known by its code."""
    return below_version(Device.objects.select_related("table__premises").get(code=code))


def badge_in_or_out(
    *, table_code: str, badge: str, comes: bool, device_code: str, source: CardSource
) -> dict[str, Any]:  # fmt: skip
    """A dealer's badge was read at the table."""
    card = badge_of(badge=badge, source=source)
    return change_dealer(table_code=table_code, card=card, comes=comes, device_code=device_code)


@transaction.atomic
def change_dealer(*, table_code: str, card: Card, comes: bool, device_code: str) -> dict[str, Any]:
    """A dealer badges in or out; who deals is part of every record."""
    lock_jackpots_of(Table.objects.get(code=table_code))
    table = Table.objects.select_for_update().get(code=table_code)
    # Under the lock: a person who was dismissed a moment ago begins no duty.
    check_works_here(card.operator)
    now = timezone.now()
    present = TableDuty.objects.filter(table=table, ended_at__isnull=True).select_related("operator").first()
    if not comes and (present is None or present.operator_id != card.operator_id):
        raise NotAllowedNow(f"{card.operator} is not on duty at {table_code}.", "not_on_duty")
    if comes and present is not None and present.operator_id == card.operator_id:
        return {"dealer": str(card.operator), "repeat": True}
    if comes:
        speaks = Device.objects.filter(code=device_code).first()
        # Only a dealer who comes begins something; one who goes is never kept at a table (decision 0008).
        check_may_begin(table, None if speaks is None else below_version(speaks))
    if present is not None:
        TableDuty.objects.filter(id=present.id).update(ended_at=now)
    if comes:
        TableDuty.objects.create(table=table, operator=card.operator, card=card, began_at=now)
    act = "dealer_in" if comes else "dealer_out"
    record(actor=card.operator, act=act, about=objects.table(table_code), details={"device": device_code})
    return {"dealer": str(card.operator) if comes else None, "repeat": False}


@transaction.atomic
def further_codes(*, table_code: str) -> list[str]:
    """What a table's further wagers are called."""
    rows = FurtherWager.objects.filter(table__code=table_code).order_by("place")
    return list(rows.values_list("code", flat=True))


def note_alarms(
    *, table_code: str, round_number: int | None, alarms: Iterable[tuple[int, str, str]], wager: str = ""
) -> None:  # fmt: skip
    """Keeps what the sensors did that a person should look at."""
    table = Table.objects.get(code=table_code)
    now = timezone.now()
    SensorEvent.objects.bulk_create(
        SensorEvent(
            table=table, seat=seat, alarm=alarm, round_number=round_number, at=now, details=details, wager=wager
        )
        for seat, alarm, details in alarms
    )  # fmt: skip


class Heard(NamedTuple):
    """When a device was heard last, and by which number of which secret."""

    at: datetime
    sequence: int = 0
    generation: int | None = None


def seen(*, devices: Mapping[str, Heard]) -> None:
    """Notes when devices were last heard, many at once; a number counts for the secret that it was heard under."""
    for code, heard in devices.items():
        told: dict[str, Any] = {"last_seen_at": heard.at}
        if heard.sequence and heard.generation is not None:
            told["heard_sequence"] = _risen("heard_sequence", heard.sequence, Q(generation=heard.generation))
            told["earlier_sequence"] = _risen("earlier_sequence", heard.sequence, Q(generation=heard.generation + 1))
        Device.objects.filter(code=code).update(**told)


def _risen(column: str, number: int, where: Q) -> Case:
    # The greater one: two processes note one device, and the later note may be of the earlier word.
    return Case(When(where, then=Greatest(column, Value(number))), default=F(column))


def hold_table(*, table_code: str, why: str, by: str) -> None:
    """Nothing more is counted here until a supervisor has looked."""
    table = Table.objects.get(code=table_code)
    # A hold that stands keeps its reason: the first one is what the supervisor has to look at.
    if table.state != TableState.HELD:
        set_table_state(table=table, state=TableState.HELD, by=by, why=why)


def who_deals(*, table_code: str, signed_in: int | None = None) -> Operator | NoBadge:
    """The person whose hand is on the keys: who is signed in at the console, else the badge; or nobody's badge."""
    if signed_in is not None:
        return Operator.objects.get(id=signed_in)
    duty = TableDuty.objects.filter(table__code=table_code, ended_at__isnull=True).select_related("operator").first()
    return NoBadge(table_code) if duty is None else duty.operator


class JackpotNow(NamedTuple):
    """Where a jackpot stands, and its terms by name: each process keeps them."""

    code: str
    meter: str
    version: int | None
    digest: str | None


@dataclass(frozen=True, slots=True)
class FloorNow:
    """What the gateway looks at once a second: which tables play, where the meters stand."""

    tables: Mapping[str, tuple[str, str]]
    meters: Mapping[str, Mapping[str, str]]
    hands: Mapping[str, Hands] = field(default_factory=dict)
    firsts: Mapping[str, tuple[Any, str]] = field(default_factory=dict)
    further: Mapping[str, list[dict[str, Any]]] = field(default_factory=dict)

    def wagers_at(self, table_code: str) -> dict[str, Any] | None:
        """As `hello` tells them; a table that is not there has none."""
        if table_code not in self.firsts:
            return None
        chip, name = self.firsts[table_code]
        return wagers_told(Money(units_of(chip)), name, self.further.get(table_code, []))


def floor_now() -> FloorNow:
    """Tables by code (state, why held), meters by table. Tables that feed the same offer the same hands."""
    tables, jackpots, wagers = ask_together([(STANDING, []), (METERS, []), (FURTHER, [])])
    known = {row[0]: JackpotNow(row[1], text_of_units(units_of(row[2])), *row[3:]) for row in jackpots}
    meters: dict[str, Mapping[str, str]] = {}
    hands: dict[str, Hands] = {}
    of_such: dict[tuple[str, tuple[int, ...]], tuple[Mapping[str, str], Hands]] = {}
    for code, *_, game, fed in tables:
        such = (game, tuple(fed))
        # Many tables feed the same: their meters and hands are made once a look.
        if fed and such not in of_such:
            levels = [known[each] for each in fed]
            terms = [in_force(each.version, each.digest).terms for each in levels if each.version is not None]
            of_such[such] = {each.code: each.meter for each in levels}, hands_of(terms, board_hands(game))
        if fed:
            meters[code], hands[code] = of_such[such]
    further: dict[str, list[dict[str, Any]]] = {}
    for code, wager, name, chip, feeds in wagers:
        further.setdefault(code, []).append(further_told(wager, name, Money(units_of(chip)), feeds))
    firsts = {row[0]: (row[3], row[4]) for row in tables}
    return FloorNow({row[0]: (row[1], row[2]) for row in tables}, meters, hands, firsts, further)
