"""A request as a page shows it: in one phrase, in figures before and after, and how long it has waited."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, assert_never

from django.utils import timezone

from jackpot.adjusting.actions.difference import decisions_of, undecided
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import Adjusting
from jackpot.money import Money
from jackpot.requests.rules.life import RequestState
from jackpot.web.templatetags.figures import moved

LABELS: Final = {
    "meter": "Meter", "reserve": "Reserve", "overflow": "Overflow", "winners": "Owed to winners", "paid": "Paid",
    "house": "House", "outside": "Outside",
}  # fmt: skip
AMOUNTS: Final = ("basis_was", "basis", "was", "would_be", "owed")
MINUTE, HOUR, DAY = 60, 3_600, 86_400


@dataclass(frozen=True, slots=True)
class AccountChange:
    """One account of one jackpot."""

    label: str
    before: Money
    after: Money

    @property
    def by(self) -> Money:
        return self.after - self.before


@dataclass(frozen=True, slots=True)
class JackpotChange:
    """One jackpot before and after."""

    code: str
    state_before: str
    state_after: str
    accounts: list[AccountChange]


def changes(told: Mapping[str, Any]) -> list[JackpotChange]:
    """The meter always, of the other accounts those that change."""
    return [
        JackpotChange(code, each["before"]["state"], each["after"]["state"], _accounts(each["before"], each["after"]))
        for code, each in told.get("jackpots", {}).items()
    ]


def _accounts(before: Mapping[str, str], after: Mapping[str, str]) -> list[AccountChange]:
    every = (AccountChange(label, Money.of(before[name]), Money.of(after[name])) for name, label in LABELS.items())
    # The meter also where it stays: that the sign will not move is what a signer looks for.
    return [change for change in every if change.by or change.label == LABELS["meter"]]


def differences(told: Mapping[str, Any]) -> list[dict[str, Any]]:
    """What each later winner would then be owed (+), or had too much (−)."""
    return [figures_of(each) for each in told.get("differences", ())]


def figures_of(told: Mapping[str, Any]) -> dict[str, Any]:
    """One winner's difference, with its amounts as amounts."""
    return {**told, **{name: Money.of(told[name]) for name in AMOUNTS}}


def decisions(row: Adjustment) -> list[dict[str, Any]]:
    """Of a back-out: each later winner with what two people have decided, or that nobody has yet."""
    asked = (
        decisions_of(row)
        .exclude(state__in=[RequestState.REFUSED, RequestState.WITHDRAWN])
        .select_related("win")
        .prefetch_related("pages")
    )
    # By age, so the newest decision about a winner is the one that stays.
    by_win = {each.win.number: each for each in asked.order_by("id") if each.win is not None}
    open_ones = {each["win"] for each in undecided(row)}
    told = differences(row.posted)
    return [{**each, "decision": None if each["win"] in open_ones else by_win.get(each["win"])} for each in told]


def what(row: Adjustment) -> str:
    """ "+15.00 to the meter of GRAND": the request in one phrase."""
    code = row.its_jackpot.code
    kind = Adjusting(row.kind)
    match kind:
        case Adjusting.ADJUST:
            return f"{moved(row.amount_money or Money(0), row.its_jackpot.premises)} to the {row.account} of {code}"
        case Adjusting.TRANSFER:
            part = "everything" if row.amount_money is None else str(row.amount_money)
            return f"{part} of {code} to {row.other.code if row.other else ''}"
        case Adjusting.RETIRE:
            kept = f", its money to {row.other.code}" if row.other else ", its money kept"
            return f"{code}, closing reading {row.reading_money}{kept}"
        case Adjusting.BACK_OUT:
            return f"slip {row.win.slip if row.win else ''} of {code}"
        case Adjusting.DIFFERENCE | Adjusting.UNDERPAYMENT:
            return _difference(row)
        case Adjusting.SUSPEND | Adjusting.RESUME:
            return code
        case _:
            assert_never(kind)


def _difference(row: Adjustment) -> str:
    """ "+469.14 to slip 2, paid from the meter"."""
    figure = moved(row.amount_money or Money(0), row.its_jackpot.premises)
    how = f"paid from the {row.account}" if row.pays else "only noted"
    return f"{figure} for slip {row.win.slip if row.win else ''} of {row.its_jackpot.code}, {how}"


def age(row: Adjustment) -> str:
    """How long it has waited, in the largest unit that says something."""
    seconds = int((timezone.now() - row.asked_at).total_seconds())
    for unit, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= unit:
            count = seconds // unit
            return f"{count} {name}{'' if count == 1 else 's'}"
    return "just now"
