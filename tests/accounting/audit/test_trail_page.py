"""The auditor's home: the trail filtered, searched, turned from both ends, taken home; figures; history of things."""

from __future__ import annotations

import csv
import io
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import connection
from django.test import Client

from accounting.audit.queries.lines import OLDER, acts_known, trail_page
from accounting.audit.rules.retention import kept_things
from accounting.audit.rules.turning import TrailPlace, read_cursor
from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.trail import LINES, TRAIL
from accounting.reports.rules.asking import read_question
from jackpot.people.actions.sign_in import sign_in
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed
from jackpot.trail.actions.trail import record
from jackpot.trail.models import Trail
from jackpot.trail.rules import objects
from jackpot.trail.rules.objects import NotAnObject, ObjectKind, read_object
from jackpot.trail.rules.words import facts_of, search_words, spoken_act
from jackpot.trail.templatetags.history import history_line, say_time
from tests.accounting.door_kinds import TAKES_BACK
from tests.accounting.doors import DOORS
from tests.builders import a_person, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_wins import WinFloor
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


@pytest.fixture
def premises() -> Property:
    return a_property()


@pytest.fixture
def auditor(premises: Property) -> Client:
    return signed_in("see", "read_books", "read_trail", username="auditor", premises=premises)


def acts(answer: Any) -> list[str]:
    return [line.what for line in answer.context["lines"]]


def asked(premises: Property, **words: str) -> Any:
    return read_question(TRAIL, {"period": "all", **words}, clock_of(premises))


def test_every_filter_narrows_and_words_find_parts_of_a_name(premises: Property, auditor: Client) -> None:
    ann = a_person("ann", premises=premises)
    record(actor=ann, act="void", about=objects.round_played("UTH-04", 118), why="misdeal at seat 3")
    record(actor="bob", act="redeem_slip", about=objects.slip(17, premises.pk))
    record(actor="bob", act="redeem_slip", about=objects.slip(18, premises.pk), outcome="refused")
    assert acts(auditor.get("/audit/", {"object": "round uth-04/118"})) == ["void"]
    assert acts(auditor.get("/audit/", {"q": "118 misd"})) == ["void"]
    assert acts(auditor.get("/audit/", {"person": "ann"})) == ["void"]
    assert acts(auditor.get("/audit/", {"act": "redeem_slip", "outcome": "refused"})) == ["paid"]
    assert acts(auditor.get("/audit/", {"object": "slip 17"})) == ["paid"]
    assert acts(auditor.get("/audit/", {"period": "1 Jan 2001"})) == []
    assert b"names" not in auditor.get("/audit/", {"object": "nonsense"}).content
    assert auditor.get("/audit/", {"object": "nonsense"}).status_code == 400
    unknown = auditor.get("/audit/", {"outcome": "undone"})
    assert unknown.status_code == 400
    assert "“undone” is no outcome. Choose one of done, refused, wrong" in unknown.content.decode()


def test_the_list_turns_from_both_ends_and_jumps(premises: Property) -> None:
    begin = datetime(2026, 1, 1, tzinfo=UTC)
    Trail.objects.bulk_create(Trail(actor="x", act=f"a{minute:02}") for minute in range(25))
    for minute in range(25):
        tamper_with(Trail.objects.filter(act=f"a{minute:02}"), at=begin + timedelta(minutes=minute // 2))
    question = asked(premises, person="x")
    newest = trail_page(question, size=10)
    assert [row["act"] for row in newest.rows] == [f"a{n:02}" for n in range(24, 14, -1)]
    assert (newest.newer, newest.count) == (None, 25)
    middle = trail_page(question, before=newest.older, size=10)
    assert [row["act"] for row in middle.rows] == [f"a{n:02}" for n in range(14, 4, -1)]
    back = trail_page(question, after=middle.newer, size=10)
    assert back.rows == newest.rows
    oldest = trail_page(question, oldest=True, size=10)
    assert [row["act"] for row in oldest.rows] == [f"a{n:02}" for n in range(9, -1, -1)]
    assert (oldest.older, oldest.newer is None) == (None, False)
    jumped = trail_page(question, before=TrailPlace(begin + timedelta(minutes=2), 0), size=10)
    assert [row["act"] for row in jumped.rows] == ["a03", "a02", "a01", "a00"]
    assert set(acts_known()) == set(Trail.objects.values_list("act", flat=True))


@pytest.mark.parametrize(
    "words",
    [{}, {"object": "slip 77"}, {"outcome": "refused"}, {"act": "void"}, {"q": "why 77"}, {"person": "ann"}],
)
def test_each_filter_has_a_way_in_that_reads_no_other_line(premises: Property, words: dict[str, str]) -> None:
    """However long the trail is: docs/audit.md has the times with a million lines."""
    values = {**asked(premises, **words).values, "limit": 51}
    with connection.cursor() as cursor:
        # An empty table is read whole by every plan; here only the other filters' ways are forbidden.
        cursor.execute("SET LOCAL enable_seqscan = off")
        statement = f"SELECT * FROM ({LINES}) r" if words else OLDER.format(lines=LINES, where="true")
        cursor.execute(f"EXPLAIN {statement}", values)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Seq Scan on jackpot_trail" not in plan, plan


def test_the_trail_is_taken_home_by_the_frame(premises: Property, auditor: Client) -> None:
    record(actor="bob", act="redeem_slip", about=objects.slip(17, premises.pk), why="=1+1")
    answer = auditor.post("/office/reports/trail/export/", {"act": "redeem_slip", "form": "csv"})
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    assert any("'=1+1" in row and "slip 17" in row for row in rows)
    assert Trail.objects.latest("id").act == "export_report"


def test_another_house_is_not_there(premises: Property, auditor: Client) -> None:
    other = a_property("OTHER")
    record(actor=a_person("eve", premises=other), act="void", about=objects.table("UTH-09"))
    record(actor="Server", act="errand overdue")
    assert "errand overdue" in acts(auditor.get("/audit/"))
    assert acts(auditor.get("/audit/", {"object": "table UTH-09"})) == []
    told = auditor.get("/api/v1/events/", {"object": "table UTH-09"}).json()["results"]
    assert told == []


def test_what_was_refused_locked_and_taken_home_stands_above_the_list(premises: Property, auditor: Client) -> None:
    a_person("ann", premises=premises)
    for _ in range(8):
        with pytest.raises(NotAllowed):
            sign_in(username="ann", password="wrong", address="10.0.0.9")
    nobody = signed_in("see", username="dealer", premises=premises)
    assert nobody.get("/office/people/").status_code == 403
    assert nobody.get("/office/people/").status_code == 403
    auditor.get("/office/wins.csv")
    figures = auditor.get("/audit/").context["figures"].today
    assert figures["refused"] == 1, "the same again within a minute is one try"
    assert (figures["locked"], figures["wrong"], figures["exports"]) == (1, 5, 1)
    line = Trail.objects.get(outcome="locked")
    assert (line.actor, line.object_key) == ("ann", "ann")
    assert "tried while locked" in line.why


def test_a_slip_that_took_nothing_from_the_meter_says_who_paid_it() -> None:
    floor = WinFloor()
    (win,) = floor.won({1: "four"})
    reader = signed_in("read_books", username="looker", premises=floor.casino.premises)
    (row,) = reader.get(f"/office/wins/{win.slip}/why/").context["fell"]
    assert (row["from_meter"], row["from_reserve"], row["from_house"]) == (0, 0, win.amount)
    assert row["rose"] == "nothing of it came out of the meter"


def test_retention_is_a_table_and_nothing_has_a_delete_button(auditor: Client, settings: Any) -> None:
    settings.ANSWERS_KEPT_DAYS = 11
    page = auditor.get("/audit/retention/").content.decode()
    for each in kept_things(years=7, answer_days=11, parcel_days=30, session_hours=8):
        assert each.what in page
    assert "11 days" in page
    assert "FAIRMETER_ANSWERS_DAYS" in page


def test_no_address_of_the_house_deletes_a_record() -> None:
    assert {name for name, methods in DOORS.items() if "DELETE" in methods} <= TAKES_BACK


@pytest.mark.parametrize(
    ("typed", "kind", "key"),
    [("slip 17", ObjectKind.SLIP, "17"), ("Slip #17", ObjectKind.SLIP, "17"),
     ("table uth-04", ObjectKind.TABLE, "UTH-04"),
     ("pay table uth/trips/X", ObjectKind.PAY_TABLE, "uth/trips/X"), ("person: ann", ObjectKind.PERSON, "ann")],
)  # fmt: skip
def test_a_thing_is_written_as_people_say_it(typed: str, kind: ObjectKind, key: str) -> None:
    found = read_object(typed)
    assert (found.kind, found.key) == (kind, key)


@pytest.mark.parametrize("typed", ["", "17", "slip", "house of cards 3"])
def test_what_names_nothing_is_answered_with_examples(typed: str) -> None:
    with pytest.raises(NotAnObject, match="slip 17"):
        read_object(typed)


def test_words_of_a_line() -> None:
    assert search_words(" UTH-04/118  anna ") == "UTH:* & 04:* & 118:* & anna:*"
    assert search_words("'); DROP TABLE --") == "DROP:* & TABLE:*"
    assert spoken_act("sign_in", "wrong") == "sign-in: wrong"
    assert spoken_act("void", "refused") == "void"
    # Steps of every kind that two people decide, also of one that has no words here yet.
    assert spoken_act("request_adjust", "done") == "asked for: adjust"
    assert spoken_act("approve_some_kind", "done", "more") == "signed: some kind: more"
    said = facts_of({"copy": "REPRINT 1", "sha256": "a" * 64, "none": None}, str)
    assert said == f"copy REPRINT 1, sha256 {'a' * 12}…"
    assert read_cursor("x") is None
    place = TrailPlace(datetime(2026, 1, 1, tzinfo=UTC), 7)
    assert read_cursor(place.cursor) == place


IN_NEW_YORK = Property(time_zone="America/New_York")


@pytest.mark.parametrize(
    ("details", "said"),
    [
        ({"read_at": "2026-11-18T08:54:22.123456+00:00"}, "read at 18 Nov 2026, 03:54:22"),
        ({"at": "2026-11-18 08:54:22+00:00", "day": "2026-11-01"}, "at 18 Nov 2026, 03:54:22, day Sun 1 Nov 2026"),
        ({"asked": "from 2026-11-01 to 2026-11-02T05:00:00Z"}, "asked from Sun 1 Nov 2026 to 2 Nov 2026, 00:00:00"),
        ({"steps": [{"day": "2026-11-01", "value": True}]}, "steps (day Sun 1 Nov 2026, value yes)"),
        ({"file": "b-2026-11-01.tar", "path": "/x/2026-11-01/y"}, "file b-2026-11-01.tar, path /x/2026-11-01/y"),
        ({"serial": "2026-99-99", "clock": "2026-11-01T10:00:00"}, "serial 2026-99-99, clock 2026-11-01T10:00:00"),
        ({"before": "f" * 64, "serial": "f" * 12}, f"before {'f' * 12}…, serial {'f' * 12}"),
        ({"shifts": {"Day": 360, "Night": 1320}}, "shifts Day 06:00, Night 22:00"),
        ({"minimum": "600.00000000", "rate": "0.12500000", "none": "None", "form": "True"},
         "minimum 600.00, rate 0.125, form yes"),
    ],
)  # fmt: skip
def test_days_moments_and_amounts_are_told_as_people_write_them(details: dict[str, Any], said: str) -> None:
    assert facts_of(details, say_time(IN_NEW_YORK)) == said


def test_a_history_says_nothing_twice() -> None:
    told = {"act": "adjust", "why": "felt torn", "what": "GRAND", "amount": "15.00", "requested_by": "ann"}
    line = history_line(Trail(act="request_adjust", why="felt torn", outcome="done", details=told))
    assert (line.what, line.facts) == ("asked for: adjust: GRAND", "amount 15.00")


def test_what_belongs_to_a_line_stands_beside_its_why(premises: Property, auditor: Client) -> None:
    told = {"amount": "15.00", "read_at": "2026-11-18T08:54:22+00:00", "why": "felt torn"}
    record(actor="ann", act="request_adjust", about=objects.slip(17, premises.pk), why="felt torn", details=told)
    (line,) = [each for each in auditor.get("/audit/").context["lines"] if each.what == "asked for: adjust"]
    assert line.why.startswith("felt torn · amount 15.00, read at 1")
    assert line.why.count("felt torn") == 1
