"""Inside PostgreSQL: who may do what, and settings that must hold before money is written."""

from __future__ import annotations

from typing import Any

import psycopg
from psycopg import sql

from launcher.sentences import CannotStart

OWNER = "fairmeter_owner"
APP = "fairmeter_app"
DATABASE = "fairmeter"
FURNISHING = 7_307_190_422  # the lock's number; it is let go with the connection
DURABLE = {"fsync": "on", "full_page_writes": "on", "synchronous_commit": "on", "data_checksums": "on"}


def _one(connection: psycopg.Connection[Any], question: str) -> Any:
    row = connection.execute(question.encode()).fetchone()
    return row[0] if row else None


def loose_settings(connection: psycopg.Connection[Any]) -> dict[str, str]:
    """The settings with which an acknowledged coin-in could be lost, and their present values."""
    seen = {name: str(_one(connection, f"SHOW {name}")) for name in DURABLE}
    return {name: value for name, value in seen.items() if value != DURABLE[name]}


def assert_durable(connection: psycopg.Connection[Any]) -> None:
    """Refuses to go on where a power cut could take back what was acknowledged."""
    loose = loose_settings(connection)
    if loose:
        listed = ", ".join(f"{name} is {value}" for name, value in loose.items())
        raise CannotStart(
            f"PostgreSQL could lose acknowledged coin-ins: {listed}. "
            "Set each to `on` (ALTER SYSTEM SET …; data_checksums with pg_checksums --enable) and start again."
        )


def make_roles_and_database(connection: psycopg.Connection[Any]) -> None:
    """Makes what is missing: the role that owns, the role that works, the database. One starter at a time."""
    connection.execute("SELECT pg_advisory_lock(%s)", [FURNISHING])
    known = {row[0] for row in connection.execute("SELECT rolname FROM pg_roles")}
    for role in (OWNER, APP):
        if role not in known:
            connection.execute(sql.SQL("CREATE ROLE {} LOGIN").format(sql.Identifier(role)))
    made = connection.execute("SELECT 1 FROM pg_database WHERE datname = %s", [DATABASE]).fetchone()
    if not made:
        names = {"database": sql.Identifier(DATABASE), "owner": sql.Identifier(OWNER), "app": sql.Identifier(APP)}
        connection.execute(sql.SQL("CREATE DATABASE {database} OWNER {owner}").format(**names))
        connection.execute(sql.SQL("REVOKE ALL ON DATABASE {database} FROM PUBLIC").format(**names))
        connection.execute(sql.SQL("GRANT CONNECT, TEMPORARY ON DATABASE {database} TO {app}").format(**names))
