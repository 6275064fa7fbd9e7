"""What signs show. Plain SQL, since two kinds of connection share it: Django's and the signs' own."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

from django.db import connection

from jackpot.adjusting.rules.adjusting import GROUNDS
from jackpot.books.rules.entry_kind import known_kind
from jackpot.money import Money, units_of
from jackpot.terms.rules.terms import Terms
from tables.hits.queries.verifying import OPEN_POT, AskedHit, Verification, verification_of

SIGN_LAYOUTS: Final = """
SELECT s.code, s.name, s.type, s.digits, s.notice, p.name, p.demo, p.currency, p.locale, j.id, j.code, j.name, v.terms,
       j.state, (SELECT a.ground FROM jackpot_request r JOIN jackpot_adjustment a ON a.request_ptr_id = r.id
                  WHERE r.jackpot_id = j.id AND r.state = 'in_force' AND r.kind IN ('suspend', 'retire')
                    AND j.state <> 'open' ORDER BY r.id DESC LIMIT 1), j.meter <> last.meter_after
       OR EXISTS (SELECT 1 FROM jackpot_wentback w WHERE w.jackpot_id = j.id AND w.accepted_at IS NULL)
  FROM tables_sign s JOIN jackpot_property p ON p.id = s.premises_id
  LEFT JOIN tables_signmeter m ON m.sign_id = s.id
  LEFT JOIN jackpot_jackpot j ON j.id = m.jackpot_id
  LEFT JOIN jackpot_version v ON v.id = j.version_id
  LEFT JOIN LATERAL (
    SELECT e.meter_after FROM jackpot_entry e WHERE e.jackpot_id = j.id ORDER BY e.seq DESC LIMIT 1
  ) last ON true
 ORDER BY s.code, m.place, m.id
"""


# Each generation of a secret that is heard; the one before the newest only while its grace lasts.
SIGN_DEVICES: Final = """
SELECT code, generation FROM tables_device WHERE kind = 'sign' AND state = 'active'
 UNION ALL
SELECT code, generation - 1 FROM tables_device
 WHERE kind = 'sign' AND state = 'active' AND earlier_until > clock_timestamp()
"""


METER_HEADS: Final = "SELECT id, last_seq, meter FROM jackpot_jackpot"


# A seat that another's hand pays, and the rest of an earlier award, are no wins of their own to whoever looks up.
_LAST_WIN: Final = """
SELECT jsonb_build_array(w.table_code, w.line_name, w.amount::text, w.part, w.moved_at, w.gaming_day)::text
  FROM jackpot_win w
 WHERE w.jackpot_id = j.id AND w.state IN ('owed', 'paid') AND w.envy_of_id IS NULL AND w.difference_of_id IS NULL
   AND w.moved_at IS NOT NULL {which} ORDER BY w.moved_at DESC, w.amount DESC LIMIT 1
"""


# The meter as the last entry has it: a row that was changed behind the books is never shown.
_PROMISED: Final = """coalesce(
  (SELECT e.meter_after FROM jackpot_entry e WHERE e.jackpot_id = j.id ORDER BY e.seq DESC LIMIT 1), j.meter)"""


# What is new of jackpots since the entry that was seen last, as of one moment: falls and the reason of the last change,
# what is being verified, and, where anything but coin-ins happened, who won last and who last won a part of the meter.
# A coin-in never lowers a meter, also less what it repays; leaving coin-ins out lets the small index of all other acts
# answer.
METER_NEWS: Final = f"""
SELECT j.id, j.last_seq, {_PROMISED}, news.falls, news.kind, news.acts, {OPEN_POT},
       CASE WHEN news.acts > 0 THEN ({_LAST_WIN.format(which="")}) END,
       CASE WHEN news.acts > 0 THEN ({_LAST_WIN.format(which="AND w.part")}) END, j.seal
  FROM unnest(%s::bigint[], %s::bigint[]) AS seen(jackpot_id, seq) JOIN jackpot_jackpot j ON j.id = seen.jackpot_id
 CROSS JOIN LATERAL (
   SELECT count(*) AS acts, count(*) FILTER (WHERE e.meter < 0) AS falls,
          (array_agg(e.kind ORDER BY e.seq DESC)
            FILTER (WHERE e.meter < 0 OR e.kind IN ('award', 'reject', 'release')))[1] AS kind
     FROM jackpot_entry e
    WHERE e.jackpot_id = j.id AND e.seq > seen.seq AND e.seq <= j.last_seq AND e.kind <> 'coin_in' AND e.kind <> 'repay'
 ) news
"""


REASONS_SHOWN: Final = {"award": "won", "reject": "not confirmed", "release": "not confirmed"}


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
class WinShown:
    table: str
    amount: Money
    line: str
    part: bool
    at: datetime
    day: str


@dataclass(frozen=True, slots=True)
class ShownMeter:
    """Where a meter stands: its last entry, its exact amount, how often it fell and why its figure changed last.

    `newest` is the last win of all; `last` the last part of the meter, or the newest where there was none.
    """

    seq: int
    meter: Money
    falls: int = 0
    reason: str | None = None
    verification: Verification | None = None
    newest: WinShown | None = None
    last: WinShown | None = None
    seal: bytes = b""  # of its last entry

    @property
    def promised(self) -> Money:
        """What a further top hit would be worth: the meter as if all that is being verified were paid."""
        return self.meter if self.verification is None else self.verification.live

    @property
    def verifying(self) -> tuple[AskedHit, ...]:
        return () if self.verification is None else self.verification.hits


def sign_layouts() -> dict[str, SignLayout]:
    return layouts_of(_rows(SIGN_LAYOUTS))


def standings(jackpot_ids: Iterable[int]) -> dict[int, ShownMeter]:
    """The meters as the books have them now."""
    ids = sorted(set(jackpot_ids))
    return standings_of({}, _rows(METER_NEWS, [ids, [0] * len(ids)]))


def meter_at(jackpot_id: int, seq: int, late_after: int) -> tuple[Money | None, bool]:
    """The meter after that entry (None: there is no such entry), and whether its follower is older than that."""
    # With the entry after it: a sign may be behind, but not for long.
    rows = {row[0]: row[1:] for row in _rows(ENTRY_TIMES, [late_after, jackpot_id, [seq, seq + 1]])}
    amount = Money(units_of(rows[seq][0])) if seq in rows else None
    return amount, seq + 1 in rows and bool(rows[seq + 1][1])


def layouts_of(rows: Iterable[Sequence[Any]]) -> dict[str, SignLayout]:
    """Rows of SIGN_LAYOUTS as signs; a sign without meters is one too."""
    signs: dict[str, tuple[Sequence[Any], list[MeterLayout]]] = {}
    for row in rows:
        meters = signs.setdefault(row[0], (row[:9], []))[1]
        if row[9] is not None and row[12] is not None:
            meters.append(MeterLayout(row[9], row[10], row[11], _terms_of(row[12]), _stopped(row[11], *row[13:16])))
    return {code: _layout(facts, meters) for code, (facts, meters) in signs.items()}


def _stopped(name: str, state: str, reason: str | None, differs: bool | None) -> str:
    """ "Grand is suspended: maintenance": what the wall says of a jackpot that does not play."""
    if differs:
        return f"{name} stands still: its books are being looked at"
    if state == "open":
        return ""
    return f"{name} is {state}: {GROUNDS[reason]}" if reason else f"{name} is {state}"


def _layout(facts: Sequence[Any], meters: Sequence[MeterLayout]) -> SignLayout:
    """A jackpot that does not play is said before what the house posts."""
    notice = " · ".join(word for word in (*(meter.stopped for meter in meters), facts[4]) if word)
    return SignLayout(*[*facts[:4], notice, *facts[5:], tuple(meters)])


def seen_of(known: Mapping[int, ShownMeter], jackpot_ids: Iterable[int]) -> list[list[int]]:
    """The parameters of METER_NEWS: from which entry on these jackpots are looked through."""
    ids = list(jackpot_ids)
    return [ids, [known[id_].seq if id_ in known else 0 for id_ in ids]]


def standings_of(known: Mapping[int, ShownMeter], news: Iterable[Sequence[Any]]) -> dict[int, ShownMeter]:
    """Rows of METER_NEWS, added to what was known."""
    return {row[0]: _standing(known.get(row[0]) or ShownMeter(0, Money(0)), row) for row in news}


def _standing(before: ShownMeter, row: Sequence[Any]) -> ShownMeter:
    _, seq, meter, falls, kind, acts, open_pot, newest, last, seal = row
    reason = before.reason if kind is None else REASONS_SHOWN.get(kind, _reason(kind))
    verification = None if open_pot is None else verification_of(open_pot)
    won = (_won(newest), _won(last) or _won(newest)) if acts else (before.newest, before.last)
    return ShownMeter(seq, Money(units_of(meter)), before.falls + falls, reason, verification, *won, bytes(seal))


def _won(told: str | None) -> WinShown | None:
    if told is None:
        return None
    table, line, amount, part, at, day = json.loads(told)
    return WinShown(table, Money.of(amount), line, part, datetime.fromisoformat(at), day or "")


def _reason(kind: str) -> str:
    known = known_kind(kind)
    return kind.replace("_", " ") if known is None else known.label


# Versions never change, and their whole text comes again with every look at the layouts.
@lru_cache(maxsize=512)
def _terms_of(text: str) -> Terms:
    return Terms.of(json.loads(text))


def _rows(statement: str, parameters: Sequence[Any] = ()) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement, parameters or None)
        return list(cursor.fetchall())
