"""Short cuts past the ORM for the busy statements: a cursor that the server binds, statements in one trip, arrays."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from itertools import accumulate
from typing import Any, Final, Generic, TypeVar

import psycopg
from django.db import DEFAULT_DB_ALIAS, connection, connections, models
from django.db.models.base import ModelState
from psycopg import generators
from psycopg.abc import PQGen

from jackpot.database.deadlines import BATCH, as_statements
from jackpot.database.durable import CONFIRMED, CommitUnknown, was_doubted

M = TypeVar("M", bound=models.Model)
Column = tuple[str, str]  # its name and its type in the database
Question = tuple[str, Sequence[Any]]  # a statement and its values
Rows = list[tuple[Any, ...]]
IDLE: Final = psycopg.pq.TransactionStatus.IDLE
_PLANS_DOUBTED: Final = "fairmeter_plans_doubted"
_CURSORS: Final = "fairmeter_cursors"
MOST_CURSORS: Final = 100  # of a connection; an act asks two dozen different statements
FEW: Final = 100  # rows; a cursor holds its last answer, and a long list would stay in memory


@contextmanager
def _line() -> Iterator[Any]:
    """This thread's connection as the driver has it. Errors still arrive as Django's; plans are left to PostgreSQL (a
    forced generic plan costs ten times)."""
    ours: Any = connections[DEFAULT_DB_ALIAS]
    ours.ensure_connection()
    raw = ours.connection
    raw.prepare_threshold = 5
    raw.__dict__[CONFIRMED] = False
    if raw.__dict__.pop(_PLANS_DOUBTED, False):
        raw._prepared.clear()  # the driver believes in plans whose making the server skipped behind a failure
    with ours.wrap_database_errors:
        yield raw
    if not ours.in_atomic_block and was_doubted(raw):
        raise CommitUnknown("The wait for the standby was cut short.")


@contextmanager
def raw_cursor() -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
    """A cursor of the driver's own on it."""
    with _line() as raw, psycopg.Cursor(raw) as cursor:
        yield cursor


class OnePiece(psycopg.Pipeline):
    """Statements that leave together, their transaction's BEGIN among them, and are waited for once.

    The driver's own pipeline sends each as it comes, and waits for BEGIN alone. Every wait lets go of Python's lock,
    and beside full coin-in it takes a turn to get it back (docs/decisions/0350-an-approval-in-five-trips.md).
    """

    def _communicate_gen(self) -> PQGen[None]:
        while self.command_queue:
            self.command_queue.popleft()()
        yield from ()

    def _sync_gen(self) -> PQGen[None]:
        yield from self._communicate_gen()

    def _exit_gen(self) -> PQGen[None]:
        self._enqueue_sync()
        yield from self._communicate_gen()
        yield from generators.send(self.pgconn)
        yield from self._fetch_gen(flush=False)


@contextmanager
def _one_piece(raw: Any) -> Iterator[None]:
    raw._pipeline = OnePiece(raw)
    try:
        with raw._pipeline:
            yield
    except psycopg.Error:
        raw.__dict__[_PLANS_DOUBTED] = True
        raise
    finally:
        raw._pipeline = None


def ask_together(questions: Sequence[Question]) -> list[Rows]:
    """Statements in one trip, in this order: each sees what the one before it waited for or wrote."""
    if not questions:
        return []
    with _line() as raw:
        # A cursor that asks what it asked before knows how the values are written and the answer is read.
        known = raw.__dict__.setdefault(_CURSORS, {})
        cursors = [known.pop(statement, None) or psycopg.Cursor(raw) for statement, _ in questions]
        begun = raw.autocommit or raw.pgconn.transaction_status != IDLE
        if len(questions) == 1 and begun:
            cursors[0].execute(*questions[0])
        else:
            with _one_piece(raw):
                for cursor, question in zip(cursors, questions, strict=True):
                    cursor.execute(*question)
        rows = [_answered(each) for each in cursors]
        if len(known) < MOST_CURSORS:
            told = zip(questions, cursors, rows, strict=True)
            known.update({statement: cursor for (statement, _), cursor, few in told if len(few) <= FEW})
        return rows


def _answered(cursor: psycopg.Cursor[tuple[Any, ...]]) -> Rows:
    return cursor.fetchall() if cursor.pgresult is not None and cursor.pgresult.nfields else []


NESTED_LOOPS_ONLY: Final = (
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off;"
    "SET join_collapse_limit = 1; SET from_collapse_limit = 1"  # the joins in the order they are written
)


PLANS_LIVE: Final = 1.0


def refresh_query_plans() -> None:
    """For a connection that only ever follows keys: a plan made while tables were empty must not stay a scan.

    Plans are thrown away once a second (0.6 ms) and made anew with the tables' present sizes.
    """
    connection.ensure_connection()
    raw = connection.connection
    made = getattr(raw, "fairmeter_plans_made", None)
    now = time.monotonic()
    if made is not None and now - made < PLANS_LIVE:
        return
    with connection.wrap_database_errors, psycopg.Cursor(raw) as cursor:
        cursor.execute(f"{NESTED_LOOPS_ONLY};{as_statements(BATCH)}" if made is None else "DISCARD PLANS")
    raw.fairmeter_plans_made = now


class Columns(Generic[M]):
    """The columns of a model as a SELECT lists them under an alias: all, or those that are needed."""

    def __init__(self, model: type[M], alias: str, *needed: str) -> None:
        fields = [field for field in model._meta.concrete_fields if not needed or field.attname in needed]
        self._model = model
        self._names = [field.attname for field in fields]
        self._converted = [(field.attname, field.from_db_value) for field in fields if hasattr(field, "from_db_value")]
        self.text = ", ".join(f"{alias}.{field.column}" for field in fields)

    def __len__(self) -> int:
        return len(self._names)

    def object(self, row: Sequence[Any], start: int = 0) -> M:
        """The object whose columns begin at `start`, as `from_db` makes it, which sets each value by a call of its own
        and tells two signals of it."""
        made = self._model.__new__(self._model)
        values = made.__dict__
        values.update(zip(self._names, row[start : start + len(self)], strict=True))
        for name, convert in self._converted:
            if values[name] is not None:
                values[name] = convert(values[name], None, connection)
        made._state = ModelState()
        made._state.adding, made._state.db = False, DEFAULT_DB_ALIAS
        return made


class SideBySide:
    """Several models in one row, as a SELECT lists them one after another."""

    def __init__(self, *parts: Columns[Any]) -> None:
        self.text = ", ".join(part.text for part in parts)
        starts = accumulate((len(part) for part in parts), initial=0)
        self._parts = list(zip(parts, starts, strict=False))

    def objects(self, row: Sequence[Any]) -> list[Any]:
        """The objects in their order; what else the row has follows them."""
        return [part.object(row, start) for part, start in self._parts]


def unnested(columns: Sequence[Column]) -> str:
    """`unnest(…)` over one array for each column."""
    return "unnest(" + ", ".join(f"%s::{kind}[]" for _, kind in columns) + ")"


def arrays(columns: Sequence[Column], rows: Sequence[Sequence[Any]]) -> list[str]:
    """Rows as one array literal a column: building one text costs a fraction of adapting each value."""
    if not rows:
        return ["{}"] * len(columns)
    return [
        "{" + _JOINED[kind](values) + "}" for (_, kind), values in zip(columns, zip(*rows, strict=True), strict=True)
    ]


def _numbers(numbers: Sequence[int | None]) -> str:
    return ",".join(["NULL" if number is None else str(number) for number in numbers])


def _texts(texts: Sequence[str]) -> str:
    """Hardly any text holds a character that must be escaped."""
    return ",".join([f'"{text}"' if '"' not in text and "\\" not in text else _escaped(text) for text in texts])


def _escaped(text: str) -> str:
    within = text.replace("\\", "\\\\").replace('"', '\\"')
    return f'"{within}"'


# A column at a time: a call for each value would cost more than all the rest of a batch's writing.
_JOINED: Final[Mapping[str, Callable[[Sequence[Any]], str]]] = {
    "bigint": _numbers,
    "smallint": _numbers,
    "numeric": ",".join,  # the eight-decimal texts of amounts
    "text": _texts,
    "bytea": lambda contents: ",".join([f'"\\\\x{content.hex()}"' for content in contents]),
    "timestamptz": lambda moments: ",".join(
        ["NULL" if moment is None else f'"{moment.isoformat()}"' for moment in moments]
    ),
    "date": lambda days: ",".join([day.isoformat() for day in days]),
}
