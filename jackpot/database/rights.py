"""What each working role may write, table by table. The owner of the tables gives it after each migration.

A role that may only add cannot change what was added; a column that no act writes cannot be written. Where an act does
write, triggers of the migrations say what may follow what. The web's role writes what people and boxes do; the worker's
role what comes round by itself, and of money nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.db import connections

APP: Final = "fairmeter_app"
WORKER: Final = "fairmeter_worker"


@dataclass(frozen=True, slots=True)
class TableRights:
    """Beside reading: whether rows are added and taken away, and which columns an act writes."""

    adds: bool = True
    takes_away: bool = False
    writes: tuple[str, ...] | None = ()  # None: every column but those of `keeps`
    keeps: tuple[str, ...] = ()


def reads() -> TableRights:
    return TableRights(adds=False)


def adds() -> TableRights:
    """Rows are added and stay."""
    return TableRights()


def writes(columns: str) -> TableRights:
    """Rows are added; these columns, and no others, are written later."""
    return TableRights(writes=tuple(columns.split()))


def keeps(columns: str = "", *, takes_away: bool = False) -> TableRights:
    """Rows are added; every column may be written later but these."""
    return TableRights(writes=None, keeps=("id", *columns.split()), takes_away=takes_away)


def takes_away() -> TableRights:
    """The database itself fills it."""
    return TableRights(adds=False, takes_away=True)


def adds_and_takes_away() -> TableRights:
    return TableRights(takes_away=True)


def only(columns: str) -> TableRights:
    """No row is added; these columns, and no others, are written."""
    return TableRights(adds=False, writes=tuple(columns.split()))


@dataclass(frozen=True, slots=True)
class WorkersRights:
    """What the worker may write of a room's tables, and which of them it does not even read."""

    writes: Mapping[str, TableRights]
    unread: tuple[str, ...] = ()


_COLUMNS: Final = """
SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
 WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL(%s)
"""
_ROLE: Final = "SELECT 1 FROM pg_roles WHERE rolname = %s AND rolname <> current_user"
_OF_ANY: Final = """
GRANT USAGE ON SCHEMA public TO {role};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {role};
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {role};
"""
OF_THE_WEB: Final = f"{_OF_ANY}GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {{role}};"
OF_THE_WORKER: Final = f"{_OF_ANY}GRANT SELECT ON ALL TABLES IN SCHEMA public TO {{role}};"
# A trigger runs for whoever moves a row; what it runs with the owner's rights nobody calls, and nobody hangs on a table
# of their own. Said here and not by a migration: a restored dump brings no rights with it.
_CALLED_BY_NOBODY: Final = """
DO $$ DECLARE called regprocedure; BEGIN
  FOR called IN SELECT p.oid FROM pg_proc p
                 WHERE p.pronamespace = 'public'::regnamespace AND p.prosecdef AND starts_with(p.proname, 'fairmeter_')
  LOOP
    EXECUTE format('REVOKE ALL ON FUNCTION %s FROM PUBLIC', called);
  END LOOP;
END $$
"""

_declared: dict[str, TableRights] = {}
_of_the_worker: dict[str, TableRights] = {}
_unread: set[str] = set()


def declare(rights: Mapping[str, TableRights], worker: WorkersRights) -> None:
    """A room says what may be written of its tables, as the program starts."""
    _declared.update(rights)
    _of_the_worker.update(worker.writes)
    _unread.update(worker.unread)


def grant(using: str) -> None:
    """Each role that is there, and another one than ours, gets its rights on these tables and no others."""
    with connections[using].cursor() as cursor:
        cursor.execute(_CALLED_BY_NOBODY)
        if _is_there(cursor, APP):
            cursor.execute(OF_THE_WEB.format(role=APP))
            _give(cursor, APP, _declared)
        if _is_there(cursor, WORKER):
            cursor.execute(OF_THE_WORKER.format(role=WORKER))
            _give(cursor, WORKER, _of_the_worker)
            for table in sorted(_unread):
                cursor.execute(f"REVOKE ALL ON {table} FROM {WORKER}")


def _is_there(cursor: Any, role: str) -> bool:
    cursor.execute(_ROLE, [role])
    return cursor.fetchone() is not None


def _give(cursor: Any, role: str, rights: Mapping[str, TableRights]) -> None:
    for table, given in rights.items():
        # What an earlier program gave goes first.
        cursor.execute(f"REVOKE ALL ON {table} FROM {role}")
        cursor.execute(f"GRANT {_words(given)} ON {table} TO {role}")
        columns = ", ".join(given.writes or ())
        if given.writes is None:
            cursor.execute(_COLUMNS, [table, list(given.keeps)])
            columns = cursor.fetchone()[0]
        if columns:
            cursor.execute(f"GRANT UPDATE ({columns}) ON {table} TO {role}")


def _words(given: TableRights) -> str:
    return ", ".join(["SELECT", *(["INSERT"] if given.adds else []), *(["DELETE"] if given.takes_away else [])])
