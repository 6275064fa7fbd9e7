"""The shift of a moment, told by the database: the rule of jackpot/property/rules/shift.py for many rows at once."""

from __future__ import annotations


def shift_join(day: str, local: str, house: str = "%(house)s") -> str:
    """Joins `shift.name` to rows with a gaming day and a local time; without a plan of that day there is no name."""
    minute = f"extract(hour FROM {local}) * 60 + extract(minute FROM {local})"
    # Before the first beginning of a day it is still the last shift's time, hence the order by what has begun.
    return f"""
  LEFT JOIN LATERAL (
    SELECT d.names, d.minutes FROM jackpot_datedshifts d
     WHERE d.premises_id = {house} AND d.begins <= {day} ORDER BY d.begins DESC LIMIT 1
  ) plan ON true
  LEFT JOIN LATERAL (
    SELECT n.name FROM unnest(plan.names, plan.minutes) AS n(name, begins)
     ORDER BY n.begins <= {minute} DESC, n.begins DESC LIMIT 1
  ) shift ON true"""
