"""The house's clock in the hand of a test: the database's `clock_timestamp()` and Django's `now()` show one time.

Weeks are played in seconds. A schema of the test's own database stands before `pg_catalog` in the search path, so the
product's statements find the moved clock under the name that they always read.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import datetime, timedelta
from unittest import mock

import psycopg
from django.db import connection
from django.utils import timezone

from tests.databases import TestServer

MOVED = """
CREATE SCHEMA moved;
GRANT USAGE ON SCHEMA moved TO PUBLIC;
CREATE FUNCTION moved.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT pg_catalog.clock_timestamp() + coalesce(nullif(current_setting('moved.by', true), ''), '0')::interval
$$;
"""


def hang_clock(server: TestServer, database: str) -> None:
    """Puts a clock that can be moved into a test's own database; connections opened from now on read it."""
    with psycopg.connect(server.url(server.admin, database), autocommit=True) as admin:
        admin.execute(MOVED)
        admin.execute(f'ALTER DATABASE "{database}" SET search_path = moved, pg_catalog, public')


class MovingClock:
    """It goes on by itself from wherever it was set."""

    def __init__(self) -> None:
        self.real = timezone.now
        self.shift = timedelta()

    def __call__(self) -> datetime:
        return self.real() + self.shift

    def set_to(self, at: datetime) -> None:
        self.shift = at - self.real()
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('moved.by', %s, false)", [f"{self.shift.total_seconds():.6f} seconds"])


@contextmanager
def moving_clock() -> Iterator[MovingClock]:
    clock = MovingClock()
    with mock.patch("django.utils.timezone.now", clock):
        yield clock
