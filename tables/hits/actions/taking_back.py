"""Who may take a round back: shown at the table like an approval of that level, and by two people for an older day."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from django.utils import timezone

from jackpot.books.actions.post import Books
from jackpot.people.actions.keys import key_holder
from jackpot.people.actions.presence import TYPED, CardSource, card_with_pin, holder_with_pin, too_low
from jackpot.people.models import Actor, Card, Operator, person_of
from jackpot.property.rules.authority import needed_to_take_back
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.wins.rules.round_ref import RoundRef
from tables.floor.models.table import Profile, Table
from tables.hits.actions.at_round import check_cards, judge_at_both, pin_from
from tables.hits.queries.claims import claimants
from tables.rounds.models.round import Round

Swiped = tuple[str, str]


class Signers(NamedTuple):
    """One person or two, with the cards that were swiped; a key that is signed out needs none."""

    by: Operator
    second: Operator | None
    cards: Sequence[Card]


def signers(
    table_code: str, *, first: Swiped, second: Swiped = ("", ""), key: str = "", source: CardSource = TYPED
) -> Signers:
    """The first by a card, with its PIN where an approval would ask for it, or by a key at a key switch, whose number
    typed on a page takes the PIN of its holder; the second person always with the PIN."""
    cards = [_supervisors_card(table_code, *swiped, source, second=False) for swiped in ([] if key else [first])]
    cards += [_supervisors_card(table_code, *second, source, second=True)] if second[0] else []
    people = [card.operator for card in cards]
    if key:
        holder, shown = _holder(table_code, key, first[1], source)
        # Whoever holds the key asks; a card that was swiped beside it is the second person's.
        people.insert(0, holder)
        cards += [] if shown is None else [shown]
    return Signers(people[0], people[1] if len(people) > 1 else None, cards)


def check_may_take_back(books: Books, round_: Round, by: Actor, second: Operator | None, cards: Sequence[Card]) -> None:
    """Under the lock: the cards are still what they were, nobody's claim is ended, an older round has two people."""
    # Cards were read before the lock; one that was blocked since signs nothing.
    check_cards(cards, books, round_)
    _refuse_claimed(round_)
    judge_at_both(books, round_)
    house = round_.table.premises
    # Of the books where there are any: a table that feeds no jackpot has only the house's clock.
    today = {head.gaming_day for head in books.heads.values()} or {house.gaming_day(timezone.now())}
    need = needed_to_take_back(of_this_day=round_.gaming_day in today, thresholds=house.thresholds)
    first = person_of(by)
    if need.people > 1 and (first is None or second is None or first.pk == second.pk):
        where = f"Round {round_.number} at {round_.table.code} is of {round_.gaming_day:%d %b %Y}"
        raise NotAllowed(f"{where}. A round of an earlier gaming day takes a second, different person.", "two_people")


def _supervisors_card(table_code: str, swipe: str, pin: str, source: CardSource, *, second: bool) -> Card:
    card = card_with_pin(swipe=swipe, pin=pin, pin_from_level=pin_from(table_code), source=source, always=second)
    if card.level < Card.Level.SUPERVISOR:
        own = card.get_level_display()
        raise too_low(card, f"This needs a supervisor card; {card.operator} has a {own} card.")
    return card


def _holder(table_code: str, number: str, pin: str, source: CardSource) -> tuple[Operator, Card | None]:
    """The person of a supervisor's key, at a table that has a switch for it."""
    table = Table.objects.select_related("premises").get(code=table_code)
    if table.profile != Profile.KEY:
        raise NotAllowedNow(f"{table_code} works with cards; it has no key switch. Use a supervisor's card.", "profile")
    holder = key_holder(premises=table.premises, number=number).operator
    return holder, None if source.box else holder_with_pin(holder=holder, number=number, pin=pin, source=source)


def _refuse_claimed(round_: Round) -> None:
    """What two people opened no void ends: it is approved or rejected."""
    opened_by = claimants(RoundRef(round_.table.code, round_.number))
    if opened_by:
        where = f"Round {round_.number} at {round_.table.code}"
        raise NotAllowedNow(f"{where} has a late claim, opened by {opened_by}. Approve or reject it first.", "claimed")
