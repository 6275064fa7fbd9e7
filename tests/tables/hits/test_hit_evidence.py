"""A late claim and an override rest on files: kept by digest, sealed with the word, shown, exported, asked for."""

from __future__ import annotations

import base64
import hashlib
from pathlib import Path

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.core.management import call_command
from django.db import DatabaseError, connection, transaction
from django.test import Client

from accounting.audit.actions.parcel import parcel_period
from accounting.audit.queries.sections import evidence
from jackpot.books.models.entry import Entry
from jackpot.books.models.jackpot import Jackpot
from jackpot.canonical import request_of
from jackpot.evidence.actions.keep import MOST_FILES, checked_upload
from jackpot.evidence.actions.of_round import add_to_round
from jackpot.evidence.models import EvidenceFile, RoundEvidence
from jackpot.evidence.queries import kept_evidence
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.actions import hit
from tables.hits.actions.hand_override import override_cards
from tests.builders import CARD_PIN, a_person, a_property
from tests.hands import with_cards
from tests.jackpot.books.api_scene import signed_in
from tests.stranger import said_by_a_stranger
from tests.tables.hits.test_front_place import three_in_a_chain
from tests.tables.hits.test_hand_override import held
from tests.tables.hits.test_hands import BOTH, swipe
from tests.tables.hits.test_hit import SECOND, amounts
from tests.tables.hits.test_hits_api import CLAIM, asked
from tests.tables.hits.test_late_claim import an_ended_round, claimed
from tests.tables.hits.test_rank import PASSES
from tests.tables.pit.test_pit_hits import EXECUTIVE, PIN, SUPERVISOR, a_round, browser

pytestmark = pytest.mark.django_db
PHOTO = b"\x89PNG\r\n\x1a\n the held cards"
DIGEST = hashlib.sha256(PHOTO).hexdigest()
STILL = checked_upload("camera 7.png", PHOTO)
HERE = RoundRef("UTH-01", 1)
TOLD = {"name": "camera 7.png", "content": base64.b64encode(PHOTO).decode()}


def asks_for_files() -> None:
    Property.objects.update(evidence_files=True)


def sealed(kind: str, win: Win, by: str, why: str) -> bytes:
    """What the entry of such a word seals when it rests on the file."""
    return request_of({"act": kind, "win": win.pk, "by": by, "why": why, "file": DIGEST})


def test_a_claim_keeps_its_file_and_entry_and_trail_seal_its_digest() -> None:
    floor = an_ended_round()
    claimed(floor, file=STILL)
    use = RoundEvidence.objects.get()
    assert (str(RoundRef(use.table_code, use.round_number)), bytes(use.file.content)) == ("UTH-01/1", PHOTO)
    assert (use.name, use.added_by_name) == ("camera 7.png", "Test Executive")
    entry = Entry.objects.get(kind="claim")
    assert bytes(entry.request) == sealed("claim", Win.objects.get(), "Test Pit", "the key was forgotten")
    assert Trail.objects.get(act="late_claim").details["sha256"] == DIGEST
    assert Trail.objects.get(act="add_evidence").object_key == "UTH-01/1"


def test_overrides_of_cards_and_order_keep_theirs() -> None:
    override_cards(**held().place(0), cards=BOTH, reason="mucked", file=STILL)
    names = "Test Executive and Test Supervisor"
    assert bytes(Entry.objects.get(kind="override").request) == sealed("override", Win.objects.get(), names, "mucked")
    assert RoundEvidence.objects.get().file_id == DIGEST


def test_the_order_is_overridden_with_a_file() -> None:
    floor = three_in_a_chain()
    hit.pass_queue(**floor.place(2), cards=PASSES, reason="a plane", file=STILL)
    assert str(RoundRef("UTH-03", 1)) == Trail.objects.get(act="add_evidence").object_key
    win = Win.objects.get(table_code="UTH-03")
    names = Trail.objects.get(act="pass_queue").details["second"]
    entry = Entry.objects.get(kind="pass_queue")
    assert bytes(entry.request) == sealed("pass_queue", win, f"Test Executive and {names}", "a plane")


def test_where_the_house_asks_for_a_file_a_claim_is_opened_and_approved_only_with_one() -> None:
    """It is frozen at once: the player shall not lose what comes while somebody looks for the picture."""
    floor = an_ended_round()
    asks_for_files()
    claimed(floor)
    with_cards(**floor.place(0))
    with pytest.raises(Refused, match="This late claim has no file of evidence, and this house asks for one"):
        floor.card(SECOND, "385027")
    assert Win.objects.get().state == "asked"
    add_to_round(place=HERE, upload=STILL, by=a_person("camera", may=("camera",)))
    assert amounts(floor.card(SECOND, "385027")) == [(2, "1000.00")]


def test_where_the_house_asks_for_a_file_nobody_overrides_without_one() -> None:
    floor = held()
    asks_for_files()
    with pytest.raises(Refused, match="The override of these cards has no file of evidence"):
        override_cards(**floor.place(0), cards=BOTH, reason="mucked")
    assert not Entry.objects.filter(kind="override").exists()
    override_cards(**floor.place(0), cards=BOTH, reason="mucked", file=STILL)
    assert amounts(swipe(floor)) == [(3, "20000.70")]


def test_nobody_lets_a_hit_pass_without_a_file_where_the_house_asks() -> None:
    floor = three_in_a_chain()
    asks_for_files()
    with pytest.raises(Refused, match="The override of the order has no file of evidence"):
        hit.pass_queue(**floor.place(2), cards=PASSES, reason="a plane")


def test_who_may_not_and_where_no_hit_is_nothing_is_kept() -> None:
    floor = an_ended_round()
    with pytest.raises(Refused, match="Round 1 at UTH-01 has no hit"):
        add_to_round(place=HERE, upload=STILL, by=a_person("adder", may=("approve",)))
    claimed(floor)
    with pytest.raises(Refused, match="may not add evidence to a hit"):
        add_to_round(place=HERE, upload=STILL, by=a_person("dealer", may=("see",)))
    assert not EvidenceFile.objects.exists()


def test_the_same_content_is_kept_once_and_there_is_an_end_to_files() -> None:
    claimed(an_ended_round(), file=STILL)
    adder = a_person("adder", may=("approve",))
    again = add_to_round(place=HERE, upload=checked_upload("again.png", PHOTO), by=adder)
    assert (again.name, RoundEvidence.objects.count()) == ("camera 7.png", 1)
    for number in range(1, MOST_FILES):
        add_to_round(place=HERE, upload=checked_upload("count.csv", f"{number}".encode()), by=adder)
    with pytest.raises(Refused, match="has 20 files already"):
        add_to_round(place=HERE, upload=checked_upload("one more.csv", b"more"), by=adder)


def test_what_is_kept_of_a_round_stays_whoever_asks_the_database() -> None:
    claimed(an_ended_round(), file=STILL)
    for change in (
        "UPDATE jackpot_roundevidence SET name = 'other.png'", "DELETE FROM jackpot_roundevidence",
        "TRUNCATE jackpot_roundevidence",
    ):  # fmt: skip
        with pytest.raises(DatabaseError, match=r"written here stays|permission denied"), transaction.atomic():
            connection.cursor().execute(change)


def test_export_and_parcel_take_it_along_and_a_stranger_checks_it(tmp_path: Path) -> None:
    claimed(an_ended_round(), file=STILL)
    house = Property.objects.get()
    (line,) = evidence(parcel_period(house, *[house.gaming_day(Win.objects.get().marked_at)] * 2))
    assert (line["sha256"], line["rounds"]) == (DIGEST, [{"round": "UTH-01/1", "name": "camera 7.png"}])
    assert [row.pk for row in kept_evidence([Jackpot.objects.get(code="GRAND").pk])] == [DIGEST]
    assert not kept_evidence([0]).exists()
    path = tmp_path / "books.jsonl"
    call_command("export", "-o", str(path), verbosity=0)
    assert "[evidence]" not in said_by_a_stranger(path)
    next((tmp_path / "evidence").iterdir()).write_bytes(b"another picture")
    assert "[evidence]" in said_by_a_stranger(path)
    assert "camera 7.png" in said_by_a_stranger(path)


def test_the_pit_claims_with_a_file_and_pit_and_office_show_it() -> None:
    a_round("card", ends=True)
    form = {
        "form": "claim", "round": "1", "seat": "4", "hand": "full_house", "reason": "overlooked",
        "evidence": "camera 7, 02:14", "first-card": EXECUTIVE, "first-pin": PIN, "second-card": SUPERVISOR,
        "second-pin": CARD_PIN, "file": SimpleUploadedFile("C:\\stills\\camera 7.png", PHOTO),
    }  # fmt: skip
    said = browser().post("/pit/tables/UTH-01/hits/claim/", form, follow=True)
    assert "It waits for its approval" in said.content.decode()
    page = browser().get("/pit/wins/UTH-01/1/").content.decode()
    link = f"/pit/wins/UTH-01/1/evidence/{DIGEST}/"
    for words in ("camera 7.png", "camera 7, 02:14", DIGEST, link):
        assert words in page
    answer = browser().get(link)
    assert (answer.content, answer.headers["X-Content-Type-Options"]) == (PHOTO, "nosniff")
    assert Trail.objects.get(act="look_at_evidence").object_key == "UTH-01/1"
    added = browser().post("/pit/wins/UTH-01/1/evidence/", {"file": SimpleUploadedFile("b.txt", b"seen")}, follow=True)
    assert "b.txt is kept as evidence." in added.content.decode()


def test_what_is_no_picture_refuses_the_claim_and_changes_nothing() -> None:
    a_round("card", ends=True)
    status, told = asked("claim", {**CLAIM, "file": {"name": "a.exe", "content": base64.b64encode(b"MZ\0").decode()}})
    assert (status, told["code"], Win.objects.exists()) == (400, "file", False)


def test_programs_claim_with_a_file_add_one_and_take_it() -> None:
    a_round("card", ends=True)
    assert asked("claim", {**CLAIM, "file": TOLD})[0] == 200
    status, added = asked("evidence", {"name": "b.txt", "content": base64.b64encode(b"seen").decode()})
    assert (status, added["evidence"]["kind"]) == (201, "text")
    listed = browser().get("/api/v1/rounds/UTH-01/1/evidence/").json()["evidence"]
    assert next((each["name"], each["sha256"][:8]) for each in listed) == ("camera 7.png", DIGEST[:8])
    assert browser().get(f"/api/v1/rounds/UTH-01/1/evidence/{DIGEST}/").content == PHOTO
    assert browser().get(f"/api/v1/rounds/UTH-01/1/evidence/{'0' * 64}/").status_code == 404


def test_a_hit_that_fell_keeps_its_evidence_on_the_page() -> None:
    a_round("card", ends=True)
    asked("claim", {**CLAIM, "file": TOLD})
    body = {"reason": "not the hand", "cards": CLAIM["cards"]}
    where = f"/api/v1/wins/{Win.objects.get().pk}/reject/"
    assert browser().post(where, body, content_type="application/json").status_code == 200
    assert "camera 7.png" in browser().get("/pit/wins/UTH-01/1/").content.decode()


def test_another_house_sees_and_takes_nothing() -> None:
    a_round("card", ends=True)
    asked("claim", {**CLAIM, "file": TOLD})
    stranger: Client = signed_in("approve", "read_books", username="stranger", premises=a_property("OTHER"))
    for path in ("/pit/wins/UTH-01/1/evidence/", "/api/v1/rounds/UTH-01/1/evidence/"):
        assert stranger.get(f"{path}{DIGEST}/").status_code == 404
        assert stranger.post(path, TOLD, content_type="application/json").status_code in (302, 404)
    assert RoundEvidence.objects.count() == 1
