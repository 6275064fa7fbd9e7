"""What the working role may write, table by table. The owner of the tables gives it after each migration.

A role that may only add cannot change what was added; a column that no act writes cannot be written. Where an act does
write, triggers of the migrations say what may follow what.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final

from django.db import connections

APP: Final = "fairmeter_app"


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


_COLUMNS: Final = """
SELECT string_agg(quote_ident(attname), ', ') FROM pg_attribute
 WHERE attrelid = %s::regclass AND attnum > 0 AND NOT attisdropped AND attname <> ALL(%s)
"""
_ROLE: Final = "SELECT 1 FROM pg_roles WHERE rolname = %s AND rolname <> current_user"
EVERYWHERE: Final = f"""
GRANT USAGE ON SCHEMA public TO {APP};
GRANT USAGE, SELECT ON ALL SEQUENCES IN SCHEMA public TO {APP};
REVOKE ALL ON ALL TABLES IN SCHEMA public FROM {APP};
GRANT SELECT, INSERT, UPDATE, DELETE ON ALL TABLES IN SCHEMA public TO {APP};
"""


_declared: dict[str, TableRights] = {}


def declare(rights: Mapping[str, TableRights]) -> None:
    """A room says what may be written of its tables, as the program starts."""
    _declared.update(rights)


def grant(using: str) -> None:
    """Where the working role is another one than ours, it gets the declared rights and no others on these tables."""
    with connections[using].cursor() as cursor:
        cursor.execute(_ROLE, [APP])
        if cursor.fetchone() is None:
            return
        cursor.execute(EVERYWHERE)
        for table, given in _declared.items():
            cursor.execute(f"REVOKE ALL ON {table} FROM {APP}")
            cursor.execute(f"GRANT {_words(given)} ON {table} TO {APP}")
            columns = ", ".join(given.writes or ())
            if given.writes is None:
                cursor.execute(_COLUMNS, [table, list(given.keeps)])
                columns = cursor.fetchone()[0]
            if columns:
                cursor.execute(f"GRANT UPDATE ({columns}) ON {table} TO {APP}")


def _words(given: TableRights) -> str:
    return ", ".join(["SELECT", *(["INSERT"] if given.adds else []), *(["DELETE"] if given.takes_away else [])])
