"""How collection schedules stand in a house: its own notes over what the pack prints."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import date
from typing import Any

from jackpot.property.models.property import Property
from tables.floor.models.schedule import NotedSchedule
from tables.floor.rules.schedules import ScheduleStanding, StandsNow, standing_on
from tables.games.registry import part_of_game


def noted_here(premises: Property) -> list[ScheduleStanding]:
    return [row.value for row in NotedSchedule.objects.filter(premises=premises)]


def schedule_stands(
    noted: Iterable[ScheduleStanding], game: str, rule_set: str, option: int, day: date
) -> StandsNow:  # fmt: skip
    """One option of a rule set of a game on a gaming day."""
    printed: Any = part_of_game(game, "collection").rule_set(rule_set)
    by_pack = StandsNow(printed.standing, printed.standing_source)
    return standing_on((each for each in noted if each.game == game), by_pack, rule_set, option, day)
