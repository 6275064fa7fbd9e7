"""What may be wrong, in plain words. Each check looks at one thing and names the cure."""

from __future__ import annotations

import os
import shutil
import stat
import sys
from collections.abc import Iterator, Mapping
from dataclasses import astuple, dataclass
from pathlib import Path
from typing import Any, Final
from urllib.parse import urlsplit

import psycopg
from psycopg.conninfo import conninfo_to_dict

from launcher import ports
from launcher.build import LIST, NotAsListed, build_of, manifest, refuse_unlisted
from launcher.chromium import HOW_TO_INSTALL, find_chromium
from launcher.environment import environment_of, holds
from launcher.identity import other_key
from launcher.installation import Installation
from launcher.passwords import comes_in_without
from launcher.places import FILE_NAME, Places
from launcher.postgres import loose_settings

GIGABYTE = 1024**3
OLDEST_SERVER = 15


@dataclass(frozen=True)
class HealthFinding:
    """`well` is None for something worth knowing that stops nobody."""

    well: bool | None
    about: str
    words: str

    def __str__(self) -> str:
        sign = {True: "ok  ", None: "note", False: "BAD "}[self.well]
        return f"{sign}  {self.about:<12} {self.words}"


def environment(project: Path, environ: Mapping[str, str]) -> HealthFinding:
    found = environment_of(project, environ, for_tests=False)
    version = ".".join(map(str, sys.version_info[:3]))
    if found.ready() or holds(found.lists):
        return HealthFinding(True, "environment", f"Python {version}, packages as locked.")
    cure = "Run any manage.py command once with python3; it brings them up to date."
    return HealthFinding(
        False, "environment", f"The packages in {sys.prefix} are not those of requirements.txt. {cure}"
    )


def program(project: Path) -> HealthFinding:
    """Which program this is, file by file; beside a list of its files also whether it is that one."""
    found = manifest(project)
    words = f"{len(found)} files, build {build_of(found)[:12]}."
    if not (project / LIST).exists():
        return HealthFinding(True, "program", f"{words} No {LIST} stands beside it.")
    try:
        refuse_unlisted(project)
    except NotAsListed as why:
        return HealthFinding(False, "program", str(why))
    return HealthFinding(True, "program", f"{words} All as {LIST} says.")


def data_folder(places: Places) -> HealthFinding:
    if not places.data.is_dir():
        return HealthFinding(None, "data", f"{places.data} does not exist yet; the first `up` makes it.")
    if not os.access(places.data, os.W_OK | os.X_OK):
        return HealthFinding(
            False, "data", f"{places.data} is closed to this account. Run as its owner, or choose --data DIR."
        )
    return HealthFinding(True, "data", f"{places.data} can be written.")


def key_file(places: Places, environ: Mapping[str, str]) -> HealthFinding:
    path = Path(environ.get("FAIRMETER_KEY_FILE") or places.data / FILE_NAME)
    if not path.exists():
        return HealthFinding(None, "key file", f"{path} does not exist yet; the first `up` makes it.")
    if stat.S_IMODE(path.stat().st_mode) & 0o077:
        return HealthFinding(False, "key file", f"Other accounts can read {path}. Close it: chmod 600 '{path}'")
    return HealthFinding(True, "key file", f"{path} is private. Is there a copy of it on another machine?")


def disk(places: Places) -> HealthFinding:
    place = places.server.resolve() if places.server.exists() else next(p for p in places.data.parents if p.exists())
    free = shutil.disk_usage(place).free
    words = f"{free / GIGABYTE:.1f} GB free at {place}."
    if free < GIGABYTE // 4:
        return HealthFinding(False, "disk", f"{words} PostgreSQL will soon refuse to write: make room.")
    return HealthFinding(True if free > 5 * GIGABYTE else None, "disk", words)


def port(number: int) -> HealthFinding:
    free = ports.next_free("127.0.0.1", number)
    if free == number:
        return HealthFinding(True, "port", f"{number} is free.")
    return HealthFinding(
        None, "port", f"{number} is in use (by Fairmeter itself, if it is running). Next free: --port {free}"
    )


def browser(environ: Mapping[str, str]) -> HealthFinding:
    found = find_chromium(environ)
    if found:
        return HealthFinding(True, "browser", f"{found} serves the browser tests.")
    return HealthFinding(None, "browser", f"No Chromium: only the browser tests need one ({HOW_TO_INSTALL}).")


def broker(environ: Mapping[str, str]) -> HealthFinding:
    url = environ.get("CELERY_BROKER_URL") or environ.get("REDIS_URL")
    return (
        _named_broker(url)
        if url
        else HealthFinding(True, "broker", "None is named; the worker rings in its own memory.")
    )


def _named_broker(url: str) -> HealthFinding:
    from kombu import Connection
    from kombu.exceptions import OperationalError

    try:
        with Connection(url, connect_timeout=3) as connection:
            connection.ensure_connection(max_retries=1)
            return HealthFinding(True, "broker", f"{connection.as_uri()} answers.")
    except (OperationalError, OSError) as why:
        return HealthFinding(
            False, "broker", f"The broker that CELERY_BROKER_URL or REDIS_URL names does not answer: {why}"
        )


def database(installation: Installation) -> Iterator[HealthFinding]:
    """Asked as the working role; for this the database must answer."""
    try:
        with psycopg.connect(installation.addresses.app, connect_timeout=5) as connection:
            yield _version(connection)
            yield _durable(connection)
            yield _rights(connection)
            yield workers_rights(connection, installation)
            yield _password(installation)
            yield from errands(connection)
            yield from rows_of_jackpots(connection)
            yield from whose_key(connection, installation)
            yield public_address(os.environ, demo=_is_demo(connection))
    except psycopg.OperationalError as why:
        yield HealthFinding(False, "database", f"It does not answer: {' '.join(str(why).split())}")


def whose_key(connection: psycopg.Connection[Any], installation: Installation) -> Iterator[HealthFinding]:
    """With another house's key no device would be known here."""
    why = other_key(connection, installation.places.data)
    if why is not None:
        yield HealthFinding(False, "key file", why)


def public_address(environ: Mapping[str, str], *, demo: bool) -> HealthFinding:
    """Where a phone that scans a win page is led."""
    told = environ.get("FAIRMETER_PUBLIC_URL") or (environ.get("FAIRMETER_ORIGINS") or "").split(",")[0]
    host = urlsplit(told).hostname or ""
    if told and not ports.is_loopback(host):
        return HealthFinding(True, "win pages", f"Their codes open {told}.")
    if demo:
        return HealthFinding(None, "win pages", "Their codes open this machine only; for the demo that is meant.")
    where = f"open {told}, which is this machine only" if told else "name no address that a phone could open"
    cure = "Set FAIRMETER_PUBLIC_URL=https://your.address; pages that are printed already keep their codes."
    return HealthFinding(None, "win pages", f"Warning: their codes {where}. {cure}")


def _is_demo(connection: psycopg.Connection[Any]) -> bool:
    there = connection.execute("SELECT to_regclass('jackpot_property') IS NOT NULL").fetchone()
    if there is None or not there[0]:
        return False
    row = connection.execute("SELECT coalesce(bool_or(demo), false) FROM jackpot_property").fetchone()
    return bool(row and row[0])


def _version(connection: psycopg.Connection[Any]) -> HealthFinding:
    major = connection.info.server_version // 10000
    who = connection.info.user
    if major < OLDEST_SERVER:
        return HealthFinding(
            False, "database", f"PostgreSQL {major} is too old; Fairmeter needs {OLDEST_SERVER} or newer."
        )
    return HealthFinding(True, "database", f"PostgreSQL {major} answers; the web works as {who}.")


def _durable(connection: psycopg.Connection[Any]) -> HealthFinding:
    loose = loose_settings(connection)
    if not loose:
        return HealthFinding(
            True, "durability", "fsync, full_page_writes, synchronous_commit and data_checksums are on."
        )
    listed = ", ".join(f"{name} is {value}" for name, value in loose.items())
    return HealthFinding(False, "durability", f"A power cut could take back what was acknowledged: {listed}.")


OVERDUE = """
SELECT code, floor(extract(epoch FROM clock_timestamp() - owed_since) / 60)::bigint, last_error
  FROM jackpot_errand WHERE clock_timestamp() - owed_since > alarm_after ORDER BY owed_since
"""


def errands(connection: psycopg.Connection[Any]) -> Iterator[HealthFinding]:
    """Published heads and whatever else comes round: each overdue one by name. Nobody's, while the house sleeps."""
    there = connection.execute("SELECT to_regclass('jackpot_errand') IS NOT NULL").fetchone()
    if there is None or not there[0]:
        return
    overdue = connection.execute(OVERDUE).fetchall()
    for code, minutes, error in overdue:
        why = f"Last word: {error}" if error else "Is the house running? If so, see worker.log."
        yield HealthFinding(False, "worker", f"“{code}” is owed for {minutes} minutes. {why}")
    if not overdue:
        yield HealthFinding(True, "worker", "Nothing that comes round is overdue.")


CHANGED_ROWS = """
SELECT j.code FROM jackpot_jackpot j
  LEFT JOIN LATERAL (SELECT * FROM jackpot_entry x WHERE x.jackpot_id = j.id ORDER BY x.seq DESC LIMIT 1) e ON true
 WHERE (j.last_seq, j.contributed, j.meter, j.reserve, j.overflow, j.house, j.winners, j.paid, j.outside)
       IS DISTINCT FROM
       (coalesce(e.seq, 0), coalesce(e.contributed_after, 0), coalesce(e.meter_after, 0), coalesce(e.reserve_after, 0),
        coalesce(e.overflow_after, 0), coalesce(e.house_after, 0), coalesce(e.winners_after, 0),
        coalesce(e.paid_after, 0), coalesce(e.outside_after, 0))
    OR j.seal <> e.seal OR j.last_at <> e.occurred_at OR j.version_id <> e.version_id
 ORDER BY j.code
"""


def rows_of_jackpots(connection: psycopg.Connection[Any]) -> Iterator[HealthFinding]:
    """Every jackpot's row against its last entry: one that differs was changed behind the books and stands still."""
    there = connection.execute("SELECT to_regclass('jackpot_entry') IS NOT NULL").fetchone()
    if there is None or not there[0]:
        return
    changed = [code for (code,) in connection.execute(CHANGED_ROWS).fetchall()]
    for code in changed:
        cure = f"Find out who changed it, then manage.py set_right {code} --why …, and manage.py prove."
        yield HealthFinding(False, "books", f"The row of {code} is not what its last entry says; it is stopped. {cure}")
    if not changed:
        yield HealthFinding(True, "books", "Every jackpot's row says what its last entry says.")


def _password(installation: Installation) -> HealthFinding:
    """Ours asks everybody; on a PostgreSQL of the user's own a peer's name may be meant."""
    open_to = [role for role in filter(None, astuple(installation.addresses)) if comes_in_without(role)]
    if not open_to:
        return HealthFinding(True, "doors", "PostgreSQL asks each role for its password.")
    if installation.server is None:
        return HealthFinding(None, "doors", "Your PostgreSQL asks this account for no password. Is that meant?")
    cure = "Stop Fairmeter and start it again; the start closes it."
    return HealthFinding(False, "doors", f"Whoever is this account speaks as any role without a password. {cure}")


def _rights(connection: psycopg.Connection[Any]) -> HealthFinding:
    question = "SELECT has_table_privilege(oid, 'UPDATE') FROM pg_class WHERE oid = to_regclass('jackpot_entry')"
    row = connection.execute(question).fetchone()
    if row is None:
        return HealthFinding(None, "rights", "No books yet; the first `up` makes them.")
    if row[0]:
        cure = "Give the web a role of its own (docs/operations.md)."
        return HealthFinding(None, "rights", f"The web's role owns the entries; only the triggers protect them. {cure}")
    return HealthFinding(True, "rights", "The web's role may add entries and change none.")


_WORKERS: Final = """
SELECT has_table_privilege(%(role)s, 'jackpot_payment', 'INSERT')
           OR has_table_privilege(%(role)s, 'jackpot_win', 'INSERT'),
       has_any_column_privilege(%(role)s, 'jackpot_errand', 'UPDATE')
  FROM pg_roles WHERE rolname = %(role)s AND to_regclass('jackpot_errand') IS NOT NULL
"""


def workers_rights(connection: psycopg.Connection[Any], installation: Installation) -> HealthFinding:
    """The worker does without cards, wins and payments; a house that gives one role only is told so."""
    address = installation.addresses.worker
    role = str(conninfo_to_dict(address)["user"]) if address else str(connection.info.user)
    found = connection.execute(_WORKERS, {"role": role}).fetchone()
    if not address or role == connection.info.user:
        cure = "Give it one of its own with DATABASE_WORKER_URL (docs/operations.md)."
        return HealthFinding(None, "worker", f"The worker works as {role}, the web's role. {cure}")
    if found is None:
        return HealthFinding(None, "worker", "No books yet; the first `up` gives the worker its rights.")
    pays, works = found
    if not works:
        return HealthFinding(False, "worker", f"{role} has no rights yet. Give them: manage.py migrate")
    if pays:
        cure = "Name fairmeter_worker in DATABASE_WORKER_URL (docs/operations.md)."
        return HealthFinding(None, "worker", f"The worker works as {role}, which may make wins and payments. {cure}")
    return HealthFinding(True, "worker", f"The worker works as {role}, which makes no win and no payment.")
