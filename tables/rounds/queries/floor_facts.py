"""What a batch must know of its tables, read in one look after the jackpots are locked.

Whoever changes a table, its links or its device locks the table's jackpots first, so a plain SELECT is safe here.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

import orjson

from jackpot.database.raw import Question, Rows, ask_together
from jackpot.money import Money, units_of
from tables.floor.models.table import Link, Table
from tables.floor.queries.secrets import SECRET_HOLDS, SPENT_BY_ITS_SECRET
from tables.rounds.rules.further import FurtherFacts
from tables.rounds.rules.pace import TablePace
from tables.rounds.rules.round import RoundFacts, SpeakingDevice, TableFacts

# Of a table t with several wagers: place, code, chip and jackpots of each further one.
FURTHER: Final = """(
  SELECT jsonb_agg(jsonb_build_array(f.place, f.code, f.chip::text, ARRAY(
           SELECT l.jackpot_id FROM tables_link l WHERE l.table_id = t.id AND l.wager = f.place ORDER BY l.level
         )) ORDER BY f.place)::text
    FROM tables_furtherwager f WHERE f.table_id = t.id)"""
_LOOK_UP: Final = """
SELECT t.id, t.code, t.state, t.held_why, t.seats, t.wager, t.deck_colours, t.key_at_jph, t.unsettled, d.state,
       d.table_id, coalesce({SECRET_HOLDS}, false), coalesce({SPENT}, 0),
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
_PACE: Final = """t.most_a_minute, t.most_in_ten, t.most_seats, last.played,
       (SELECT coalesce(r.played_at, r.opened_at) FROM tables_round r
         WHERE r.table_id = t.id AND r.number = last.number + 1 - t.most_a_minute),
       (SELECT coalesce(r.played_at, r.opened_at) FROM tables_round r
         WHERE r.table_id = t.id AND r.number = last.number + 1 - t.most_in_ten)"""
LOOK_UP: Final = {
    paced: _LOOK_UP.format(
        SECRET_HOLDS=SECRET_HOLDS,
        SPENT=SPENT_BY_ITS_SECRET,
        FURTHER=FURTHER,
        pace=_PACE if paced else "NULL, NULL, NULL, NULL, NULL, NULL",
    )
    for paced in (True, False)
}


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


def question(asked: Sequence[tuple[str, int, int, int | None]], *, paced: bool) -> Question:
    """The look-up for these (table code, device, round, generation of its secret)."""
    return LOOK_UP[paced], [list(column) for column in zip(*asked, strict=True)]


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
        device_table, secret_holds, spent_before, dealer_id, jackpots, further, last_round, last_state, most_a_minute,
        most_in_ten, most_seats, last_played, a_minute_ago, ten_ago, request, answer, asked_seats, asked_state,
        open_hits,
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
    pace = None if most_a_minute is None else TablePace(most_a_minute, most_in_ten, most_seats)
    return CoinInFacts(
        table_id=table_id, table=table, wager=units_of(wager), deck_colours=deck_colours,
        device=SpeakingDevice(device_state, device_table == table_id, secret_holds, spent_before),
        dealer_id=dealer_id, jackpots=jackpots, asked=asked, pace=pace,
        last_played=(last_played, a_minute_ago, ten_ago),
    )  # fmt: skip
