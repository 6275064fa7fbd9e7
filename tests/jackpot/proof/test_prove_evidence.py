"""Evidence in the proof: what was changed in the database, and what was changed or is missing beside an export."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import connection

from jackpot.evidence.actions.keep import add_evidence, checked_upload
from launcher.dumps import back_up, restore
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import prove_file
from tests import databases
from tests.builders import a_jackpot, a_person
from tests.scenes import played
from tests.scenes_adjusting import asked
from tests.stranger import said_by_a_stranger

PDF, TEXT = b"%PDF-1.7\n1 0 obj", b"table,chips\nUTH-01,3\n"


def two_requests_with_files() -> None:
    adder = a_person("adder", may=("adjust",))
    for code, name, content in (("GRAND", "sheet 12.pdf", PDF), ("MINI", "count.csv", TEXT)):
        row = asked("adjust", a_jackpot(code), amount="15.00")
        add_evidence(request=row, upload=checked_upload(name, content), by=adder)


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, two_requests_with_files) as name:
        yield name


def found_by_both(path: Path) -> set[str]:
    ours = {f"[{each.kind}] {each}" for each in prove_file(path).findings.listed}
    strangers = {line for line in said_by_a_stranger(path).splitlines() if line.startswith("[")}
    assert ours == strangers
    return ours


def nothing(_: Path) -> None:
    """The export as it was written."""


@pytest.mark.parametrize(
    ("change", "named"),
    [
        (nothing, ""), (lambda file: file.unlink(), "no file"),
        (lambda file: file.write_bytes(PDF + b" "), "expected"),
    ],
)  # fmt: skip
def test_a_file_that_is_missing_or_changed_beside_an_export_is_named(
    books: None, tmp_path: Path, change: Callable[[Path], object], named: str
) -> None:
    path = tmp_path / "books.jsonl"
    call_command("export", "-o", str(path), verbosity=0)
    assert sorted(file.read_bytes() for file in (tmp_path / "evidence").iterdir()) == [PDF, TEXT]
    change(next((tmp_path / "evidence").glob("*.pdf")))
    found = found_by_both(path)
    assert len(found) == (1 if named else 0)
    assert all(named in each and "sheet 12.pdf" in each for each in found)


def test_an_export_of_one_jackpot_takes_its_own_evidence_along(books: None, tmp_path: Path) -> None:
    path = tmp_path / "books.jsonl"
    call_command("export", "--jackpot", "MINI", "-o", str(path), verbosity=0)
    assert [file.read_bytes() for file in (tmp_path / "evidence").iterdir()] == [TEXT]
    assert not found_by_both(path)


def test_a_content_that_was_changed_with_every_guard_off_is_named(books: None) -> None:
    assert not prove().findings.listed
    with connection.cursor() as cursor:
        cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL session_replication_role = replica")
        cursor.execute("ALTER TABLE jackpot_evidencefile DROP CONSTRAINT evidence_is_what_its_digest_says")
        cursor.execute("UPDATE jackpot_evidencefile SET content = content || '\\x20' WHERE kind = 'pdf'")
    (found,) = prove().findings.listed
    assert (found.kind, found.what) == ("evidence", "sheet 12.pdf")


def test_a_file_comes_back_from_a_backup_as_it_was(
    scene: str, test_server: databases.TestServer, tmp_path: Path
) -> None:
    written = back_up(test_server.url(test_server.owner, scene), tmp_path / "books.dump")
    name = test_server.next_name()
    test_server.run("CREATE DATABASE {name} OWNER {owner}", name=name, owner=test_server.owner_role)
    where = test_server.url(test_server.owner, name)
    restore(where, written.path)
    with psycopg.connect(where) as restored:
        rows = restored.execute("SELECT content FROM jackpot_evidencefile ORDER BY kind").fetchall()
    assert [bytes(content) for (content,) in rows] == [PDF, TEXT]
    test_server.drop(name)
