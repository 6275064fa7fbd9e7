"""What takes an executive and a second, different person: overrides of the order and of the cards, late claims."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence

from jackpot.people.actions.cards import card_with_pin
from jackpot.people.models import Card
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed
from jackpot.wins.actions.life import Place, wins_of
from jackpot.wins.models import Signature, Win
from jackpot.wins.rules.win_life import OPEN
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


def claimants(place: Place) -> str:
    """The names of the people whose late claim is open in this round, or nothing."""
    words = Signature.objects.filter(win__in=wins_of(place).filter(state__in=OPEN), part=Signature.Part.CLAIM)
    names = dict.fromkeys(str(word.operator) for word in words.select_related("operator").order_by("id"))
    return " and ".join(names)


def refuse_alone(place: Place) -> None:
    """One person ends no late claim that two people opened, neither by rejecting it nor by marking another line."""
    opened_by = claimants(place)
    if opened_by:
        why = f"{opened_by} opened this late claim. An executive and a second person reject it on the pit page."
        raise NotAllowed(why, "two_people")


def claimed_by(wins: Collection[Win]) -> set[int]:
    """The people who opened these hits as late claims."""
    rows = Signature.objects.filter(win__in=[win.pk for win in wins], part=Signature.Part.CLAIM)
    return set(rows.values_list("operator_id", flat=True))
