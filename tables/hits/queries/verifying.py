"""What is being verified on a jackpot, read in one look and judged: for signs, consoles, the pit and the API alike.

One statement, so that the balances, the hits and the entries they count from are of the same moment.
"""

from __future__ import annotations

from collections.abc import Hashable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

import orjson
from django.db import connection

from jackpot.books.rules.movement import Balances
from jackpot.money import Money
from jackpot.terms.rules.terms import Terms, terms_of_text
from jackpot.wins.models import Win
from jackpot.wins.queries.round_hits import PAID
from jackpot.wins.rules.judgement import ActInTurn, Judgement, OpenAct, OpenPot, Point, Ranked, judge
from jackpot.wins.rules.rank import PaidAct, StandingMark
from jackpot.wins.rules.settlement import Award, Hit, OverflowReturn
from jackpot.wins.rules.win_life import WinState

_ASKED: Final = "w.jackpot_id = j.id AND w.state IN ('asked', 'logged')"
_HITS: Final = f"{_ASKED} AND w.envy_of_id IS NULL AND w.difference_of_id IS NULL"

# Of the wager that fed jackpot j in round r.
_SEATS: Final = """coalesce((
               SELECT f.seats FROM tables_furthercoinin f
                WHERE f.table_id = r.table_id AND f.number = r.number AND f.revision = r.revision
                  AND j.id = ANY(f.jackpots)), r.seats)"""

# Terms of which somebody has still to be told (`not_told`) do not come with the next reset, so they wait for none here.
# Of one jackpot j: null where nothing is asked. Of what moved since, only entries of wins are looked at.
# Amounts leave as text: a number in JSON would be read as a binary float, and signs promise to the cent.
OPEN_POT: Final = f"""
CASE WHEN EXISTS (SELECT 1 FROM jackpot_win w WHERE {_ASKED}) THEN jsonb_build_object(
  'live', (
    SELECT jsonb_build_array(e.meter_after::text, e.reserve_after::text, e.overflow_after::text)
      FROM jackpot_entry e WHERE e.jackpot_id = j.id ORDER BY e.seq DESC LIMIT 1),
  'in_force', j.version_id::text,
  'waiting', (SELECT t.version_id::text FROM jackpot_request c JOIN jackpot_termschange t ON t.request_ptr_id = c.id
              WHERE c.jackpot_id = j.id AND c.kind = 'terms' AND c.state = 'signed' AND NOT t.not_told),
  'hits', (
    SELECT jsonb_agg(jsonb_build_array(
             w.id, w.table_code, w.round_number, w.seat, w.line, w.line_name, w.part, w.state, w.mark_seq, w.frozen_seq,
             w.front_seq, w.amount::text, w.version_id::text, {_SEATS}) ORDER BY w.mark_seq, w.id)
      FROM jackpot_win w LEFT JOIN tables_table t ON t.code = w.table_code
      LEFT JOIN tables_round r ON r.table_id = t.id AND r.number = w.round_number WHERE {_HITS}),
  'points', (
    SELECT jsonb_object_agg(
             e.seq, jsonb_build_array(e.meter_after::text, e.reserve_after::text, e.overflow_after::text))
      FROM jackpot_entry e
     WHERE e.jackpot_id = j.id AND e.seq IN (SELECT w.frozen_seq FROM jackpot_win w WHERE {_HITS})),
  'moved', (
    SELECT jsonb_agg(jsonb_build_array(paid.seq, paid.meter::text, paid.reserve::text, paid.mark, paid.front,
                                       paid.overflow_before::text, paid.returned::text))
      FROM ({PAID.format("j.id", f"(SELECT min(w.frozen_seq) FROM jackpot_win w WHERE {_HITS})")}) paid),
  'terms', (
    SELECT jsonb_object_agg(v.id, v.terms) FROM jackpot_version v
     WHERE v.id = j.version_id OR v.id IN (SELECT w.version_id FROM jackpot_win w WHERE {_HITS})
        OR v.id IN (SELECT t.version_id FROM jackpot_request c JOIN jackpot_termschange t ON t.request_ptr_id = c.id
           WHERE c.jackpot_id = j.id AND c.kind = 'terms' AND c.state = 'signed' AND NOT t.not_told))
)::text END
"""
VERIFYING: Final = f"SELECT j.id, {OPEN_POT} FROM jackpot_jackpot j WHERE j.id = ANY(%s) ORDER BY j.id"

Where = tuple[str, int]  # a table and its round


@dataclass(frozen=True, slots=True)
class AskedHit:
    """One hit that is being verified, with what it would be paid in its turn."""

    win_id: int
    table: str
    round: int
    seat: int
    line: str
    part: bool
    amount: Money


@dataclass(frozen=True, slots=True)
class Verification:
    """What is being verified on one jackpot, in the order of settling, and where it stands after all of it."""

    judgement: Judgement
    hits: tuple[AskedHit, ...]

    @property
    def live(self) -> Money:
        return self.judgement.live

    @property
    def amounts(self) -> Mapping[int, Money]:
        return {hit.win_id: hit.amount for hit in self.hits}


def verifications(jackpot_ids: Iterable[int]) -> dict[int, Verification]:
    """By jackpot; one where nothing is asked is left out."""
    with connection.cursor() as cursor:
        cursor.execute(VERIFYING, [sorted(jackpot_ids)])
        return {id_: verification_of(found) for id_, found in cursor.fetchall() if found is not None}


def amounts_asked(wins: Iterable[Win]) -> dict[int, Money]:
    """By hit: what those that wait for their approval would be paid in their turn."""
    asked = {win.jackpot_id for win in wins if win.state == WinState.ASKED}
    found = verifications(asked) if asked else {}
    return {win_id: amount for each in found.values() for win_id, amount in each.amounts.items()}


def verification_of(found: str) -> Verification:
    """The judgement of what OPEN_POT tells."""
    plain = orjson.loads(found)
    rows: dict[Hashable, Sequence[Any]] = {((hit[1], hit[2]), hit[7], hit[3]): hit for hit in plain["hits"]}
    judgement = judge(_pot(plain))
    hits = [
        _asked(rows[each.act.place, state_of(each), award.seat], award)
        for each in judgement.settled
        for award in each.awards
        if not award.envy
    ]
    return Verification(judgement, tuple(hits))


def state_of(each: ActInTurn) -> WinState:
    return WinState.LOGGED if any(mark.logged for mark in each.act.marks) else WinState.ASKED


def _asked(hit: Sequence[Any], award: Award) -> AskedHit:
    return AskedHit(hit[0], hit[1], hit[2], hit[3], hit[5], hit[6], award.amount)


def _pot(plain: Mapping[str, Any]) -> OpenPot:
    """A frozen entry that nobody has written yet is the newest: it has moved nothing."""
    meter, reserve, overflow = (Money.of(text).units for text in plain["live"])
    live = Balances(meter=meter, reserve=reserve, overflow=overflow, outside=-meter - reserve - overflow)
    points = {hit[9]: Point(meter, reserve, overflow) for hit in plain["hits"]}
    for seq, stood in (plain["points"] or {}).items():
        points[int(seq)] = Point(*(Money.of(text).units for text in stood))
    moved = [_ranked(*each) for each in plain["moved"] or ()]
    terms = {id_: terms_of_text(text) for id_, text in plain["terms"].items()}
    waiting = terms[plain["waiting"]] if plain["waiting"] else None
    return OpenPot(live, _acts(plain["hits"], terms), points, moved, terms[plain["in_force"]], waiting)


def _ranked(
    seq: int, meter: str, reserve: str, mark: int, front: bool, before: str, returned: str | None
) -> Ranked:  # fmt: skip
    resets = [] if returned is None else [OverflowReturn(Money.of(before).units, Money.of(returned).units)]
    return Ranked(seq, PaidAct(mark, front), Money.of(meter).units, Money.of(reserve).units, resets)


def _acts(rows: Iterable[Sequence[Any]], terms: Mapping[str, Terms]) -> list[OpenAct]:
    rounds: dict[tuple[str, int, str], list[Sequence[Any]]] = {}
    for row in rows:
        rounds.setdefault((row[1], row[2], row[7]), []).append(row)
    return [_act(mine, terms[mine[0][12]]) for mine in rounds.values()]


def _act(rows: Sequence[Sequence[Any]], terms: Terms) -> OpenAct:
    place: Where = (rows[0][1], rows[0][2])
    seats = [int(seat) for seat in rows[0][13] or ""]
    return OpenAct(place, [_hit(row, terms) for row in rows], [_mark(row, place, terms) for row in rows], terms, seats)


def _hit(row: Sequence[Any], terms: Terms) -> Hit:
    return Hit(row[3], terms.pay_table.line(row[4]), fixed=None if row[11] is None else Money.of(row[11]))


def _mark(row: Sequence[Any], place: Where, terms: Terms) -> StandingMark:
    logged, at_approval = row[7] == WinState.LOGGED, terms.policy.freeze == "approval"
    return StandingMark(place, row[8], row[9], row[6], logged, row[10], at_approval)
