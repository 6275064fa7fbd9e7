"""Another level for one card: raised by two people from the next gaming day on, lowered by one at once."""

from __future__ import annotations

from datetime import date, datetime, timedelta

from django.db import transaction
from django.utils import timezone

from jackpot.authority.actions.requests import check_person, lock_house, mark_fallen, new_change, note_asked
from jackpot.authority.actions.seen import wins_seen
from jackpot.authority.models import AuthorityChange
from jackpot.authority.rules.authority_preview import Found, card_preview
from jackpot.people.actions.keys import keys_follow
from jackpot.people.models import Card, Operator
from jackpot.property.models.property import Property
from jackpot.property.rules.authority_change import LEVEL, LEVELS, Differs, Step, card_differs
from jackpot.refusals import NotAllowed, NotAllowedNow, NotUnderstood
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.deciding import check_reason


def look_ahead(*, card: Card, level: int) -> tuple[Differs, list[Found]]:
    """What another level would let this card do, counted over the last wins; nothing is asked for."""
    house, now = house_of_card(card), timezone.now()
    differs = card_differs(card.level_on(house.gaming_day(now)), level)
    has_pin = bool(card.pin_hash)
    return differs, card_preview(differs, card.operator.name, house.thresholds, wins_seen(house), has_pin=has_pin)


@transaction.atomic
def ask_level(*, card: Card, level: str, reason: str, by: Operator) -> AuthorityChange:
    """A higher level is a request that a second person signs; a lower one counts with this call."""
    house = house_of_card(card)
    check_person(by, house)
    check_reason(reason)
    wanted = {word: number for number, word in LEVELS.items()}.get(level)
    if wanted is None:
        raise NotUnderstood(f"“{level[:20]}” is no card level. Choose one of: {', '.join(LEVELS.values())}.", "level")
    # Though a raise only asks: whether it is one is known behind the lock, and a lowering counts with this call.
    house, moment, day = lock_house(house)
    stands = _locked_card(card.pk)
    _check_asked(stands, wanted, day, by)
    differs, found = look_ahead(card=stands, level=wanted)
    if differs.stricter:
        return _lower(house, stands, differs, reason, by, moment)
    change = new_change(house, [differs], found, reason, by, whose=stands)
    note_asked(change, by, "ask", reason, changes=[str(differs)], person=stands.operator.username)
    return change


def sign_level(change: AuthorityChange, moment: datetime, day: date) -> list[Step]:
    """The raise waits for the next gaming day; what was to come for this card before falls."""
    assert change.whose_id is not None, "only a card has a level"
    card, wanted = _locked_card(change.whose_id), change.after[LEVEL]
    if card.blocked_at is not None:
        raise NotAllowedNow(f"Card •••• {card.last_four} is blocked. Issue another one.", "card_blocked")
    if card.level_on(day) != change.before[LEVEL]:
        why = f"Card •••• {card.last_four} is a {LEVELS[card.level_on(day)]} card by now. Ask for it anew."
        raise NotAllowedNow(why, "stale")
    # Before the columns are written: it reads in them which change still waits.
    _fall(change.premises, card, day, change.number)
    from_day = day + timedelta(days=1)
    # An earlier raise whose day has come stands in `next_level` alone: it is written down before it is overwritten.
    card.level, card.next_level, card.next_level_from = card.level_on(day), wanted, from_day
    card.save(update_fields=["level", "next_level", "next_level_from"])
    return [Step(change.number, LEVEL, wanted, moment, from_day)]


def let_level_go(change: AuthorityChange, day: date) -> list[str]:
    """A raise that waits falls, and the card stays what it is."""
    assert change.whose_id is not None, "only a card has a level"
    card = _locked_card(change.whose_id)
    # The card has room for one raise: where this one fell already, what waits there is another change's.
    if change.fallen or card.next_level is None or card.level_on(day) == card.next_level:
        return []
    card.next_level = card.next_level_from = None
    card.save(update_fields=["next_level", "next_level_from"])
    return [LEVEL]


def _lower(
    house: Property, card: Card, differs: Differs, reason: str, by: Operator, moment: datetime
) -> AuthorityChange:
    """At once, by one person: no swipe is under way, and keys that are out with this person follow."""
    card.level = differs.before
    change = new_change(
        house, [differs], [], reason, by, whose=card, alone=True, state=RequestState.SIGNED, decided_at=moment
    )
    change.steps = [Step(change.number, LEVEL, differs.after, moment).plain()]
    change.save(update_fields=["steps"])
    # Before the columns are cleared: it reads in them which change still waits.
    _fall(house, card, house.gaming_day(moment), change.number)
    card.level, card.next_level, card.next_level_from = differs.after, None, None
    card.save(update_fields=["level", "next_level", "next_level_from"])
    # A key that is out speaks with the level of its signing out: else a lowered person goes on approving by it.
    keys_follow(card.operator)
    note_asked(change, by, "lower", reason, changes=[str(differs)], person=card.operator.username)
    return change


def _fall(house: Property, card: Card, day: date, later: int) -> None:
    """The change whose raise still waits for this card will not count."""
    if card.next_level is None or card.next_level_from is None or day >= card.next_level_from:
        return
    rows = AuthorityChange.objects.filter(premises=house, whose=card, state=RequestState.SIGNED, alone=False)
    waits = rows.exclude(number=later).exclude(fallen__has_key=LEVEL).order_by("number").last()
    # The database holds no link from the card to the change: the newest raise that did not fall is the one that waits.
    if waits is not None:
        mark_fallen(house, {LEVEL: waits.number}, later)


def _check_asked(card: Card, wanted: int, day: date, by: Operator) -> None:
    stands = card.level_on(day)
    if card.blocked_at is not None:
        raise NotAllowedNow(f"Card •••• {card.last_four} is blocked. Issue another one.", "card_blocked")
    if wanted == stands:
        waits = " Withdraw the change that waits instead." if card.next_level not in (None, stands) else ""
        raise NotAllowedNow(f"Card •••• {card.last_four} is a {LEVELS[stands]} card already.{waits}", "no_change")
    if wanted > stands and card.operator_id == by.pk:
        raise NotAllowed("Nobody raises a card of their own. Let another person ask for it.", "own_card")
    if wanted == card.next_level:
        why = f"Card •••• {card.last_four} becomes {LEVELS[wanted]} on {card.next_level_from:%d %b %Y} already."
        raise NotAllowedNow(why, "waits")


def house_of_card(card: Card) -> Property:
    """The house whose gaming day and thresholds the card meets."""
    house = card.operator.premises
    if house is None:
        raise NotAllowedNow(f"{card.operator} belongs to no house. Give the person a house first.", "no_house")
    return house


def _locked_card(card_id: int) -> Card:
    # Of the card alone: its person may have no house, and PostgreSQL locks nothing on the empty side of a join.
    rows = Card.objects.select_for_update(no_key=True, of=("self",)).select_related("operator__premises")
    return rows.get(id=card_id)
