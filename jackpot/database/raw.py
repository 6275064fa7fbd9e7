"""A cursor without Django's wrapping, for the busy statements: bound by the server and prepared once."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from typing import Any, Final

import psycopg
from django.db import connection

Question = tuple[str, Sequence[Any]]  # a statement and its values
Rows = list[tuple[Any, ...]]


@contextmanager
def raw_cursor() -> Iterator[psycopg.Cursor[tuple[Any, ...]]]:
    """Errors still arrive as Django's; plans are left to PostgreSQL (a forced generic plan costs ten times)."""
    connection.ensure_connection()
    raw = connection.connection
    raw.prepare_threshold = 5
    with connection.wrap_database_errors, psycopg.Cursor(raw) as cursor:
        yield cursor


def ask_together(questions: Sequence[Question]) -> list[Rows]:
    """Statements in one trip, in this order: each sees what the one before it waited for or wrote."""
    if not questions:
        return []
    with raw_cursor() as cursor:
        if len(questions) == 1:
            return [_answered(cursor.execute(*questions[0]))]
        with cursor.connection.pipeline():
            asked = [psycopg.Cursor(cursor.connection).execute(*question) for question in questions]
        return [_answered(each) for each in asked]


def _answered(cursor: psycopg.Cursor[tuple[Any, ...]]) -> Rows:
    return cursor.fetchall() if cursor.pgresult is not None and cursor.pgresult.nfields else []


NESTED_LOOPS_ONLY: Final = (
    "SET enable_seqscan = off; SET enable_hashjoin = off; SET enable_mergejoin = off; SET enable_bitmapscan = off;"
    "SET join_collapse_limit = 1; SET from_collapse_limit = 1"  # the joins in the order they are written
)


PLANS_LIVE: Final = 1.0


def settle_plans() -> None:
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
        cursor.execute(NESTED_LOOPS_ONLY if made is None else "DISCARD PLANS")
    raw.fairmeter_plans_made = now
