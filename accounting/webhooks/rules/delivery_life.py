"""The life of a webhook: what it is called now, when a failed delivery is tried again, when people are told."""

from __future__ import annotations

import enum
from datetime import datetime, timedelta
from typing import Final

from jackpot.errands.rules import pause_after

LONGEST_PAUSE: Final = timedelta(hours=1)
ALARM_AFTER: Final = timedelta(minutes=30)  # an hour's pause is never reached without people having been told
LEASE: Final = timedelta(minutes=1)  # so long a delivery may take before somebody else may try; its own limit is less


class WebhookState(enum.StrEnum):
    """In the words of the list."""

    WORKS = "works"
    FAILS = "fails"
    PAUSED = "paused"
    RETIRED = "retired"


def webhook_state(*, failing: bool, paused: bool, retired: bool) -> WebhookState:
    """The last word counts: what is retired is neither paused nor failing any more."""
    if retired:
        return WebhookState.RETIRED
    if paused:
        return WebhookState.PAUSED
    return WebhookState.FAILS if failing else WebhookState.WORKS


def next_try(now: datetime, tries: int) -> datetime:
    """Two seconds after the first failure, then twice as long each time, at last every hour, and never the last time.

    Events are kept, so an address that comes back after a week gets everything of that week in order.
    """
    return now + pause_after(tries, LONGEST_PAUSE)


def is_alarming(failing_since: datetime | None, now: datetime) -> bool:
    return failing_since is not None and now - failing_since >= ALARM_AFTER
