"""What a commit is worth, told in one place: an act is acknowledged only when its commit is certain.

A commit may end without an answer: the line was cut, or a synchronous standby was waited for and somebody cancelled the
wait (success plus warning 01000: the row may exist here alone). Then nobody knows, and whoever asked hears so. And what
an answer says of an earlier commit ("paid already") must be as certain as a commit of its own, so every act ends by
`confirm`: with a synchronous standby a few bytes of log that it waits for, without one nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

import psycopg
from django.db import DatabaseError, InterfaceError, OperationalError, connection

from jackpot.database.under_way import commits
from jackpot.refusals import Refused

CANCELLED_WAIT: Final = "01000"
WAITER: Final = (
    "syncrep.c"  # every plain warning has that code (ANALYZE of somebody else's table); only one place waits
)
KNOWN_TO_FAIL: Final = frozenset({"40001", "40P01"})  # the database says itself that nothing was kept
_DOUBTED: Final = "fairmeter_commit_doubted"
CONFIRMED: Final = "fairmeter_confirmed"  # kept with the driver’s line: a commit that wrote, and nothing asked since
CONFIRM: Final = """
SELECT CASE WHEN current_setting('synchronous_standby_names') <> ''
            THEN pg_logical_emit_message(true, 'confirm', '') END
"""


class CommitUnknown(OperationalError):
    """The database did not say whether this was kept. Look, or say it again: a repeat does nothing twice."""


def note_doubts(raw: psycopg.Connection[object]) -> None:
    """From now on this connection remembers the warning of a commit that was cut short."""

    def note(diagnostic: psycopg.errors.Diagnostic) -> None:
        if tells_of_a_cut(diagnostic.sqlstate, diagnostic.source_file):
            setattr(raw, _DOUBTED, True)

    raw.add_notice_handler(note)


def tells_of_a_cut(sqlstate: str | None, source_file: str | None) -> bool:
    """By where in PostgreSQL it was said, for the words may be in any language; said from nowhere, it counts."""
    return sqlstate == CANCELLED_WAIT and (source_file or WAITER).endswith(WAITER)


def was_doubted(raw: psycopg.Connection[object] | None) -> bool:
    """Whether what this connection committed last was cut short; forgets it, so the next one is judged alone."""
    doubted = getattr(raw, _DOUBTED, False)
    if doubted:
        setattr(raw, _DOUBTED, False)
    return bool(doubted)


def confirm() -> None:
    """Whatever this thread saw committed is certain when this returns; else it raises, and nothing may be said of it.

    To be called by a door behind its act, whatever came of it. Within a transaction the commit itself will tell; and
    behind a commit of our own that wrote, with nothing asked since, nothing is left to confirm.
    """
    if connection.in_atomic_block or connection.confirmed:  # type: ignore[attr-defined]  # of our own engine
        return
    with commits.one(confirms=True), connection.cursor() as cursor:
        cursor.execute(CONFIRM)


@contextmanager
def certain() -> Iterator[None]:
    """Around an act at its door: what it answers, also a refusal ("paid already"), is certain when it is said."""
    try:
        yield
    except (DatabaseError, InterfaceError):
        raise
    except Refused:
        confirm()
        raise
    confirm()
