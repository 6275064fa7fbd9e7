"""What the archive asks of the server: its place in the log, and copies of the whole."""

from __future__ import annotations

import json
import os
import secrets
import shutil
import subprocess
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import psycopg

from launcher.archive.folder import NOTE, ArchiveFolder, BaseCopy, folders, next_folder, own_name
from launcher.cluster import SUPERUSER, clean_environment, wheel_binaries
from launcher.places import alone_in
from launcher.postgres import Server
from launcher.sentences import CannotStart

SLOT: Final = "fairmeter_archive"  # also the name under which the server sees its receiver
_SLOT: Final = "SELECT wal_status, active FROM pg_replication_slots WHERE slot_name = %s"
_HOUSES: Final = "SELECT time_zone, name FROM jackpot_property ORDER BY id"


def admin_url(server: Server) -> str:
    return f"{server.url(SUPERUSER)}&application_name={SLOT}"


def current_folder(server: Server, root: Path) -> ArchiveFolder:
    """Where the log goes now. A place that the server lost, or never had, begins a new folder: within one is no gap."""
    root.mkdir(mode=0o700, parents=True, exist_ok=True)
    with alone_in(root), psycopg.connect(admin_url(server), autocommit=True) as connection:
        system = str(_first(connection, "SELECT system_identifier::text FROM pg_control_system()"))
        house = own_name(server.places, system)
        found, slot = folders(root, f"{house}-"), connection.execute(_SLOT, [SLOT]).fetchone()
        if slot is not None and slot[0] != "lost" and found:
            return found[-1]
        # A place that was lost is still there by its name, and stands in the way of the new one.
        _give_up(connection)
        # `true`: the log is held back from this moment on, and not from the receiver's first word.
        connection.execute("SELECT pg_create_physical_replication_slot(%s, true)", [SLOT])
        return next_folder(root, house)


def give_up(server: Server) -> None:
    """Nobody wants the archive any more: the server need not keep its log for it."""
    with psycopg.connect(admin_url(server), autocommit=True) as connection:
        _give_up(connection)


def _give_up(connection: psycopg.Connection[Any]) -> None:
    # One that is being read cannot be dropped: then nothing is, instead of an error.
    asked = "SELECT pg_drop_replication_slot(slot_name) FROM pg_replication_slots WHERE slot_name = %s AND NOT active"
    connection.execute(asked, [SLOT])


def _first(connection: psycopg.Connection[Any], question: str) -> Any:
    row = connection.execute(question.encode()).fetchone()
    assert row is not None
    return row[0]


def make_base(server: Server, folder: ArchiveFolder) -> BaseCopy:
    """A copy of the whole server while it works. Whole by itself; with the log it reaches any later moment."""
    url = admin_url(server)
    draft = folder.path / f".base-{secrets.token_hex(4)}.unfinished"
    # A checkpoint at once: the next regular one may be ten minutes away.
    options = ["--format=tar", "--gzip", "--wal-method=stream", "--checkpoint=fast", "--no-password"]
    with psycopg.connect(url, autocommit=True) as connection:
        # Before the copy begins: the log from here on is the least that it needs.
        needs = str(_first(connection, "SELECT pg_walfile_name(pg_current_wal_lsn())"))
        command = [wheel_binaries().program("pg_basebackup"), "-d", url, "-D", str(draft), *options]
        done = subprocess.run(command, check=False, capture_output=True, text=True, env=clean_environment(os.environ))
        if done.returncode != 0:
            shutil.rmtree(draft, ignore_errors=True)
            raise CannotStart(f"No base copy was made: {' '.join(done.stderr.split())[-300:]}")
        ended: datetime = _first(connection, "SELECT clock_timestamp()")
        note = {"ended": ended.astimezone(UTC).isoformat(), "needs": needs, **_houses(connection)}
    # It gets its name only with its note: a copy without one is none.
    (draft / NOTE).write_text(json.dumps(note))
    whole = folder.path / f"base-{ended.astimezone(UTC):%Y%m%dT%H%M%S.%fZ}"
    draft.replace(whole)
    return BaseCopy.read(whole)


def _houses(connection: psycopg.Connection[Any]) -> dict[str, str | None]:
    """Whose books they are, and the zone in which they read a clock; none where there are several, or no house yet."""
    try:
        rows = connection.execute(_HOUSES).fetchall()
    # Before the first preparation there is no house, and yet a server to copy.
    except psycopg.errors.UndefinedTable:
        rows = []
    zones = {str(zone) for zone, _ in rows}
    return {"zone": zones.pop() if len(zones) == 1 else None, "house": ", ".join(str(name) for _, name in rows)}
