"""The laboratory over the API."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import pytest
from django.test import Client

from tests.accounting.lab.lab_scene import outcomes_are_known
from tests.builders import a_jackpot, a_pay_table, a_table
from tests.jackpot.books.api_scene import signed_in
from tests.patience import until

pytestmark = pytest.mark.django_db
ADDRESS = "/api/v1/laboratory/"
QUICK = "days=7&paths=20"


@pytest.fixture
def reader(settings: Any, db: None) -> Client:
    outcomes_are_known(settings.DATA_DIR)
    top, *others = a_pay_table(source="meter").plain()["lines"]
    table = {"code": "envied", "lines": [{**top, "envy": "1000.00"}, *others]}
    a_table("UTH-01", a_jackpot("GRAND", meter="20000.00", pay_table=table), seats=7)
    return signed_in("see", "read_books")


def answered(reader: Client, query: str) -> Any:
    def calculated() -> Any:
        answer = reader.get(f"{ADDRESS}?{query}")
        if answer.status_code == 202:
            assert (answer.json()["ready"], answer.headers["Retry-After"]) == (False, "1")
            return None
        assert answer.status_code == 200, answer.content
        return answer.json()

    return until(calculated, "calculated")


def test_both_sides_are_asked_for_and_answered_with_errors_beside_estimates(reader: Client) -> None:
    told = answered(reader, f"jackpot=GRAND&compare=on&b_rate=60&{QUICK}")
    one, other = told["configurations"]
    assert (told["percent"], one["setting"]["rate"], other["setting"]["rate"]) == (100, "7/10", "3/5")
    assert one["question"]["meters"] == other["question"]["meters"]
    assert one["answer"]["long_run_meter"]["standard_error"] > 0
    assert all(point["standard_errors"] for point in one["answer"]["fan"])


def test_the_jackpot_s_own_envy_is_counted(reader: Client) -> None:
    (told,) = answered(reader, f"jackpot=GRAND&{QUICK}")["configurations"]
    assert Fraction(told["answer"]["meter_fixed_share"]) > Fraction(6 * 1000, 649_740)
    assert "envy" in {finding["code"] for finding in told["answer"]["findings"]}


def test_an_unknown_name_or_a_figure_that_cannot_be_meant_is_refused(reader: Client) -> None:
    for query, words in (("foo=1", "There is no filter “foo” here"), ("a_rate=101", "outside 0 to 100 %")):
        refused = reader.get(f"{ADDRESS}?{query}")
        assert (refused.status_code, words in refused.json()["why"]) == (400, True)


def test_a_jackpot_that_does_not_exist_is_not_found(reader: Client) -> None:
    assert reader.get(f"{ADDRESS}?jackpot=NONE").status_code == 404


def test_a_question_is_taken_back(reader: Client) -> None:
    assert reader.get(f"{ADDRESS}?jackpot=GRAND&paths=20000").status_code == 202
    taken = reader.delete(f"{ADDRESS}?jackpot=GRAND&paths=20000")
    assert (taken.status_code, taken.json()["was_under_way"]) == (200, True)
    assert reader.delete(f"{ADDRESS}?jackpot=GRAND&paths=20000").json()["was_under_way"] is False


def test_whoever_may_not_read_the_books_may_not_ask(reader: Client) -> None:
    assert signed_in("see", username="guest").get(ADDRESS).status_code == 403
