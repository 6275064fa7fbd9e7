"""What a batch must know of its tables: remembered where nobody changed it, else read in one look behind the locks.

Whoever changes a table, its links or its device locks the table's jackpots first, so a plain SELECT is safe here.

Whatever the look reads of a table or its device is counted by the database at the table's jackpots when it changes
(`floor_changes`), in the transaction that changes it. So under the jackpots' lock one number says whether what was read
under an earlier lock still stands. What the rounds themselves change is followed here: the next round is counted from
memory only after the one before it was counted and ended here, and a number that is taken refuses the batch.

Nothing is said out of memory but yes: whatever it would refuse is looked at again. It belongs to one connection, since
behind a new one may stand a restored database, and it learns nothing within a transaction that somebody else may undo.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from threading import Lock
from typing import Any, Final, NamedTuple
from weakref import WeakSet

import orjson
from django.db import connection

from jackpot.books.actions.post import LockedJackpot
from jackpot.database.raw import Question, Rows, ask_together
from jackpot.money import Money, units_of
from tables.floor.models.table import Link, Table
from tables.floor.queries.secrets import SECRET_HOLDS, SPENT_BY_ITS_SECRET
from tables.rounds.models.round import RoundState
from tables.rounds.rules.further import FurtherFacts
from tables.rounds.rules.pace import TablePace
from tables.rounds.rules.round import DeviceRequest, RoundFacts, SpeakingDevice, TableFacts

# Of a table t with several wagers: place, code, chip and jackpots of each further one.
FURTHER: Final = """(
  SELECT jsonb_agg(jsonb_build_array(f.place, f.code, f.chip::text, ARRAY(
           SELECT l.jackpot_id FROM tables_link l WHERE l.table_id = t.id AND l.wager = f.place ORDER BY l.level
         )) ORDER BY f.place)::text
    FROM tables_furtherwager f WHERE f.table_id = t.id)"""
_LOOK_UP: Final = """
SELECT t.id, t.code, t.state, t.held_why, t.seats, t.wager, t.deck_colours, t.key_at_jph, t.unsettled, d.state,
       d.table_id, coalesce({SECRET_HOLDS}, false), coalesce({SPENT}, 0), d.generation,
       (SELECT u.operator_id FROM tables_tableduty u WHERE u.table_id = t.id AND u.ended_at IS NULL),
       ARRAY(SELECT l.jackpot_id FROM tables_link l WHERE l.table_id = t.id ORDER BY l.level),
       CASE WHEN t.wagers > 1 THEN {FURTHER} END,
       coalesce(last.number, 0), coalesce(last.state, 'ended'),
       {pace},
       asked.request, asked.answer, asked.seats, asked.state, asked.open_hits
  FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::bigint[])
       WITH ORDINALITY AS sent(code, device_id, round, generation, index)
  LEFT JOIN tables_table t ON t.code = sent.code
  LEFT JOIN tables_device d ON d.id = sent.device_id
  LEFT JOIN LATERAL (
    SELECT r.number, r.state, coalesce(r.played_at, r.opened_at) AS played
      FROM tables_round r WHERE r.table_id = t.id ORDER BY r.number DESC LIMIT 1
  ) last ON true
  LEFT JOIN tables_round asked ON asked.table_id = t.id AND asked.number = sent.round
 ORDER BY sent.index
"""
# Two rows and three moments more for each table: asked only where a house keeps back what no table can have played.
_PACE: Final = """t.most_a_minute, t.most_in_ten, t.most_seats, t.opened_at, last.played,
       (SELECT coalesce(r.played_at, r.opened_at) FROM tables_round r
         WHERE r.table_id = t.id AND r.number = last.number + 1 - t.most_a_minute),
       (SELECT coalesce(r.played_at, r.opened_at) FROM tables_round r
         WHERE r.table_id = t.id AND r.number = last.number + 1 - t.most_in_ten)"""
LOOK_UP: Final = {
    paced: _LOOK_UP.format(
        SECRET_HOLDS=SECRET_HOLDS,
        SPENT=SPENT_BY_ITS_SECRET,
        FURTHER=FURTHER,
        pace=_PACE if paced else "NULL, NULL, NULL, NULL, NULL, NULL, NULL",
    )
    for paced in (True, False)
}
# What a device has spent changes with every refusal, so it is asked even of a table that is remembered.
SPENT: Final = f"""
SELECT coalesce({SPENT_BY_ITS_SECRET}, 0)
  FROM unnest(%s::bigint[], %s::bigint[]) WITH ORDINALITY AS sent(device_id, generation, place)
  LEFT JOIN tables_device d ON d.id = sent.device_id ORDER BY sent.place
"""


_HERE: Final = "fairmeter_tables"
Times = tuple[datetime | None, datetime | None, datetime | None]


class CoinInFacts(NamedTuple):
    """A table, its device and the round that was asked for, under the lock."""

    table_id: int
    table: TableFacts
    wager: int
    deck_colours: Sequence[str]
    device: SpeakingDevice
    dealer_id: int | None
    jackpots: Sequence[int]
    asked: RoundFacts | None
    pace: TablePace | None  # only where it was asked for
    last_played: tuple[datetime | None, datetime | None, datetime | None]

    @property
    def first_jackpots(self) -> Sequence[int]:
        """Those that the first wager feeds."""
        elsewhere = {id_ for each in self.table.further for id_ in each.jackpots}
        return [id_ for id_ in self.jackpots if id_ not in elsewhere]

    def deck_colour(self, round_number: int) -> str:
        """The decks are used in turn."""
        return self.deck_colours[round_number % len(self.deck_colours)] if self.deck_colours else ""


_links: dict[str, tuple[int, ...]] = {}


def jackpots_fed_by(table_codes: Iterable[str]) -> set[int]:
    """Which jackpots to lock for these tables. A hint: the look-up under the lock has the last word."""
    codes = set(table_codes)
    unknown = codes - _links.keys()
    if unknown:
        read: dict[str, list[int]] = {code: [] for code in unknown}
        for code, jackpot_id in Link.objects.filter(table__code__in=unknown).values_list("table__code", "jackpot_id"):
            read[code].append(jackpot_id)
        _links.update({code: tuple(ids) for code, ids in read.items() if ids})
        return {id_ for code in codes for id_ in _links.get(code, ())}
    return {id_ for code in codes for id_ in _links[code]}


def forget_links() -> None:
    """The next batch reads the links anew."""
    _links.clear()


def question(asked: Sequence[DeviceRequest], *, paced: bool) -> Question:
    """The look-up for these."""
    words = [(each.table_code, each.device_id, each.act.round, each.generation) for each in asked]
    return LOOK_UP[paced], [list(column) for column in zip(*words, strict=True)]


def found(rows: Rows) -> list[CoinInFacts | None]:
    """Its answers, in the order asked; None where there is no such table."""
    return [_facts(row) for row in rows]


def further_facts(told: str) -> tuple[FurtherFacts, ...]:
    """What `FURTHER` tells."""
    return tuple(FurtherFacts(place, code, Money.of(chip).units, ids) for place, code, chip, ids in orjson.loads(told))


def further_at(table: Table) -> tuple[FurtherFacts, ...]:
    """The further wagers of one table, for an act that has its jackpots locked."""
    if table.wagers == 1:
        return ()
    (rows,) = ask_together([(f"SELECT {FURTHER} FROM tables_table t WHERE t.id = %s", [table.pk])])
    return further_facts(rows[0][0])


def _facts(row: tuple[Any, ...]) -> CoinInFacts | None:
    (
        table_id, code, state, held_why, seats, wager, deck_colours, key_at_jph, unsettled, device_state,
        device_table, secret_holds, spent_before, generation, dealer_id, jackpots, further, last_round, last_state,
        most_a_minute, most_in_ten, most_seats, opened_at, last_played, a_minute_ago, ten_ago, request, answer,
        asked_seats, asked_state, open_hits,
    ) = row  # fmt: skip
    if table_id is None:
        return None
    table = TableFacts(
        code=code, state=state, held_why=held_why, seats=seats, last_round=last_round, last_state=last_state,
        key_at_jph=key_at_jph, further=further_facts(further) if further else (), unsettled=unsettled,
    )  # fmt: skip
    asked = None
    if request is not None:
        asked = RoundFacts(
            request=bytes(request), answer=answer, seats=asked_seats, state=asked_state, open_hits=open_hits
        )
    pace = None if most_a_minute is None else TablePace(most_a_minute, most_in_ten, most_seats, opened_at)
    return CoinInFacts(
        table_id=table_id, table=table, wager=units_of(wager), deck_colours=deck_colours,
        device=SpeakingDevice(device_state, device_table == table_id, secret_holds, spent_before, generation),
        dealer_id=dealer_id, jackpots=jackpots, asked=asked, pace=pace,
        last_played=(last_played, a_minute_ago, ten_ago),
    )  # fmt: skip


class LookAgain(Exception):
    """Something changed between two looks (links, a round just recounted); the batch starts again."""


def look_up(asked: Sequence[DeviceRequest]) -> list[CoinInFacts | None]:
    """For whoever waits for nothing else."""
    (rows,) = ask_together([question(asked, paced=False)])
    return found(rows)


@dataclass(slots=True)
class RememberedTable:
    """What was read of a table, for one device and generation of its secret, and what was played since."""

    facts: CoinInFacts
    device_id: int
    generation: int | None
    changes: Sequence[int]  # of its jackpots, when it was read
    last_round: int
    ended: bool
    played: dict[int, datetime] = field(default_factory=dict)  # when each of its last rounds was played

    def stands(self, heads: Mapping[int, LockedJackpot]) -> bool:
        """Nobody changed what was read; these are the jackpots as they are locked now."""
        for id_, changes in zip(self.facts.jackpots, self.changes, strict=True):
            if id_ not in heads or heads[id_].floor_changes != changes:
                return False
        return True

    def times(self) -> Times | None:
        """Of the rounds that the next one's pace is judged by; None where one of them was not played here."""
        pace = self.facts.pace
        if pace is None:
            return None
        numbers = [self.last_round, self.last_round + 1 - pace.a_minute, self.last_round + 1 - pace.in_ten]
        if any(number >= 1 and number not in self.played for number in numbers):
            return None
        last, a_minute_ago, ten_ago = (self.played.get(number) for number in numbers)
        return last, a_minute_ago, ten_ago

    def plays(self, number: int, at: datetime) -> None:
        self.last_round, self.ended = number, False
        if self.facts.pace is not None:
            self.played[number] = at
            self.played.pop(number - max(self.facts.pace.a_minute, self.facts.pace.in_ten), None)


class RememberedTables:
    """Of one connection, by the table's code."""

    def __init__(self) -> None:
        self._tables: dict[str, RememberedTable] = {}

    def recall(
        self, code: str, device_id: int, generation: int | None, number: int, heads: Mapping[int, LockedJackpot]
    ) -> CoinInFacts | None:
        """What a coin-in of this round must know; None where it has to be looked at."""
        known = self._tables.get(code)
        if known is None or not known.ended or known.last_round + 1 != number:
            return None
        if (known.device_id, known.generation) != (device_id, generation) or not known.stands(heads):
            return None
        facts = known.facts
        times = known.times() if heads[facts.jackpots[0]].plausible_play else facts.last_played
        if times is None:
            return None
        table = facts.table._replace(last_round=known.last_round, last_state=RoundState.ENDED.value)
        return facts._replace(table=table, last_played=times)

    def learn(
        self, device_id: int, generation: int | None, facts: CoinInFacts, heads: Mapping[int, LockedJackpot]
    ) -> None:
        """What was looked at under the lock of these jackpots; a secret in its grace lasts by the clock only."""
        code, table = facts.table.code, facts.table
        before = self._tables.pop(code, None)
        if not facts.jackpots or not heads.keys() >= set(facts.jackpots) or not facts.device.newest(generation):
            return
        known = RememberedTable(
            facts._replace(asked=None), device_id, generation, [heads[id_].floor_changes for id_ in facts.jackpots],
            table.last_round, table.last_state == RoundState.ENDED,
        )  # fmt: skip
        if facts.pace is not None:
            oldest = table.last_round - max(facts.pace.a_minute, facts.pace.in_ten)
            before_it = before.played.items() if before is not None else ()
            known.played = {number: at for number, at in before_it if number > oldest}
            if facts.last_played[0] is not None:
                known.played[table.last_round] = facts.last_played[0]
        self._tables[code] = known

    def plays(self, code: str, number: int, at: datetime) -> None:
        """A round was counted; should its batch fail, everything is forgotten."""
        if (known := self._tables.get(code)) is not None:
            known.plays(number, at)

    def ends(self, code: str, number: int) -> None:
        known = self._tables.get(code)
        if known is not None and known.last_round == number:
            known.ended = True

    def forget(self) -> None:
        self._tables.clear()


NOWHERE: Final = RememberedTables()  # within somebody else's transaction; it is kept empty
_all: WeakSet[RememberedTables] = WeakSet()
_all_stand_still = Lock()  # coin-ins and ends have a thread each


def remembered_tables() -> RememberedTables:
    """Those of this thread's connection."""
    if connection.in_atomic_block:
        NOWHERE.forget()
        return NOWHERE
    connection.ensure_connection()
    here = connection.connection.__dict__
    if _HERE not in here:
        here[_HERE] = RememberedTables()
        with _all_stand_still:
            _all.add(here[_HERE])
    tables: RememberedTables = here[_HERE]
    return tables


def rounds_ended(ended: Sequence[tuple[str, int]]) -> None:
    """Committed: whoever remembers these tables may count their next round."""
    with _all_stand_still:
        remembering = list(_all)
    for tables in remembering:
        for code, number in ended:
            tables.ends(code, number)
