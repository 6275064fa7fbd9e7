"""Coin-in and end: one batch, one transaction, answered only after its commit."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, datetime
from typing import Final, NamedTuple

from django.db import DataError, IntegrityError, InterfaceError, OperationalError, connection

from jackpot.books.actions import holding
from jackpot.books.actions.post import Books, BooksDiffer, LockedJackpot, open_books
from jackpot.books.models.jackpot import JackpotState
from jackpot.database.durable import CONFIRM
from jackpot.database.raw import Column, Question, arrays, ask_together, unnested
from jackpot.money import stored_text, text_of_units
from jackpot.trail.actions.standing import TrailSilent
from tables.floor.queries.secrets import SPENT_BY_ITS_SECRET
from tables.rounds.actions.ending import end_rounds
from tables.rounds.actions.noting import FurtherRow, NotedRound, beside, further_rows, note_of
from tables.rounds.actions.wagered import WageredRound, about_coin_in, post_chips
from tables.rounds.models.kept_back import KeptState
from tables.rounds.queries import floor_facts
from tables.rounds.queries.floor_facts import (
    NOWHERE,
    SPENT,
    CoinInFacts,
    LookAgain,
    RememberedTables,
    remembered_tables,
    rounds_ended,
)  # fmt: skip
from tables.rounds.rules.further import JackpotChips
from tables.rounds.rules.pace import Played, why_implausible
from tables.rounds.rules.round import (
    REPLAY,
    SECRET_ENDED,
    CoinInRequest,
    DeviceRequest,
    EndRequest,
    Fresh,
    Outcome,
    PostedAnswer,
    Refusal,
    Repeat,
    coin_in_answer,
    judge_coin_in,
    no_table,
    request_digest,
)  # fmt: skip

RETRIED: Final = ("40P01", "40001")  # a deadlock, a serialization failure: nothing was written, so the same again
LOCK_NOT_AVAILABLE: Final = "55P03"  # somebody held a jackpot for longer than a batch waits
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

    @property
    def played(self) -> datetime:
        return self.played_at or self.opened_at


class CountedBatch(NamedTuple):
    """What a batch of coin-ins writes: rounds, their entries, which were kept back, and chips of further wagers."""

    rounds: list[NewRound]
    listed: list[tuple[int, ...]]
    noted: list[NotedRound]
    further: list[FurtherRow]


class OutcomeUnknown(Exception):
    """The database did not confirm; the device says it again and learns what happened."""


def post_messages(batch: Sequence[DeviceRequest]) -> list[Outcome]:
    """Posts a batch, at most one message a table. A message that cannot be written harms none of its neighbours."""
    believed = True  # what is remembered of the tables; a batch that fails forgets it
    for _ in range(TRIES):
        try:
            return _post_what_is_free(batch)
        except LookAgain:
            continue
        except TrailSilent as silent:  # what was counted before must not hear a no: say it again, and learn
            return [Refusal("unknown", silent.why)] * len(batch)
        except (IntegrityError, DataError) as problem:
            if not believed:
                return _alone(batch, problem)
            believed = False  # a round that another process counted meanwhile is no fresh one
        except (OperationalError, InterfaceError) as problem:
            sqlstate = getattr(problem.__cause__, "sqlstate", None)
            if sqlstate in RETRIED:
                continue
            if sqlstate == LOCK_NOT_AVAILABLE:
                holding.look_for_held(_fed_by(batch))
                continue
            connection.close()  # whatever it committed: the next batch begins on a connection that is known to work
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
    # Each in a transaction of its own: so the one that cannot be written is found, and the others are counted.
    return [outcome for request in batch for outcome in post_messages([request])]


def _post(batch: Sequence[DeviceRequest]) -> list[Outcome]:
    """Coin-ins under their jackpots' locks, ends by what the database finds open; one commit for both."""
    coin_ins = [request for request in batch if isinstance(request.act, CoinInRequest)]
    ends = [request for request in batch if isinstance(request.act, EndRequest)]
    tables = remembered_tables()
    try:
        with open_books(_fed_by(coin_ins), _spent(coin_ins), doubts_later=True) as books:
            counted, ended = iter(_coin_ins(books, coin_ins, tables)), iter(end_rounds(ends) if ends else ())
            outcomes = [next(counted if isinstance(request.act, CoinInRequest) else ended) for request in batch]
            _remember_refused(batch, outcomes)
            if _only_repeats(outcomes):  # acknowledged only when the standby has it: a read-only commit would not wait
                ask_together([(CONFIRM, ())])
    except Exception:
        tables.forget()  # rounds of this batch, and when they were played
        raise
    if ends and tables is not NOWHERE:
        rounds_ended([
            (request.table_code, request.act.round)
            for request, outcome in zip(batch, outcomes, strict=True)
            if isinstance(request.act, EndRequest) and isinstance(outcome, PostedAnswer)
        ])  # fmt: skip
    return outcomes


def _spent(coin_ins: Sequence[DeviceRequest]) -> list[Question]:
    """Asked behind the lock, of those that spoke with a number."""
    numbered = [(each.device_id, each.generation) for each in coin_ins if _is_numbered(each)]
    return [(SPENT, [list(column) for column in zip(*numbered, strict=True)])] if numbered else []


def _coin_ins(books: Books, coin_ins: Sequence[DeviceRequest], tables: RememberedTables) -> list[Outcome]:
    """Out of memory where it stands, else by a look; what memory would refuse is looked at before it is."""
    if not coin_ins:
        return []
    batch = CountedBatch([], [], [], [])
    recalled = _recalled(books, coin_ins, tables)
    outcomes = _decided(books, coin_ins, recalled, tables, batch)
    doubtful = [
        place for place, (known, outcome) in enumerate(zip(recalled, outcomes, strict=True))
        if known is not None and not (isinstance(outcome, PostedAnswer) and not outcome.repeat)
    ]  # fmt: skip
    if doubtful:
        asked = [coin_ins[place] for place in doubtful]
        looked = _decided(books, asked, [None] * len(asked), tables, batch)
        for place, outcome in zip(doubtful, looked, strict=True):
            outcomes[place] = outcome
    if batch.rounds:
        written = (INSERT, [*arrays(_LISTED_COLUMNS, batch.listed), *arrays(_ROUND_COLUMNS, batch.rounds)])
        more = beside(batch.further, batch.noted) if batch.further or batch.noted else ()
        ask_together([written, *more])
    return outcomes


def _is_numbered(request: DeviceRequest) -> bool:
    """Over signed HTTP; a socket proved itself when it was opened."""
    return request.generation is not None and request.sequence != 0


def _recalled(
    books: Books, coin_ins: Sequence[DeviceRequest], tables: RememberedTables
) -> list[CoinInFacts | None]:  # fmt: skip
    """What is remembered of each one's table; a number that was spent already is no matter for memory."""
    spent = iter(books.answers[0]) if books.answers else iter(())
    return [
        None
        if _is_numbered(request) and next(spent)[0] >= request.sequence
        else tables.recall(request.table_code, request.device_id, request.generation, request.act.round, books.heads)
        for request in coin_ins
    ]


def _decided(
    books: Books, coin_ins: Sequence[DeviceRequest], recalled: Sequence[CoinInFacts | None],
    tables: RememberedTables, batch: CountedBatch,
) -> list[Outcome]:  # fmt: skip
    unknown = [request for request, known in zip(coin_ins, recalled, strict=True) if known is None]
    looked = iter(_look_up(unknown, books))
    outcomes = list[Outcome]()
    for request, known in zip(coin_ins, recalled, strict=True):
        facts = known if known is not None else next(looked)
        if known is None and facts is not None and tables is not NOWHERE:
            tables.learn(request.device_id, request.generation, facts, books.heads)
        outcomes.append(_coin_in(books, request, facts, batch))
        if isinstance(outcomes[-1], PostedAnswer) and not outcomes[-1].repeat:
            tables.plays(request.table_code, request.act.round, batch.rounds[-1].played)
    return outcomes


def _look_up(batch: Sequence[DeviceRequest], books: Books) -> list[CoinInFacts | None]:
    """What the batch must know of its tables; a doubt about the books is asked in the same trip, and once."""
    doubts, books.doubts = books.doubts, []
    if not batch and not doubts:
        return []
    paced = any(head.plausible_play for head in books.heads.values())
    looks = [floor_facts.question(batch, paced=paced)] if batch else []
    rows = ask_together([*looks, *doubts])
    found = floor_facts.found(rows.pop(0)) if looks else []
    if rows:
        books.judge(rows)
    return found


def _coin_in(
    books: Books, request: DeviceRequest, known: CoinInFacts | None, counted: CountedBatch
) -> Outcome:  # fmt: skip
    """One table's coin-in: refused, said before, or counted once on every jackpot that the table feeds."""
    act = request.act
    assert isinstance(act, CoinInRequest), "ends go another way"
    if known is None:
        return no_table(request)
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
        raise LookAgain  # the links changed since it was guessed what to lock: nothing is written, all is locked anew
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
