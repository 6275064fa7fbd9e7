"""When a saved report is written by itself: on which gaming days, counted from one."""

from __future__ import annotations

import enum
from datetime import date, timedelta
from typing import assert_never


class Rota(enum.StrEnum):
    """How often. A day's report is written when the next day has begun."""

    NEVER = "never"
    DAILY = "daily"
    WEEKLY = "weekly"
    MONTHLY = "monthly"


def due_after(rota: Rota, day: date) -> date | None:
    """The next gaming day after this one on which it is due: every one, the next Monday, the first of a month."""
    match rota:
        case Rota.NEVER:
            return None
        case Rota.DAILY:
            return day + timedelta(days=1)
        case Rota.WEEKLY:
            return day + timedelta(days=7 - day.weekday())
        case Rota.MONTHLY:
            # From the first, 31 days reach the next month, and never the one after it.
            return (day.replace(day=1) + timedelta(days=31)).replace(day=1)
        case _:
            assert_never(rota)
