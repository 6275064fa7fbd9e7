"""A house beside a rule book: what it asks, what stands, and where the house decided otherwise."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from jackpot.money import Money
from jackpot.property.rules.authority_change import SETTINGS, spoken
from jackpot.property.rules.notice import NoticeAbout, NoticeRule
from jackpot.rule_books.rules.rule_book import PROPERTY_SWITCHES, RuleBook, RuleBookNotice
from jackpot.terms.rules.switch_words import SWITCH_WORDS

NOTHING = "nothing is told"


@dataclass(frozen=True, slots=True)
class HouseSwitches:
    """What stands in a house today: by group, the policy of each jackpot that plays, the notices that count."""

    property: Mapping[str, Any]
    authority: Mapping[str, Any]
    policies: Mapping[str, Mapping[str, str]]
    unclaimed: Mapping[str, int] | None
    notices: tuple[NoticeRule, ...]


@dataclass(frozen=True, slots=True)
class RuleBookLine:
    """One thing that the rule book says, beside what stands. `where` is a jackpot's code, or nothing for the house."""

    group: str
    key: str
    label: str
    where: str
    asked: str
    stands: str
    agrees: bool
    source: str
    why: str


def beside(book: RuleBook, house: HouseSwitches) -> list[RuleBookLine]:
    """Every switch of the rule book in its order, jackpot by jackpot where it is one of terms; then the notices."""
    lines = [line for group in ("property", "authority") for line in _of_house(book, house, group)]
    return [*lines, *_of_jackpots(book, house), *_of_unclaimed(book, house), *_of_notices(book, house)]


def _of_house(book: RuleBook, house: HouseSwitches, group: str) -> Iterator[RuleBookLine]:
    standing = house.property if group == "property" else house.authority
    for each in book.switches:
        if each.group != group:
            continue
        label = PROPERTY_SWITCHES[each.key][1] if group == "property" else SETTINGS[each.key].label
        stands = tuple(standing[each.key]) if isinstance(each.value, tuple) else standing[each.key]
        # In which order a house names the same things is no difference.
        agrees = sorted(stands) == sorted(each.value) if isinstance(each.value, tuple) else stands == each.value
        asked, told = (_spoken(group, each.key, value) for value in (each.value, stands))
        yield RuleBookLine(group, each.key, label, "", asked, told, agrees, each.source, each.why)


def _of_jackpots(book: RuleBook, house: HouseSwitches) -> Iterator[RuleBookLine]:
    for each in book.switches:
        if each.group != "policy":
            continue
        label, values = SWITCH_WORDS[each.key]
        for code, policy in house.policies.items():
            stands = policy[each.key]
            yield RuleBookLine(
                "policy", each.key, label, code, values[each.value], values[stands], stands == each.value,
                each.source, each.why,
            )  # fmt: skip


def _of_unclaimed(book: RuleBook, house: HouseSwitches) -> Iterator[RuleBookLine]:
    labels = {"notice_after": "Unclaimed slip: days until its owner is told",
              "lapse_after": "Unclaimed slip: days until it lapses"}  # fmt: skip
    for each in book.switches:
        if each.group == "unclaimed":
            stands = None if house.unclaimed is None else house.unclaimed[each.key]
            told = "no rule" if stands is None else str(stands)
            agrees = stands == each.value
            yield RuleBookLine(
                "unclaimed", each.key, labels[each.key], "", str(each.value), told, agrees, each.source, each.why
            )


def _of_notices(book: RuleBook, house: HouseSwitches) -> Iterator[RuleBookLine]:
    for each in book.notices:
        found = next((rule for rule in house.notices if rule.about == each.about and rule.to == each.to), None)
        label = f"Notice of {NoticeAbout(each.about).value.replace('_', ' ')}"
        hours = None if found is None else found.within_hours
        stands = NOTHING if found is None or hours is None else _told_of(each.to, hours, _least(found))
        # Sooner than the rule book asks is no departure from it.
        agrees = found is not None and hours is not None and hours <= each.within_hours and _tells(found, each)
        yield RuleBookLine("notices", each.about, label, "", _asked(each), stands, agrees, each.source, each.why)


def _asked(notice: RuleBookNotice) -> str:
    return _told_of(notice.to, notice.within_hours, notice.from_amount)


def _told_of(to: str, hours: int, least: str | None) -> str:
    return f"{to} within {hours} h" + ("" if least is None else f", from {least} on")


def _least(rule: NoticeRule) -> str | None:
    return None if rule.from_amount is None else str(rule.from_amount)


def _tells(rule: NoticeRule, asked: RuleBookNotice) -> bool:
    """Of every amount of which the rule book wants somebody told."""
    if rule.from_amount is None:
        return True
    return asked.from_amount is not None and rule.from_amount <= Money.of(asked.from_amount)


def _spoken(group: str, key: str, value: Any) -> str:
    if group == "authority":
        return spoken(key, value)
    if isinstance(value, tuple):
        return ", ".join(each.replace("_", " ") for each in value) or "nothing"
    return ("yes" if value else "no") if isinstance(value, bool) else str(value)
