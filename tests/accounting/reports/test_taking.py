"""Reports taken home: every one in every form, inert, signed by filter, person and time, and noted in the trail."""

from __future__ import annotations

import csv
import hashlib
import io
import zipfile
from copy import deepcopy
from dataclasses import replace
from decimal import Decimal
from typing import Any

import pytest
from django.test import Client

from accounting.reports.actions import exports
from accounting.reports.models import ReportRun, SavedReport
from accounting.reports.printing import writing
from accounting.reports.queries.catalogue import REPORTS
from accounting.reports.rules.declaring import Reckoned, ReckonedRows, ReportQuestion
from jackpot.trail.models import Trail
from jackpot.web.rules.sheet import inert
from jackpot.wins.models import Win
from tests.accounting.reports.report_scene import PlayedHouse
from tests.builders import a_property
from tests.jackpot.books.api_scene import signed_in
from tests.tampering import tamper_with

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def played(around_all: None) -> PlayedHouse:
    return PlayedHouse()


@pytest.fixture
def house(played: PlayedHouse) -> PlayedHouse:
    return deepcopy(played)


@pytest.fixture
def reader() -> Client:
    return signed_in("read_books", "close_day", "read_trail", "people", "see")


def text(answer: Any) -> str:
    return " ".join(answer.content.decode().split())


def test_every_report_opens_and_every_figure_leads_somewhere(house: PlayedHouse, reader: Client) -> None:
    for code, report in REPORTS.items():
        answer = reader.get(f"/office/reports/{code}/", {"period": "all"} if report.takes_the("period") else {})
        assert answer.status_code == 200, code
        assert report.title in text(answer)
        leads = {cell.href for line in answer.context["lines"] for cell in line if cell.href}
        for address in leads:
            assert reader.get(address).status_code in (200, 302), (code, address)


def test_every_report_is_taken_home_in_every_form(house: PlayedHouse, reader: Client) -> None:
    for code, report in REPORTS.items():
        words = {"period": "all"} if report.takes_the("period") else {}
        begins = {"csv": b"Report,", "xlsx": b"PK", "pdf": b"%PDF"}
        for form, first in begins.items():
            answer = reader.post(f"/office/reports/{code}/export/", {**words, "form": form})
            assert answer.status_code == 200, (code, form)
            assert answer.content.startswith(first), (code, form)
            line = Trail.objects.latest("id")
            assert (line.act, line.subject, line.details["form"]) == ("export_report", code, form)
            assert line.details["sha256"] == hashlib.sha256(answer.content).hexdigest()


def test_a_file_says_of_what_for_which_days_by_whom_and_when(house: PlayedHouse, reader: Client) -> None:
    answer = reader.post("/office/reports/wins/export/", {"period": "today", "jackpot": "GRAND", "form": "csv"})
    rows = list(csv.reader(io.StringIO(answer.content.decode())))
    head = {row[0]: row[1] for row in rows[: rows.index([])]}
    assert (head["Report"], head["Jackpot"], head["Made by"]) == ("Win register", "GRAND", "Test Reader")
    assert head["Gaming days"].endswith(str(house.today.year))
    assert head["Property"] == "Reference Card Room (REF)"
    titles, *lines = rows[rows.index([]) + 1 :]
    assert [line[titles.index("Slip")] for line in lines] == ["3", "2", "1", "Total"]
    assert Decimal(lines[-1][titles.index("Amount")]) == sum(
        Decimal(line[titles.index("Amount")]) for line in lines[:-1]
    )


def test_a_formula_is_a_text_in_every_form(house: PlayedHouse, reader: Client) -> None:
    assert [inert(word) for word in ("=1+1", "+1", "-1", "@x", "a=1")] == ["'=1+1", "'+1", "'-1", "'@x", "a=1"]
    tamper_with(Win.objects.all(), line_name='=HYPERLINK("http://x","y")')
    assert (
        "'=HYPERLINK"
        in reader.post("/office/reports/wins/export/", {"period": "today", "form": "csv"}).content.decode()
    )
    book = reader.post("/office/reports/wins/export/", {"period": "today", "form": "xlsx"}).content
    with zipfile.ZipFile(io.BytesIO(book)) as parts:
        sheet = parts.read("xl/worksheets/sheet1.xml").decode()
    assert "<f>" not in sheet
    assert "HYPERLINK" in sheet


def test_a_filter_that_cannot_be_meant_is_answered_with_how_it_is_written(house: PlayedHouse, reader: Client) -> None:
    for words in ({"period": "soon"}, {"period": "2026-13-40"}, {"table": "UTH 01"}):
        answer = reader.get("/office/reports/coin-in-table/", words)
        assert answer.status_code == 400
        assert next(iter(words.values())) in text(answer)
    assert reader.get("/office/reports/nothing/").status_code == 404
    assert reader.post("/office/reports/wins/export/", {"form": "doc"}).status_code == 400


def test_a_long_report_is_the_workers(
    house: PlayedHouse, reader: Client, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Any
) -> None:
    settings.DATA_DIR = tmp_path
    monkeypatch.setattr(exports, "LONGEST_AT_ONCE", 1)
    answer = reader.post("/office/reports/wins/export/", {"period": "today", "form": "csv"})
    run = ReportRun.objects.get()
    assert answer.url == f"/office/reports/runs/{run.pk}/"
    assert "It waits for the worker." in text(reader.get(answer.url))
    assert writing.write_reports() == 1
    run.refresh_from_db()
    assert (run.state, run.rows_done) == ("done", 3)
    other = signed_in("read_books", username="colleague")
    content = b"".join(other.get(f"{answer.url}file"))
    asked, taken = (Trail.objects.filter(act=act).latest("id") for act in ("export_report", "export_list"))
    assert hashlib.sha256(content).hexdigest() == run.sha256 == asked.details["sha256"]
    assert (taken.person.username, taken.details["asked"]) == ("colleague", f"run {run.pk}"), (
        "another one took it along"
    )
    assert writing.write_reports() == 0


def test_a_saved_report_comes_by_itself_once_a_day(
    house: PlayedHouse, reader: Client, settings: Any, tmp_path: Any
) -> None:
    from datetime import timedelta

    settings.DATA_DIR = tmp_path
    kept = {"name": "For the ledger", "rota": "daily", "form": "csv", "folder": "ledger", "period": "yesterday"}
    assert "Saved as “For the ledger”" in text(reader.post("/office/reports/wins/save/", kept, follow=True))
    assert "There is already a saved report" in text(reader.post("/office/reports/wins/save/", kept, follow=True))
    saved = SavedReport.objects.get()
    assert saved.due_day == house.today + timedelta(days=1)
    assert writing.write_reports() == 0
    SavedReport.objects.update(due_day=house.today)
    assert writing.write_reports() == 1
    assert writing.write_reports() == 0
    (file,) = (tmp_path / "reports" / "ledger").iterdir()
    assert file.name.startswith(f"ref-wins-{house.today - timedelta(days=1)}")
    assert "put away" in text(reader.post("/office/reports/put-away/", {"number": saved.pk}, follow=True))
    assert reader.post("/office/reports/wins/save/", kept | {"folder": "../etc", "name": "b"}, follow=True).context[
        "messages"
    ]
    assert SavedReport.objects.filter(ended_at=None).count() == 0


def test_programs_hear_exact_figures_and_totals(house: PlayedHouse, reader: Client) -> None:
    answer = reader.get("/api/v1/reports/contributions/", {"from": str(house.today), "to": str(house.today)}).json()
    assert (answer["count"], answer["totals"]["net"], answer["results"][0]["meter"]) == (1, "7.50", "9.10")
    listed = {each["code"]: each["filters"] for each in reader.get("/api/v1/reports/").json()}
    assert listed["liability"] == ["at", "jackpot"]
    refused = reader.get("/api/v1/reports/liability/", {"table": "UTH-01"})
    assert (refused.status_code, refused.json()["why"]) == (
        400, "The report liability has no filter “table”. It takes: at, jackpot.",
    )  # fmt: skip
    file = reader.get("/api/v1/reports/liability/", {"format": "csv", "at": "now"})
    assert file.headers["Content-Type"].startswith("text/csv")
    assert reader.get("/api/v1/reports/nothing/").status_code == 404


def test_another_house_is_not_there(house: PlayedHouse) -> None:
    stranger = signed_in("read_books", username="stranger", premises=a_property("OTHER"))
    assert stranger.get("/office/reports/wins/?period=all").context["page"].count == 0
    assert stranger.get("/office/reports/wins/?period=all&property=REF").status_code == 404
    cashier = signed_in("pay", username="window")
    assert cashier.get("/office/reports/liability/").status_code == 403
    assert cashier.get("/office/reports/unclaimed/").status_code == 200


def test_a_reckoned_report_is_reckoned_once_for_its_rows_its_count_and_its_note(
    house: PlayedHouse, reader: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    declared = REPORTS["bank-cover"]
    assert isinstance(declared.source, Reckoned)
    reckon, asked = declared.source.reckon, []

    def counted(question: ReportQuestion) -> ReckonedRows:
        asked.append(question)
        return reckon(question)

    monkeypatch.setitem(REPORTS, declared.code, replace(declared, source=Reckoned(counted)))
    answer = reader.post(f"/office/reports/{declared.code}/export/", {"form": "csv"})
    assert (answer.status_code, len(asked)) == (200, 1)
    asked.clear()
    monkeypatch.setattr(exports, "LONGEST_AT_ONCE", 0)
    reader.post(f"/office/reports/{declared.code}/export/", {"form": "csv"})
    asked.clear()
    assert writing.write_reports() == 1
    assert len(asked) == 1
