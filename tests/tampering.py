"""What somebody with every right on the server does to a row: past the guards and the rights of the working role.

The template of the tests has one function for it, so that a test may tamper inside the transaction that it looks at.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import timedelta
from typing import Any

from django.db import connection, models

MADE = """
CREATE SCHEMA tampering;
GRANT USAGE ON SCHEMA tampering TO PUBLIC;
CREATE FUNCTION tampering.run(statement text) RETURNS void LANGUAGE plpgsql SECURITY DEFINER AS $$ BEGIN
  PERFORM set_config('session_replication_role', 'replica', true);
  EXECUTE statement;
  PERFORM set_config('session_replication_role', 'origin', true);
END $$;
CREATE FUNCTION tampering.clock_timestamp() RETURNS timestamptz LANGUAGE sql VOLATILE AS $$
  SELECT coalesce(nullif(current_setting('tampering.clock', true), '')::timestamptz, pg_catalog.clock_timestamp())
    + coalesce(nullif(current_setting('tampering.ahead', true), ''), '0')::interval;
$$;
"""


def tamper(statement: str, values: Sequence[Any] = ()) -> None:
    """Runs a statement as the superuser with every trigger off."""
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE")  # what was done before is judged as it was
        cursor.execute("SET CONSTRAINTS ALL DEFERRED")
        text = cursor.mogrify(statement, values) if values else statement
        cursor.execute("SELECT tampering.run(%s)", [text])


def stop_clock(moment: str) -> None:
    """What the guards read in this connection from now on."""
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT set_config('tampering.clock', %s, false), "
            "set_config('search_path', 'tampering, pg_catalog, public', false)",
            [moment],
        )


def put_clock_ahead(by: timedelta) -> None:
    """Of this whole database, for every connection that is opened from now on."""
    name = connection.settings_dict["NAME"]
    tamper(f"ALTER DATABASE \"{name}\" SET tampering.ahead = '{by.total_seconds()} seconds'")
    tamper(f'ALTER DATABASE "{name}" SET search_path = tampering, pg_catalog, public')
    connection.close()


def tamper_with(rows: models.QuerySet[Any], **columns: Any) -> None:
    """`rows.update(...)` as the superuser does it."""
    query = rows.query.chain(models.sql.UpdateQuery)
    query.add_update_values(columns)
    statement, values = query.get_compiler(connection=connection).as_sql()
    tamper(statement, values)
