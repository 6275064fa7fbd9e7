"""Who has to be told of what, and how soon: dated data of a house, since rule books differ in it."""

from __future__ import annotations

import enum
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date, datetime
from typing import Final

from jackpot.money import Money


class NoticeAbout(enum.StrEnum):
    """What somebody is told of. But for the slip each is a kind of request, and its notice follows the signature."""

    ADJUST = "adjust"
    TRANSFER = "transfer"
    SUSPEND = "suspend"
    RETIRE = "retire"
    BACK_OUT = "back_out"
    DIFFERENCE = "difference"
    UNDERPAYMENT = "underpayment"
    TERMS = "terms"
    EXPLANATION = "explanation"
    SLIP = "slip"


class NoticeState(enum.StrEnum):
    OPEN = "open"
    OVERDUE = "overdue"
    DONE = "done"
    FALLEN = "fallen"  # its slip was paid or backed out meanwhile


NOTICE_WORDS: Final[Mapping[NoticeAbout, str]] = {
    NoticeAbout.ADJUST: "the adjustment, with its evidence",
    NoticeAbout.TRANSFER: "the transfer of a jackpot's money",
    NoticeAbout.SUSPEND: "the suspension of a jackpot",
    NoticeAbout.RETIRE: "the retirement of a jackpot, and the day until which its money has another home",
    NoticeAbout.BACK_OUT: "the back-out of an award, with its evidence",
    NoticeAbout.DIFFERENCE: "what was decided of a later winner's difference",
    NoticeAbout.UNDERPAYMENT: "the rest that a winner was paid too little",
    NoticeAbout.TERMS: "other terms of a jackpot",
    NoticeAbout.EXPLANATION: "a difference of a gaming day, and what explains it",
    NoticeAbout.SLIP: "the slip that nobody has claimed",
}
MEASURED: Final = frozenset(
    {
        NoticeAbout.ADJUST, NoticeAbout.TRANSFER, NoticeAbout.DIFFERENCE, NoticeAbout.UNDERPAYMENT,
        NoticeAbout.EXPLANATION,
    }
)  # fmt: skip  # what has an amount of its own, so that a rule may begin at one
DECLARED: Final = frozenset(NoticeAbout) - {NoticeAbout.SLIP}  # a slip's notice comes of the rule of unclaimed slips


@dataclass(frozen=True, slots=True)
class NoticeRule:
    """From a gaming day on somebody outside is told within so many hours, by whoever has a role; None: no more."""

    begins: date
    about: NoticeAbout
    to: str
    owner: str
    within_hours: int | None
    from_amount: Money | None = None  # of less than this, up or down, nobody is told; None: of whatever

    def concerns(self, amount: Money | None) -> bool:
        """What has no amount, such as a transfer of everything, concerns whoever is told at all."""
        return self.from_amount is None or amount is None or abs(amount.units) >= self.from_amount.units


def notice_rules_on(rules: Iterable[NoticeRule], about: NoticeAbout, day: date) -> list[NoticeRule]:
    """For each who has to be told the newest rule that had begun, unless it says that nobody asks any more."""
    newest: dict[str, NoticeRule] = {}
    for rule in sorted(rules, key=lambda rule: rule.begins):
        if rule.about == about and rule.begins <= day:
            newest[rule.to] = rule
    return [rule for rule in newest.values() if rule.within_hours is not None]


def notice_state(*, due_at: datetime, now: datetime, done: bool, falls: bool) -> NoticeState:
    """What was done stays done; what nobody needs any more is neither open nor late."""
    if done:
        return NoticeState.DONE
    if falls:
        return NoticeState.FALLEN
    return NoticeState.OVERDUE if now > due_at else NoticeState.OPEN
