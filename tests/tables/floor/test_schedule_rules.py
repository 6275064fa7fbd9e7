"""How a collection schedule stands on a day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest

from tables.floor.rules.schedules import (
    ScheduleStanding,
    ScheduleWithdrawn,
    StandsNow,
    refuse_withdrawn,
    standing_on,
)
from tables.games.fees import ScheduleStatus

DAY = date(2026, 11, 20)
PRINTED = StandsNow(ScheduleStatus.UNDER_REVIEW, "001:191")


def noted(days: int, status: ScheduleStatus, option: int = 0, rule_set: str = "001") -> ScheduleStanding:
    return ScheduleStanding(DAY + timedelta(days=days), "uth", rule_set, option, status, f"letter {days}")


@pytest.mark.parametrize(
    ("notes", "status"),
    [
        ([], ScheduleStatus.UNDER_REVIEW),
        ([noted(0, ScheduleStatus.WITHDRAWN)], ScheduleStatus.WITHDRAWN),
        ([noted(1, ScheduleStatus.WITHDRAWN)], ScheduleStatus.UNDER_REVIEW),
        ([noted(-9, ScheduleStatus.WITHDRAWN), noted(-1, ScheduleStatus.APPROVED)], ScheduleStatus.APPROVED),
        ([noted(0, ScheduleStatus.WITHDRAWN, 5)], ScheduleStatus.UNDER_REVIEW),
        ([noted(0, ScheduleStatus.WITHDRAWN), noted(0, ScheduleStatus.APPROVED, 4)], ScheduleStatus.APPROVED),
        ([noted(0, ScheduleStatus.WITHDRAWN, rule_set="003")], ScheduleStatus.UNDER_REVIEW),
    ],
)
def test_the_newest_note_that_had_begun_counts_and_else_what_the_pack_prints(
    notes: list[ScheduleStanding], status: ScheduleStatus
) -> None:
    assert standing_on(notes, PRINTED, "001", 4, DAY).status is status


def test_a_withdrawn_schedule_says_since_when_by_what_and_the_cure() -> None:
    stands = standing_on([noted(-2, ScheduleStatus.WITHDRAWN)], PRINTED, "001", 4, DAY)
    with pytest.raises(ScheduleWithdrawn) as why:
        refuse_withdrawn(stands, "001", 4)
    assert str(why.value) == (
        "Rule set 001, option 4, is withdrawn from 2026-11-18 (letter -2): nothing is collected by it any more. "
        "Declare another schedule for the table before it deals."
    )
    refuse_withdrawn(PRINTED, "001", 4)
