"""What takes an executive and a second, different person: overrides of the order and of the cards, late claims."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jackpot.people.actions.cards import card_with_pin
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed
from jackpot.wins.models import Win
from tables.hits.actions.at_round import pin_from

Swiped = Sequence[tuple[str, str]]


def two_people(table_code: str, cards: Swiped, what: str) -> tuple[Card, Card]:
    """The executive's card first, whoever was swiped first; the second person has a supervisor's card at least."""
    least = pin_from(table_code)
    known = [card_with_pin(swipe=swiped, pin=pin, pin_from_level=least) for swiped, pin in cards]
    known.sort(key=lambda card: -card.level)
    if len({card.operator_id for card in known}) != 2 or known[0].level < Card.Level.EXECUTIVE:
        raise NotAllowed(f"{what} only by an executive and a second, different person.", "two_people")
    second = known[-1]
    if second.level < Card.Level.SUPERVISOR:
        own = second.get_level_display()
        raise NotAllowed(f"The second person needs a supervisor card; {second.operator} has a {own} card.", "level")
    return known[0], second


def check_not_theirs(wins: Iterable[Win], cards: Iterable[Card], house: Property) -> None:
    """Nobody overrides for a hit that they marked themselves, unless the house lets markers verify."""
    markers = set() if house.thresholds.marker_may_verify else {win.marked_by for win in wins}
    own = next((card.operator for card in cards if str(card.operator) in markers), None)
    if own is not None:
        raise NotAllowed(f"{own} marked this hit and cannot override for it. Another person must.", "same_person")
