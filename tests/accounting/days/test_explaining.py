"""What an explanation of a gaming day's line stands for: the figures that two people saw, and no others."""

from __future__ import annotations

from dataclasses import replace

import pytest

from accounting.days.actions.closing import sign_day
from accounting.days.actions.explaining import ExplanationWish, explain
from accounting.days.actions.writing import count_chips
from accounting.days.models import Explanation
from accounting.days.queries.columns import lines_of
from accounting.days.queries.days import explained, explanations_on
from accounting.days.rules.equation import DayEquation, Holdings
from accounting.days.rules.reconcile import (
    CloseLine,
    CountOfOne,
    DayLines,
    SlipFacts,
    books_lines,
    chips_line,
    slip_lines,
)
from jackpot.money import ZERO, Money
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, kind_of, sign
from tests.builders import a_table
from tests.scenes_adjusting import person
from tests.scenes_days import OfficeDay, a_worked_day, two_accountants

ONE = Money.of("1.00")


def counted(office: OfficeDay, table: str, chips: int) -> None:
    for who in ("one", "two"):
        count_chips(**office.where(), table_code=table, chips=chips, by=person(who))


@pytest.mark.django_db
def test_an_explanation_of_a_line_without_an_amount_holds_for_its_figures_only() -> None:
    office = a_worked_day()
    one, two = two_accountants()
    a_table("UTH-07")  # no round was played there, so nobody knows what a chip of it is worth
    counted(office, "UTH-07", 5)
    wish = ExplanationWish("chips/UTH-07", Explanation.Cause.COUNTING, "left over from training", "memo 4")
    row, late = explain(**office.where(), wish=wish, by=one), explain(**office.where(), wish=wish, by=one)
    assert kind_of("explanation").phrase(row).startswith(f"chips/UTH-07 of {office.day}, differs: 5 where 0 should be")
    sign(request_id=row.pk, approver=SecondPerson(two))
    agreed = explained(explanations_on(**office.where()))
    assert lines_of(**office.where()).unexplained(agreed) == []
    counted(office, "UTH-07", 500)
    assert [line.found for line in lines_of(**office.where()).unexplained(agreed)] == ["500"]
    with pytest.raises(Refused, match="Chips: UTH-07"):
        sign_day(**office.where(), by=one)
    with pytest.raises(Refused, match="differs: 500 where 0 should be now, no more by what this explains"):
        sign(request_id=late.pk, approver=SecondPerson(two))


EQUATION = DayEquation("GRAND", Holdings(), {}, Holdings(), Holdings(), missing=("Entry 3 has no round.", "Entry 9."))


@pytest.mark.parametrize(
    ("explained_one", "later"),
    [
        ([chips_line("T", [CountOfOne(1, "a", n), CountOfOne(2, "b", n)], 0, ZERO, in_box=True)], [
            chips_line("T", [CountOfOne(1, "a", m), CountOfOne(2, "b", m)], 0, ZERO, in_box=True)])
        for n, m in ((5, 500), (5, 6))
    ]
    + [
        (books_lines(EQUATION, Holdings(), "ab" * 32)[-1:], books_lines(EQUATION, Holdings(), "cd" * 32)[-1:]),
        (books_lines(EQUATION, Holdings(), "ab" * 32)[-1:], books_lines(EQUATION, Holdings(reserve=1), "ab" * 32)[-1:]),
        (books_lines(EQUATION, Holdings(), None)[-2:-1], books_lines(EQUATION, Holdings(), None)[-1:]),
        (books_lines(EQUATION, Holdings(), None)[-1:],
         books_lines(replace(EQUATION, missing=("Entry 3 has no round.", "Entry 10.")), Holdings(), None)[-1:]),
        (slip_lines(1, [SlipFacts(3, ONE, ONE)])[:1], slip_lines(2, [SlipFacts(3, ONE, ONE)])[:1]),
        ([chips_line("T", [], 0, ZERO, in_box=True)],
         [chips_line("T", [CountOfOne(1, "a", 9), CountOfOne(2, "b", 9)], 0, ZERO, in_box=True)]),
    ],
)  # fmt: skip
def test_what_is_explained_is_what_was_seen_of_every_kind_of_line(
    explained_one: list[CloseLine], later: list[CloseLine]
) -> None:
    agreed = frozenset((line.subject, *line.seen.values()) for line in explained_one)
    assert not DayLines(explained_one).unexplained(agreed), "it holds for what was seen"
    assert DayLines(later).unexplained(agreed) == later
