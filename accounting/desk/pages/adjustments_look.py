"""An act on a jackpot as the page of requests shows it: in one phrase, and in figures before and after."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Final, assert_never

from django.urls import reverse

from accounting.desk.pages.look import RequestEffect, RequestFact, RequestLook, request_page
from jackpot.adjusting.actions.asking import preview
from jackpot.adjusting.actions.difference import decisions_of, kept_difference, undecided
from jackpot.adjusting.models import Adjustment
from jackpot.adjusting.rules.adjusting import NAMES, Adjusting
from jackpot.money import Money
from jackpot.refusals import Refused
from jackpot.requests.rules.life import RequestState
from jackpot.web.templatetags.figures import moved

LABELS: Final = {
    "meter": "Meter", "reserve": "Reserve", "overflow": "Overflow", "winners": "Owed to winners", "paid": "Paid",
    "house": "House", "outside": "Outside",
}  # fmt: skip
AMOUNTS: Final = ("basis_was", "basis", "was", "would_be", "owed")
SEEN: Final = "We have seen what later winners would be owed."


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


class AdjustmentLook(RequestLook):
    """While it waits, what it would do now: a second person must not sign on figures of yesterday."""

    effect_template: ClassVar[str] = "accounting/desk/adjustment_effect.html"

    def called(self, row: Adjustment) -> str:
        return str(row)

    def title(self, row: Adjustment) -> str:
        return f"{NAMES[Adjusting(row.kind)]}: {what(row)}"

    def lead(self, row: Adjustment) -> str:
        ground = row.get_ground_display()
        return f"{ground[:1].upper()}{ground[1:]}: {row.reason}"

    def phrase(self, row: Adjustment) -> str:
        return what(row)

    def facts(self, row: Adjustment) -> Sequence[RequestFact]:
        told = []
        if row.win is not None:
            told.append(_slip("Slip", str(row.win.slip), row.win.slip))
        if row.cause is not None:
            name = "Given to the meter by" if row.kind == Adjusting.UNDERPAYMENT else "Because of"
            beside = f", slip {row.cause.win.slip}" if row.cause.win else ""
            told.append(RequestFact(name, str(row.cause), request_page(row.cause), beside))
        pages = [
            _slip("Its page", f"Slip {page.slip}", page.slip, f", {page.get_state_display()}")
            for page in row.pages.all()
        ]
        return [*told, *pages]

    def effect_title(self, row: Adjustment) -> str:
        if row.is_open:
            return "Before and after, as of now"
        return "What it moved" if row.posted else "What it would have moved"

    def effect(self, row: Adjustment) -> RequestEffect:
        # What was posted goes before what was foreseen: between the two the meter moved on.
        told, problem = _now(row) if row.is_open else (row.posted or row.preview, "")
        owed = differences(told)
        more = {
            "changes": changes(told), "differences": owed, "decisions": decisions(row) if row.posted else [],
            "winner": _winner(row), "by_rule": row.kind == Adjusting.UNDERPAYMENT, "house_here": row.premises,
        }  # fmt: skip
        return RequestEffect(problem=problem, to_see=SEEN if owed else "", more=more)

    def signed(self, row: Adjustment, by: str) -> str:
        return f"{row} is approved by {by}: {', '.join(row.names_of_entries)}."


def _slip(name: str, words: str, slip: int | None, beside: str = "") -> RequestFact:
    return RequestFact(name, words, reverse("office-win", kwargs={"number": slip}), beside)


def _now(row: Adjustment) -> tuple[Mapping[str, Any], str]:
    """What it would do as of now; where it would be refused, what it would have done when it was asked, and why not."""
    try:
        return preview(row=row).plain(), ""
    except Refused as refused:
        return row.preview, refused.why


def _winner(row: Adjustment) -> dict[str, Any] | None:
    """The two awards of a winner: as the back-out kept them, or as the underpayment was reckoned."""
    if row.kind == Adjusting.UNDERPAYMENT:
        return figures_of((row.posted or row.preview)["underpaid"])
    if row.kind != Adjusting.DIFFERENCE:
        return None
    cause = None if row.cause_id is None else Adjustment.objects.filter(pk=row.cause_id).first()
    return figures_of(kept_difference(cause, row.win))


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
