"""The rolling proof: what is new every minute, everything daily; what it finds stops that jackpot and no other."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.utils import timezone

from accounting.audit.models import AuditRun
from accounting.audit.tasks import EVERYTHING, prove_all_books
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.models.went_back import WentBack
from jackpot.books.queries import stopped_jackpots
from jackpot.errands import actions as errands
from jackpot.errands.models import Errand
from jackpot.proof.actions.rolling import prove_what_is_new
from jackpot.proof.models import ProofReach
from jackpot.proof.tasks import NEW
from jackpot.proof.tasks import prove_what_is_new as every_minute
from jackpot.trail.models import Trail
from tables.floor.models.device import Device
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest, Outcome, PostedAnswer, Refusal
from tests.builders import a_controller, a_jackpot, a_table
from tests.tampering import tamper

pytestmark = pytest.mark.django_db


@pytest.fixture
def boxes(settings: Any, tmp_path: Any) -> list[Device]:
    settings.DATA_DIR = tmp_path
    found = [a_controller(a_table(f"{code}-1", a_jackpot(code))) for code in ("GRAND", "MINI")]
    Device.objects.update(state="active")
    return found


def round_at(box: Device, number: int) -> Outcome:
    assert box.table is not None
    if number > 1:
        post_messages([DeviceRequest(box.table.code, box.pk, 0, EndRequest(number - 1))])
    return post_messages([DeviceRequest(box.table.code, box.pk, 0, CoinInRequest(number, "12"))])[0]


def found() -> list[str]:
    return [each.code for each in stopped_jackpots()]


def test_each_look_reads_only_what_is_new(boxes: list[Device]) -> None:
    round_at(boxes[0], 1)
    assert not prove_what_is_new()
    reached = ProofReach.objects.get(jackpot__code="GRAND")
    assert (reached.seq, bytes(reached.seal)) == (2, bytes(Entry.objects.get(jackpot__code="GRAND", seq=2).seal))
    tamper("UPDATE jackpot_entry SET key = 'other' WHERE seq = 1")  # long proven: for the daily proof
    round_at(boxes[0], 2)
    assert not prove_what_is_new()
    assert ProofReach.objects.get(jackpot__code="GRAND").seq == 3


CHANGES = {
    "a word": ("key = 'other'", "the seal over what it says"),
    "an amount": ("meter = meter + 1, house = house - 1", "the seal over"),
    "an unbalanced amount": ("meter = meter + 1", "its movement"),
    "a balance": ("meter_after = meter_after + 1, house_after = house_after - 1", "the balances after it"),
    "a time": ("occurred_at = occurred_at - interval '1 day'", "its time"),
    "a number": ("seq = seq + 1", "the last entry"),
    "terms": ("version_id = 0", "its version"),
}


@pytest.mark.parametrize(("columns", "named"), CHANGES.values(), ids=CHANGES)
def test_what_is_found_stops_that_jackpot_and_rings(boxes: list[Device], columns: str, named: str) -> None:
    prove_what_is_new()
    for box in boxes:
        round_at(box, 1)
    for guard in ("entry_adds_up", "entry_balances_never_negative"):
        tamper(f"ALTER TABLE jackpot_entry DROP CONSTRAINT {guard}")
    grand = Jackpot.objects.get(code="GRAND").pk
    tamper(f"UPDATE jackpot_entry SET {columns} WHERE jackpot_id = {grand} AND seq = 2")
    findings = [str(each) for each in prove_what_is_new().listed]
    assert any(named in each for each in findings), findings
    assert "GRAND" in found()
    assert "MINI" not in found()
    refused = round_at(boxes[0], 2)
    assert isinstance(refused, Refusal)
    assert isinstance(round_at(boxes[1], 2), PostedAnswer)
    assert "found that GRAND/" in WentBack.objects.get().why
    assert Trail.objects.filter(object_key="GRAND", outcome="alarm").exists()


def test_the_entry_that_was_reached_must_still_be_the_same(boxes: list[Device]) -> None:
    round_at(boxes[0], 1)
    prove_what_is_new()
    round_at(boxes[0], 2)
    tamper("UPDATE jackpot_entry SET seal = sha256('x') WHERE seq = 2")
    assert "the entry that was proven the last time" in str(prove_what_is_new().listed[0])
    assert found() == ["GRAND"]


def test_what_two_people_accepted_is_found_again_and_stops_nothing_more(boxes: list[Device]) -> None:
    round_at(boxes[0], 1)
    tamper("UPDATE jackpot_entry SET key = 'other' WHERE seq = 2")
    prove_what_is_new()
    assert found() == ["GRAND"]
    WentBack.objects.update(accepted_at=timezone.now())
    ProofReach.objects.all()
    tamper("DELETE FROM jackpot_proofreach")
    prove_what_is_new()
    assert found() == []


def test_the_daily_proof_reads_everything_and_is_on_record(boxes: list[Device]) -> None:
    round_at(boxes[0], 1)
    prove_what_is_new()
    errands.put_up([EVERYTHING])
    prove_all_books()
    assert (found(), AuditRun.objects.latest("pk").state) == ([], "done")
    tamper("UPDATE jackpot_entry SET key = 'other' WHERE seq = 1")
    Errand.objects.update(due_at=timezone.now())
    prove_all_books()
    assert found() == ["GRAND", "MINI"]
    assert Errand.objects.get().due_at > timezone.now() + timedelta(hours=23)


def test_a_line_of_the_trail_that_is_gone_is_an_alarm(boxes: list[Device]) -> None:
    errands.put_up([EVERYTHING])
    tamper("DELETE FROM jackpot_trail WHERE id = (SELECT min(id) FROM jackpot_trail)")
    prove_all_books()
    assert found() == []
    assert "trail" in Trail.objects.get(act="proof found", outcome="alarm").why


def test_the_worker_looks_every_minute(boxes: list[Device]) -> None:
    errands.put_up([NEW])
    every_minute()
    assert ProofReach.objects.count() == 2
    assert Errand.objects.get().due_at <= timezone.now() + timedelta(minutes=1)
