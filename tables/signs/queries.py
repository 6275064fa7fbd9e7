"""What is read of the floor. Plain SQL where two kinds of connection share it: Django's and the signs' own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django.db import connection

from jackpot.books.models.entry import EntryKind
from jackpot.money import Money, units_of
from jackpot.requests.rules.adjusting import REASONS
from jackpot.terms.rules.terms import Terms

SIGN_LAYOUTS: Final = """
SELECT s.code, s.name, s.type, s.digits, s.notice, p.name, p.demo, p.currency, p.locale, j.id, j.code, j.name, v.terms,
       j.state, (SELECT a.reason FROM jackpot_adjustment a WHERE a.jackpot_id = j.id AND a.state = 'approved'
                    AND a.kind IN ('suspend', 'retire') AND j.state <> 'open' ORDER BY a.id DESC LIMIT 1)
  FROM tables_sign s JOIN jackpot_property p ON p.id = s.premises_id
  LEFT JOIN tables_signmeter m ON m.sign_id = s.id
  LEFT JOIN jackpot_jackpot j ON j.id = m.jackpot_id
  LEFT JOIN jackpot_version v ON v.id = j.version_id
 ORDER BY s.code, m.place, m.id
"""


SIGN_DEVICES: Final = "SELECT code FROM tables_device WHERE kind = 'sign' AND state = 'active'"


METER_HEADS: Final = "SELECT id, last_seq, meter FROM jackpot_jackpot"


# A coin-in never lowers a meter, also less what it repays; leaving coin-ins out lets the small index of all other acts
# answer.
METER_FALLS: Final = """
SELECT e.jackpot_id, count(*), (array_agg(e.kind ORDER BY e.seq DESC))[1]
  FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS span(jackpot_id, above, upto)
  JOIN jackpot_entry e ON e.jackpot_id = span.jackpot_id AND e.seq > span.above AND e.seq <= span.upto
 WHERE e.kind <> 'coin_in' AND e.kind <> 'repay' AND e.meter < 0
 GROUP BY e.jackpot_id
"""


# What the signs say of hits: those being verified, and the wins of the last minute.
HITS: Final = """
SELECT jackpot_id, table_code, line_name, state, coalesce(amount::text, paper->>'expects', '0'),
       coalesce(paper->>'meter_moves', '0'), moved_at
  FROM jackpot_win WHERE jackpot_id = ANY(%s) AND part AND state IN ('asked', 'logged')
UNION ALL
SELECT jackpot_id, table_code, line_name, state, amount::text, '0', moved_at
  FROM jackpot_win WHERE jackpot_id = ANY(%s) AND part AND state IN ('owed', 'paid')
   AND moved_at > clock_timestamp() - interval '1 minute'
"""


ENTRY_TIMES: Final = """
SELECT seq, meter_after, clock_timestamp() - occurred_at > %s * interval '1 second'
  FROM jackpot_entry WHERE jackpot_id = %s AND seq = ANY(%s)
"""


@dataclass(frozen=True, slots=True)
class MeterLayout:
    """What of a jackpot a sign shows besides its figure."""

    jackpot_id: int
    code: str
    name: str
    terms: Terms
    stopped: str = ""


@dataclass(frozen=True, slots=True)
class SignLayout:
    code: str
    name: str
    type: str
    digits: int
    notice: str
    premises: str
    demo: bool
    currency: str
    locale: str
    meters: tuple[MeterLayout, ...]


@dataclass(frozen=True, slots=True)
class Verifying:
    """A part-of-the-meter hit that a supervisor asked for, and what its award will do to the meter."""

    table: str
    amount: Money
    meter_moves: Money


@dataclass(frozen=True, slots=True)
class Won:
    table: str
    amount: Money
    line: str
    at: datetime


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a meter stands: its last entry, its exact amount, how often it fell and why it fell last."""

    seq: int
    meter: Money
    falls: int = 0
    reason: str | None = None
    verifying: tuple[Verifying, ...] = ()
    won: Won | None = None

    @property
    def promised(self) -> Money:
        """What a further top hit would be worth: the meter as if the hits being verified were paid."""
        return self.meter + sum((hit.meter_moves for hit in self.verifying), Money(0))


def sign_layouts() -> dict[str, SignLayout]:
    return layouts_of(_rows(SIGN_LAYOUTS))


def standings(jackpot_ids: Iterable[int]) -> dict[int, Standing]:
    """The meters as the books have them now. The heads are read first: the falls up to them are then all there."""
    wanted = set(jackpot_ids)
    heads = [row for row in _rows(METER_HEADS) if row[0] in wanted]
    ids = [row[0] for row in heads]
    return standings_of({}, heads, _rows(METER_FALLS, spans({}, heads)), _rows(HITS, [ids, ids]))


def meter_at(jackpot_id: int, seq: int, late_after: int) -> tuple[Money | None, bool]:
    """The meter after that entry (None: there is no such entry), and whether its follower is older than that."""
    rows = {row[0]: row[1:] for row in _rows(ENTRY_TIMES, [late_after, jackpot_id, [seq, seq + 1]])}
    amount = Money(units_of(rows[seq][0])) if seq in rows else None
    return amount, seq + 1 in rows and bool(rows[seq + 1][1])


def layouts_of(rows: Iterable[Sequence[Any]]) -> dict[str, SignLayout]:
    """Rows of SIGN_LAYOUTS as signs; a sign without meters is one too."""
    signs: dict[str, tuple[Sequence[Any], list[MeterLayout]]] = {}
    for row in rows:
        meters = signs.setdefault(row[0], (row[:9], []))[1]
        if row[9] is not None and row[12] is not None:
            meters.append(MeterLayout(row[9], row[10], row[11], _terms_of(row[12]), _stopped(row[11], *row[13:15])))
    return {code: _layout(facts, meters) for code, (facts, meters) in signs.items()}


def _stopped(name: str, state: str, reason: str | None) -> str:
    """ "Grand is suspended: maintenance": what the wall says of a jackpot that does not play."""
    if state == "open":
        return ""
    return f"{name} is {state}: {REASONS[reason]}" if reason else f"{name} is {state}"


def _layout(facts: Sequence[Any], meters: Sequence[MeterLayout]) -> SignLayout:
    """A jackpot that does not play is said before what the house posts."""
    notice = " · ".join(word for word in (*(meter.stopped for meter in meters), facts[4]) if word)
    return SignLayout(*[*facts[:4], notice, *facts[5:], tuple(meters)])


def spans(known: Mapping[int, Standing], heads: Iterable[Sequence[Any]]) -> list[list[int]]:
    """Which entries have to be looked through for falls: those after what is known."""
    moved = [(id_, known[id_].seq if id_ in known else 0, seq) for id_, seq, _ in heads]
    return [list(column) for column in zip(*((id_, at, seq) for id_, at, seq in moved if seq > at), strict=True)] or [
        [], [], []
    ]  # fmt: skip


def standings_of(
    known: Mapping[int, Standing],
    heads: Iterable[Sequence[Any]],
    falls: Iterable[Sequence[Any]],
    hits: Iterable[Sequence[Any]] = (),
) -> dict[int, Standing]:
    """Heads, the falls since what was known, and the hits being verified or just won, as standings."""
    fell = {id_: (count, kind) for id_, count, kind in falls}
    hit_rows: dict[int, list[Sequence[Any]]] = {}
    for row in hits:
        hit_rows.setdefault(row[0], []).append(row)
    found = {}
    for id_, seq, meter in heads:
        before = known.get(id_) or Standing(0, Money(0))
        count, kind = fell.get(id_, (0, None))
        reason = before.reason if kind is None else _reason(kind)
        verifying, won = _hits(hit_rows.get(id_, ()))
        found[id_] = Standing(seq, Money(units_of(meter)), before.falls + count, reason, verifying, won)
    return found


def _hits(rows: Iterable[Sequence[Any]]) -> tuple[tuple[Verifying, ...], Won | None]:
    verifying, won = [], None
    for _, table, line, state, amount, moves, at in rows:
        if state in {"asked", "logged"}:
            verifying.append(Verifying(table, Money.of(amount), Money.of(moves)))
        elif won is None or at > won.at:
            won = Won(table, Money.of(amount), line, at)
    return tuple(verifying), won


def _reason(kind: str) -> str:
    return str(EntryKind(kind).label) if kind in EntryKind.values else kind.replace("_", " ")


@lru_cache(maxsize=512)
def _terms_of(text: str) -> Terms:
    return Terms.of(json.loads(text))


def _rows(statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters or None)
        return list(cursor.fetchall())
