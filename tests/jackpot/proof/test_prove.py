"""Whoever may do everything in the database changes the books: the proof names the row, from the database, from an
export, and from an export by the verifier that a stranger holds.
"""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Callable, Iterator
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from jackpot.proof.actions.heads import publish_heads
from jackpot.proof.queries.heads import heads_path
from jackpot.refusals import NotFound
from tables.floor.models.device import Device
from tables.hits.actions.undo import recount_round, void_round
from tables.rounds.actions.round import post_messages
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import prove_file
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, PostedAnswer
from tests import databases
from tests.builders import a_casino, a_jackpot, a_pay_table
from tests.scenes import changed_and_restored, played
from tests.stranger import exported, said_by_a_stranger

VERIFIER = Path(__file__).parents[3] / "deploy" / "verify_books.py"
Tamper = Callable[[str], None]


@pytest.fixture(autouse=True)
def own_folder(settings: Any, tmp_path: Path) -> None:
    settings.DATA_DIR = tmp_path


def play(device: Device, number: int, seats: str) -> None:
    for ask in (CoinInRequest(number, seats), EndRequest(number)):
        assert isinstance(post_messages([DeviceRequest("UTH-01", device.id, 1, ask)])[0], PostedAnswer)


def four_rounds() -> None:
    """GRAND with a limit that is reached and MINI on one table; four rounds, the third voided, the fifth recounted."""
    mini = a_pay_table(code="mini", lines=[{"code": "flush", "name": "Straight flush", "part": "1/10"}])
    levels = [
        a_jackpot("GRAND", rate="60", meter="20000.00", limit="20005.00"), a_jackpot("MINI", rate="10", pay_table=mini),
    ]  # fmt: skip
    device = a_casino(jackpots=levels).controller
    Device.objects.filter(id=device.id).update(state="active")
    for number, seats in enumerate(("125", "1234567", "36", ""), 1):
        play(device, number, seats)
    void_round(table_code="UTH-01", round_number=3, reason="shuffler malfunction", by="supervisor")
    post_messages([DeviceRequest("UTH-01", device.id, 9, CoinInRequest(5, "1"))])
    recount_round(table_code="UTH-01", round_number=5, seats="17", spots="", by="supervisor")


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, four_rounds) as name:
        yield name


@pytest.fixture
def casino(scene: str, test_server: databases.TestServer, django_db_blocker: Any) -> Iterator[Device]:
    with changed_and_restored(test_server, django_db_blocker, scene):
        yield Device.objects.get()


@pytest.fixture
def tamper(casino: Device) -> Tamper:
    """Statements of a superuser who switches triggers off and drops every guard."""

    def run(statements: str) -> None:
        with connection.cursor() as cursor:
            cursor.execute("SET CONSTRAINTS ALL IMMEDIATE; SET LOCAL session_replication_role = replica")
            for table, guards in GUARDS.items():
                for guard in guards:
                    cursor.execute(f"ALTER TABLE {table} DROP CONSTRAINT IF EXISTS {guard}")
            cursor.execute("DROP INDEX IF EXISTS entry_corrected_once")
            cursor.execute(statements)

    return run


GUARDS = {
    "jackpot_entry": [
        "entry_sums_to_zero", "entry_adds_up", "entry_balances_never_negative", "entry_seal_is_sha256",
    ],
    "jackpot_jackpot": ["jackpot_balances_sum_to_zero", "jackpot_adds_up", "jackpot_meter_never_negative"],
}  # fmt: skip
GRAND = "jackpot_id = (SELECT id FROM jackpot_jackpot WHERE code = 'GRAND')"
ENTRY = f"UPDATE jackpot_entry SET {{}} WHERE {GRAND} AND seq = {{}}"
JACKPOT = "UPDATE jackpot_jackpot SET {} WHERE code = 'GRAND'"
ROUND = "UPDATE tables_round SET {} WHERE number = {}"
SWAP = f"""
UPDATE jackpot_entry SET seq = -seq WHERE {GRAND} AND seq IN (2, 3);
UPDATE jackpot_entry SET seq = 5 + seq WHERE {GRAND} AND seq < 0
"""
INSERTED = f"""
INSERT INTO jackpot_entry SELECT (e).* FROM (
  SELECT jsonb_populate_record(x, '{{"seq": 9, "key": "UTH-01/9/1", "round_number": 9}}'::jsonb) AS e
    FROM jackpot_entry x WHERE {GRAND} AND seq = 2) AS copied
"""

REWRITTEN = """
UPDATE jackpot_version SET digest = encode(sha256(t::bytea), 'hex'), terms = t
  FROM (SELECT id AS i, replace(terms, '"60"', '"61"') AS t FROM jackpot_version) new WHERE new.i = id
"""

UNLISTED = "DELETE FROM tables_roundentry WHERE number = 1"
TAMPERED = [
    ("a meter after", ENTRY.format("meter_after = meter_after + 1", 2), "balance GRAND/2", "seal GRAND/2"),
    ("a movement that adds up", ENTRY.format("meter = meter + 1, house = house - 1", 3), "rule GRAND/3"),
    ("a movement that does not", ENTRY.format("meter = meter + 1", 3), "sum GRAND/3", "balance GRAND/3"),
    ("a time", ENTRY.format("occurred_at = occurred_at - interval '1 day'", 3), "time GRAND/3", "seal GRAND/3"),
    ("a key", ENTRY.format("key = 'UTH-01/8/1'", 2), "seal GRAND/2", "round GRAND/2"),
    ("a request", ENTRY.format("request = sha256('x')", 2), "seal GRAND/2", "round GRAND/2"),
    ("a gaming day", ENTRY.format("gaming_day = gaming_day + 1", 2), "seal GRAND/2"),
    ("a seal", ENTRY.format("seal = sha256('x')", 2), "seal GRAND/2", "seal GRAND/3"),
    ("a kind", ENTRY.format("kind = 'opening'", 2), "rule GRAND/2", "seal GRAND/2"),
    ("an amount that is none", ENTRY.format("meter = 'NaN'", 2), "unreadable GRAND/2"),
    ("a version of nobody", ENTRY.format("version_id = 4711", 2), "version GRAND/2"),
    ("the correction of another", ENTRY.format("corrects = 2", 5), "seal GRAND/5", "correction GRAND/4"),
    ("two corrections of one", ENTRY.format("corrects = 4", 7), "correction GRAND/7", "correction GRAND/6"),
    ("a correction of nothing", ENTRY.format("corrects = NULL", 5), "correction GRAND/5", "correction GRAND/4"),
    ("an entry removed", f"DELETE FROM jackpot_entry WHERE {GRAND} AND seq = 3", "gap GRAND/4", "round round UTH-01/2"),
    ("the last removed", f"DELETE FROM jackpot_entry WHERE {GRAND} AND seq = 8", "jackpot row GRAND"),
    ("an entry added", INSERTED, "jackpot row GRAND", "seal GRAND/9", "round GRAND/9"),
    ("two entries swapped", SWAP, "seal GRAND/2", "seal GRAND/3", "seal GRAND/4"),
    ("the meter of the row", JACKPOT.format("meter = meter + 1, house = house - 1"), "jackpot row GRAND"),
    ("the seal of the row", JACKPOT.format("seal = sha256('x')"), "jackpot row GRAND"),
    ("the last number of the row", JACKPOT.format("last_seq = 7"), "jackpot row GRAND"),
    ("the time of the row", JACKPOT.format("last_at = last_at + interval '1 hour'"), "jackpot row GRAND"),
    ("terms", "UPDATE jackpot_version SET terms = replace(terms, '\"60\"', '\"61\"')", "version GRAND version 1"),
    (
        "terms and their digest",
        REWRITTEN,
        "seal GRAND/1", "rule GRAND/2",
    ),
    ("a version removed", "DELETE FROM jackpot_version", "version GRAND/1", "version MINI/1"),
    ("the seats of a round", ROUND.format("seats = '12'", 1), "round GRAND/2", "round MINI/2"),
    ("one seat for another", ROUND.format("seats = '126'", 1), "round GRAND/2"),
    ("the wager of a round", ROUND.format("wager = 2", 1), "round GRAND/2"),
    ("the entries of a round", UNLISTED, "round round UTH-01/1", "round GRAND/2"),
    ("a round made void", ROUND.format("state = 'void'", 1), "correction GRAND/2", "correction MINI/2"),
    ("a void round made good", ROUND.format("state = 'ended'", 3), "correction GRAND/4"),
    ("a recount taken back", ROUND.format("revision = 1", 5), "correction GRAND/6"),
    ("a round removed", "DELETE FROM tables_round WHERE number = 1", "round GRAND/2", "round MINI/2"),
]  # fmt: skip


def named(findings: Any) -> set[str]:
    return {f"{finding.kind} {finding.where}" for finding in findings.listed}


def verified(path: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-I", str(VERIFIER), str(path), *arguments], capture_output=True, text=True, check=False
    )


def test_books_that_nobody_touched_prove_everywhere(casino: Device, tmp_path: Path) -> None:
    verdict = prove()
    assert (verdict.findings.listed, [str(proven) for proven in verdict.jackpots], verdict.rounds) == (
        [],
        [
            "GRAND: 8 entries, proven from the first cent. Meter 20,005.00 = sum of entries.",
            "MINI: 8 entries, proven from the first cent. Meter 10,001.20 = sum of entries.",
        ],
        5,
    )
    path = exported(tmp_path)
    assert prove_file(path).plain() == verdict.plain()
    assert verified(path).returncode == 0


@pytest.mark.parametrize(("what", "statements", "rows"), [(what, sql, rows) for what, sql, *rows in TAMPERED])
def test_the_row_is_named(tamper: Tamper, tmp_path: Path, what: str, statements: str, rows: list[str]) -> None:
    tamper(statements)
    verdict = prove()
    assert set(rows) <= named(verdict.findings)
    path = exported(tmp_path)
    from_file = prove_file(path)
    ours = {str(finding) for finding in from_file.findings.listed}
    assert ours == {str(finding) for finding in verdict.findings.listed}
    said = {line.partition("] ")[2] for line in said_by_a_stranger(path).splitlines() if line.startswith("[")}
    assert said == ours != set()


def test_a_tail_cut_off_cleanly_is_found_by_the_heads_that_were_published(
    casino: Device, tamper: Tamper, tmp_path: Path
) -> None:
    publish_heads()
    kept = tmp_path / "kept.jsonl"
    kept.write_bytes(heads_path().read_bytes())
    tamper(CUT_TAIL)
    assert named(prove().findings) >= {"published head GRAND/8"}
    heads_path().unlink()
    assert "published head GRAND/8" not in named(prove().findings)
    stranger = verified(exported(tmp_path), "--heads", str(kept))
    assert ("[published head] GRAND/8" in stranger.stdout, stranger.returncode) == (True, 1)


CUT_TAIL = f"""
DELETE FROM jackpot_entry WHERE {GRAND} AND seq > 5;
UPDATE jackpot_jackpot j SET last_seq = 5, seal = e.seal, last_at = e.occurred_at, contributed = e.contributed_after,
       meter = e.meter_after, reserve = e.reserve_after, overflow = e.overflow_after, house = e.house_after,
       winners = e.winners_after, paid = e.paid_after, outside = e.outside_after
  FROM jackpot_entry e WHERE j.code = 'GRAND' AND e.jackpot_id = j.id AND e.seq = 5
"""


def test_books_rewritten_and_sealed_anew_are_found_by_the_heads(casino: Device, tamper: Tamper) -> None:
    publish_heads()
    tamper(JACKPOT.format("code = 'GRAND2'"))
    assert "published head GRAND" in named(prove().findings)


def test_a_head_is_said_once_until_the_books_move(casino: Device) -> None:
    assert [publish_heads(), publish_heads()] == [2, 0]
    play_next(casino)
    assert publish_heads() == 2
    assert len(heads_path().read_text().splitlines()) == 4
    assert prove().holds


def play_next(device: Device) -> None:
    post_messages([DeviceRequest("UTH-01", device.id, 10, EndRequest(5))])
    play(device, 6, "4")


def test_a_head_that_a_power_cut_left_unfinished_is_written_again(casino: Device) -> None:
    publish_heads()
    heads_path().write_bytes(heads_path().read_bytes()[:-20])
    assert publish_heads() == 1
    assert prove().holds


@pytest.mark.parametrize(("before", "after"), [('"seq":8', '"seq":7'), ("{", "no head: {"), ("20005.00", "20006.00")])
def test_a_head_that_was_not_signed_here_is_named_by_its_line(casino: Device, before: str, after: str) -> None:
    publish_heads()
    heads_path().write_text(heads_path().read_text().replace(before, after, 1))
    assert "published head heads.jsonl line 1" in named(prove().findings)


def test_an_export_that_was_cut_short_does_not_prove(casino: Device, tmp_path: Path) -> None:
    path = exported(tmp_path)
    path.write_bytes(b"".join(path.read_bytes().splitlines(keepends=True)[:-1]))
    assert "unreadable the file" in named(prove_file(path).findings)
    assert "[unreadable] the file" in verified(path).stdout


def test_a_line_of_an_export_that_is_no_line_is_named_and_the_rest_is_read(casino: Device, tmp_path: Path) -> None:
    path = exported(tmp_path)
    lines = path.read_bytes().splitlines(keepends=True)
    path.write_bytes(b"".join([*lines[:-1], b"{]\n", b'{"line": "entry", "jackpot": "GRAND"}\n', lines[-1]]))
    broken = {f"unreadable line {len(lines)}", f"unreadable line {len(lines) + 1}"}
    verdict = prove_file(path)
    assert named(verdict.findings) == {*broken, "unreadable the file"}
    assert verdict.jackpots[0].entries == 8


def test_one_jackpot_is_proven_and_exported_alone(casino: Device, tmp_path: Path) -> None:
    assert [proven.code for proven in prove(jackpot_codes=["MINI"]).jackpots] == ["MINI"]
    path = tmp_path / "mini.jsonl"
    call_command("export", "--jackpot", "MINI", "-o", str(path), stdout=StringIO())
    verdict = prove_file(path)
    assert ([proven.code for proven in verdict.jackpots], verdict.findings.listed) == (["MINI"], [])
    assert verified(path).returncode == 0


def test_a_jackpot_that_is_not_there_is_refused_in_a_sentence(casino: Device) -> None:
    with pytest.raises(NotFound, match="no jackpot NONE"):
        prove(jackpot_codes=["NONE"])


def test_the_command_says_the_verdict(casino: Device) -> None:
    said = StringIO()
    call_command("prove", stdout=said)
    assert "GRAND: 8 entries, proven from the first cent. Meter 20,005.00 = sum of entries." in said.getvalue()


def test_the_command_fails_with_the_row_on_the_screen(tamper: Tamper) -> None:
    tamper(ENTRY.format("meter_after = meter_after + 1", 2))
    said = StringIO()
    with pytest.raises(CommandError, match="finding"):
        call_command("prove", stdout=said)
    assert "[balance] GRAND/2: meter after it: expected 20001.80, found 20002.80" in said.getvalue()


def test_a_thousand_wrong_rows_are_counted_and_the_first_hundred_listed(tamper: Tamper, casino: Device) -> None:
    for number in range(6, 120):
        post_messages([DeviceRequest("UTH-01", casino.id, number, EndRequest(number - 1))])
        post_messages([DeviceRequest("UTH-01", casino.id, number, CoinInRequest(number, "1"))])
    tamper("UPDATE jackpot_entry SET gaming_day = gaming_day + 1")
    findings = prove().findings
    assert (findings.total, len(findings.listed), findings.unlisted()) == (
        724, 300, {"seal": 144, "day": 144, "round": 136},
    )  # fmt: skip


def test_progress_is_told_to_the_end(casino: Device) -> None:
    told: list[tuple[str, int, int]] = []
    prove(progress=lambda *step: told.append(step))
    assert told == [("GRAND", 8, 8), ("MINI", 8, 8), ("rounds", 5, 5)]
