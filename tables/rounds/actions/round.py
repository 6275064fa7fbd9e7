"""Coin-in and end: one batch, one transaction, answered only after its commit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final, NamedTuple

from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection

from jackpot.books.actions import holding
from jackpot.books.actions.post import Books, BooksDiffer, LockedJackpot, open_books
from jackpot.books.models.jackpot import JackpotState
from jackpot.database.durable import CONFIRM
from jackpot.database.raw import Column, arrays, ask_together, unnested
from jackpot.money import stored_text, text_of_units
from jackpot.trail.actions.standing import TrailSilent
from tables.floor.queries.secrets import SECRET_HOLDS, SPENT_BY_ITS_SECRET
from tables.rounds.actions.noting import FurtherRow, NotedRound, beside, further_rows, note_of
from tables.rounds.actions.wagered import WageredRound, about_coin_in, post_chips
from tables.rounds.models.kept_back import KeptState
from tables.rounds.models.round import RoundState
from tables.rounds.queries import floor_facts
from tables.rounds.queries.floor_facts import CoinInFacts
from tables.rounds.queries.open_hits import spoken_hits
from tables.rounds.rules.further import JackpotChips
from tables.rounds.rules.pace import Played, why_implausible
from tables.rounds.rules.round import (
    REPLAY,
    SECRET_ENDED,
    CoinInRequest,
    Credential,
    EndRequest,
    Fresh,
    Refusal,
    Repeat,
    RoundRequest,
    can_end,
    coin_in_answer,
    device_refused,
    end_answer,
    judge_coin_in,
    judge_end,
    number_refused,
    request_digest,
)

RETRIED: Final = ("40P01", "40001")
LOCK_NOT_AVAILABLE: Final = "55P03"
BOOKS_HELD: Final = "books_held"
TRIES: Final = 5
_ROUND_COLUMNS: Final[Sequence[Column]] = [
    ("table_id", "bigint"), ("number", "bigint"), ("seats", "text"), ("wager", "numeric"), ("spots", "text"),
    ("device_id", "bigint"), ("sequence", "bigint"), ("generation", "bigint"), ("dealer_id", "bigint"),
    ("deck_colour", "text"), ("opened_at", "timestamptz"), ("gaming_day", "date"), ("request", "bytea"),
    ("answer", "text"), ("played_at", "timestamptz"), ("kept_back", "text"),
]  # fmt: skip
_LISTED_COLUMNS: Final[Sequence[Column]] = [
    ("table_id", "bigint"), ("number", "bigint"), ("level", "smallint"), ("jackpot_id", "bigint"), ("seq", "bigint"),
]  # fmt: skip
INSERT: Final = f"""
WITH listed AS (
  INSERT INTO tables_roundentry (revision, {", ".join(name for name, _ in _LISTED_COLUMNS)})
  SELECT 1, * FROM {unnested(_LISTED_COLUMNS)}
)
INSERT INTO tables_round ({", ".join(name for name, _ in _ROUND_COLUMNS)}, revision, state, open_hits)
SELECT *, 1, 'open', 0 FROM {unnested(_ROUND_COLUMNS)}
"""
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
REMEMBER: Final = f"""
UPDATE tables_device d
   SET last_sequence = CASE WHEN sent.generation < d.generation THEN d.last_sequence ELSE sent.sequence END,
       earlier_sequence = CASE WHEN sent.generation < d.generation THEN sent.sequence ELSE d.earlier_sequence END
  FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[]) AS sent(id, sequence, generation)
 WHERE d.id = sent.id AND {SPENT_BY_ITS_SECRET} < sent.sequence AND sent.generation >= d.generation - 1
"""


class NewRound(NamedTuple):
    """A round as it is written, in the order of its columns."""

    table_id: int
    number: int
    seats: str
    wager: str
    spots: str
    device_id: int
    sequence: int
    generation: int | None
    dealer_id: int | None
    deck_colour: str
    opened_at: datetime
    gaming_day: date
    request: bytes
    answer: str
    played_at: datetime | None  # where the box told it, or somebody will ask for it
    kept_back: str


class CountedBatch(NamedTuple):
    """What a batch of coin-ins writes: rounds, their entries, which were kept back, and chips of further wagers."""

    rounds: list[NewRound]
    listed: list[tuple[int, ...]]
    noted: list[NotedRound]
    further: list[FurtherRow]


@dataclass(frozen=True, slots=True)
class DeviceRequest:
    """One verified message of one table's device."""

    table_code: str
    device_id: int
    sequence: int
    act: RoundRequest
    generation: int | None = None

    @property
    def spoken(self) -> Credential:
        return Credential(self.generation, self.sequence)


@dataclass(frozen=True, slots=True)
class PostedAnswer:
    """The answer to give, and whether it was given before."""

    answer: str
    repeat: bool


Outcome = PostedAnswer | Refusal


class OutcomeUnknown(Exception):
    """The database did not confirm; the device says it again and learns what happened."""


class LookAgain(Exception):
    """Something changed between two looks (links, a round just recounted); the batch starts again."""


def post_messages(batch: Sequence[DeviceRequest]) -> list[Outcome]:
    """Posts a batch, at most one message a table. A message that cannot be written harms none of its neighbours."""
    for _ in range(TRIES):
        try:
            return _post_what_is_free(batch)
        except LookAgain:
            continue
        except TrailSilent as silent:  # what was counted before must not hear a no: say it again, and learn
            return [Refusal("unknown", silent.why)] * len(batch)
        except (IntegrityError, DataError) as problem:
            return _alone(batch, problem)
        except (OperationalError, InterfaceError) as problem:
            sqlstate = getattr(problem.__cause__, "sqlstate", None)
            if sqlstate in RETRIED:
                continue
            if sqlstate == LOCK_NOT_AVAILABLE:
                holding.look_for_held(_fed_by(batch))
                continue
            connection.close()
            raise OutcomeUnknown(str(problem)) from problem
    raise OutcomeUnknown("The books were too busy. Say it again.")


def _post_what_is_free(batch: Sequence[DeviceRequest]) -> list[Outcome]:
    """Who feeds a jackpot that other work holds is told to come again; the others do not wait for it."""
    held = holding.held_among(_fed_by(batch)) if holding.HELD else frozenset()
    if not held:
        return _post(batch)
    stuck = [isinstance(each.act, CoinInRequest) and bool(held & _fed_by([each])) for each in batch]
    posted = iter(_post([request for request, waits in zip(batch, stuck, strict=True) if not waits]))
    return [
        Refusal(BOOKS_HELD, holding.why_held(_fed_by([request]))) if waits else next(posted)
        for request, waits in zip(batch, stuck, strict=True)
    ]


def _fed_by(batch: Iterable[DeviceRequest]) -> set[int]:
    return floor_facts.jackpots_fed_by({each.table_code for each in batch if isinstance(each.act, CoinInRequest)})


def _alone(batch: Sequence[DeviceRequest], problem: Exception) -> list[Outcome]:
    if len(batch) == 1:
        why = (
            f"The books refused this message: {str(problem).splitlines()[0]}. Nothing was changed; tell the technician."
        )
        return [Refusal("not_posted", why)]
    return [outcome for request in batch for outcome in post_messages([request])]


def _post(batch: Sequence[DeviceRequest]) -> list[Outcome]:
    """Coin-ins under their jackpots' locks, ends by what the database finds open; one commit for both."""
    coin_ins = [request for request in batch if isinstance(request.act, CoinInRequest)]
    ends = [request for request in batch if isinstance(request.act, EndRequest)]
    with open_books(_fed_by(coin_ins), doubts_later=True) as books:
        counted, ended = iter(_coin_ins(books, coin_ins)), iter(_ends(ends))
        outcomes = [next(counted if isinstance(request.act, CoinInRequest) else ended) for request in batch]
        _remember_refused(batch, outcomes)
        if _only_repeats(outcomes):  # acknowledged only when the standby has it: a read-only commit would not wait
            ask_together([(CONFIRM, ())])
        return outcomes


def _coin_ins(books: Books, coin_ins: Sequence[DeviceRequest]) -> list[Outcome]:
    if not coin_ins:
        return []
    counted = CountedBatch([], [], [], [])
    outcomes = [
        _coin_in(books, request, known, counted)
        for request, known in zip(coin_ins, _look_up(coin_ins, books), strict=True)
    ]
    if counted.rounds:
        written = (INSERT, [*arrays(_LISTED_COLUMNS, counted.listed), *arrays(_ROUND_COLUMNS, counted.rounds)])
        more = beside(counted.further, counted.noted) if counted.further or counted.noted else ()
        ask_together([written, *more])
    return outcomes


def _look_up(batch: Sequence[DeviceRequest], books: Books | None = None) -> list[CoinInFacts | None]:
    """What the batch must know of its tables; a doubt about the books is asked in the same trip."""
    asked = [(request.table_code, request.device_id, request.act.round, request.generation) for request in batch]
    paced = books is not None and any(head.plausible_play for head in books.heads.values())
    look = floor_facts.question(asked, paced=paced)
    rows, *differing = ask_together([look, *(books.doubts if books is not None else ())])
    if books is not None and differing:
        books.judge(differing)
    return floor_facts.found(rows)


def _coin_in(
    books: Books, request: DeviceRequest, known: CoinInFacts | None, counted: CountedBatch
) -> Outcome:  # fmt: skip
    """One table's coin-in: refused, said before, or counted once on every jackpot that the table feeds."""
    act = request.act
    assert isinstance(act, CoinInRequest), "ends go another way"
    if known is None:
        return _no_table(request)
    digest = request_digest(request.table_code, act.round, act.seats, act.further)
    verdict = judge_coin_in(known.device, request.spoken, known.table, known.asked, act, digest)
    match verdict:
        case Repeat(answer):
            return PostedAnswer(answer, repeat=True)
        case Refusal():
            return verdict
        case Fresh():
            played = WageredRound.of(known.jackpots, known.wager, known.table.further, act)
            return _jackpots_refuse(books, known, played) or _count(books, request, known, played, digest, counted)


def _count(
    books: Books, request: DeviceRequest, known: CoinInFacts, played: WageredRound, digest: bytes, counted: CountedBatch
) -> PostedAnswer:  # fmt: skip
    """The chips are posted to each jackpot, the highest level first; the round keeps the answer for a repeat.

    What no table can have played raises no meter: it is noted, and a supervisor decides.
    """
    act, table_code, heads = played.act, request.table_code, [books.heads[id_] for id_ in known.jackpots]
    about = about_coin_in(table_code, act.round, 1, act.seats, None if played.further else digest)
    why = _kept_back(heads[0], known, act) if played.raised and heads[0].plausible_play else None
    posted = post_chips(books, played, about) if not why else []
    counted.listed.extend(
        (known.table_id, act.round, level, each.jackpot_id, each.seq) for level, each in enumerate(posted, 1)
    )
    if played.further:
        counted.further.extend(further_rows(known.table_id, act.round, played.further))
    if why:
        counted.noted.append(note_of(known, played, heads[0].now, why))
    meters = {head.code: text_of_units(head.balances.meter) for head in heads}
    total = text_of_units(known.wager * len(act.seats))
    answer = coin_in_answer(act.round, act.seats, total, meters, why, played.further)
    counted.rounds.append(
        NewRound(
            table_id=known.table_id, number=act.round, seats=act.seats, wager=stored_text(known.wager),
            spots=act.spots, device_id=request.device_id, sequence=request.sequence, generation=request.generation,
            dealer_id=known.dealer_id, deck_colour=known.deck_colour(act.round), opened_at=heads[0].now,
            gaming_day=heads[0].gaming_day, request=digest, answer=answer,
            played_at=act.played_at or (heads[0].now if why else None),
            kept_back=KeptState.WAITING.value if why else "",
        )
    )  # fmt: skip
    return PostedAnswer(answer, repeat=False)


def _kept_back(head: LockedJackpot, known: CoinInFacts, act: CoinInRequest) -> str | None:
    assert known.pace is not None, "it is asked for where a house keeps anything back"
    played = Played(act.played_at or head.now, *known.last_played)
    return why_implausible(known.pace, played, len(act.players), head.now, head.clock)


def _jackpots_refuse(books: Books, known: CoinInFacts, played: WageredRound) -> Refusal | None:
    """A jackpot that stands still stops the wagers that feed it; a round without a chip asks all of them."""
    if not known.jackpots:
        cure = "An operator links it first; where a player banks, its action is told instead."
        return Refusal("no_jackpot", f"{known.table.code} feeds no jackpot. {cure}")
    if not books.heads.keys() >= set(known.jackpots):
        floor_facts.forget_links()
        raise LookAgain
    for jackpot_id, _, chip in played.raised or [JackpotChips(id_, "", known.wager) for id_ in known.first_jackpots]:
        head = books.heads[jackpot_id]
        if head.differs:
            return Refusal(BooksDiffer.code, head.differs)
        if not head.is_open:
            return _not_playing(head)
        if books.terms(jackpot_id).wager.units != chip:
            return Refusal(
                "wager", f"The chip at {known.table.code} is not the wager of {head.code}. Tell the operator."
            )
    return None


def _not_playing(head: LockedJackpot) -> Refusal:
    if head.state == JackpotState.RETIRED:
        return Refusal("retired", f"Jackpot {head.code} is retired. An operator links the table to another one.")
    return Refusal("suspended", f"Jackpot {head.code} is {head.state}. A supervisor says when it plays again.")


def _ends(ends: Sequence[DeviceRequest]) -> list[Outcome]:
    """Most ends find their round open; only the others need a look at why not."""
    if not ends:
        return []
    sent = sorted(
        (request.table_code, request.act.round, request.device_id, request.sequence, request.generation)
        for request in ends
    )
    (rows,) = ask_together([(END, [list(column) for column in zip(*sent, strict=True)])])
    ended = {code for (code,) in rows}
    others = [request for request in ends if request.table_code not in ended]
    facts = dict(zip((request.table_code for request in others), _look_up(others), strict=True)) if others else {}
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
        return _no_table(request)
    refusal = device_refused(known.device, known.table.code)
    if refusal is None and (known.asked is None or known.asked.state == RoundState.OPEN):
        refusal = number_refused(known.device, request.spoken)
    if refusal is not None:
        return refusal
    if can_end(known.table, known.asked, act.round):
        raise LookAgain  # somebody held the round while we looked; a fresh look ends it or says why not
    hits = spoken_hits(request.table_code, act.round) if known.asked is not None and known.asked.open_hits else ""
    verdict = judge_end(known.table, known.asked, act, hits)
    return PostedAnswer(verdict.answer, repeat=True) if isinstance(verdict, Repeat) else verdict


def _no_table(request: DeviceRequest) -> Refusal:
    return Refusal("no_table", f"There is no table {request.table_code} here. Ask the technician.")


def _only_repeats(outcomes: Sequence[Outcome]) -> bool:
    posted = [outcome for outcome in outcomes if isinstance(outcome, PostedAnswer)]
    return bool(posted) and all(outcome.repeat for outcome in posted)


def _remember_refused(batch: Sequence[DeviceRequest], outcomes: Sequence[Outcome]) -> None:
    """What was counted stands on its round and is never counted again; what was refused must not come true later."""
    spent = sorted(
        (request.device_id, request.sequence, request.generation)
        for request, outcome in zip(batch, outcomes, strict=True)
        if isinstance(outcome, Refusal) and outcome.code not in {REPLAY, SECRET_ENDED, BOOKS_HELD}
        if request.generation is not None and request.sequence
    )
    if spent:
        ask_together([(REMEMBER, [list(column) for column in zip(*spent, strict=True)])])
