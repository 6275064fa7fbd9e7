"""The reports of play find the rounds of a day by the pages that hold them, not by reading those of all days."""

from __future__ import annotations

from typing import Any

import pytest
from django.db import connection

from accounting.home.queries.morning import PLAYED_BY_DAY
from accounting.reports.queries.play import MINUTES, SEATS

pytestmark = pytest.mark.django_db
ASKED: dict[str, Any] = {"house": 1, "first": "2026-11-18", "last": "2026-11-18", "table": "", "shift": ""}


@pytest.mark.parametrize("statement", [PLAYED_BY_DAY, MINUTES, SEATS], ids=["morning", "minutes", "seats"])
def test_a_day_is_found_by_its_pages(statement: str) -> None:
    """An empty table is rather read, or asked table by table; without those choices there must be another."""
    with connection.cursor() as cursor:
        for choice in ("seqscan", "indexscan", "nestloop", "mergejoin"):
            cursor.execute(f"SET LOCAL enable_{choice} = off")
        cursor.execute(f"EXPLAIN {statement}", ASKED)
        plan = "\n".join(row[0] for row in cursor.fetchall())
    assert "Bitmap Index Scan on round_of_a_day" in plan, plan
