"""What the database itself refuses, whoever asks."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

import psycopg
import pytest

from tests import databases
from tests.builders import a_jackpot
from tests.scenes import played

ROLES = ("app", "owner", "admin")
TABLES = ("jackpot_entry", "jackpot_trail", "jackpot_version")
Asked = Callable[[str], None]


@pytest.fixture(scope="module")
def books(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, lambda: a_jackpot(meter="20000.00", reserve="617.25")) as name:
        yield name


@pytest.fixture(params=ROLES)
def asked(request: pytest.FixtureRequest, books: str, test_server: databases.TestServer) -> Iterator[Asked]:
    """Runs a statement as the working role, as the owner, as the superuser; nothing of it stays."""
    with psycopg.connect(test_server.url(getattr(test_server, request.param), books)) as connection:

        def run(statement: str) -> None:
            with connection.transaction(force_rollback=True):
                connection.execute(statement.encode())

        yield run


REFUSED = (psycopg.errors.IntegrityConstraintViolation, psycopg.errors.InsufficientPrivilege)


@pytest.mark.parametrize("table", TABLES)
@pytest.mark.parametrize("act", ["UPDATE {} SET id = id", "DELETE FROM {}", "TRUNCATE {} CASCADE"])
def test_nobody_changes_or_removes_what_is_written(asked: Asked, table: str, act: str) -> None:
    column = "seq" if table == "jackpot_entry" else "id"
    with pytest.raises(REFUSED):
        asked(act.format(table).replace("id = id", f"{column} = {column}"))


def test_not_even_one_row_by_a_side_door(asked: Asked) -> None:
    for statement in (
        "INSERT INTO jackpot_trail SELECT * FROM jackpot_trail ON CONFLICT (id) DO UPDATE SET actor = 'me'",
        "WITH gone AS (DELETE FROM jackpot_entry RETURNING 1) SELECT * FROM gone",
        "MERGE INTO jackpot_entry e USING (SELECT 1) AS s ON true WHEN MATCHED THEN UPDATE SET kind = 'x'",
    ):
        with pytest.raises(REFUSED):
            asked(statement)


ENTRY = """
INSERT INTO jackpot_entry SELECT (e).* FROM (
  SELECT jsonb_populate_record(entry, '{"seq": 2, "key": "x"}'::jsonb || '%s'::jsonb) AS e
    FROM jackpot_entry entry) AS changed
"""


@pytest.mark.parametrize(
    ("change", "name"),
    [
        ('{"meter": 1}', r"entry_sums_to_zero|entry_adds_up"),
        (
            '{"meter_after": -0.00000001, "reserve_after": 0, "outside_after": 0.00000001}',
            "entry_balances_never_negative",
        ),
        ('{"meter_after": 0, "reserve_after": -1, "outside_after": 1}', "entry_balances_never_negative"),
        (
            '{"meter_after": 0, "reserve_after": 0, "outside_after": 1, "winners_after": -1}',
            "entry_balances_never_negative",
        ),
        (
            '{"meter_after": 0, "reserve_after": 0, "outside_after": 1, "overflow_after": -1}',
            "entry_balances_never_negative",
        ),
        ('{"seq": 1}', "jackpot_entry_pkey"),
        ('{"key": "take_over"}', "entry_act_named_once"),
        ('{"seal": "\\\\x00"}', "entry_seal_is_sha256"),
        ('{"request": "\\\\x00"}', "entry_seal_is_sha256"),
        ('{"meter": "NaN", "contributed": "NaN"}', "entry_adds_up"),
        ('{"meter_after": "NaN"}', "entry_adds_up"),
        ('{"meter_after": 1}', "entry_adds_up"),
    ],
)
def test_an_entry_that_cannot_be_true_is_refused_by_name(asked: Asked, change: str, name: str) -> None:
    with pytest.raises(psycopg.Error, match=name):
        asked(ENTRY % change)


@pytest.mark.parametrize("account", ["meter", "reserve", "overflow", "winners"])
def test_a_jackpot_never_stands_below_zero(asked: Asked, account: str) -> None:
    with pytest.raises(psycopg.errors.CheckViolation, match=f"{account}_never_negative"):
        asked(f"UPDATE jackpot_jackpot SET {account} = -1, outside = outside + {account} + 1")


@pytest.mark.parametrize("change", ["meter = meter + 1", "meter = 'NaN'", "meter = 'NaN', contributed = 'NaN'"])
def test_a_jackpot_whose_balances_do_not_balance_is_refused(asked: Asked, change: str) -> None:
    with pytest.raises(psycopg.errors.CheckViolation, match=r"jackpot_adds_up|jackpot_adds_up"):
        asked(f"UPDATE jackpot_jackpot SET {change}")
