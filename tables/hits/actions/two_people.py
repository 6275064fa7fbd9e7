"""What takes an executive and a second, different person: overrides of the order and of the cards, late claims."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from jackpot.people.actions.presence import CardSource, card_with_pin
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed
from jackpot.wins.models import Win
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.actions.at_round import pin_from
from tables.hits.queries.claims import claimants, claimed_by

Swiped = Sequence[tuple[str, str]]


def two_people(table_code: str, cards: Swiped, what: str, source: CardSource) -> tuple[Card, Card]:
    """The executive's card first, whoever was swiped first; the second person has a supervisor's card at least.

    Both show to be there, whatever the threshold: what two people answer for, no card answers for alone.
    """
    least = pin_from(table_code)
    known = [
        card_with_pin(swipe=swiped, pin=pin, pin_from_level=least, source=source, always=True) for swiped, pin in cards
    ]
    known.sort(key=lambda card: -card.level)
    # Counted by person: two cards of one person are one person.
    if len({card.operator_id for card in known}) != 2 or known[0].level < Card.Level.EXECUTIVE:
        raise NotAllowed(f"{what} only by an executive and a second, different person.", "two_people")
    second = known[-1]
    if second.level < Card.Level.SUPERVISOR:
        own = second.get_level_display()
        raise NotAllowed(f"The second person needs a supervisor card; {second.operator} has a {own} card.", "level")
    return known[0], second


def check_not_theirs(wins: Collection[Win], cards: Iterable[Card], house: Property) -> None:
    """Nobody overrides for a late claim that they opened, nor, unless markers may verify, for a hit they marked."""
    markers = set() if house.thresholds.marker_may_verify else {win.marker_id for win in wins}
    claimed = claimed_by(wins)
    for card in cards:
        if card.operator_id in markers:
            why = f"{card.operator} marked this hit and cannot override for it. Another person must."
            raise NotAllowed(why, "same_person")
        if card.operator_id in claimed:
            why = f"{card.operator} opened this late claim and cannot override for it. Another person must."
            raise NotAllowed(why, "same_person")


def refuse_alone(place: RoundRef) -> None:
    """One person ends no late claim that two people opened, neither by rejecting it nor by marking another line."""
    opened_by = claimants(place)
    if opened_by:
        why = f"{opened_by} opened this late claim. An executive and a second person reject it on the pit page."
        raise NotAllowed(why, "two_people")
