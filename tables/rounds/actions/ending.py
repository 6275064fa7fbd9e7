"""END: the database ends what it finds open, and only what it did not is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jackpot.database.raw import ask_together
from tables.floor.queries.secrets import SECRET_HOLDS, SPENT_BY_ITS_SECRET
from tables.rounds.models.round import RoundState
from tables.rounds.queries import floor_facts
from tables.rounds.queries.floor_facts import CoinInFacts, LookAgain
from tables.rounds.queries.open_hits import spoken_hits
from tables.rounds.rules.round import (
    DeviceRequest,
    EndRequest,
    Outcome,
    PostedAnswer,
    Repeat,
    can_end,
    device_refused,
    end_answer,
    judge_end,
    no_table,
    number_refused,
)

# A LATERAL with an OFFSET cannot be flattened, so every plan goes from what was sent to the round's own key. Nothing is
# locked there: a round that somebody writes meanwhile lies in another place then, is not ended, and is looked at again.
END: Final = f"""
WITH found AS MATERIALIZED (
  SELECT sent.code, sent.device_id, sent.sequence, sent.generation, here.place
    FROM unnest(%s::text[], %s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
         AS sent(code, number, device_id, sequence, generation)
    JOIN tables_table t ON t.code = sent.code AND t.key_at_jph = '' AND t.unsettled <> sent.number
    JOIN tables_device d ON d.id = sent.device_id AND d.table_id = t.id AND d.state = 'active' AND {SECRET_HOLDS}
     AND (sent.generation IS NULL OR sent.sequence = 0 OR sent.sequence > {SPENT_BY_ITS_SECRET})
   CROSS JOIN LATERAL (
     SELECT r.ctid AS place FROM tables_round r
      WHERE r.table_id = t.id AND r.number = sent.number AND r.state = 'open' AND r.open_hits = 0 OFFSET 0
   ) here
)
UPDATE tables_round r
   SET state = 'ended', ended_at = clock_timestamp(), device_id = found.device_id, sequence = found.sequence,
       generation = found.generation
  FROM found WHERE r.ctid = found.place RETURNING found.code
"""


def end_rounds(ends: Sequence[DeviceRequest]) -> list[Outcome]:
    """Most ends find their round open; only the others need a look at why not."""
    sent = sorted(
        (request.table_code, request.act.round, request.device_id, request.sequence, request.generation)
        for request in ends
    )
    (rows,) = ask_together([(END, [list(column) for column in zip(*sent, strict=True)])])
    ended = {code for (code,) in rows}
    others = [request for request in ends if request.table_code not in ended]
    facts = (
        dict(zip((request.table_code for request in others), floor_facts.look_up(others), strict=True))
        if others
        else {}
    )
    return [
        PostedAnswer(end_answer(request.act.round), repeat=False)
        if request.table_code in ended
        else _not_ended(request, facts[request.table_code])
        for request in ends
    ]


def _not_ended(request: DeviceRequest, known: CoinInFacts | None) -> Outcome:
    act = request.act
    assert isinstance(act, EndRequest), "coin-ins go another way"
    if known is None:
        return no_table(request)
    refusal = device_refused(known.device, known.table.code)
    # Over is over: its END is answered again, whatever number it is said with.
    if refusal is None and (known.asked is None or known.asked.state == RoundState.OPEN):
        refusal = number_refused(known.device, request.spoken)
    if refusal is not None:
        return refusal
    if can_end(known.table, known.asked, act.round):
        raise LookAgain  # somebody held the round while we looked; a fresh look ends it or says why not
    hits = spoken_hits(request.table_code, act.round) if known.asked is not None and known.asked.open_hits else ""
    verdict = judge_end(known.table, known.asked, act, hits)
    return PostedAnswer(verdict.answer, repeat=True) if isinstance(verdict, Repeat) else verdict
