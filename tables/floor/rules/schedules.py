"""How a collection schedule stands on a gaming day: as its pack prints it, until the house notes what came since."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date

from tables.games.fees import ScheduleStatus


class ScheduleWithdrawn(ValueError):
    """A schedule by which nothing may be collected any more; the message says since when and by what word."""


@dataclass(frozen=True, slots=True)
class ScheduleStanding:
    """What somebody noted of a schedule of a game from a gaming day on. Option 0 is every option of the rule set."""

    begins: date
    game: str
    rule_set: str
    option: int
    status: ScheduleStatus
    reference: str

    @property
    def words(self) -> str:
        which = f"option {self.option}" if self.option else "every option"
        return f"rule set {self.rule_set}, {which}: {self.status.spoken} ({self.reference})"

    def is_of(self, rule_set: str, option: int) -> bool:
        return self.rule_set == rule_set and self.option in (0, option)


@dataclass(frozen=True, slots=True)
class StandsNow:
    """The status of one option on a day, with what says so; `since` is empty where the pack itself does."""

    status: ScheduleStatus
    reference: str
    since: date | None = None

    @property
    def words(self) -> str:
        since = f" from {self.since}" if self.since else ""
        return f"{self.status.spoken}{since} ({self.reference})"


def standing_on(
    noted: Iterable[ScheduleStanding], printed: StandsNow, rule_set: str, option: int, day: date
) -> StandsNow:  # fmt: skip
    """The newest note that had begun on that day; of two of one day the one about the option alone."""
    fitting = [each for each in noted if each.begins <= day and each.is_of(rule_set, option)]
    # An option's own number is above 0, “every option”: of one day the note about it alone wins.
    newest = max(fitting, key=lambda each: (each.begins, each.option), default=None)
    return printed if newest is None else StandsNow(newest.status, newest.reference, newest.begins)


def refuse_withdrawn(stands: StandsNow, rule_set: str, option: int) -> None:
    """A withdrawn schedule collects nothing from its day on."""
    if stands.status is ScheduleStatus.WITHDRAWN:
        since = f" from {stands.since}" if stands.since else ""
        raise ScheduleWithdrawn(
            f"Rule set {rule_set}, option {option}, is withdrawn{since} ({stands.reference}): nothing is collected by "
            "it any more. Declare another schedule for the table before it deals."
        )
