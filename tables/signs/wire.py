"""The signs' own line to the database: one connection, opened directly, that reads the meters and hears rare events."""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final

import psycopg
from django.db import connections
from psycopg import sql

from jackpot.books.events import CHANNEL
from jackpot.database.deadlines import limits_of
from jackpot.database.moved import moved_books
from tables.signs import queries
from tables.signs.queries import ShownMeter, SignLayout

_NOT_LIBPQ: Final = frozenset({"pool", "server_side_binding", "assume_role", "isolation_level"})
_SECONDS_TO_CONNECT: Final = 2
NAMES: Final = {"dbname": "NAME", "user": "USER", "password": "PASSWORD", "host": "HOST", "port": "PORT"}


@dataclass(frozen=True, slots=True)
class Sight:
    """Everything the signs of this process need to know, as of one look."""

    layouts: Mapping[str, SignLayout] = field(default_factory=dict)
    devices: frozenset[tuple[str, int]] = frozenset()
    standings: Mapping[int, ShownMeter] = field(default_factory=dict)


class MeterWatch:
    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection[Any] | None = None
        self.layouts_stale = True
        self.last = Sight()

    def forget_layouts(self) -> None:
        """What rarely changes (names, terms, devices) is read again at the next look."""
        self.layouts_stale = True

    async def look(self) -> Sight:
        """Reads what is new. After any failure the next look opens a new connection and reads everything."""
        try:
            connection = self._connection or await self._open()
            self.last = await self._look(connection)
        except BaseException:  # a cancelled look too: its connection stands in the middle of an answer
            await self.close()
            raise
        return self.last

    async def close(self) -> None:
        connection, self._connection, self.layouts_stale = self._connection, None, True
        if connection is not None:
            with contextlib.suppress(psycopg.Error, OSError):
                await connection.close()

    async def _open(self) -> psycopg.AsyncConnection[Any]:
        # Each look is of the newest commit, and no transaction stays open that would keep the database from tidying up.
        connection = await psycopg.AsyncConnection.connect(autocommit=True, **libpq_settings())
        self._connection = connection
        moved_books.watch(connection, libpq_settings())
        connection.add_notify_handler(lambda _: self.forget_layouts())
        await connection.execute(sql.SQL("LISTEN {}").format(sql.Identifier(CHANNEL)))
        return connection

    async def _look(self, connection: psycopg.AsyncConnection[Any]) -> Sight:
        layouts, devices = self.last.layouts, self.last.devices
        if self.layouts_stale:
            self.layouts_stale = False
            read = queries.layouts_of(await _rows(connection, queries.SIGN_LAYOUTS))
            # The same object where nothing changed: the broadcaster compares what it knows by identity.
            layouts = self.last.layouts if read == self.last.layouts else read
            devices = frozenset(
                (code, generation) for code, generation in await _rows(connection, queries.SIGN_DEVICES)
            )
        # The heads alone, ten times a second; only what moved since is read further.
        heads = await _rows(connection, queries.METER_HEADS)
        return Sight(layouts, devices, await self._standings(connection, heads))

    async def _standings(
        self, connection: psycopg.AsyncConnection[Any], heads: Sequence[Sequence[Any]]
    ) -> Mapping[int, ShownMeter]:
        """Books that stand behind what was seen were restored: nothing known of them counts any more."""
        now = {id_: seq for id_, seq, _ in heads}
        known = {id_: before for id_, before in self.last.standings.items() if before.seq <= now.get(id_, -1)}
        moved = [row for row in heads if row[0] not in known or known[row[0]].seq != row[1]]
        # The same object again, by which the broadcaster sees that there is nothing to tell.
        if not moved and len(known) == len(self.last.standings):
            return self.last.standings
        ids = [row[0] for row in moved]
        news = await _rows(connection, queries.METER_NEWS, queries.seen_of(known, ids))
        return known | queries.standings_of(known, news)


def libpq_settings(who: str = "signs") -> dict[str, Any]:
    """Django's settings of the default database in libpq's words."""
    given = connections.settings["default"]
    told = {libpq: str(given[name]) for libpq, name in NAMES.items() if given.get(name)}
    options = {name: value for name, value in given["OPTIONS"].items() if name not in _NOT_LIBPQ}
    options["options"] = f"{options.get('options', '')} {limits_of('listen')}".strip()
    return {"application_name": f"fairmeter {who}", **options, "connect_timeout": _SECONDS_TO_CONNECT, **told}


async def _rows(
    connection: psycopg.AsyncConnection[Any], statement: str, parameters: Sequence[Any] = ()
) -> list[tuple[Any, ...]]:
    cursor = await connection.execute(statement.encode(), parameters or None)
    return await cursor.fetchall()
