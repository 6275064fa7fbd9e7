"""What must stand at a table before it opens: layout, placard, posted limits, rule card; each seen by a person."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
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

    @property
    def is_it(self) -> str:
        """The rest of a sentence about it: limits are several."""
        return "are" if self is Item.LIMITS else "is"

    @property
    def it(self) -> str:
        return "they" if self is Item.LIMITS else "it"


class CheckStatus(StrEnum):
    """How one item stands now."""

    DONE = "done"
    MISSING = "missing"
    WRONG = "wrong"
    OUT_OF_DATE = "out_of_date"


@dataclass(frozen=True, slots=True)
class Seen:
    """The newest look at one item: in order or not, the terms of the table's jackpots at that moment, and the wagering
    areas and inscriptions that were read there."""

    item: Item
    in_order: bool
    terms: str
    marks: frozenset[str] = frozenset()


_SPOKEN: Final = {
    Item.LAYOUT: "the layout",
    Item.PLACARD: "the placard",
    Item.LIMITS: "the posted limits",
    Item.RULE_CARD: "the rule card",
}
_WHY: Final = {
    CheckStatus.MISSING: "not looked at yet",
    CheckStatus.WRONG: "found not in order",
    CheckStatus.OUT_OF_DATE: "seen before the table or its terms were altered",
}


def standing_of(seen: Seen | None, terms_now: str, needed: Collection[str] = ()) -> CheckStatus:
    """A rule card counts only as long as the terms that it was printed from are in force; layout and placard only as
    long as everything that the table needs there was read."""
    if seen is None:
        return CheckStatus.MISSING
    if not seen.in_order:
        return CheckStatus.WRONG
    if seen.item is Item.RULE_CARD and seen.terms != terms_now:
        return CheckStatus.OUT_OF_DATE
    return CheckStatus.DONE if seen.marks.issuperset(needed) else CheckStatus.OUT_OF_DATE


def standings(
    newest: Iterable[Seen], terms_now: str, needed: Mapping[Item, Collection[str]] | None = None
) -> dict[Item, CheckStatus]:
    """Every item of the list with its standing; `needed` names the marks that must be read there."""
    by_item = {seen.item: seen for seen in newest}
    return {item: standing_of(by_item.get(item), terms_now, (needed or {}).get(item, ())) for item in Item}


def what_is_missing(found: Mapping[Item, CheckStatus]) -> str:
    """The items that keep a table closed, in words; empty when nothing does."""
    return "; ".join(
        f"{item.spoken} ({_WHY[standing]})" for item, standing in found.items() if standing is not CheckStatus.DONE
    )
