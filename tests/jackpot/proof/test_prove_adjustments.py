"""Acts of two people prove, by us and by a stranger; and whatever is changed behind their back is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import prove_file
from tests import databases
from tests.builders import a_jackpot
from tests.scenes import played
from tests.scenes_adjusting import done
from tests.stranger import exported, said_by_a_stranger

SUPERUSER = "SET session_replication_role = replica"


def whatever_two_people_do() -> None:
    """GRAND/2 +15, /3 reserve −1, /4 suspend, /5 resume, /6 part to NEXT/2, /7 the rest to NEXT/3, /8 retired."""
    grand, after = a_jackpot("GRAND", meter="1200.50", reserve="30.25"), a_jackpot("NEXT", limit="10900.00")
    done("adjust", grand, amount="15.00")
    done("adjust", grand, amount="-1.00", account="reserve")
    done("suspend", grand)
    done("resume", grand)
    done("transfer", grand, other=after, amount="1000.00")
    done("retire", grand, other=after, reading="215.50")
    by_switch = a_jackpot("REV", meter="24990.00", limit="25000.00", policy={"overflow": "revenue"})
    done("adjust", by_switch, amount="15.00")


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, whatever_two_people_do) as name:
        yield name


def changed(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(SUPERUSER)
        cursor.execute(statement)


def test_everything_that_two_people_can_do_proves(books: None, tmp_path: Path) -> None:
    assert prove().findings.listed == []
    path = exported(tmp_path)
    assert prove_file(path).findings.listed == []
    assert "Nothing disagrees" in said_by_a_stranger(path)


@pytest.mark.parametrize(("statement", "kind", "where"), [
    ("UPDATE jackpot_entry SET meter = meter + 1, house = house - 1 WHERE jackpot_id = {grand} AND seq = 2",
     "adjustment", "GRAND/2"),
    ("UPDATE jackpot_entry SET meter = meter + 1, winners = winners - 1 WHERE jackpot_id = {grand} AND seq = 2",
     "rule", "GRAND/2"),
    ("UPDATE jackpot_entry SET meter = 1, house = -1 WHERE jackpot_id = {grand} AND seq = 4", "rule", "GRAND/4"),
    ("UPDATE jackpot_entry SET key = 'transfer/5/to/NEXT/3' WHERE jackpot_id = {grand} AND seq = 6",
     "transfer", "GRAND/6"),
    ("UPDATE jackpot_entry SET meter = meter - 1, outside = outside + 1 WHERE jackpot_id = {grand} AND seq = 6",
     "transfer", "GRAND/6"),
    ("UPDATE jackpot_entry SET meter = meter + overflow, overflow = 0 WHERE jackpot_id = {next} AND seq = 3",
     "rule", "NEXT/3"),
    ("UPDATE jackpot_adjustment SET amount = 20 WHERE request_ptr_id = (SELECT min(id) FROM jackpot_request)",
     "adjustment", "GRAND/2"),
    ("DELETE FROM jackpot_requestentry WHERE jackpot_id = {grand} AND seq = 2", "adjustment", "GRAND/2"),
    ("UPDATE jackpot_requestentry SET seq = 99 WHERE jackpot_id = {grand} AND seq = 2", "adjustment", "GRAND/99"),
    ("UPDATE jackpot_request SET kind = 'resume' WHERE kind = 'suspend'", "adjustment", "GRAND/4"),
    ("UPDATE jackpot_jackpot SET state = 'open' WHERE code = 'GRAND'", "jackpot row", "GRAND"),
])  # fmt: skip
def test_what_is_changed_behind_their_back_is_named(books: None, statement: str, kind: str, where: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SELECT code, id FROM jackpot_jackpot")
        ids = {code.lower(): id_ for code, id_ in cursor.fetchall()}
    changed(statement.format(**ids))
    assert (kind, where) in {(found.kind.value, found.where) for found in prove().findings.listed}


@pytest.mark.parametrize("statement", [
    "UPDATE jackpot_entry SET key = 'transfer/5/to/NEXT/3' WHERE kind = 'transfer_out' AND seq = 6",
    "UPDATE jackpot_entry SET meter = meter - 1, outside = outside + 1 WHERE kind = 'transfer_out' AND seq = 6",
    "UPDATE jackpot_entry SET meter = meter + overflow, overflow = 0 WHERE kind = 'transfer_in' AND seq = 3",
    "UPDATE jackpot_entry SET meter = meter + 1, winners = winners - 1 WHERE kind = 'adjust'",
    "UPDATE jackpot_entry SET meter = meter + 1, house = house - 1 WHERE kind = 'retire'",
    "UPDATE jackpot_request SET reason = 'another' WHERE kind = 'adjust'",
    "UPDATE jackpot_adjustment SET gaming_day = gaming_day - 1",
])  # fmt: skip
def test_a_stranger_names_the_same_as_we_do(books: None, tmp_path: Path, statement: str) -> None:
    changed(statement)
    path = exported(tmp_path)
    ours = {f"[{found.kind.value}] {found}" for found in prove_file(path).findings.listed}
    theirs = {line for line in said_by_a_stranger(path).splitlines() if line.startswith("[")}
    assert theirs == ours
    assert any(line.startswith(("[rule]", "[transfer]", "[adjustment]")) for line in ours)
