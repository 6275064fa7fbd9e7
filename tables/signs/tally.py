"""How often signs said what they show, counted in memory and written once a minute: the close counts it apart.

Whoever kills a web process loses what it has counted since its last minute; no figure of money hangs on it.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Final

from django.db import connection
from django.utils import timezone

from jackpot.property.models.property import Property
from tables.floor.models.sign import Sign
from tables.signs.reports import SignReport

WRITTEN_EVERY: Final = 60.0  # seconds
# Several processes may hear one sign within a minute: of what they write the later word is kept as its last.
ADD: Final = """
INSERT INTO tables_signtally AS t (sign_id, jackpot_id, gaming_day, reports, disagreed, shown, said_at)
VALUES (%s, %s, %s, %s, %s, %s, %s)
ON CONFLICT (sign_id, jackpot_id, gaming_day) DO UPDATE
   SET reports = t.reports + excluded.reports, disagreed = t.disagreed + excluded.disagreed,
       shown = CASE WHEN excluded.said_at >= t.said_at THEN excluded.shown ELSE t.shown END,
       said_at = greatest(t.said_at, excluded.said_at)
"""


@dataclass(slots=True)
class CountedReports:
    """Of one sign and meter since the last writing."""

    last: SignReport
    said_at: datetime
    reports: int = 0
    disagreed: int = 0


class ReportTally:
    """The reports that came to one process and are not written yet."""

    def __init__(self) -> None:
        self._counted: dict[tuple[str, int], CountedReports] = {}

    def __bool__(self) -> bool:
        return bool(self._counted)

    def count(self, sign: str, jackpot_id: int, report: SignReport, *, disagrees: bool) -> None:
        now = timezone.now()
        mine = self._counted.setdefault((sign, jackpot_id), CountedReports(report, now))
        mine.last, mine.said_at = report, now
        mine.reports += 1
        mine.disagreed += disagrees

    def take(self) -> dict[tuple[str, int], CountedReports]:
        """What is to be written; from here on counting begins anew."""
        taken, self._counted = self._counted, {}
        return taken


def write(counted: dict[tuple[str, int], CountedReports]) -> None:
    """Adds to the gaming day of each sign's house; a sign that is gone has no tally."""
    signs = {sign.code: sign for sign in Sign.objects.filter(code__in={code for code, _ in counted})}
    houses = Property.objects.in_bulk({sign.premises_id for sign in signs.values()})
    rows = [
        (
            signs[code].pk, jackpot_id, houses[signs[code].premises_id].gaming_day(each.said_at), each.reports,
            each.disagreed, each.last.shown.decimal(), each.said_at,
        )
        for (code, jackpot_id), each in counted.items()
        if code in signs
    ]  # fmt: skip
    if rows:
        with connection.cursor() as cursor:
            cursor.executemany(ADD, rows)
