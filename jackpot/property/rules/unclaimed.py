"""How long a slip stays payable: dated data. After some days its owner is to be told, after more days it lapses."""

from __future__ import annotations

import enum
from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date, timedelta


class ClaimState(enum.StrEnum):
    """Where an unpaid slip stands."""

    OPEN = "open"
    NOTICE_DUE = "notice_due"
    NOTICE_GIVEN = "notice_given"
    LAPSED = "lapsed"


@dataclass(frozen=True, slots=True)
class UnclaimedRule:
    """For slips given from a gaming day on: days until a notice is due, days until the claim lapses."""

    begins: date
    notice_after: int
    lapse_after: int


@dataclass(frozen=True, slots=True)
class SlipClaim:
    """One unpaid slip on one day. Without a rule it never lapses and nobody need be told."""

    age: int
    state: ClaimState
    notice_due: date | None = None
    lapses: date | None = None


def unclaimed_rule_on(rules: Iterable[UnclaimedRule], day: date) -> UnclaimedRule | None:
    """The newest rule that had begun when the slip was given: a later one does not shorten a claim."""
    return max((rule for rule in rules if rule.begins <= day), key=lambda rule: rule.begins, default=None)


def claim_on(rules: Iterable[UnclaimedRule], given: date, today: date, *, notified: bool = False) -> SlipClaim:
    """The claim of a slip that was given on one gaming day, on another."""
    rule, age = unclaimed_rule_on(rules, given), (today - given).days
    if rule is None:
        return SlipClaim(age, ClaimState.OPEN)
    notice_due, lapses = (given + timedelta(days=days) for days in (rule.notice_after, rule.lapse_after))
    # The last day is the player's to its end.
    if today > lapses:
        state = ClaimState.LAPSED
    elif notified:
        state = ClaimState.NOTICE_GIVEN
    else:
        state = ClaimState.NOTICE_DUE if today >= notice_due else ClaimState.OPEN
    return SlipClaim(age, state, notice_due, lapses)
