from __future__ import annotations

from datetime import date
from decimal import Decimal
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from accounting.register.rules.search import Calendar, meant, win_search


@pytest.mark.parametrize(
    ("q", "meanings"),
    [
        ("12", {"slip": 12, "amount": Decimal(12)}),
        ("1234", {"slip": 1234, "amount": Decimal(1234), "last_four": "1234"}),
        ("0001", {"slip": 1, "last_four": "0001", "amount": Decimal(1)}),
        ("#12", {"slip": 12, "amount": Decimal(12)}),
        ("slip 12", {"slip": 12}),
        ("$20,001.40", {"amount": Decimal("20001.40")}),
        ("20001.4", {"amount": Decimal("20001.4")}),
        ("uth-04", {"table": "UTH-04"}),
        ("•••• 1234", {"last_four": "1234"}),
        ("xxxx1234", {"last_four": "1234"}),
        ("2026-11-18", {"day": date(2026, 11, 18)}),
        ("http://127.0.0.1/verify/7/" + "a" * 32, {"slip": 7}),
        ("UTH 01", {}),
        ("2026-13-01", {}),
        ("²", {}),
    ],
)
def test_what_is_typed_means_everything_that_it_may_mean(q: str, meanings: dict[str, Any]) -> None:
    assert meant(q) == meanings


@pytest.mark.parametrize("name", ["Royal flush, first 5 cards", "Four of a kind", "Mini", "Straight flush (board, 5)"])
def test_the_name_of_a_hand_is_found_whatever_stands_in_it(name: str) -> None:
    """Reports lead to the wins of a row by the name of its hand."""
    calendar = Calendar(date(2026, 11, 18), month_first=True)
    assert meant(name, calendar)["hand"] == name
    assert "hand" not in meant("UTH 01", calendar), "a table that is written so gets a sentence"


@given(st.text(max_size=200))
def test_no_text_is_ever_a_fault(q: str) -> None:
    search = win_search({"q": q})
    assert search.problem or search.either or not q.strip()


def test_the_question_is_kept_as_an_address() -> None:
    assert win_search({"q": "UTH-04", "state": "paid", "before": "9"}).query == "q=UTH-04&state=paid"
    assert win_search({"state": "lost"}).problem == "There is no such state of a win."
