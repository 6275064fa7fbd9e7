"""What an explanation of a gaming day's line stands for: the figures that two people saw, and no others."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest
from django.db import connection

from accounting.days.actions.closing import close_day, sign_day
from accounting.days.actions.explaining import ExplanationWish, explain
from accounting.days.actions.writing import count_chips
from accounting.days.models import DaySnapshot, Explanation
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
from jackpot.property.models.property import Property
from jackpot.refusals import Refused
from jackpot.signing.actions import SecondPerson, kind_of, sign
from tests import databases
from tests.builders import a_table
from tests.jackpot.books.api_scene import signed_in
from tests.scenes import changed_and_restored, played
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


def closed_with_everything_explained(office: OfficeDay) -> list[str]:
    """Two people explain whatever is open, and close the day; says what they explained."""
    one, two = two_accountants()
    found = office.open_lines()
    for subject in found:
        wish = ExplanationWish(subject, Explanation.Cause.OTHER, "the auditor knows", "report 12")
        sign(request_id=explain(**office.where(), wish=wish, by=one).pk, approver=SecondPerson(two))
    sign_day(**office.where(), by=one)
    close_day(**office.where(), by=two)
    return found


def altered(statement: str) -> None:
    with connection.cursor() as cursor:
        cursor.execute(f"SET LOCAL session_replication_role = replica; {statement}")
        cursor.execute("SET LOCAL session_replication_role = origin")


ALARM = "The records say something else today"
BREAK = "UPDATE jackpot_entry SET meter = meter + 1, house = house - 1 WHERE seq = 3"


@pytest.fixture(scope="module")
def scene(test_server: databases.TestServer, django_db_setup: None, django_db_blocker: Any) -> Iterator[str]:
    with played(test_server, django_db_blocker, a_worked_day) as name:
        yield name


class PlayedDay(OfficeDay):
    """The day of the scene, as another connection finds it."""

    def __init__(self) -> None:
        self.premises = Property.objects.get()
        self.day = DaySnapshot.objects.earliest("day").day


def test_a_closed_day_whose_broken_entry_was_explained_alarms_no_more_until_something_is_altered(
    scene: str, test_server: databases.TestServer, django_db_blocker: Any
) -> None:
    with changed_and_restored(test_server, django_db_blocker, scene):
        office = PlayedDay()
        altered(BREAK)
        assert closed_with_everything_explained(office) == ["books/GRAND entry 3"]
        reader = signed_in("close_day", "read_books", username="reader-of-days")
        address = f"/office/days/{office.day}/"
        for asked in ("", "?anew=1"):
            assert ALARM not in reader.get(address + asked).content.decode()
        altered("UPDATE jackpot_win SET amount = amount + 1 WHERE slip = 2")
        for asked in ("", "?anew=1"):
            assert ALARM in reader.get(address + asked).content.decode()


def test_a_record_that_was_missing_at_the_roll_and_is_there_now_is_no_alarm(
    scene: str, test_server: databases.TestServer, django_db_blocker: Any
) -> None:
    with changed_and_restored(test_server, django_db_blocker, scene):
        office = PlayedDay()
        altered("UPDATE accounting_daysnapshot SET equation = jsonb_set(equation, '{missing}', '[\"Entry 3.\"]')")
        assert closed_with_everything_explained(office) == []
        reader = signed_in("close_day", "read_books", username="reader-of-days")
        assert ALARM not in reader.get(f"/office/days/{office.day}/").content.decode()
