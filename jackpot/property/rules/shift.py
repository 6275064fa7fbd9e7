"""Shifts of a gaming day: named hours that follow each other around the clock."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from zoneinfo import ZoneInfo


@dataclass(frozen=True, slots=True)
class ShiftHours:
    """A shift by its name and the minute after local midnight at which it begins; it ends where the next begins."""

    name: str
    begins_minutes: int


@dataclass(frozen=True, slots=True)
class ShiftPlan:
    """The shifts of every gaming day from one day on."""

    begins: date
    shifts: tuple[ShiftHours, ...]


def plan_on(plans: Iterable[ShiftPlan], day: date) -> ShiftPlan | None:
    return max((plan for plan in plans if plan.begins <= day), key=lambda plan: plan.begins, default=None)


def shift_at(shifts: Sequence[ShiftHours], moment: datetime, zone: ZoneInfo) -> str:
    """The shift that was on at this moment; before the first of the day it is still the last of the day before."""
    # By the clock on the wall, as the hours of a shift are written there.
    local = moment.astimezone(zone)
    minute = local.hour * 60 + local.minute
    ordered = sorted(shifts, key=lambda shift: shift.begins_minutes)
    begun = [shift for shift in ordered if shift.begins_minutes <= minute]
    return (begun or ordered)[-1].name if ordered else ""
