"""The laboratory's page, its exports, and the same answer in a terminal."""

from __future__ import annotations

import csv
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from accounting.lab.actions.questions import ground_without_jackpot
from accounting.lab.pages.lab_scale import Scale, reaching, short
from jackpot.laboratory import simulate
from tables.calculation import job as desks
from tables.calculation.sums import calculate
from tests.accounting.lab.lab_scene import outcomes_are_known
from tests.builders import a_jackpot, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.patience import until

pytestmark = pytest.mark.django_db
QUICK = "days=7&paths=20"


@pytest.fixture
def operator(settings: Any, db: None) -> Client:
    """Somebody of a house with GRAND (all from the meter, 20,000.00 in it) and a table of six seats."""
    outcomes_are_known(settings.DATA_DIR)
    grand = a_jackpot("GRAND", meter="20000.00", pay_table={**_all_from_meter()})
    a_table("UTH-01", grand, seats=6)
    return signed_in("see", "read_books")


def _all_from_meter() -> dict[str, Any]:
    from tests.builders import a_pay_table

    return a_pay_table(source="meter").plain()


def answered(browser: Client, address: str) -> Any:
    """As a browser does: asks again while it is calculated."""

    def calculated() -> Any:
        answer = browser.get(address)
        return None if answer.status_code == 202 or b"Calculating" in answer.content else answer

    return until(calculated, "calculated")


def test_a_question_is_taken_back_by_its_form_and_not_by_looking(operator: Client) -> None:
    where = f"/office/lab/cancel/?jackpot=GRAND&{QUICK}"
    assert operator.get(where).status_code == 405
    answer = operator.post(where)
    assert (answer.status_code, "Ask it again" in answer.content.decode()) == (200, True)


def test_the_form_starts_from_the_live_terms(operator: Client) -> None:
    page = answered(operator, f"/office/lab/?jackpot=GRAND&{QUICK}").content.decode()
    assert 'name="a_rate" value="70"' in page
    assert 'name="meter" value="20000.00"' in page
    assert 'name="seats" value="6"' in page
    assert "as live: meter" in page


def test_the_answer_has_the_exact_figures(operator: Client) -> None:
    told = answered(operator, f"/office/lab/answer.json?{QUICK}").json()["configurations"][0]
    answer = told["answer"]
    assert answer["house_edge"] == "30487/129948"
    assert answer["at_meters"][0]["meter"] == "20000.00"
    assert Fraction(answer["at_meters"][0]["player_return"]) == Fraction(81717, 145418)
    assert answer["break_even_meter"] == "101401400/611"
    assert told["question"]["seats"] == 6


def test_two_sides_stand_beside_each_other(operator: Client) -> None:
    page = answered(operator, f"/office/lab/answer/?compare=on&b_rate=60&{QUICK}").content.decode()
    assert "23.46 %" in page
    assert "33.46 %" in page
    assert "less than 70 %" in page


def test_the_demo_of_a_losing_setting_is_refused_by_the_preview(operator: Client) -> None:
    page = answered(operator, f"/office/lab/answer/?a_fixed=tray&{QUICK}").content.decode()
    assert "The house edge is −26.73 %" in page
    assert 'class="refused"' in page


def test_every_chart_has_its_table(operator: Client) -> None:
    page = answered(operator, f"/office/lab/?{QUICK}").content.decode()
    assert page.count('role="img"') == 3
    for table in ("The fan as a table", "Where each chip goes", "Figures by meter"):
        assert table in page
    assert page.count('<tr><th scope="row"') >= 25


def test_the_worst_round_shows_its_cards_by_name(operator: Client) -> None:
    page = answered(operator, f"/office/lab/?{QUICK}").content.decode()
    assert "the costliest deal pays" in page
    assert '<span class="heard">ace of' in page


def test_the_csv_has_a_line_for_every_figure(operator: Client) -> None:
    answer = answered(operator, f"/office/lab/answer.csv?compare=on&b_seed=20000&{QUICK}")
    rows = {name: (left, right, more) for name, left, right, more in csv.reader(io.StringIO(answer.content.decode()))}
    assert rows["figure"] == ("A", "B", "B less A")
    assert rows["seed_cost"] == ("500/32487", "1000/32487", "500/32487")
    assert "fan.25.quantiles.5" in rows
    assert "fan.25.standard_errors.5" in rows


def test_the_pictures_are_pictures(operator: Client) -> None:
    assert answered(operator, f"/office/lab/answer.png?{QUICK}").content.startswith(b"\x89PNG")
    svg = answered(operator, f"/office/lab/answer.svg?{QUICK}")
    assert svg.content.startswith(b"<svg xmlns=")
    assert "House edge" in svg.content.decode()


def test_an_export_that_does_not_exist_is_not_found(operator: Client) -> None:
    answered(operator, f"/office/lab/answer.csv?{QUICK}")
    assert operator.get(f"/office/lab/answer.docx?{QUICK}").status_code == 404


@pytest.mark.parametrize(
    ("typed", "sentence"),
    [
        ("a_rate=101", "The rate of 101 % lies outside 0 to 100 %."),
        ("a_rate=lots", "“lots” is not a percentage."),
        ("a_seed=-1", "The seed of -1 is no amount of this house."),
        ("a_seed=0.001", "is not in whole cents"),
        ("a_wager=0", "The wager is more than nothing."),
        ("seats=9", "“9” seats a round: take a whole number from 1 to 7."),
        ("seats=²", "take a whole number from 1 to 7"),
        ("days=3650&paths=20000&coin_ins=1000000", "forty billion"),
        ("a_table=PT99", "There is no progressive pay table “PT99”"),
        ("a_fixed=moon", "from the tray or from the meter"),
    ],
)
def test_what_cannot_be_meant_gets_a_sentence(operator: Client, typed: str, sentence: str) -> None:
    page = operator.get(f"/office/lab/answer/?{typed}")
    assert page.status_code == 200
    assert sentence in page.content.decode()
    refused = operator.get(f"/office/lab/answer.json?{typed}")
    assert (refused.status_code, sentence in refused.json()["why"]) == (400, True)


def test_rows_that_no_pack_knows_are_named(operator: Client) -> None:
    lines = [{"code": "moon", "name": "Moon", "part": "1", "source": "meter", "envy": None}]
    a_jackpot("ODD", pay_table={"code": "odd", "lines": lines})
    page = operator.get("/office/lab/answer/?jackpot=ODD").content.decode()
    assert "How often “moon” comes is not known" in page


def test_a_jackpot_of_few_rows_says_that_no_worst_round_is_claimed(operator: Client) -> None:
    table = _all_from_meter()
    a_jackpot("MINI", pay_table={"code": "mini", "lines": table["lines"][3:]})
    page = answered(operator, f"/office/lab/answer/?jackpot=MINI&{QUICK}").content.decode()
    assert "no worst round is claimed" in page
    assert "When the top award falls" not in page


def test_while_it_is_calculated_the_page_shows_how_far_it_is(operator: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    class Busy:
        def ask(self, *_: Any, **__: Any) -> desks.Job:
            return desks.Job("x", progress=0.37)

    monkeypatch.setattr("accounting.lab.actions.questions.desk", Busy)
    page = operator.get("/office/lab/").content.decode()
    assert '<progress max="100" value="37"' in page
    waiting = operator.get("/office/lab/answer.json")
    assert (waiting.status_code, waiting.json()["percent"]) == (202, 37)


def test_the_common_answer_plays_few_stretches(
    operator: Client, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What it costs is how often it plays on: some eighty stretches of many lives at once, a second of a processor."""
    plain = answered(operator, "/office/lab/answer.json").json()["configurations"][0]
    asked, stretches = {name: part for name, part in plain.items() if name != "answer"}, []
    right = simulate._Felt.play_on
    monkeypatch.setattr(simulate._Felt, "play_on", lambda *told: stretches.append(1) or right(*told))
    calculate(asked, Path(settings.DATA_DIR) / "games", lambda part: None)
    assert 10 < len(stretches) <= 100


def test_the_terminal_says_the_same(operator: Client, capsys: pytest.CaptureFixture[str]) -> None:
    told = io.StringIO()
    call_command("lab", "--jackpot", "GRAND", "--days", "7", "--paths", "20", "--json", stdout=told)
    (page,) = answered(operator, f"/office/lab/answer.json?{QUICK}").json()["configurations"]
    assert json.loads(told.getvalue())["configurations"] == [page]


def test_the_terminal_shows_a_table_of_both_sides(operator: Client) -> None:
    told = io.StringIO()
    words = ("--days", "7", "--paths", "20", "--fixed", "meter", "--against", "rate=60", "reserve=0")
    call_command("lab", *words, stdout=told)
    assert "23.46 %" in told.getvalue()
    assert "38.46 %" in told.getvalue()
    assert "B  advice" in told.getvalue()


@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (("--jackpot", "NONE"), "There is no jackpot NONE; there is GRAND."),
        (("--rate", "101"), "lies outside 0 to 100 %"),
        (("--against", "colour=red"), "“colour” is no part of a configuration."),
    ],
)
def test_the_terminal_refuses_in_a_sentence(operator: Client, words: tuple[str, ...], sentence: str) -> None:
    with pytest.raises(CommandError, match=sentence):
        call_command("lab", *words, stdout=io.StringIO())


def test_a_house_without_a_jackpot_looks_at_a_pack(settings: Any) -> None:
    outcomes_are_known(settings.DATA_DIR)
    page = answered(signed_in("configure"), f"/office/lab/?{QUICK}")
    assert page.status_code == 200
    assert ground_without_jackpot().starting_values()["a_table"] == "PT01"


@pytest.mark.parametrize(
    ("value", "text"), [(0, "0"), (250, "250"), (12_500, "12.5k"), (1_200_000, "1.2M"), (2.5, "2.5")]
)
def test_amounts_on_an_axis_are_short(value: float, text: str) -> None:
    assert short(value) == text


def test_an_axis_ends_at_a_round_step() -> None:
    scale = reaching([8_300.0], 100, 0, 5)
    assert (scale.top, list(scale.ticks(5))) == (10_000.0, [0.0, 2_000.0, 4_000.0, 6_000.0, 8_000.0, 10_000.0])
    assert Scale(10, 0, 50).at(5) == 25
