"""What a controller asks besides counting: who it is talking to, who deals, what its sensors saw."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple

from django.db import transaction
from django.db.models import Case, F, Q, Value, When
from django.db.models.functions import Greatest
from django.utils import timezone

from jackpot.books.actions.post import in_force
from jackpot.books.models.entry import Entry
from jackpot.money import Money, text_of_units, units_of
from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.actions.presence import CardSource, badge_of
from jackpot.people.models import Card, NoBadge, Operator
from jackpot.proof.actions.high_water import marks_of, marks_of_rows
from jackpot.refusals import NotAllowedNow, NotFound
from jackpot.terms.rules.terms import Terms
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from tables.floor.actions.state import set_table_state
from tables.floor.models.device import Device
from tables.floor.models.duty import TableDuty
from tables.floor.models.table import FurtherWager, Link, Table, TableState
from tables.floor.queries.components import why_kept_closed
from tables.floor.queries.wagers import first_name, further_facts_of
from tables.hits.actions.lit_keys import board_hands
from tables.hits.queries.table_state import table_states
from tables.player_dealer.queries.bank import bank_plain
from tables.rounds.actions.journal import journal_asked
from tables.rounds.models.round import Round, RoundState
from tables.rounds.models.sensor import SensorEvent
from tables.rounds.queries.begin import check_may_begin
from tables.rounds.queries.counted import coin_in_entries

Hands = list[dict[str, Any]]


def hello(
    *, device_code: str, version: str, connection: str, still_there: Callable[[], bool] = lambda: True
) -> dict[str, Any]:
    """Everything a controller needs to go on where the table stands; its connection becomes the table's only one.

    A hello may have waited long for the database. Who has given it up meanwhile and said another one has a newer line
    by now, and the late one must not end it.
    """
    device = Device.objects.select_related("table__premises").get(code=device_code)
    if not still_there():
        raise NotAllowedNow("Whoever said this hello has hung up. Connect again.", "hung_up")
    if device.table is None:
        raise NotFound(f"Device {device_code} belongs to no table. A technician assigns it.", "no_table")
    device.version, device.connection, device.last_seen_at = version, connection, timezone.now()
    device.save(update_fields=["version", "connection", "last_seen_at"])
    return {**table_facts(device.table), "below_version": below_version(device)}


def table_facts(table: Table) -> dict[str, Any]:
    """The table as its controller must know it."""
    levels = list(_levels(table.code))
    return {
        "table": table.code,
        "state": table.state,
        "why": table.held_why,
        "profile": table.profile,
        "seats": table.seats,
        "wager": str(table.wager_money),
        **_further(table),
        **table_states([table.code])[table.code],
        "hands": _hands(_terms_at(table.code, levels), board_hands(table.game)),
        "meters": {level.code: str(Money(units_of(level.meter))) for level in levels},
        "marks": marks_of_rows((level.code, level.last_seq, level.seal) for level in levels),
        "at": timezone.now().isoformat(),
        **_bank(table),
        **_restored(table),
    }


def _bank(table: Table) -> dict[str, Any]:
    """Who banks, only where a player does."""
    bank = bank_plain(table)
    return {} if bank is None else {"bank": bank}


def _restored(table: Table) -> dict[str, Any]:
    """Whether the journal of the box is wanted, only after a restore."""
    asked = journal_asked(table)
    return {} if asked is None else {"restored": asked}


def _further(table: Table) -> dict[str, Any]:
    """Only where a table takes several wagers: their names, chips and jackpots."""
    if table.wagers == 1:
        return {}
    told = [
        {"wager": each.code, "name": each.name or each.code, "chip": str(each.chip), "jackpots": list(each.jackpots)}
        for each in further_facts_of(table)
    ]
    return {"wager_name": first_name(table), "further": told}


def marks_at(*, table_codes: Collection[str]) -> dict[str, dict[str, str]]:
    """By table: the marks of the jackpots that it feeds."""
    links = list(Link.objects.filter(table__code__in=table_codes).values_list("table__code", "jackpot__code"))
    marks = marks_of({jackpot for _, jackpot in links})
    told: dict[str, dict[str, str]] = {}
    for table, jackpot in links:
        if jackpot in marks:
            told.setdefault(table, {})[jackpot] = marks[jackpot]
    return told


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
    table = Table.objects.select_for_update().get(code=table_code)
    check_works_here(card.operator)
    now = timezone.now()
    present = TableDuty.objects.filter(table=table, ended_at__isnull=True).select_related("operator").first()
    if not comes and (present is None or present.operator_id != card.operator_id):
        raise NotAllowedNow(f"{card.operator} is not on duty at {table_code}.", "not_on_duty")
    if comes and present is not None and present.operator_id == card.operator_id:
        return {"dealer": str(card.operator), "repeat": True}
    if comes:
        speaks = Device.objects.filter(code=device_code).first()
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
    return Case(When(where, then=Greatest(column, Value(number))), default=F(column))


def hold_table(*, table_code: str, why: str, by: str) -> None:
    """Nothing more is counted here until a supervisor has looked."""
    table = Table.objects.get(code=table_code)
    if table.state != TableState.HELD:
        set_table_state(table=table, state=TableState.HELD, by=by, why=why)


def hands_at(*, table_code: str) -> Hands:
    """The hands the controller may offer: an open round goes on with the terms of its coin-in."""
    on_board = board_hands(Table.objects.values_list("game", flat=True).get(code=table_code))
    return _hands(_terms_at(table_code, list(_levels(table_code))), on_board)


class LevelNow(NamedTuple):
    """A jackpot that a table feeds, as its row stands; its terms by name only, since each process keeps them."""

    code: str
    meter: Any
    last_seq: int
    seal: bytes
    version: int | None
    digest: str | None


def _levels(table_code: str) -> Iterator[LevelNow]:
    """The highest first."""
    columns = ("code", "meter", "last_seq", "seal", "version", "version__digest")
    rows = Link.objects.filter(table__code=table_code).order_by("level")
    return itertools.starmap(LevelNow, rows.values_list(*(f"jackpot__{column}" for column in columns)))


def _terms_at(table_code: str, levels: Sequence[LevelNow]) -> list[Terms]:
    """Those under which the open round was counted, else those in force."""
    last = Round.objects.filter(table__code=table_code).order_by("-number").first()
    counted = coin_in_entries(last) if last is not None and last.state == RoundState.OPEN else []
    if not counted:
        return [in_force(level.version, level.digest).terms for level in levels if level.version is not None]
    rows = Entry.objects.filter(pk__in=counted).values_list("jackpot_id", "seq", "version", "version__digest")
    named = {(jackpot, seq): (version, digest) for jackpot, seq, version, digest in rows}
    return [in_force(*named[key]).terms for key in counted]


def _hands(levels: Iterable[Terms], on_board: frozenset[str]) -> Hands:
    """Highest first; a hand that stands on two levels is offered once, and one of the board says so."""
    hands: dict[str, str] = {}
    for terms in levels:
        for line in terms.pay_table:
            hands.setdefault(line.code, line.name)
    return [{"code": code, "name": name, "board": code in on_board} for code, name in hands.items()]


def who_deals(*, table_code: str, signed_in: int | None = None) -> Operator | NoBadge:
    """The person whose hand is on the keys: who is signed in at the console, else the badge; or nobody's badge."""
    if signed_in is not None:
        return Operator.objects.get(id=signed_in)
    duty = TableDuty.objects.filter(table__code=table_code, ended_at__isnull=True).select_related("operator").first()
    return NoBadge(table_code) if duty is None else duty.operator


@dataclass(frozen=True, slots=True)
class FloorNow:
    """What the gateway looks at once a second: which tables play, where the meters stand."""

    tables: Mapping[str, tuple[str, str]]
    meters: Mapping[str, Mapping[str, str]]
    hands: Mapping[str, Hands] = field(default_factory=dict)


def floor_now() -> FloorNow:
    """Tables by code (state, why held), meters by table."""
    tables = Table.objects.values_list("code", "state", "held_why")
    meters: dict[str, dict[str, str]] = {}
    terms: dict[str, list[Terms]] = {}
    asked = ("jackpot__code", "jackpot__meter", "jackpot__version", "jackpot__version__digest")
    games: dict[str, str] = {}
    rows = Link.objects.order_by("table__code", "level").values_list("table__code", "table__game", *asked)
    for table_code, game, code, meter, version, digest in rows:
        games[table_code] = game
        meters.setdefault(table_code, {})[code] = text_of_units(units_of(meter))
        terms.setdefault(table_code, []).append(in_force(version, digest).terms)
    return FloorNow(
        {code: (state, why) for code, state, why in tables},
        meters,
        {code: _hands(levels, board_hands(games[code])) for code, levels in terms.items()},
    )
