"""Marks, awards, payments and back-outs prove, and a win that says another amount than its entry is named."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from django.db import connection

from jackpot.adjusting.actions.back_out import back_out
from jackpot.people.models import Operator
from jackpot.proof.rules.findings import Promise
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Win
from tables.floor.models.device import Device
from tables.hits.actions import hit
from tables.hits.actions.undo import void_round
from tables.rounds.actions.round import post_messages
from tables.rounds.queries.prove import prove
from tables.rounds.queries.prove_file import prove_file
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, EndRequest
from tests import databases
from tests.builders import a_card, a_casino, a_pay_table, a_person
from tests.hands import with_cards
from tests.scenes import played
from tests.stranger import exported, said_by_a_stranger

EXECUTIVE = "900000000001"
LINES = [
    {"code": "royal", "name": "Royal flush", "part": "1"},
    {"code": "straight_flush", "name": "Straight flush", "part": "1/10"},
    {"code": "full_house", "name": "Full house", "for_one": 10, "source": "meter"},
]


def whatever_happens_to_wins() -> None:
    """A royal paid, a straight flush paid and then backed out, a full house backed out unpaid, a mark that fell."""
    casino = a_casino(meter="2000.00", reserve="61.25", pay_table=a_pay_table(lines=LINES), seed="1000.00")
    a_card(a_person("executive"), number=EXECUTIVE, level="executive", pin="274916")
    Device.objects.filter(id=casino.controller.id).update(state="active")
    play(casino.controller)


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, whatever_happens_to_wins) as name:
        yield name


def won(device: Device, number: int, hand: str) -> Win:
    """A round with one hit, from its coin-in to its award."""
    post_messages([DeviceRequest("UTH-01", device.id, number, EndRequest(number - 1))])
    post_messages([DeviceRequest("UTH-01", device.id, number, CoinInRequest(number, "25"))])
    place = {"table_code": "UTH-01", "round_number": number}
    hit.mark(**place, seat=2, hand=hand, by="dealer")
    hit.confirm(**place, by="supervisor")
    with_cards(**place)
    hit.swipe(**place, card=EXECUTIVE, pin="274916")
    return Win.objects.get(round_number=number)


def back_out_of(win: Win) -> None:
    first, second = (a_person(name) for name in (f"asks-{win.id}", f"agrees-{win.id}"))
    back_out(
        win_id=win.id, reason="wrong seat", evidence="camera 4", requested_by=first, approved_by=second,
        differences_seen=True,
    )  # fmt: skip


def play(device: Device) -> None:
    payer: Operator = a_person("cage")
    royal, flush = won(device, 1, "royal"), won(device, 2, "straight_flush")
    for win in (royal, flush):
        redeem(slip=win.slip or 0, payer=payer)
    back_out_of(flush)
    back_out_of(won(device, 3, "full_house"))
    post_messages([DeviceRequest("UTH-01", device.id, 8, EndRequest(3))])
    post_messages([DeviceRequest("UTH-01", device.id, 9, CoinInRequest(4, "7"))])
    hit.mark(table_code="UTH-01", round_number=4, seat=7, hand="royal", by="dealer")
    void_round(table_code="UTH-01", round_number=4, reason="misdeal", by="supervisor")


def test_everything_that_can_happen_to_a_win_proves(books: None, tmp_path: Path) -> None:
    assert prove().findings.listed == []
    path = exported(tmp_path)
    assert prove_file(path).findings.listed == []
    assert "Nothing disagrees" in said_by_a_stranger(path)


@pytest.mark.parametrize(
    ("statement", "named"),
    [
        ("UPDATE jackpot_win SET amount = amount + 1 WHERE round_number = 1", "win"),
        ("UPDATE jackpot_win SET award_seq = 1 WHERE round_number = 1", "win"),
        ("UPDATE jackpot_win SET line = 'straight_flush' WHERE round_number = 1", "win"),
        ("UPDATE jackpot_win SET state = 'owed' WHERE state = 'fell'", "win"),
        ("UPDATE jackpot_entry SET win_id = 4711 WHERE kind = 'pay'", "win"),
        ("UPDATE jackpot_entry SET meter = meter - 1, house = house + 1 WHERE kind = 'back_out'", "rule"),
        ("UPDATE jackpot_entry SET meter = -1, house = 1 WHERE kind = 'mark'", "rule"),
        ("UPDATE jackpot_entry SET paid = paid + 1, outside = -1 WHERE kind = 'award'", "rule"),
        ("UPDATE jackpot_entry SET outside = 1, winners = winners - 1 WHERE kind = 'pay'", "rule"),
    ],
)
def test_a_win_that_disagrees_with_its_entry_is_named(books: None, tmp_path: Path, statement: str, named: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute("SET LOCAL session_replication_role = replica")
        cursor.execute(statement)
    findings = prove().findings.listed
    assert named in {finding.kind for finding in findings}
    kept_in_a_file = {f"[{finding.kind}] {finding}" for finding in findings if finding.kind is not Promise.SHOWN}
    said = said_by_a_stranger(exported(tmp_path)).splitlines()
    assert {line for line in said if line.startswith("[")} == kept_in_a_file
