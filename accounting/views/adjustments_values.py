"""A request as a page shows it: in one phrase, in figures before and after, and how long it has waited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.utils import timezone

from jackpot.models import Adjustment
from jackpot.money import Money
from jackpot.rules.adjusting import Adjusting
from jackpot.templatetags.figures import moved

LABELS: Final = {
    "meter": "Meter", "reserve": "Reserve", "overflow": "Overflow", "winners": "Owed to winners", "paid": "Paid",
    "house": "House", "outside": "Outside",
}  # fmt: skip
MINUTE, HOUR, DAY = 60, 3_600, 86_400


@dataclass(frozen=True, slots=True)
class Change:
    """One account of one jackpot."""

    label: str
    before: Money
    after: Money

    @property
    def by(self) -> Money:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class Changes:
    """One jackpot before and after."""

    code: str
    state_before: str
    state_after: str
    accounts: list[Change]


def changes(told: Mapping[str, Any]) -> list[Changes]:
    """The meter always, of the other accounts those that change."""
    return [
        Changes(code, each["before"]["state"], each["after"]["state"], _accounts(each["before"], each["after"]))
        for code, each in told.get("jackpots", {}).items()
    ]


def _accounts(before: Mapping[str, str], after: Mapping[str, str]) -> list[Change]:
    every = (Change(label, Money.of(before[name]), Money.of(after[name])) for name, label in LABELS.items())
    return [change for change in every if change.by or change.label == LABELS["meter"]]


def differences(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each later winner would then be owed (+), or had too much (−)."""
    amounts = ("was", "would_be", "owed")
    return [{**each, **{name: Money.of(each[name]) for name in amounts}} for each in told.get("differences", ())]


def what(row: Adjustment) -> str:
    """ "+15.00 to the meter of GRAND": the request in one phrase."""
    code = row.jackpot.code
    match Adjusting(row.kind):
        case Adjusting.ADJUST:
            return f"{moved(row.amount_money or Money(0), row.jackpot.premises)} to the {row.account} of {code}"
        case Adjusting.TRANSFER:
            part = "everything" if row.amount_money is None else str(row.amount_money)
            return f"{part} of {code} to {row.other.code if row.other else ''}"
        case Adjusting.RETIRE:
            kept = f", its money to {row.other.code}" if row.other else ", its money kept"
            return f"{code}, closing reading {row.reading_money}{kept}"
        case Adjusting.BACK_OUT:
            return f"win {row.win.number if row.win else ''} of {code}"
        case _:
            return code


def age(row: Adjustment) -> str:
    """How long it has waited, in the largest unit that says something."""
    seconds = int((timezone.now() - row.requested_at).total_seconds())
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= unit:
            count = seconds // unit
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "just now"
