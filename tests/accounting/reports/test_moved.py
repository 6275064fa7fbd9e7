"""What entries moved, by day, jackpot and kind: the same as plain SQL over every entry, whatever days there are."""

from __future__ import annotations

from datetime import date, timedelta
from typing import Any

import pytest
from django.db import connection, transaction
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from accounting.days.models import DaySnapshot
from accounting.reports.queries.moved import MOVED_BY_KIND
from jackpot.books.rules.movement import ACCOUNTS
from jackpot.property.models.property import Property
from tests.accounting.reports.report_scene import PlayedHouse
from tests.builders import a_jackpot
from tests.tampering import tamper
from tests.undoing import as_a_test

pytestmark = pytest.mark.django_db
FIRST = date(2026, 11, 1)
PLAIN = f"""
SELECT e.jackpot_id, e.gaming_day, e.kind, count(*), {", ".join(f"sum(e.{account})" for account in ACCOUNTS)}
  FROM jackpot_entry e JOIN jackpot_jackpot j ON j.id = e.jackpot_id
 WHERE e.gaming_day BETWEEN %(first)s AND %(last)s AND (%(jackpot)s = '' OR j.code = %(jackpot)s) GROUP BY 1, 2, 3
"""
TOLD = f"SELECT jackpot_id, day, kind, entries, {', '.join(ACCOUNTS)} FROM ({MOVED_BY_KIND}) m"
DAYS = st.lists(st.integers(0, 3), min_size=1, max_size=30)  # how many days lie before each next entry


def rows(statement: str, values: dict[str, Any]) -> list[Any]:
    with connection.cursor() as cursor:
        cursor.execute(statement, values)
        return sorted(cursor.fetchall())


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None, max_examples=25)
@given(steps=DAYS, asked=st.tuples(st.integers(-2, 20), st.integers(0, 30)), cuts=st.sets(st.integers(1, 40)))
def test_what_entries_moved_is_what_plain_sql_finds(
    steps: list[int], asked: tuple[int, int], cuts: set[int]
) -> None:  # fmt: skip
    """Days of any length with gaps between them, days that rolled or not, and snapshots that lie elsewhere."""
    with as_a_test():
        played = PlayedHouse()
        a_jackpot("MINI", premises=played.house)
        jackpot = played.floor.casino.jackpot
        jackpot.refresh_from_db()
        on = FIRST
        for seq in range(1, jackpot.last_seq + 1):
            on += timedelta(days=steps[seq % len(steps)])
            tamper("UPDATE jackpot_entry SET gaming_day = %s WHERE jackpot_id = %s AND seq = %s", [on, jackpot.pk, seq])
        for seq in cuts:
            kept = {"after_seq": 0, "last_seq": seq, "equation": {}, "agrees": True, "seal": ""}
            kept |= dict.fromkeys(("meter", "reserve", "overflow", "winners", "house", "owed", "seed"), "0")
            rolled = FIRST + timedelta(days=seq)
            DaySnapshot.objects.create(premises=played.house, jackpot=jackpot, day=rolled, **kept)
        first = FIRST + timedelta(days=asked[0])
        for code in ("", "GRAND", "MINI", "NOBODY"):
            for last in (first + timedelta(days=asked[1]), date(2100, 1, 1)):
                values = {"house": played.house.pk, "first": first, "last": last, "jackpot": code}
                assert rows(TOLD, values) == rows(PLAIN, values)
        transaction.set_rollback(True)


def test_another_house_and_a_jackpot_that_was_never_opened_are_not_in_it() -> None:
    played = PlayedHouse()
    values = {"house": played.house.pk + 1, "first": played.today, "last": played.today, "jackpot": ""}
    assert rows(TOLD, values) == []
    assert Property.objects.count() == 1


def test_coin_ins_are_not_read_one_by_one() -> None:
    """The plan goes by keys and by the index without coin-ins, also where tables look small."""
    values = {"house": 1, "first": FIRST, "last": FIRST, "jackpot": ""}
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN {TOLD}", values)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Seq Scan on jackpot_entry" not in plan, plan
