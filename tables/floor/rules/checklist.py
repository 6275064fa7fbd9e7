"""What must stand at a table before it opens: layout, placard, posted limits, rule card; each seen by a person."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Final


class Item(StrEnum):
    """One thing that a person looks at, in the order of the list."""

    LAYOUT = "layout"
    PLACARD = "placard"
    LIMITS = "limits"
    RULE_CARD = "rule_card"

    @property
    def spoken(self) -> str:
        return _SPOKEN[self]


class CheckStatus(StrEnum):
    """How one item stands now."""

    DONE = "done"
    MISSING = "missing"
    WRONG = "wrong"
    OUT_OF_DATE = "out_of_date"


@dataclass(frozen=True, slots=True)
class Seen:
    """The newest look at one item: in order or not, and the terms of the table's jackpots at that moment."""

    item: Item
    in_order: bool
    terms: str


_SPOKEN: Final = {
    Item.LAYOUT: "the layout",
    Item.PLACARD: "the placard",
    Item.LIMITS: "the posted limits",
    Item.RULE_CARD: "the rule card",
}
_WHY: Final = {
    CheckStatus.MISSING: "not looked at yet",
    CheckStatus.WRONG: "found not in order",
    CheckStatus.OUT_OF_DATE: "printed from terms that are no longer in force",
}


def standing_of(seen: Seen | None, terms_now: str) -> CheckStatus:
    """A rule card counts only as long as the terms that it was printed from are in force."""
    if seen is None:
        return CheckStatus.MISSING
    if not seen.in_order:
        return CheckStatus.WRONG
    if seen.item is Item.RULE_CARD and seen.terms != terms_now:
        return CheckStatus.OUT_OF_DATE
    return CheckStatus.DONE


def standings(newest: Iterable[Seen], terms_now: str) -> dict[Item, CheckStatus]:
    """Every item of the list with its standing."""
    by_item = {seen.item: seen for seen in newest}
    return {item: standing_of(by_item.get(item), terms_now) for item in Item}


def what_is_missing(found: Mapping[Item, CheckStatus]) -> str:
    """The items that keep a table closed, in words; empty when nothing does."""
    return "; ".join(
        f"{item.spoken} ({_WHY[standing]})" for item, standing in found.items() if standing is not CheckStatus.DONE
    )
