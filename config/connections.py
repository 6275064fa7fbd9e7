"""Django's default connection, pointed elsewhere for a while: at the owner's role, or at another database."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from typing import Any

import psycopg

MIGRATION_LOCK = 7_307_190_423  # any number, as long as every starter takes the same one


@contextlib.contextmanager
def pointed_at(url: str) -> Iterator[None]:
    """Every thread that opens a connection meanwhile gets this database."""
    from django.db import connections

    from config.settings import database

    settings: dict[str, Any] = connections.settings["default"]
    before = dict(settings)
    connections["default"].close()
    settings.update(database(url))
    try:
        yield
    finally:
        connections["default"].close()
        settings.clear()
        settings.update(before)


def owner_url() -> str:
    """The role that owns the tables; on a server with one role only, that one."""
    url = os.environ.get("DATABASE_OWNER_URL") or os.environ.get("DATABASE_URL")
    return url or "postgresql://fairmeter_owner@/fairmeter"


@contextlib.contextmanager
def alone_with_the_schema(url: str, *, on_wait: Any = None) -> Iterator[None]:
    """One migration at a time. The lock has a connection of its own: migrations open and close theirs."""
    with psycopg.connect(url, autocommit=True) as connection:
        got = connection.execute("SELECT pg_try_advisory_lock(%s)", [MIGRATION_LOCK]).fetchone()
        if got != (True,):
            if on_wait:
                on_wait()
            connection.execute("SELECT pg_advisory_lock(%s)", [MIGRATION_LOCK])
        yield
