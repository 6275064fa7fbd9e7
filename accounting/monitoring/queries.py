"""What a monitoring system is told of, each family with the one statement that reads it: few, cheap, none of a player.

Exact figures of meters leave as the database writes them; no float is made of money here.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from typing import Any, Final

from django.conf import settings
from django.db import InterfaceError, OperationalError, connection

from accounting.monitoring.rules import FigureFamily as Family
from jackpot.books.queries import differing_rows, stopped_jackpots
from jackpot.money import text_of_units, units_of

OF_THE_DATABASE: Final = (
    Family(
        "fairmeter_entries_total", "counter", "Entries in the books.", ("jackpot",),
        "SELECT code, last_seq FROM jackpot_jackpot ORDER BY code",
    ),
    Family(
        "fairmeter_last_entry_age_seconds", "gauge", "Age of the last entry.", ("jackpot",),
        "SELECT code, extract(epoch FROM clock_timestamp() - last_at) FROM jackpot_jackpot ORDER BY code",
    ),
    Family(
        # The largest number and no count: a table's numbers have no gap, and a count would read every round.
        "fairmeter_rounds_total", "counter", "Rounds begun at the table.", ("table",),
        "SELECT t.code, coalesce((SELECT max(number) FROM tables_round r WHERE r.table_id = t.id), 0)"
        "  FROM tables_table t ORDER BY t.code",
    ),
    Family(
        "fairmeter_table_open", "gauge", "1 while the table is open.", ("table",),
        "SELECT code, (state = 'open')::int FROM tables_table ORDER BY code",
    ),
    Family(
        "fairmeter_devices_heard", "gauge", "Enrolled devices heard within five seconds.", ("kind",),
        "SELECT kind, count(*) FILTER (WHERE last_seen_at > clock_timestamp() - interval '5 seconds')"
        "  FROM tables_device WHERE state = 'active' GROUP BY kind ORDER BY kind",
    ),
    Family(
        "fairmeter_devices_active", "gauge", "Enrolled devices.", ("kind",),
        "SELECT kind, count(*) FROM tables_device WHERE state = 'active' GROUP BY kind ORDER BY kind",
    ),
    Family(
        "fairmeter_open_hits", "gauge", "Hits that somebody must still act on.", ("state",),
        "SELECT s.state, count(w.id) FROM unnest(ARRAY['marked', 'asked', 'logged']) s(state)"
        "  LEFT JOIN jackpot_win w ON w.state = s.state GROUP BY 1 ORDER BY 1",
    ),
    Family(
        "fairmeter_open_hit_age_seconds", "gauge", "Age of the oldest open hit; none while there is no hit.", (),
        "SELECT extract(epoch FROM clock_timestamp() - min(marked_at))"
        "  FROM jackpot_win WHERE state IN ('marked', 'asked', 'logged')",
    ),
    Family(
        "fairmeter_print_jobs", "gauge", "Win pages on their way to paper.", ("printer", "state"),
        "SELECT p.code, s.state, count(j.id) FROM accounting_printer p"
        "  CROSS JOIN unnest(ARRAY['queued', 'failed', 'givenup']) s(state)"
        "  LEFT JOIN accounting_printjob j ON j.printer_id = p.id AND j.state = s.state GROUP BY 1, 2 ORDER BY 1, 2",
    ),
    Family(
        "fairmeter_print_oldest_seconds", "gauge", "Age of the oldest page that is not on paper.", (),
        "SELECT extract(epoch FROM clock_timestamp() - min(c.printed_at)) FROM accounting_printjob j"
        "  JOIN accounting_copy c ON c.id = j.copy_id WHERE j.state IN ('queued', 'failed')",
    ),
    Family(
        "fairmeter_sign_disagreements_total", "counter", "Reports of a sign that the books do not bear out.", ("sign",),
        "SELECT s.code, coalesce(sum(t.disagreed), 0) FROM tables_sign s"
        "  LEFT JOIN tables_signtally t ON t.sign_id = s.id GROUP BY 1 ORDER BY 1",
    ),
    Family(
        "fairmeter_requests_waiting", "gauge", "Requests that wait for a second person.", ("kind",),
        "SELECT kind, count(*) FROM jackpot_request WHERE state IN ('asked', 'previewed') GROUP BY 1 ORDER BY 1",
    ),
    Family(
        "fairmeter_events_unnumbered", "gauge", "Events that wait for their number in the feed.", (),
        "SELECT count(*) FROM accounting_unnumberedevent",
    ),
    Family(
        "fairmeter_webhooks_failing", "gauge", "Registered addresses that take no events.", (),
        "SELECT count(*) FROM accounting_webhook"
        " WHERE failing_since IS NOT NULL AND paused_at IS NULL AND retired_at IS NULL",
    ),
    Family(
        "fairmeter_errand_overdue", "gauge", "1 while work that comes round is overdue.", ("errand",),
        "SELECT code, (clock_timestamp() - owed_since > alarm_after)::int FROM jackpot_errand ORDER BY code",
    ),
    Family(
        "fairmeter_standbys", "gauge", "Standbys that follow; `unseen` without pg_read_all_stats.", ("state",),
        "SELECT coalesce(sync_state, 'unseen'), count(*) FROM pg_stat_replication"
        " WHERE application_name <> 'fairmeter_archive' GROUP BY 1 ORDER BY 1",
    ),
    Family(
        "fairmeter_standby_lag_bytes", "gauge", "What a standby has not replayed yet.", ("standby",),
        "SELECT application_name, pg_wal_lsn_diff(pg_current_wal_lsn(), replay_lsn) FROM pg_stat_replication"
        " WHERE replay_lsn IS NOT NULL AND application_name <> 'fairmeter_archive' ORDER BY 1",
    ),
    Family(
        "fairmeter_database_connections", "gauge", "Connections to the server.", (),
        "SELECT sum(numbackends) FROM pg_stat_database",
    ),
    Family(
        "fairmeter_database_connections_limit", "gauge", "Connections that the server allows.", (),
        "SELECT current_setting('max_connections')::int",
    ),
)  # fmt: skip
METER: Final = Family("fairmeter_meter", "gauge", "Exact amount in the meter.", ("jackpot",))
METERS: Final = "SELECT code, meter FROM jackpot_jackpot ORDER BY code"
ROW_DIFFERS: Final = Family(
    "fairmeter_row_differs", "gauge", "1 for a jackpot whose row is not its last entry.", ("jackpot",)
)
WENT_BACK: Final = Family("fairmeter_books_went_back", "gauge", "1 for a jackpot whose books went back.", ("jackpot",))
DATABASE_UP: Final = Family("fairmeter_database_up", "gauge", "1 while the database answers and takes writes.")
DISK_FREE: Final = Family("fairmeter_disk_free_bytes", "gauge", "Room that is left where data lie.", ("place",))
DISK_SIZE: Final = Family("fairmeter_disk_size_bytes", "gauge", "Room where data lie.", ("place",))
FAMILIES: Final = (METER, *OF_THE_DATABASE, ROW_DIFFERS, WENT_BACK, DATABASE_UP, DISK_FREE, DISK_SIZE)


def figures() -> Iterator[str]:
    """All families, line by line. Without a database the rest is told all the same, and that it is away."""
    told: list[str] = []
    up = 0
    try:
        # Whole before anything is written: half a family would be read as a fall of its figures.
        told = list(_of_the_database())
        # A standby answers as well, but takes no writes: for a casino that is not up.
        up = int(not _rows("SELECT pg_is_in_recovery()")[0][0])
    except (OperationalError, InterfaceError):
        # A connection that broke is not asked again; the next look opens another.
        connection.close()
    yield from told
    yield from DATABASE_UP.text([(up,)])
    # Where there is no data folder yet, by default it will lie on the disk of the program.
    room = shutil.disk_usage(settings.DATA_DIR if settings.DATA_DIR.exists() else settings.BASE_DIR)
    yield from DISK_FREE.text([("data", room.free)])
    yield from DISK_SIZE.text([("data", room.total)])


def _of_the_database() -> Iterator[str]:
    yield from METER.text([(code, text_of_units(units_of(meter))) for code, meter in _rows(METERS)])
    for family in OF_THE_DATABASE:
        yield from family.text(_rows(family.sql))
    yield from ROW_DIFFERS.text([(each.code, 1) for each in differing_rows()])
    yield from WENT_BACK.text([(each.code, 1) for each in stopped_jackpots() if each.went_back])


def _rows(statement: str) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(statement)
        return list(cursor.fetchall())
