"""Before an act of a device: is its secret still heard, and was the message's number never used?

A number is spent before its act, in a commit of its own, whatever comes of the act: so it is refused afterwards in
every process and after every restart, also where the act itself was refused.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from jackpot.books.actions.post import SpeakerAsked, speaking
from jackpot.database.raw import Rows, ask_together
from jackpot.refusals import NotAllowed, NotFound, Refused
from tables.floor.queries.secrets import SECRET_HOLDS, SPENT_BY_ITS_SECRET
from tables.rounds.rules.round import (
    REPLAY,
    SECRET_ENDED,
    Credential,
    Refusal,
    SpeakingDevice,
    device_refused,
    number_refused,
)

_NOW: Final = f"""
SELECT d.state, d.table_id = t.id, {SECRET_HOLDS}, {SPENT_BY_ITS_SECRET}
  FROM (SELECT %s::bigint AS device_id, %s::text AS code, %s::bigint AS generation) sent
  JOIN tables_table t ON t.code = sent.code LEFT JOIN tables_device d ON d.id = sent.device_id
"""
# The row is locked first and told as it was before: of two messages with one number the second waits and sees it spent.
_SPENT: Final = f"""
WITH sent AS (SELECT %s::bigint AS device_id, %s::text AS code, %s::bigint AS generation, %s::bigint AS sequence),
before AS MATERIALIZED (
  SELECT d.id, d.state, d.table_id = t.id AS stands_here, coalesce({SECRET_HOLDS}, false) AS holds,
         {SPENT_BY_ITS_SECRET} AS spent, sent.generation < d.generation AS by_earlier
    FROM sent JOIN tables_table t ON t.code = sent.code JOIN tables_device d ON d.id = sent.device_id
     FOR NO KEY UPDATE OF d
), spent AS (
  UPDATE tables_device d
     SET last_sequence = CASE WHEN before.by_earlier THEN d.last_sequence ELSE sent.sequence END,
         earlier_sequence = CASE WHEN before.by_earlier THEN sent.sequence ELSE d.earlier_sequence END
    FROM sent, before
   WHERE d.id = before.id AND before.holds AND before.stands_here AND before.spent < sent.sequence
)
SELECT state, stands_here, holds, spent FROM before
"""


class NotHeardNow(Refused):
    """The device may not speak, or said this before."""

    status = 401


def hear(*, device_id: int, table_code: str, spoken: Credential) -> None:
    """Refuses a device that is not heard, and a number that was used; else the number is used from here on."""
    asked = (device_id, table_code, spoken.generation)
    (rows,) = ask_together([(_SPENT, (*asked, spoken.sequence)) if spoken.sequence else (_NOW, asked)])
    if not rows:
        raise NotFound(f"There is no table {table_code} here. Ask the technician.", "no_table")
    speaks = SpeakingDevice(*rows[0])
    refusal = device_refused(speaks, table_code) or number_refused(speaks, spoken)
    _refuse(refusal)


@contextmanager
def heard_until_written(*, device_id: int, table_code: str, spoken: Credential) -> Iterator[None]:
    """Behind the locks of its jackpots the act asks once more: a secret that was ended meanwhile writes nothing.

    Whoever ends a secret holds these locks too. Its number is spent already, and is not asked for again.
    """

    def judge(rows: Rows) -> None:
        _refuse(device_refused(SpeakingDevice(*rows[0]), table_code) if rows else None)

    token = speaking.set(SpeakerAsked((_NOW, (device_id, table_code, spoken.generation)), judge))
    try:
        yield
    finally:
        speaking.reset(token)


def _refuse(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise (NotHeardNow if refusal.code in {SECRET_ENDED, REPLAY} else NotAllowed)(refusal.why, refusal.code)
