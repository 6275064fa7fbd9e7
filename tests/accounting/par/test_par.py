"""Par sheets as pages: the list, a sheet, CSV, paper with its trail, hands, actual against expected, own tables."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterator
from datetime import UTC, datetime
from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import Any
from urllib.parse import parse_qsl

import pypdf
import pytest
from django.test import Client

from accounting.paper.printing.par_sheet import facts_of, par_sheet_paper
from accounting.paper.printing.typeset import _typeset
from accounting.paper.rules.copies import Form
from jackpot.trail.models import Trail
from tables.calculation.desk import CalculationDesk, desk
from tables.par.actions import decisions, par_sheets
from tables.par.actions.par_sheets import SheetQuestion, find_sheet, sign
from tests.builders import a_casino, a_jackpot, a_pay_table, a_property, a_table
from tests.jackpot.books.api_scene import play, signed_in
from tests.patience import until
from tests.tables.games.sheet_scene import GAME, long_counts_are_known

pytestmark = pytest.mark.django_db
PAIRS = "/office/par/uth/pairs/"


@pytest.fixture
def operator(settings: Any, db: None) -> Iterator[Client]:
    long_counts_are_known(settings.DATA_DIR)
    a_property()
    yield signed_in("see", "read_books", "configure", username="operator")
    desk().close()


def shown(browser: Client, address: str) -> str:
    """The page, asked again while it is counted, as a browser does."""

    def counted() -> str:
        answer = browser.get(address)
        text: str = answer.content.decode()
        if answer.status_code == 202 or "<progress" in text:
            return ""
        assert answer.status_code == 200, text
        return text

    return until(counted, "counted")


def words(page: str) -> str:
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def own(code: str = "HOUSE-01", *lines: tuple[str, str, str]) -> dict[str, str]:
    told = {"code": code, "title": "Our pairs"}
    for place, (hand, name, pays) in enumerate(lines or [("red_aces", "Red aces", "100 to 1"), ("pair", "", "5 to 1")]):
        told |= {f"hand-{place}": hand, f"name-{place}": name, f"pays-{place}": pays}
    return told


def test_the_list_names_every_table_and_an_empty_house_hears_what_to_do(operator: Client) -> None:
    page = words(shown(operator, "/office/par/"))
    for name in (
        "Bad Beat BBB-01",
        "Trips UTH-01",
        "Your house has no jackpot yet",
        "None yet. A pay table of your own",
    ):
        assert name in page


def test_a_sheet_shows_rows_figures_bands_and_seal(operator: Client) -> None:
    page = shown(operator, f"{PAIRS}PT3/?coin_ins=1,000")
    text = words(page)
    assert "4.524887 %" in text
    assert "The hold over 1,000 coin-ins" in text
    assert "Pair of aces 30 to 1 7,350 0.45248869 221.00 14.027149" in text
    assert len(set(re.findall(r"[0-9a-f]{64}", page))) == 3


def test_the_base_game_shows_its_31_ends_and_how_often_the_blind_is_paid(operator: Client) -> None:
    text = words(shown(operator, "/office/par/uth/blind/UTH-01/"))
    assert "2.184971 %" in text
    assert "How often the Blind is paid" in text
    assert text.count("Wins ") + text.count("Loses ") + text.count("Comes back even ") >= 31


def test_a_fold_that_forfeits_is_counted_on_the_page(operator: Client) -> None:
    text = words(shown(operator, "/office/par/uth/trips/UTH-01/?fold=dead"))
    assert "2.653719 %" in text
    assert "After a fold the wager is forfeited" in text


@pytest.mark.parametrize(
    ("asked", "sentence"),
    [
        ("coin_ins=0", "Coin-ins are counted from 1"),
        ("coin_ins=1e9", "a whole number from 1 up"),
        ("coin_ins=1000,50", "a whole number from 1 up"),
        ("meter=15000,50", "is no meter to look at"),
        ("fold=dead", "takes no pairs wager"),
    ],
)
def test_what_cannot_be_shown_is_a_sentence(operator: Client, asked: str, sentence: str) -> None:
    assert sentence in shown(operator, f"{PAIRS}PT3/?{asked}")


def test_the_csv_holds_the_rows_and_the_seal(operator: Client) -> None:
    rows = list(csv.reader(io.StringIO(shown(operator, f"{PAIRS}PT3/rows.csv"))))
    assert rows[0][:4] == ["hand", "name", "pays", "combinations"]
    told = {row[0]: row[1] for row in rows if len(row) == 2}
    assert told["house_edge"] == "10/221"
    assert len(told["digest"]) == len(told["signature"]) == 64
    counted = sum(int(row[3]) for row in rows[1:6])
    assert counted == int(told["combinations"])
    (line,) = Trail.objects.filter(act="export_list")
    assert line.details == {"list": "par sheet", "rows": 4, "asked": "uth/pairs/PT3"}


@pytest.mark.parametrize("form", ["letter", "a4"])
def test_a_print_is_a_pdf_and_stands_in_the_trail(operator: Client, form: str) -> None:
    shown(operator, f"{PAIRS}PT3/")
    answer = operator.post(f"{PAIRS}PT3/print/", {"form": form})
    assert (answer.headers["Content-Type"], answer.content[:5]) == ("application/pdf", b"%PDF-")
    (line,) = Trail.objects.filter(act="print_par_sheet")
    assert (line.subject, line.details["form"], len(line.details["signature"])) == ("uth/pairs/PT3", form, 64)
    assert line.actor == "Test Operator"


def test_nobody_prints_a_sheet_by_looking(operator: Client) -> None:
    assert operator.get(f"{PAIRS}PT3/print/").status_code == 405
    assert Client().post(f"{PAIRS}PT3/print/").status_code == 302
    assert signed_in("see", username="stranger").post(f"{PAIRS}PT3/print/").status_code == 403
    assert not Trail.objects.filter(act="print_par_sheet").exists()


def test_a_printed_digest_is_verified(operator: Client) -> None:
    page = shown(operator, f"{PAIRS}PT3/")
    address = re.search(r'href="(/office/par/verify/[^"]+)"', page)
    assert address is not None
    there = address[1].replace("&amp;", "&")
    assert "This digest was signed here" in shown(operator, there)
    assert "was not signed" in shown(operator, there[:-2] + "zz")
    assert "was not signed" in shown(operator, "/office/par/verify/?digest=ä&signature=ü")


def test_an_own_table_goes_from_the_form_to_its_sheet_and_is_released(operator: Client) -> None:
    written = operator.post("/office/par/uth/pairs/own/", own(), follow=True)
    assert written.redirect_chain[0][0] == f"{PAIRS}HOUSE-01/"
    text = words(shown(operator, f"{PAIRS}HOUSE-01/"))
    assert "Every line can be won" in text
    seen = re.search(r'name="looked_at" value="([0-9a-f]{64})"', shown(operator, f"{PAIRS}HOUSE-01/"))
    assert seen is not None
    stale = operator.post(f"{PAIRS}HOUSE-01/release/", {"looked_at": "0" * 64}, follow=True).content.decode()
    assert "Look at it now" in stale
    released = operator.post(f"{PAIRS}HOUSE-01/release/", {"looked_at": seen[1]}, follow=True).content.decode()
    assert "may be chosen from now on" in released
    assert "ready" in words(shown(operator, "/office/par/"))
    gone = operator.post(f"{PAIRS}HOUSE-01/withdraw/", {"why": "Another is better"}, follow=True).content.decode()
    assert "Another is better" in gone


def test_a_refused_table_keeps_all_that_was_typed(operator: Client) -> None:
    wrong = own("HOUSE-02", ("aces", "Aces", "30 to 1"), ("red_aces", "Red aces", "100 to 1"))
    answer = operator.post("/office/par/uth/pairs/own/", wrong)
    text = answer.content.decode()
    assert answer.status_code == 409
    assert "“Red aces” is never reached" in text
    assert 'value="HOUSE-02"' in text
    assert '<option value="red_aces" selected>' in text


def test_a_form_may_start_from_a_published_table(operator: Client) -> None:
    assert 'value="100 to 1"' in shown(operator, "/office/par/uth/pairs/own/?from=PT4")
    assert "has no bet" in shown(operator, "/office/par/uth/roulette/own/")


def test_hands_and_decisions(operator: Client) -> None:
    text = words(shown(operator, "/office/par/hands/?hole=7c+2d&board=Kh+8h+Kd+9s+4s"))
    assert "Best: fold" in text
    assert "AA 6 +3.6011 +2.8970 +2.1929 4x" in text
    assert "it needs 2" in shown(operator, "/office/par/hands/?hole=7c&board=Kh+8h+Kd+9s+4s")


def test_actual_against_expected(operator: Client) -> None:
    casino = a_casino(tables=1)
    for number in range(1, 11):
        play(casino.controllers[0], number, "1234567")
    text = words(shown(operator, "/office/par/actual/GRAND/"))
    assert "Full house 70 coin-ins 2.596102 1.82 0" in text
    assert "too few to judge" in text


def test_a_jackpot_without_coin_ins_is_an_empty_state(operator: Client) -> None:
    a_table("UTH-01", a_jackpot("GRAND"))
    assert "No coin-in yet" in shown(operator, "/office/par/actual/GRAND/")


def test_which_rate(operator: Client) -> None:
    a_jackpot("GRAND", pay_table=a_pay_table(source="meter"))
    assert "A rate to the meter of 73.4609 %" in words(shown(operator, "/office/par/which/?house_edge=20"))
    assert "It lies between" in shown(operator, "/office/par/which/?house_edge=99")


def test_a_house_without_a_jackpot_has_nothing_to_solve_for(operator: Client) -> None:
    assert "No jackpot yet" in shown(operator, "/office/par/which/")


def test_a_jackpot_with_lines_that_no_pack_knows_is_told_so(operator: Client) -> None:
    odd = a_pay_table(code="ODD", lines=[{"code": "moon", "name": "Blue moon", "part": "1"}])
    a_jackpot("MOON", pay_table=odd)
    sentence = "How often “Blue moon” comes is not known"
    assert sentence in shown(operator, "/office/par/uth/jackpot/MOON/")


def test_the_paper_can_be_read_aloud_and_is_the_same_again(operator: Client) -> None:
    """PDF/UA-1 with our own fonts; what the same person prints at the same moment are the same bytes."""
    sheet = find_sheet(SheetQuestion(GAME, GAME.table("blind", "UTH-01")), wait=60).sheet
    assert sheet is not None
    now = datetime(2026, 11, 18, 20, tzinfo=UTC)
    facts = facts_of(sheet, 1_000, sign(sheet.digest), a_property(), "Olga", now)
    how = {"format": "pdf", "at": facts["at"], "template": "parsheet.typ", "pdf_standards": ["ua-1"]}
    aloud = _typeset(facts, Form.A4, own_fonts=True, **how)
    again = par_sheet_paper(sheet, 1_000, sign(sheet.digest), Form.A4, a_property(), by="Olga", now=now)
    assert aloud == again
    assert b"pdfuaid" in aloud


# One table of each bet: a bad beat is counted for half a minute, and the edges of the other two are asked of
# tests/tables/games/test_par_sheet.py.
ON_PAPER = [
    ("bad_beat/BBB-01/?fold=dead", "24.94"), ("bad_beat/BBB-01/", ""), ("trips/UTH-01/?fold=dead", "2.65"),
    ("pairs/PT3/", ""), ("progressive/PT01/?fold=dead&meter=15000.00", ""), ("blind/UTH-01/", "2.18"),
]  # fmt: skip


@pytest.mark.parametrize(("sheet", "edge"), ON_PAPER, ids=[each[0] for each in ON_PAPER])
def test_paper_and_csv_say_the_same_to_the_last_digit(operator: Client, sheet: str, edge: str) -> None:
    address, _, asked = f"/office/par/uth/{sheet}".partition("?")
    rows = list(csv.reader(io.StringIO(shown(operator, f"{address}rows.csv?{asked}"))))
    answer = operator.post(f"{address}print/", {"form": "letter", **dict(parse_qsl(asked))})
    pages = pypdf.PdfReader(io.BytesIO(answer.content)).pages
    paper = "".join("".join(page.extract_text() for page in pages).split())
    told = {row[0]: row[1] for row in rows if len(row) == 2}
    lines = [dict(zip(rows[0], row, strict=True)) for row in rows[1:] if len(row) == len(rows[0])]
    lines = [line for line in lines if line["combinations"] != "0"]  # paper says nothing of what never comes
    assert lines
    for line in lines:
        for word in (line["name"], line["pays"], f"{int(line['combinations']):,}", line["one_in"]):
            assert "".join(word.split()).lower() in paper.lower(), (line["name"], word)
    for word in (told["house_edge"], told["digest"], told["signature"], f"{int(told['combinations']):,}"):
        assert "".join(word.split()) in paper, word
    percent = told["house_edge_percent"]
    assert abs(100 * Fraction(told["house_edge"]) - Fraction(percent)) <= Fraction(1, 10**6)
    assert percent in paper
    assert edge in ("", str(round(Decimal(percent), 2)))


def test_a_sheet_that_waits_for_its_turn_says_so_and_for_how_many(
    operator: Client, monkeypatch: pytest.MonkeyPatch, settings: Any, tmp_path: Path
) -> None:
    """Nought percent beside a bar that stands still would look as if nothing came of it."""
    settings.DATA_DIR = tmp_path  # where nothing was answered yet
    monkeypatch.setattr(CalculationDesk, "_give_out", lambda self, lane: None)
    for module in (par_sheets, decisions):
        monkeypatch.setattr(module, "IN_A_REQUEST", 0.0)
    first, second = "/office/par/uth/pairs/PT1/", "/office/par/uth/pairs/PT2/"
    operator.get(first)
    page = " ".join(operator.get(second).content.decode().split())
    assert "Not begun yet: 1 other question is counted before it." in page
    assert "0 %. Every deal" not in page
    assert operator.get(f"{second}rows.csv").content.decode() == (
        "The sheet waits for its turn: 1 other question before it. Ask again."
    )
    operator.get("/office/par/hands/")
    third = operator.get("/office/par/uth/pairs/PT3/").content.decode()
    assert "Not begun yet: 3 other questions are counted before it." in third
