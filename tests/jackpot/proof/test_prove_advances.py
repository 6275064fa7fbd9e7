"""A house advance that the books do not add up to is named, by the program and by the stranger's verifier alike."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from tables.hits.actions.undo import void_round
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import prove_file
from tests import databases
from tests.scenes import played
from tests.stranger import exported, said_by_a_stranger
from tests.tables.rounds.test_house_advance import a_floor, community


def an_advance_partly_repaid() -> None:
    floor = a_floor()
    community(floor)
    floor.coin_ins(12)
    void_round(table_code="UTH-02", round_number=1, reason="misdeal", by="supervisor")


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, an_advance_partly_repaid) as name:
        yield name


def test_an_advance_partly_repaid_proves(books: None, tmp_path: Path) -> None:
    assert prove().findings.listed == []
    path = exported(tmp_path)
    assert prove_file(path).findings.listed == []
    assert "Nothing disagrees" in said_by_a_stranger(path)


@pytest.mark.parametrize(("statement", "named"), [
    ("UPDATE jackpot_jackpot SET advance = advance + 1", "jackpot row"),
    ("UPDATE jackpot_entry SET meter = meter - 1, house = house + 1 WHERE kind = 'repay'", "rule"),
    ("UPDATE jackpot_entry SET meter = meter + 1, house = house - 1 WHERE kind = 'advance'", "rule"),
    ("UPDATE jackpot_entry SET kind = 'configure', win_id = NULL WHERE kind = 'advance'", "win"),
    ("UPDATE jackpot_entry SET win_id = 4711 WHERE kind = 'advance'", "rule"),
    ("UPDATE jackpot_entry SET kind = 'configure' WHERE kind = 'repay'", "rule"),
    ("UPDATE jackpot_entry SET key = replace(key, 'UTH-02', 'UTH-01') WHERE kind = 'repay'", "round"),
    ("UPDATE jackpot_entry SET corrects = 1 WHERE kind = 'void' AND key LIKE '%/repay'", "correction"),
])  # fmt: skip
def test_books_that_say_otherwise_are_named(books: None, tmp_path: Path, statement: str, named: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
    findings = prove().findings.listed
    assert named in {finding.kind for finding in findings}
    kept_in_a_file = {f"[{each.kind}] {each}" for each in findings if each.kind != "adjustment"}
    said = said_by_a_stranger(exported(tmp_path)).splitlines()
    assert {line for line in said if line.startswith("[")} == kept_in_a_file
