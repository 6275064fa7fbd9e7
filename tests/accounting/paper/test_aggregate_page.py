"""A round above its table's aggregate, from the felt to the page: shared, printed with its reason, and proven."""

from __future__ import annotations

import pytest

from accounting.paper.printing.facts import facts_of
from accounting.paper.rules.copies import FILE_COPY
from tables.rounds.queries.prove import prove
from tests.scenes_wins import WinFloor

pytestmark = pytest.mark.django_db


def rows(win: object) -> dict[str, str]:
    groups = facts_of(win, FILE_COPY).plain()["groups"]  # type: ignore[arg-type]
    return {label: value for group in groups for label, value in group["rows"]}


def test_two_fixed_awards_share_the_aggregate_and_a_part_is_paid_whole() -> None:
    floor = WinFloor(aggregate="150.00")
    wins = floor.won({1: "four", 3: "four", 5: "five"})
    assert {win.seat: str(win.amount_money) for win in wins} == {1: "75.00", 3: "75.00", 5: "1000.07"}
    by_seat = {win.seat: rows(win) for win in wins}
    assert by_seat[1]["Aggregate"] == "$150.00 for a table and round, shared in proportion; uncut $100.00"
    assert "Aggregate" not in by_seat[5]
    assert prove().holds


def test_an_award_within_the_aggregate_prints_nothing_of_it() -> None:
    (win,) = WinFloor(aggregate="150.00").won({1: "four"})
    assert str(win.amount_money) == "100.00"
    assert "Aggregate" not in rows(win)
