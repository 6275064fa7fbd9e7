"""The auditor's parcel: it holds the period, proves without the house, and one flipped bit anywhere is named."""

from __future__ import annotations

import hashlib
import io
import json
import zipfile
from copy import deepcopy
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.utils import timezone

from accounting.audit.actions import runs, working
from accounting.audit.models import AuditRun
from accounting.audit.queries.sections import SECTIONS
from accounting.paper.printing.press import print_page
from accounting.paper.rules.copies import Form
from jackpot.evidence.actions.keep import attach, checked_upload
from jackpot.proof.actions.heads import publish_heads
from jackpot.trail.models import Trail
from jackpot.wins.models import Win
from tests.accounting.audit.audit_scene import a_parcel, verified, with_one_byte_flipped
from tests.accounting.reports.report_scene import PlayedHouse
from tests.builders import a_person
from tests.jackpot.books.api_scene import signed_in
from tests.scenes_adjusting import asked
from tests.tampering import tamper

pytestmark = pytest.mark.django_db
PHOTO = b"%PDF-1.7 a photo of the meter"
FILES = ["manifest.json", "books.jsonl", *(section.file for section in SECTIONS)]


@pytest.fixture(scope="module")
def played(around_all: None) -> PlayedHouse:
    return PlayedHouse()


@pytest.fixture
def house(played: PlayedHouse, settings: Any, tmp_path: Path) -> PlayedHouse:
    settings.DATA_DIR = tmp_path
    request = asked("adjust", played.wins[0].jackpot, amount="15.00", by="supervisor")
    attach(request=request, upload=checked_upload("photo 7.pdf", PHOTO), by=request.asked_by)
    publish_heads()
    return deepcopy(played)


def rows(path: Path, section: str) -> list[dict[str, Any]]:
    with zipfile.ZipFile(path) as parcel:
        return [json.loads(line) for line in parcel.read(f"{section}.jsonl").splitlines()]


def test_a_parcel_holds_the_period_and_proves_offline(house: PlayedHouse, tmp_path: Path) -> None:
    path = tmp_path / "parcel.zip"
    written = a_parcel(house.house, path)
    with zipfile.ZipFile(path) as parcel:
        assert sorted(name for name in parcel.namelist() if not name.startswith("evidence/")) == sorted(FILES)
        assert hashlib.sha256(parcel.read("manifest.json")).hexdigest() == written.sha256
    assert [row["slip"] for row in rows(path, "slips")] == [1, 2, 3]
    assert rows(path, "slips")[0]["payment"]["gross"] == rows(path, "slips")[0]["amount"]
    assert len(rows(path, "wins")) == Win.objects.count()
    assert [row["kind"] for row in rows(path, "requests")].count("adjust") == 1
    assert [row["line"] for row in rows(path, "trail")] == list(
        Trail.objects.order_by("at", "id").values_list("pk", flat=True)
    )
    assert {"cashier", "supervisor"} <= {row["username"] for row in rows(path, "people")}
    assert all("password" not in row and "pin" not in str(row["cards"]) for row in rows(path, "people"))
    assert rows(path, "versions")
    assert rows(path, "heads")
    status, told = verified(path)
    assert (status, written.sha256 in told, "Nothing disagrees" in told) == (0, True, True), told


@pytest.mark.parametrize("name", FILES)
def test_one_flipped_bit_in_a_section_is_found_and_named(house: PlayedHouse, tmp_path: Path, name: str) -> None:
    path = tmp_path / "parcel.zip"
    written = a_parcel(house.house, path)
    status, told = verified(with_one_byte_flipped(path, name))
    if name == "manifest.json":
        # Whatever the bit made of it: a section it speaks of no longer fits, or the digest is another one.
        assert status == 1 or written.sha256 not in told
    else:
        assert status == 1
        assert f"section {name.removesuffix('.jsonl')}" in told


def test_a_section_that_was_changed_and_summed_anew_still_disagrees_with_the_books(
    house: PlayedHouse, tmp_path: Path
) -> None:
    """Whoever rewrites a slip and the manifest as well has not rewritten the books."""
    path, forged = tmp_path / "parcel.zip", tmp_path / "forged.zip"
    a_parcel(house.house, path)
    with zipfile.ZipFile(path) as sound, zipfile.ZipFile(forged, "w") as other:
        manifest = json.loads(sound.read("manifest.json"))
        for each in manifest["sections"]:
            content = sound.read(each["file"])
            if each["section"] == "slips":
                amount = rows(path, "slips")[0]["amount"]
                content = content.replace(amount.encode(), b"9999.00000000", 1)
                each["sha256"] = hashlib.sha256(content).hexdigest()
            other.writestr(each["file"], content)
        other.writestr("manifest.json", json.dumps(manifest))
    status, told = verified(forged)
    assert status == 1
    assert "section slips, line 1: the amount of slip" in told


def test_evidence_goes_along_and_a_bit_of_it_that_flips_is_named(house: PlayedHouse, tmp_path: Path) -> None:
    path = tmp_path / "parcel.zip"
    a_parcel(house.house, path)
    (line,) = rows(path, "evidence")
    file = f"evidence/{line['file']}"
    with zipfile.ZipFile(path) as parcel:
        assert parcel.read(file) == PHOTO
    assert (line["sha256"], verified(path)[0]) == (hashlib.sha256(PHOTO).hexdigest(), 0)
    status, told = verified(with_one_byte_flipped(path, file))
    assert (status, f"[evidence] {file}: photo 7.pdf" in told) == (1, True), told


def test_a_broken_or_unlisted_file_is_named(house: PlayedHouse, tmp_path: Path) -> None:
    path = tmp_path / "parcel.zip"
    a_parcel(house.house, path)
    with zipfile.ZipFile(path, "a") as parcel:
        parcel.writestr("more.txt", "not of the house")
    assert "[parcel] more.txt" in verified(path)[1]
    content = bytearray(path.read_bytes())
    content[200] ^= 255  # inside the packed books
    path.write_bytes(bytes(content))
    status, told = verified(path)
    assert (status, "section books" in told) == (1, True), told


def test_the_worker_makes_it_with_progress_and_the_auditor_takes_it_along(house: PlayedHouse, tmp_path: Path) -> None:
    auditor = signed_in("read_books", "read_trail", "see", username="auditor", premises=house.house)
    answer = auditor.post("/audit/parcels/ask/", {"period": "today"})
    run = AuditRun.objects.get()
    assert answer.url == f"/audit/parcels/{run.pk}/"
    assert b"It waits for the worker." in auditor.get(answer.url).content
    assert working.work_through() == 1
    run.refresh_from_db()
    assert (run.state, run.findings, run.answer["sections"][0]["section"]) == ("done", 0, "books")
    assert run.sha256.encode() in auditor.get(answer.url).content
    taken = auditor.post(f"/audit/parcels/{run.pk}/file/")
    path = tmp_path / "taken.zip"
    path.write_bytes(b"".join(taken))
    assert verified(path)[0] == 0
    acts = Trail.objects.filter(object_kind="parcel", object_key=str(run.pk)).order_by("id")
    assert list(acts.values_list("act", flat=True)) == ["ask_for_parcel", "make_parcel", "take_parcel"]


def test_a_parcel_lives_its_stated_days_and_its_digest_for_good(house: PlayedHouse, settings: Any) -> None:
    auditor = a_person("auditor", may=("read_books", "read_trail"), premises=house.house)
    run = runs.ask_for_parcel(house=house.house, first=house.today, last=house.today, by=auditor)
    working.work_through()
    assert runs.tidy_parcels() == 0
    AuditRun.objects.update(done_at=timezone.now() - timedelta(days=settings.PARCELS_KEPT_DAYS, minutes=1))
    assert runs.tidy_parcels() == 1
    run.refresh_from_db()
    assert run.sha256
    assert not (runs.audit_folder() / run.file).exists()
    browser = signed_in("read_books", "read_trail", username="second-auditor", premises=house.house)
    assert b"has no file any more" in browser.post(f"/audit/parcels/{run.pk}/file/", follow=True).content


def test_days_that_cannot_be_meant_are_refused_in_a_sentence(house: PlayedHouse) -> None:
    auditor = signed_in("read_books", "read_trail", premises=house.house)
    for words, sentence in (("soon", "is no day"), ("2099-01-01", "has not come")):
        page = auditor.post("/audit/parcels/ask/", {"period": words}, follow=True).content.decode()
        assert sentence in page
    reader = signed_in("read_trail", username="administrator", premises=house.house)
    assert reader.get("/audit/parcels/").status_code == 403
    assert reader.post("/api/v1/audit/parcels/", {}, content_type="application/json").status_code == 403


def test_the_command_writes_the_same(house: PlayedHouse, tmp_path: Path) -> None:
    path = tmp_path / "console.zip"
    call_command("parcel", "--from", str(house.today), "--to", str(house.today), "-o", str(path), verbosity=0)
    assert verified(path)[0] == 0
    with pytest.raises(CommandError, match="is no day"):
        call_command("parcel", "--from", "x", "--to", "y", "-o", str(path))


def test_programs_ask_for_a_proof_and_a_parcel(house: PlayedHouse) -> None:
    auditor = signed_in("read_books", "read_trail", premises=house.house)
    wish = {"first": str(house.today), "last": str(house.today)}
    made = auditor.post("/api/v1/audit/parcels/", wish, content_type="application/json")
    proof = auditor.post("/api/v1/audit/proofs/", content_type="application/json")
    again = auditor.post("/api/v1/audit/proofs/", content_type="application/json")
    assert (made.status_code, proof.status_code) == (202, 202)
    assert proof.json()["number"] == again.json()["number"]
    assert working.work_through() == 2
    (told,) = auditor.get("/api/v1/audit/proofs/").json()
    assert (told["state"], told["findings"]) == ("done", 0)
    assert "these books prove" in told["sentence"]
    number = made.json()["number"]
    assert b"".join(auditor.post(f"/api/v1/audit/parcels/{number}/file/")).startswith(b"PK")


def test_a_proof_that_finds_something_says_so_everywhere(house: PlayedHouse) -> None:
    tamper("UPDATE jackpot_jackpot SET meter = meter + 1, house = house - 1")
    auditor = signed_in("read_books", "read_trail", premises=house.house)
    auditor.post("/audit/proof/ask/")
    working.work_through()
    page = auditor.get("/audit/proof/").content.decode()
    assert "do NOT prove" in page
    assert Trail.objects.get(act="prove_books").outcome == "alarm"


def test_a_copy_and_its_digest_are_in_the_slips(house: PlayedHouse, tmp_path: Path) -> None:
    printer = a_person("printer", may=("pay",), premises=house.house)
    print_page(win=Win.objects.get(slip=2), form=Form.LETTER, by=printer)
    a_parcel(house.house, tmp_path / "parcel.zip")
    (copy,) = rows(tmp_path / "parcel.zip", "slips")[1]["copies"]
    assert (copy["copy"], len(copy["sha256"])) == ("ORIGINAL", 64)


def test_a_proof_made_on_the_console_counts_too(house: PlayedHouse) -> None:
    call_command("prove", stdout=io.StringIO())
    run = AuditRun.objects.get()
    assert (run.state, run.findings, run.asked_by) == ("done", 0, None)
    assert "these books prove" in run.sentence
