"""Hello: all that a controller needs to go on where its table stands.

After a restart of anybody a whole floor says it at once; controllers that come together are read together, so that
each costs a fraction of what one alone does.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from itertools import starmap
from typing import Any, Final, NamedTuple

from django.utils import timezone

from jackpot.books.actions.post import in_force
from jackpot.database.raw import ask_together
from jackpot.money import Money, units_of
from jackpot.proof.actions.high_water import heard_from_each, marks_of_rows
from jackpot.refusals import NotAllowedNow, NotFound, Refused
from jackpot.terms.rules.terms import Terms
from tables.floor.models.device import Device
from tables.floor.models.table import Link, Table
from tables.floor.queries.components import rules_at, why_kept_closed
from tables.floor.queries.wagers import FIRST_NAME, further_facts_of
from tables.hits.actions.lit_keys import board_hands
from tables.hits.queries.table_state import table_states
from tables.player_dealer.queries.bank import bank_plain
from tables.rounds.actions.journal import journals_asked

Facts = dict[str, Any]
Hands = list[dict[str, Any]]
# In the order of the devices' keys: whoever writes several of them takes them so, or is one who tries again.
NOTED: Final = """
WITH said AS MATERIALIZED (
  SELECT d.id, told.version, told.connection
    FROM unnest(%s::bigint[], %s::text[], %s::text[]) AS told(id, version, connection)
    JOIN tables_device d ON d.id = told.id ORDER BY d.id FOR NO KEY UPDATE OF d
)
UPDATE tables_device d SET version = said.version, connection = said.connection, last_seen_at = %s
  FROM said WHERE d.id = said.id
"""
# The terms under which the open round of each table was counted, the highest jackpot first.
COUNTED: Final = """
SELECT asked.id, e.version_id, v.digest
  FROM unnest(%s::bigint[]) AS asked(id)
 CROSS JOIN LATERAL (
   SELECT r.number, r.revision, r.state FROM tables_round r
    WHERE r.table_id = asked.id ORDER BY r.number DESC LIMIT 1) last
  JOIN tables_roundentry l ON l.table_id = asked.id AND l.number = last.number AND l.revision = last.revision
  JOIN jackpot_entry e ON e.jackpot_id = l.jackpot_id AND e.seq = l.seq
  JOIN jackpot_version v ON v.id = e.version_id
 WHERE last.state = 'open' ORDER BY asked.id, l.level
"""


def anybody() -> bool:
    """Of a hello that asks for one answer: whoever sent it waits for it."""
    return True


class Greeting(NamedTuple):
    """A controller that says hello on a line of its own; over HTTP the line has no name.

    A hello may have waited long for the database. Who has given it up meanwhile and said another one has a newer line
    by now, and the late one must not end it.
    """

    device_code: str
    version: str
    connection: str
    marks: Mapping[str, str] = {}
    still_there: Callable[[], bool] = anybody


def hello(*, device_code: str, version: str, connection: str) -> Facts:
    """One controller; its connection becomes the table's only one."""
    (told,) = greet(greetings=[Greeting(device_code, version, connection)])
    if isinstance(told, Refused):
        raise told
    return told


def greet(*, greetings: Sequence[Greeting]) -> list[Facts | Refused]:
    """What each hears, in their order. Of two lines of one device the later one counts."""
    # Before anything is answered: books that went back behind what a box has seen stop first.
    heard_from_each({f"device {each.device_code}": each.marks for each in greetings if each.marks})
    codes = {each.device_code for each in greetings}
    rows = list(Device.objects.select_related("table__premises").filter(code__in=codes))
    # Asked as late as possible, right before the line is noted: who hung up by now must not end a newer line.
    heard = [each.still_there() for each in greetings]
    said = {each.device_code: each for each, waits in zip(greetings, heard, strict=True) if waits}
    devices = {device.code: device for device in rows if device.table is not None and device.code in said}
    lines = [(device.pk, said[code].version, said[code].connection) for code, device in devices.items()]
    if lines:
        ask_together([(NOTED, [*map(list, zip(*lines, strict=True)), timezone.now()])])
    tables = [device.table for device in devices.values() if device.table is not None]
    facts = facts_of(tables)
    rules = rules_at(tables)
    below = {table.code: why_kept_closed(table, rules[table.premises_id]) for table in tables}
    places = {code: device.table.code for code, device in devices.items() if device.table is not None}
    return [
        {**facts[places[code]], "below_version": below[places[code]]} if waits and code in places else _not(code, waits)
        for code, waits in zip((each.device_code for each in greetings), heard, strict=True)
    ]


def _not(code: str, waits: bool) -> Refused:
    if not waits:
        return NotAllowedNow("Whoever said this hello has hung up. Connect again.", "hung_up")
    return NotFound(f"Device {code} belongs to no table. A technician assigns it.", "no_table")


def table_facts(table: Table) -> Facts:
    """The table as its controller must know it."""
    return facts_of([table])[table.code]


def facts_of(tables: Collection[Table]) -> dict[str, Facts]:
    """Tables by code, as their controllers must know them."""
    codes = [table.code for table in tables]
    levels, states, asked = _levels(codes), table_states(codes), journals_asked(tables)
    terms, now = _terms_at({table.pk: levels[table.code] for table in tables}), timezone.now().isoformat()
    return {
        table.code: {
            "table": table.code,
            "state": table.state,
            "why": table.held_why,
            "profile": table.profile,
            "seats": table.seats,
            **_wagers(table),
            **states[table.code],
            "hands": hands_of(terms[table.pk], board_hands(table.game)),
            "meters": {level.code: str(Money(units_of(level.meter))) for level in levels[table.code]},
            "marks": marks_of_rows((level.code, level.last_seq, level.seal) for level in levels[table.code]),
            "at": now,
            **_bank(table),
            **({"deck_colours": table.deck_colours} if table.deck_colours else {}),
            **({"restored": asked[table.pk]} if table.pk in asked else {}),
        }
        for table in tables
    }


def _bank(table: Table) -> Facts:
    """Who banks, only where a player does."""
    bank = bank_plain(table)
    return {} if bank is None else {"bank": bank}


def _wagers(table: Table) -> Facts:
    rows = further_facts_of(table) if table.wagers > 1 else ()
    further = [further_told(each.code, each.name, each.chip, each.jackpots) for each in rows]
    return wagers_told(table.wager_money, table.wager_name, further)


def wagers_told(chip: Money, name: str, further: list[Facts]) -> Facts:
    """The first wager's chip; only where a table takes several, their names, chips and jackpots."""
    several = {"wager_name": name or FIRST_NAME, "further": further} if further else {}
    return {"wager": str(chip), **several}


def further_told(code: str, name: str, chip: Money, jackpots: Sequence[str]) -> Facts:
    return {"wager": code, "name": name or code, "chip": str(chip), "jackpots": list(jackpots)}


def hands_at(*, table_code: str) -> Hands:
    """The hands the controller may offer: an open round goes on with the terms of its coin-in."""
    table = Table.objects.only("id", "game").get(code=table_code)
    return hands_of(_terms_at({table.pk: _levels([table_code])[table_code]})[table.pk], board_hands(table.game))


class LevelNow(NamedTuple):
    """A jackpot that a table feeds, as its row stands; its terms by name only, since each process keeps them."""

    code: str
    meter: Any
    last_seq: int
    seal: bytes
    version: int | None
    digest: str | None


def _levels(table_codes: Collection[str]) -> dict[str, list[LevelNow]]:
    """By table, the highest first."""
    columns = ("code", "meter", "last_seq", "seal", "version", "version__digest")
    rows = Link.objects.filter(table__code__in=table_codes).order_by("table_id", "level")
    found: dict[str, list[LevelNow]] = {code: [] for code in table_codes}
    for code, *level in rows.values_list("table__code", *(f"jackpot__{column}" for column in columns)):
        found[code].append(LevelNow(*level))
    return found


def _terms_at(levels: Mapping[int, Sequence[LevelNow]]) -> dict[int, list[Terms]]:
    """By table: those under which its open round was counted, else those in force."""
    counted: dict[int, list[tuple[int, str]]] = {}
    for table_id, version, digest in ask_together([(COUNTED, [list(levels)])])[0]:
        counted.setdefault(table_id, []).append((version, digest))
    return {
        table_id: [each.terms for each in starmap(in_force, counted.get(table_id) or _in_force(here))]
        for table_id, here in levels.items()
    }


def _in_force(levels: Iterable[LevelNow]) -> list[tuple[int, str | None]]:
    return [(level.version, level.digest) for level in levels if level.version is not None]


def hands_of(levels: Iterable[Terms], on_board: frozenset[str]) -> Hands:
    """Highest first; a hand that stands on two levels is offered once, and one of the board says so."""
    hands: dict[str, str] = {}
    for terms in levels:
        for line in terms.pay_table:
            hands.setdefault(line.code, line.name)
    return [{"code": code, "name": name, "board": code in on_board} for code, name in hands.items()]
