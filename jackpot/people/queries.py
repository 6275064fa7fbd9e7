"""What can be asked of the progressive. Most questions start from a person: another house is not there for them."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta
from typing import Any, Final

from django.db.models import Q, QuerySet
from django.utils import timezone

from jackpot.people.models import Card, KeyRegister, Operator
from jackpot.property.queries import of_house
from jackpot.trail.models import Trail

NOT_ACCEPTED: Final = ("card_refused", "wrong_pin")
ALARM_FROM: Final = 3
LATELY: Final = timedelta(minutes=15)


@dataclass(frozen=True, slots=True)
class CardsTried:
    """Cards that one box or one person had refused within the last quarter of an hour."""

    tried_by: str
    times: int
    since: datetime


def card_level(person: Operator, now: datetime) -> str:
    """The level of the best card that this person could use now; nothing without one."""
    day = person.day_at(now)
    best = max((card.level_on(day) for card in person.cards.all() if card.works_on(day)), default=None)
    return Card.Level(best).label if best else ""


def best_level(person: Operator, cards: Iterable[Card], now: datetime | None = None) -> int:
    """The level of the best of these cards that works at that moment; of none a dealer's, which approves nothing."""
    day = person.day_at(now or timezone.now())
    return max((card.level_on(day) for card in cards if card.works_on(day)), default=Card.Level.DEALER)


def as_they_speak(keys: Sequence[KeyRegister]) -> list[KeyRegister]:
    """Keys that are out, no louder than the best card of their person at this moment: wrong PINs lock a card and its
    last day ends without anybody touching a key. They are for reading: nobody saves them.
    """
    cards: defaultdict[int, list[Card]] = defaultdict(list)
    for card in Card.objects.filter(operator__in={key.operator_id for key in keys}):
        cards[card.operator_id].append(card)
    for key in keys:
        # Who never had a card got the key by no page: the word that the register was given for it stands.
        if cards[key.operator_id]:
            key.level = min(key.level, best_level(key.operator, cards[key.operator_id]))
    return list(keys)


def people(person: Any) -> QuerySet[Operator]:
    return of_house(Operator.objects.select_related("premises").prefetch_related("roles"), person)


def cards(person: Any) -> QuerySet[Card]:
    rows = Card.objects.select_related("operator__premises")
    return of_house(rows, person, "operator__premises")


def cards_tried(person: Any, now: datetime) -> list[CardsTried]:
    """Who had more cards refused than anybody who mistypes, the most first: numbers or PINs may be guessed there."""
    rows = Trail.objects.filter(act__in=NOT_ACCEPTED, at__gt=now - LATELY).order_by("at")
    house = getattr(person, "premises_id", None)
    rows = rows if house is None else rows.filter(Q(premises=house) | Q(premises=None))
    by: defaultdict[str, list[datetime]] = defaultdict(list)
    for details, at in rows.values_list("details", "at"):
        by[details.get("tried_by", "somebody")].append(at)
    found = [CardsTried(who, len(times), times[0]) for who, times in by.items() if len(times) >= ALARM_FROM]
    return sorted(found, key=lambda each: -each.times)
