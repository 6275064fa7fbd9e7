from __future__ import annotations

from datetime import timedelta

import pytest

from accounting.days.rules.reconcile import CloseColumn, LineState
from jackpot.money import Money
from tables.floor.models.sign import Sign, SignTally
from tables.signs.reports import SignReport
from tables.signs.tally import ReportTally, write
from tests.builders import a_sign
from tests.scenes_days import a_worked_day
from tests.tables.signs.scene import Floor

pytestmark = pytest.mark.django_db


def report(shown: str, version: int = 1) -> SignReport:
    return SignReport(Money.of(shown), version)


def test_reports_of_two_minutes_add_up_on_their_gaming_day_and_the_last_word_stands() -> None:
    floor, tally = Floor(), ReportTally()
    tally.count("WALL-1", floor.jackpot.pk, report("20000.00"), disagrees=False)
    tally.count("WALL-1", floor.jackpot.pk, report("20000.70"), disagrees=True)
    write(tally.take())
    assert not tally
    tally.count("WALL-1", floor.jackpot.pk, report("20000.35"), disagrees=False)
    write(tally.take())
    (row,) = SignTally.objects.all()
    assert (row.reports, row.disagreed, row.shown) == (3, 1, Money.of("20000.35").decimal())
    assert row.gaming_day == floor.premises.gaming_day(row.said_at)


def test_a_minute_of_another_process_that_is_written_late_adds_but_says_nothing_newer() -> None:
    floor, tally = Floor(), ReportTally()
    tally.count("WALL-1", floor.jackpot.pk, report("20000.00"), disagrees=False)
    late = tally.take()
    tally.count("WALL-1", floor.jackpot.pk, report("20000.70"), disagrees=False)
    newer = tally.take()
    for each in late.values():
        each.said_at -= timedelta(seconds=50)
    write(newer)
    write(late)
    assert [(row.reports, row.shown) for row in SignTally.objects.all()] == [(2, Money.of("20000.70").decimal())]


def test_a_sign_that_was_taken_down_has_no_tally() -> None:
    floor, tally = Floor(), ReportTally()
    tally.count("WALL-1", floor.jackpot.pk, report("20000.00"), disagrees=False)
    Sign.objects.all().delete()
    write(tally.take())
    assert not SignTally.objects.exists()


def test_the_close_tells_what_a_sign_said_of_itself_apart_from_what_people_read() -> None:
    office = a_worked_day()
    snapshot = office.snapshot()
    a_sign("WALL-7", snapshot.jackpot)
    before = set(office.open_lines())
    sign = Sign.objects.get(code="WALL-7")
    SignTally.objects.create(
        sign=sign, jackpot=snapshot.jackpot, gaming_day=snapshot.day, reports=8640, disagreed=2, shown="20001.40",
        said_at=snapshot.at,
    )  # fmt: skip
    line = office.lines(CloseColumn.SIGNS)[f"WALL-7 {snapshot.jackpot.code} itself"]
    assert (line.state, line.found, line.is_done) == (LineState.APART, "20001.40", True)
    assert "8,640 times by itself, 2 of them not what the books had" in line.told
    assert set(office.open_lines()) == before
