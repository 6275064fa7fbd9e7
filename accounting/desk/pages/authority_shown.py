"""Authority as its pages show it: what counts now, and what waits with its day."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date
from typing import Any, Final, assert_never

from django.utils import timezone

from jackpot.people import queries
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import LEVELS, SETTINGS, SettingKind, Step, spoken
from jackpot.signing.rules import AskField, FieldLook

LONGEST_VALUE: Final = 40
LONGEST_TABLE: Final = 800
SWITCH: Final = [("yes", "yes"), ("no", "no")]


@dataclass(frozen=True, slots=True)
class Counting:
    """One setting of the house: what counts now, by which change, and what waits for which day."""

    name: str
    label: str
    meaning: str
    value: str
    by: Step | None
    waits: Step | None
    then: str


@dataclass(frozen=True, slots=True)
class CardLine:
    card: Card
    level: str
    then: str
    day: date | None


def counting(house: Property) -> list[Counting]:
    """Every setting with its value, in the order of the page."""
    now = timezone.now()
    # Both: a stricter setting counts from its moment, any other from its gaming day.
    when = (now, house.gaming_day(now))
    values, steps = house.authority_at(when), house.authority_steps
    # In the order of signing, so of several that count the newest stays.
    past = {step.setting: step for step in steps if step.counts(*when)}
    waits = {step.setting: step for step in steps if not step.counts(*when)}
    return [
        Counting(
            name, each.label, each.meaning, spoken(name, values[name]), past.get(name), waits.get(name),
            spoken(name, waits[name].value) if name in waits else "",
        )
        for name, each in SETTINGS.items()
    ]  # fmt: skip


def cards_of(person: Any, house: Property) -> list[CardLine]:
    """Cards that are not blocked, highest level first."""
    day = house.gaming_day(timezone.now())
    rows = queries.cards(person).filter(operator__premises=house, blocked_at=None).order_by("operator__name", "id")
    # By the level of this day: a raise that waits for tomorrow does not count yet.
    return sorted((card_line(card, day) for card in rows), key=lambda line: -line.card.level_on(day))


def card_line(card: Card, day: date) -> CardLine:
    stands = card.level_on(day)
    waits = card.next_level is not None and card.next_level != stands
    then = LEVELS[card.next_level] if waits and card.next_level else ""
    return CardLine(card, LEVELS[stands], then, card.next_level_from if waits else None)


def fields_of(house: Property, typed: Mapping[str, str]) -> list[AskField]:
    """The form: filled from what counts now, with what was typed over it."""
    rows = []
    for each in counting(house):
        stands = _typed(each)
        options = _options(SETTINGS[each.name].kind)
        longest = longest_of(each.name)
        waits = f" To come: {each.then} from {each.waits.day:%d %b %Y}." if each.waits and each.waits.day else ""
        rows.append(
            AskField(
                each.name,
                each.label,
                FieldLook.CHOICE if options else FieldLook.TEXT,
                typed.get(each.name, stands).strip()[:longest],
                options,
                stands=stands,
                meaning=each.meaning + waits,
                required=False,
                longest=longest,
            )
        )
    return rows


def longest_of(name: str) -> int:
    """How much is typed into a setting: a table of jackpots and rows is longer than a value."""
    return LONGEST_TABLE if SETTINGS[name].kind is SettingKind.AMOUNTS_BY_PLACE else LONGEST_VALUE


def _typed(each: Counting) -> str:
    return each.value.removesuffix(" ×") if SETTINGS[each.name].kind is SettingKind.WAGERS else each.value


def _options(kind: SettingKind) -> list[tuple[str, str]]:
    match kind:
        case SettingKind.LEVEL:
            return [(word, f"{word} and above") for word in LEVELS.values()]
        case SettingKind.SWITCH:
            return SWITCH
        case (
            SettingKind.AMOUNT
            | SettingKind.AMOUNT_OR_NEVER
            | SettingKind.WAGERS
            | SettingKind.COUNT_OR_NEVER
            | SettingKind.AMOUNTS_BY_PLACE
        ):
            return []  # typed, not chosen
        case _:
            assert_never(kind)
