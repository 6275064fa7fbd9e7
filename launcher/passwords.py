"""Passwords of our own PostgreSQL's roles: drawn by us, kept in files that libpq reads, named in no address.

The private socket keeps other accounts out; the passwords keep a process that knows one role's file from being another.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import subprocess
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import psycopg
from psycopg import sql

from launcher.cluster import SUPERUSER, Binaries, ServerAccount, clean_environment
from launcher.places import Places
from launcher.sentences import CannotStart

RULES = "pg_hba.conf"
EVERYBODY_BY_PASSWORD = """\
# Written by Fairmeter at a start: whoever comes over the socket says a password, the superuser too.
local all all scram-sha-256
local replication all scram-sha-256
"""


def pass_file(places: Places, role: str) -> Path:
    return places.data / "roles" / f"{role}.pgpass"


def _written_down(places: Places, role: str) -> str | None:
    try:
        return pass_file(places, role).read_text().strip().rpartition(":")[2] or None
    except FileNotFoundError:
        return None


def _write_down(places: Places, role: str, password: str) -> None:
    """Whole or not at all; libpq leaves a file alone that others may read."""
    path = pass_file(places, role)
    path.parent.mkdir(mode=0o700, exist_ok=True)
    draft = path.with_suffix(".draft")
    # A draft that was left may be open to others: it is made anew, closed from its first byte on.
    draft.unlink(missing_ok=True)
    draft.touch(mode=0o600)
    draft.write_text(f"*:*:*:{role}:{password}\n")
    draft.replace(path)


def ask_for_passwords(places: Places, cluster: Path, binaries: Binaries, account: ServerAccount) -> None:
    """Before a start: a cluster that is new, came from an older program, or whose superuser's file is lost."""
    rules, known = cluster / RULES, _written_down(places, SUPERUSER)
    if known is not None and rules.read_text() == EVERYBODY_BY_PASSWORD:
        return
    password = known or secrets.token_hex(32)
    _say_alone(f"ALTER ROLE {SUPERUSER} PASSWORD '{password}'\n", cluster, binaries, account)
    _write_down(places, SUPERUSER, password)
    draft = cluster / f"{RULES}.draft"
    draft.write_text(EVERYBODY_BY_PASSWORD)
    draft.chmod(0o600)
    account.owns(draft)
    draft.replace(rules)


def _say_alone(statement: str, cluster: Path, binaries: Binaries, account: ServerAccount) -> None:
    """PostgreSQL's own way in when nobody can come in: one session, no socket, no server beside it."""
    command = [binaries.program("postgres"), "--single", "-D", str(cluster), "postgres"]
    said = subprocess.run(
        command, check=False, capture_output=True, text=True, input=statement,
        env=clean_environment(os.environ), **account.popen,
    )  # fmt: skip
    if said.returncode != 0 or "ERROR" in said.stderr:
        why = (said.stderr.strip().splitlines() or ["it gave no reason"])[-1]
        raise CannotStart(f"PostgreSQL's superuser could not be given a password: {why}")


def give_passwords(places: Places, connection: psycopg.Connection[Any], roles: Iterable[str], database: str) -> None:
    """Who has none gets one; whose file is lost, or was written for other books, gets one that both know.

    As the superuser, one starter at a time. A cluster that came back from the archive holds the passwords of its time.
    """
    for role in roles:
        known = _written_down(places, role)
        if known is not None and _opens(connection, places, role, database):
            continue
        password = known or secrets.token_hex(32)
        words = sql.SQL("ALTER ROLE {} PASSWORD {}").format(sql.Identifier(role), sql.Literal(password))
        connection.execute(words)
        _write_down(places, role, password)


def _opens(connection: psycopg.Connection[Any], places: Places, role: str, database: str) -> bool:
    """Whether the file's password is the one that the server knows: asked at its own door."""
    at = connection.info
    words = psycopg.conninfo.make_conninfo(
        "", host=at.host, port=at.port, dbname=database, user=role, passfile=str(pass_file(places, role))
    )
    try:
        psycopg.connect(words, connect_timeout=5).close()
    except psycopg.OperationalError:
        return False
    return True


def comes_in_without(address: str) -> bool:
    """Whether a server lets this role in that says no password."""
    parts = psycopg.conninfo.conninfo_to_dict(address)
    parts = {name: value for name, value in parts.items() if name not in ("password", "passfile")}
    # A file that is not there: the one in this person's home may hold the very password.
    nobodys = psycopg.conninfo.make_conninfo("", **parts, passfile="/nonexistent", connect_timeout=5)
    with contextlib.suppress(psycopg.OperationalError):
        psycopg.connect(nobodys).close()
        return True
    return False
