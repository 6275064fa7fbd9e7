"""The trail is stamped by the database, chained by house and sealed; while it cannot be written, nothing goes on."""

from __future__ import annotations

import hashlib
import json
import re
import zipfile
from collections.abc import Callable, Iterator
from datetime import date
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from jackpot.books.models.entry import Entry
from jackpot.people.actions.dismissing import dismiss
from jackpot.people.actions.keys import sign_key_out
from jackpot.people.actions.people import alter_card, alter_person, block_card, define_role, hire, issue_card, set_pin
from jackpot.people.models import Card, Operator
from jackpot.proof.queries import prove
from jackpot.trail.actions.sealing import seal_trail
from jackpot.trail.actions.standing import TrailSilent, try_the_trail, why_silent
from jackpot.trail.actions.trail import record
from jackpot.trail.actions.watching import watch_trail
from jackpot.trail.models import Trail, TrailSeal, UnsealedTrail
from jackpot.trail.rules import objects
from jackpot.wins.actions.pay import redeem
from jackpot.wins.models import Payment, Win
from tables.hits.actions import hit
from tables.hits.actions.undo import void_round
from tables.rounds.actions.round import post_messages
from tables.rounds.rules.round import CoinInRequest, DeviceRequest, Refusal
from tests.builders import a_jackpot, a_person, a_property
from tests.databases import TestServer
from tests.scenes_adjusting import asked, done, person
from tests.scenes_wins import WinFloor
from tests.stranger import said_by_a_stranger
from tests.tampering import tamper

pytestmark = pytest.mark.django_db
BREAK = """
CREATE FUNCTION public.no_line() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'no room'; END $$;
CREATE TRIGGER no_line BEFORE INSERT ON public.jackpot_trail FOR EACH ROW EXECUTE FUNCTION public.no_line();
"""
MEND = "DROP FUNCTION public.no_line() CASCADE"


def sealed() -> list[tuple[int, int]]:
    while seal_trail():
        pass
    return list(TrailSeal.objects.order_by("chain", "number").values_list("chain", "number"))


def findings() -> list[str]:
    return [str(each) for each in prove().findings.listed if each.kind == "trail"]


def test_the_database_says_when_and_who_whatever_the_program_says() -> None:
    Trail.objects.create(actor="me", act="x", at="2020-01-01T00:00:00Z", written_by="somebody else")
    line = Trail.objects.get(actor="me")
    assert (line.at.year > 2020, line.written_by) == (True, connection.settings_dict["USER"])


def test_nobody_chooses_the_number_of_a_line_or_fills_the_queue() -> None:
    for statement in (
        """INSERT INTO jackpot_trail (id, actor, act, object_kind, object_key, subject, outcome, why, details)
           VALUES (1000000, 'me', 'x', '', '', '', 'done', '', '{}')""",
        "INSERT INTO jackpot_unsealedtrail (line) VALUES (5)",
        "UPDATE jackpot_unsealedtrail SET line = 5",
        "UPDATE jackpot_trailseal SET number = 5",
        "DELETE FROM jackpot_trailseal",
    ):
        with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
            cursor.execute(statement)


def test_each_house_has_a_chain_without_gaps_and_the_server_one() -> None:
    first, other = a_property("ONE"), a_property("TWO")
    sealed()
    begun = dict.fromkeys((0, first.pk, other.pk), 0)
    for chain, number in TrailSeal.objects.values_list("chain", "number"):
        begun[chain] = max(begun.get(chain, 0), number)
    for house in (first, other, first):
        record(actor="ann", act="x", about=objects.slip(1, house.pk))
    record(actor="server", act="x")
    with transaction.atomic():
        record(actor="ann", act="gone", about=objects.slip(1, first.pk))
        transaction.set_rollback(True)
    record(actor="ann", act="x", about=objects.slip(2, first.pk))
    numbers = sealed()
    for chain, more in ((first.pk, 3), (other.pk, 1), (0, 1)):
        assert [number for of, number in numbers if of == chain] == list(range(1, begun[chain] + more + 1))
    assert (UnsealedTrail.objects.count(), findings()) == (0, [])


CHANGES = {
    "a word": ("UPDATE jackpot_trail SET why = 'nothing' WHERE act = 'second'", r"the seal of line \d+ \(second by"),
    "a detail": ("UPDATE jackpot_trail SET details = '{\"a\": 2}' WHERE act = 'second'", "the seal of line"),
    "a moment": ("UPDATE jackpot_trail SET at = at - interval '1 day' WHERE act = 'second'", "the seal of line"),
    "another house": ("UPDATE jackpot_trail SET premises_id = NULL WHERE act = 'second'", "it was removed"),
    "a line that is gone": ("DELETE FROM jackpot_trail WHERE act = 'second'", r"line \d+ of the trail: .* removed"),
    "its seal gone too": (
        "DELETE FROM jackpot_trailseal s USING jackpot_trail t WHERE t.id = s.line AND act = 'second'", "its number",
    ),
    "a line that never waited": (
        """DELETE FROM jackpot_unsealedtrail; DELETE FROM jackpot_trailseal
            WHERE (chain, number) IN (SELECT chain, max(number) FROM jackpot_trailseal GROUP BY chain)""",
        "neither sealed nor waiting",
    ),
}  # fmt: skip


@pytest.mark.parametrize(("statement", "named"), CHANGES.values(), ids=CHANGES)
def test_the_proof_names_what_was_changed_with_every_guard_off(statement: str, named: str) -> None:
    house = a_property("ONE")
    for act in ("first", "second", "third"):
        record(actor="ann", act=act, about=objects.slip(1, house.pk), details={"a": 1.5, "ä": ["ö"]})
    sealed()
    assert findings() == []
    tamper(statement)
    found = findings()
    assert found
    assert any(re.search(named, each) for each in found), found


@pytest.fixture
def silent() -> Iterator[Callable[[], None]]:
    yield lambda: tamper(BREAK)
    with transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("SELECT 1 FROM pg_proc WHERE proname = 'no_line'")
        if cursor.fetchone():
            tamper(MEND)
    assert try_the_trail() == ""


def before_and_after() -> tuple[Any, ...]:
    return (
        Entry.objects.count(), Payment.objects.count(), list(Win.objects.order_by("id").values_list("state", "amount")),
        list(Card.objects.order_by("id").values_list("level", "pin_hash", "blocked_at")), Trail.objects.count(),
        list(Operator.objects.order_by("id").values_list("name", "is_active")),
    )  # fmt: skip


ACTS: dict[str, Callable[[WinFloor, Win], object]] = {
    "pay": lambda floor, win: redeem(slip=win.slip or 0, payer=person("cage")),
    "void": lambda floor, win: void_round(table_code="UTH-01", round_number=2, reason="misdeal", by="supervisor"),
    "adjust": lambda floor, win: done("adjust", floor.casino.jackpot, amount="1.00"),
    "ask for an adjustment": lambda floor, win: asked("adjust", floor.casino.jackpot, amount="1.00"),
    "open a jackpot": lambda floor, win: a_jackpot("OTHER"),
    "a role": lambda floor, win: define_role(code="mine", name="Mine", may=[], by="me"),
    "hire": lambda floor, win: hire(username="eve", name="Eve", roles=[], by="me", premises=None),
    "alter a person": lambda floor, win: alter_person(operator=person("cage"), name="Eve", roles=[], by="me"),
    "issue a card": lambda floor, win: issue_card(
        operator=person("cage"), number="700000000001", level="dealer", by="me"),
    "alter a card": lambda floor, win: alter_card(
        card=Card.objects.all()[0], level="supervisor", expires_on=date(2030, 1, 1), by="me"),
    "a PIN": lambda floor, win: set_pin(card=Card.objects.all()[0], pin="918273", by="me"),
    "block a card": lambda floor, win: block_card(card=Card.objects.all()[0], why="lost", by="me"),
    "dismiss": lambda floor, win: dismiss(person=person("cage"), why="left", by=Operator.objects.get(username="chief")),
    "sign out a key": lambda floor, win: sign_key_out(
        premises=floor.casino.premises, number="17", operator=person("cage"), by="me"),
}  # fmt: skip


# Acts of the floor that the books alone remember: the watch of the next second stops them.
WITHOUT_A_LINE: dict[str, Callable[[WinFloor, Win], object]] = {
    "mark": lambda floor, win: hit.mark(table_code="UTH-01", round_number=2, seat=1, hand="royal", by="dealer"),
}


@pytest.fixture
def floor() -> tuple[WinFloor, Win]:
    played = WinFloor()
    win = played.royal()
    person("cage")
    a_person("chief", may=("people",), premises=played.casino.premises)
    played.rounds[0] += 1
    post_messages([DeviceRequest("UTH-01", played.casino.controller.id, 3, CoinInRequest(2, "12"))])
    return played, win


@pytest.mark.parametrize(
    ("act", "known"),
    [
        *(pytest.param(act, False, id=f"{name} meets it first") for name, act in ACTS.items()),
        *(pytest.param(act, True, id=f"{name} after the watch") for name, act in (ACTS | WITHOUT_A_LINE).items()),
    ],
)
def test_what_cannot_be_written_down_is_not_done(
    floor: tuple[WinFloor, Win], silent: Callable[[], None], act: Callable[[WinFloor, Win], object], known: bool
) -> None:
    silent()
    if known:
        watch_trail()
    before = before_and_after()
    with pytest.raises(TrailSilent, match=r"The trail cannot be written \(no room\)") as refused, transaction.atomic():
        act(*floor)
    assert (refused.value.status, refused.value.code) == (503, "trail_silent")
    assert before_and_after() == before


def test_coin_ins_wait_and_are_counted_when_it_can_be_written_again(
    floor: tuple[WinFloor, Win], silent: Callable[[], None]
) -> None:
    silent()
    watch_trail()
    asked_for = DeviceRequest("UTH-01", floor[0].casino.controller.id, 4, CoinInRequest(2, "12"))
    (heard,) = post_messages([asked_for])
    assert isinstance(heard, Refusal)
    assert (heard.code, "The trail cannot be written" in heard.why) == ("unknown", True)  # so the box says it again
    told = Client().get("/api/v1/ready")
    assert (told.status_code, told.json()["ok"], "no room" in told.json()["why"]) == (503, False, True)
    tamper(MEND)
    watch_trail()
    assert not isinstance(post_messages([asked_for])[0], Refusal)
    assert Client().get("/api/v1/ready").json()["why"] == ""


def test_one_line_that_cannot_be_stored_silences_nobody() -> None:
    with pytest.raises((DatabaseError, ValueError)), transaction.atomic():
        record(actor="ann", act="x", why="\x00")
    assert why_silent() == ""


def test_a_parcel_carries_the_chain_and_a_stranger_proves_it(tmp_path: Path) -> None:
    floor = WinFloor()
    win = floor.royal()
    redeem(slip=win.slip or 0, payer=person("cage"))
    for act in ("first", "second", "third"):
        record(actor="ann", act=act, about=objects.slip(1, floor.casino.premises.pk))
    sealed()
    house, path = floor.casino.premises, tmp_path / "days.zip"
    today = house.gaming_day(win.logged_at or house.opened_at)
    call_command("parcel", "--from", str(today), "--to", str(today), "-o", str(path), verbosity=0)
    assert "Nothing disagrees" in said_by_a_stranger(path)
    for change, named in ((_worded, "[trail] trail REF"), (_left_out, "what it follows: expected number")):
        assert named in said_by_a_stranger(_changed(path, tmp_path / f"{change.__name__}.zip", change))


def _worded(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    next(line for line in lines if line["act"] == "redeem_slip")["why"] = "nothing"
    return lines


def _left_out(lines: list[dict[str, Any]]) -> list[dict[str, Any]]:
    ours = (line for line in lines if line["sealed"]["chain"] == "REF")
    ours = (line for line in lines if line["sealed"]["chain"] == "REF")
    chained = sorted(ours, key=lambda line: line["sealed"]["number"])
    return [line for line in lines if line is not chained[len(chained) // 2]]


def _changed(path: Path, into: Path, change: Callable[[list[dict[str, Any]]], list[dict[str, Any]]]) -> Path:
    """Somebody changes the section and lets the manifest say so."""
    with zipfile.ZipFile(path) as parcel, zipfile.ZipFile(into, "w") as other:
        files = {name: parcel.read(name) for name in parcel.namelist()}
        lines = change([json.loads(text) for text in files["trail.jsonl"].splitlines()])
        files["trail.jsonl"] = b"".join(json.dumps(line).encode() + b"\n" for line in lines)
        manifest = json.loads(files["manifest.json"])
        for each in manifest["sections"]:
            if each["section"] == "trail":
                each["sha256"], each["lines"] = hashlib.sha256(files["trail.jsonl"]).hexdigest(), len(lines)
        files["manifest.json"] = json.dumps(manifest).encode()
        for name, content in files.items():
            other.writestr(name, content)
    return into


def test_places_whose_lines_are_gone_hold_up_no_other_line(monkeypatch: pytest.MonkeyPatch) -> None:
    """However many they are, and wherever they stand among the others: they stay, and the proof names each."""
    sealed()
    monkeypatch.setattr("jackpot.trail.actions.sealing.AT_ONCE", 3)
    for act in ("gone", "gone", "gone", "gone", "first", "gone", "gone", "gone", "second", "third"):
        record(actor="ann", act=act)
    gone = set(Trail.objects.filter(act="gone").values_list("pk", flat=True))
    tamper("DELETE FROM jackpot_trail WHERE act = 'gone'")
    assert seal_trail() == 3, "as many as a round takes"
    assert seal_trail() == 0
    assert set(UnsealedTrail.objects.values_list("line", flat=True)) == gone
    assert len(findings()) == len(gone)
    record(actor="ann", act="fourth")
    assert seal_trail() == 1


def test_whoever_seals_second_leaves_it_to_the_first(test_server: TestServer) -> None:
    record(actor="ann", act="x")
    with psycopg.connect(test_server.url(test_server.app, connection.settings_dict["NAME"])) as other:
        other.execute("SELECT pg_advisory_xact_lock(7307190431)")
        assert seal_trail() == 0
    assert seal_trail() >= 1
