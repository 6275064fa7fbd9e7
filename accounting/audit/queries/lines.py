"""Lines of the trail, a page at a time from a place on: newest first, quick at any depth."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db import connection

from accounting.audit.rules.turning import TrailPlace
from accounting.reports.queries.trail import LINES
from accounting.reports.rules.declaring import ReportQuestion

PAGE: Final = 50
COUNTED_TO: Final = 10_000  # beyond so many lines nobody wants the exact count, and it would cost a second
OLDER: Final = "SELECT * FROM ({lines}) r WHERE {where} ORDER BY r.at DESC, r.id DESC LIMIT %(limit)s"
NEWER: Final = "SELECT * FROM ({lines}) r WHERE {where} ORDER BY r.at, r.id LIMIT %(limit)s"
# Every act there is, each found by one step in the index: a million lines cost as much as there are acts.
ACTS: Final = """
WITH RECURSIVE acts(act) AS (
  (SELECT act FROM jackpot_trail ORDER BY act LIMIT 1)
  UNION ALL
  SELECT (SELECT t.act FROM jackpot_trail t WHERE t.act > a.act ORDER BY t.act LIMIT 1) FROM acts a WHERE a.act <> ''
)
SELECT act FROM acts WHERE act <> ''
"""


@dataclass(frozen=True, slots=True)
class TrailPage:
    """Some lines, newest first, and the places where the pages around them begin."""

    rows: Sequence[Mapping[str, Any]]
    newer: TrailPlace | None
    older: TrailPlace | None
    count: int

    @property
    def is_counted(self) -> bool:
        return self.count <= COUNTED_TO


def trail_page(
    question: ReportQuestion,
    *,
    before: TrailPlace | None = None,
    after: TrailPlace | None = None,
    oldest: bool = False,
    size: int = PAGE,
) -> TrailPage:
    """The lines older than a place, or newer than it, or the oldest of all; without any of these the newest."""
    assert size >= 1, "a page has room for a line"
    # One more than is shown says whether there is a further page, without counting.
    values = {**question.values, "limit": size + 1}
    if after is not None or oldest:
        found = _fetched(NEWER, values, after, ">")
        # Read away from the place, shown newest first.
        more, rows = len(found) > size, found[:size][::-1]
        newer, older = _place(rows[:1]) if more else None, None if oldest else _place(rows[-1:])
    else:
        found = _fetched(OLDER, values, before, "<")
        more, rows = len(found) > size, found[:size]
        newer, older = (_place(rows[:1]) if before is not None else None), _place(rows[-1:]) if more else None
    return TrailPage(rows, newer, older, _count(question))


def acts_known() -> list[str]:
    with connection.cursor() as cursor:
        cursor.execute(ACTS)
        return [row[0] for row in cursor.fetchall()]


def _fetched(text: str, values: Mapping[str, Any], place: TrailPlace | None, than: str) -> list[dict[str, Any]]:
    where = "true" if place is None else f"(r.at, r.id) {than} (%(place_at)s, %(place_id)s)"
    asked = {**values, "place_at": _at(place), "place_id": None if place is None else place.number}
    with connection.cursor() as cursor:
        cursor.execute(text.format(lines=LINES, where=where), asked)
        names = [column[0] for column in cursor.description or ()]
        rows = [dict(zip(names, row, strict=True)) for row in cursor.fetchall()]
    # A bare cursor hands JSON out as its text.
    return [{**row, "details": json.loads(row["details"])} for row in rows]


def _at(place: TrailPlace | None) -> datetime | None:
    return None if place is None else place.at


def _place(rows: Sequence[Mapping[str, Any]]) -> TrailPlace | None:
    return TrailPlace(rows[0]["at"], rows[0]["id"]) if rows else None


def _count(question: ReportQuestion) -> int:
    """Counted as far as people want to know it."""
    with connection.cursor() as cursor:
        cursor.execute(
            f"SELECT count(*) FROM (SELECT 1 FROM ({LINES}) r LIMIT {COUNTED_TO + 1}) counted", question.values
        )
        row = cursor.fetchone()
        assert row is not None, "a count has a row"
        return int(row[0])
