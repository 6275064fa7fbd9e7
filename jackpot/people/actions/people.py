"""People, their roles and their cards. What a card is worth stands on the card; what a person may do, in the roles."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from typing import Final

from django.contrib.auth.hashers import make_password
from django.db import transaction
from django.db.models.functions import Now
from django.utils import timezone

from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.actions.keys import keys_follow
from jackpot.people.actions.presence import number_hash
from jackpot.people.models import Card, Operator, Role
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects
from jackpot.trail.rules.objects import ObjectKind, ObjectRef

VERBS: Final[Mapping[str, str]] = {
    "see": "sees the floor: tables, rounds, meters and signs",
    "read_books": "reads every entry, version and proof",
    "read_trail": "reads the trail of who did what",
    "deal": "takes the duty at a table",
    "recount": "counts a round again before the first card",
    "void": "voids a round",
    "verify": "confirms hits and asks for their award",
    "approve": "approves awards at the level of the card",
    "override": "decides against the rule, with a second person",
    "pay": "pays winners and redeems slips",
    "payees": "opens tax records: name, address and number of whom a reported win was paid to",
    "count": "counts chips and drop boxes",
    "close_day": "closes the gaming day and explains variances",
    "run_tables": "opens, closes and holds tables",
    "service": "enrols, rotates and blocks devices, sets tables to maintenance",
    "watch": "sees sensors, alarms and the live list of surveillance",
    "camera": "ticks off what the cameras show of a hit, stands by for surveillance before a large one is paid",
    "attend": "stands by for the regulator before a large win is paid",
    "configure": "asks for a jackpot's configuration or for other authority, or signs it as the second person",
    "adjust": "asks for an adjustment, a transfer, a suspension, a retirement or a back-out",
    "sign_adjustments": "decides on such a request as the second person",
    "set_up": "sets up the house: property, shifts, tax, printers, tables, signs, devices, its casino file",
    "people": "gives roles, cards and PINs, unlocks and blocks them, asks for other card levels or signs them",
}
WHERE: Final = "/office/authority/"
LEVELS: Final[Mapping[str, int]] = {level.label: level.value for level in Card.Level}


@transaction.atomic
def define_role(*, code: str, name: str, may: Iterable[str], by: str) -> Role:
    """What people of one kind may do. An unknown verb is refused, because it would never grant anything."""
    verbs = sorted(set(may))
    unknown = [verb for verb in verbs if verb not in VERBS]
    if unknown:
        raise NotUnderstood(f"Role {code}: “{unknown[0]}” is no verb. Known: {', '.join(VERBS)}.", "unknown_verb")
    role, _ = Role.objects.update_or_create(code=code, defaults={"name": name, "may": verbs})
    record(actor=by, act="define_role", about=ObjectRef(ObjectKind.ROLE, code), details={"name": name, "may": verbs})
    return role


@transaction.atomic
def hire(
    *, premises: Property, username: str, name: str, roles: Sequence[str], by: str, password: str | None = None
) -> Operator:
    """A person joins the house. Without a password the person cannot sign in until somebody sets one."""
    if Operator.objects.filter(username=username).exists():
        raise NotAllowedNow(f"There is already a person {username}. Choose another user name.", "exists")
    operator = Operator.objects.create_user(username, password, name=name, premises=premises)
    operator.roles.set(_roles(roles))
    record(actor=by, act="hire", about=objects.person(username), details={"name": name, "roles": sorted(roles)})
    return operator


@transaction.atomic
def alter_person(*, operator: Operator, name: str, roles: Sequence[str], by: str) -> None:
    """A new name or other roles; both count from this moment."""
    before = {"name": operator.name, "roles": sorted(operator.roles.values_list("code", flat=True))}
    operator.name = name
    operator.save(update_fields=["name"])
    operator.roles.set(_roles(roles))
    after = {"name": name, "roles": sorted(roles)}
    record(
        actor=by,
        act="alter_person",
        about=objects.person(operator.username),
        details={"before": before, "after": after},
    )


@transaction.atomic
def issue_card(
    *, operator: Operator, number: str, level: str, by: str, pin: str = "", expires_on: date | None = None
) -> Card:
    """A card for one person. Only its keyed hash and last four are kept."""
    check_number(number)
    return issue_card_by_hash(
        operator=operator, number_hash=number_hash(number), last_four=number[-4:], level=level, by=by, pin=pin,
        expires_on=expires_on,
    )  # fmt: skip


@transaction.atomic
def issue_card_by_hash(
    *, operator: Operator, number_hash: bytes, last_four: str, level: str, by: str, pin: str = "",
    expires_on: date | None = None,
) -> Card:  # fmt: skip
    """The same for a card that was read before: whoever asked for it kept no more than its keyed hash."""
    if level not in LEVELS:
        raise NotUnderstood(f"“{level}” is no card level. Choose one of: {', '.join(LEVELS)}.", "level")
    if Card.objects.filter(number_hash=number_hash).exists():
        raise NotAllowedNow(f"Card •••• {last_four} is already issued. Every card belongs to one person.", "exists")
    card = Card.objects.create(
        operator=operator, number_hash=number_hash, last_four=last_four, level=LEVELS[level],
        pin_hash=_pin_hash(pin), expires_on=expires_on,
    )  # fmt: skip
    record(
        actor=by,
        act="issue_card",
        about=objects.person(operator.username),
        details={"card": card.last_four, "level": level},
    )
    return card


@transaction.atomic
def alter_card(*, card: Card, level: str, expires_on: date | None, by: str) -> None:
    """A lower level or another last day. Lowering authority counts at once; raising it takes two people."""
    if level not in LEVELS:
        raise NotUnderstood(f"“{level}” is no card level. Choose one of: {', '.join(LEVELS)}.", "level")
    stands = card.level_on(card.day_at(timezone.now()))
    before = {"level": Card.Level(stands).label, "expires_on": str(card.expires_on or "")}
    if LEVELS[level] > stands:
        why = f"Card •••• {card.last_four} is a {Card.Level(stands).label} card. Two people raise it, under {WHERE}."
        raise NotAllowedNow(why, "level")
    # Every approval holds one of these locks: a swipe is over before the card is less, or is looked at after it.
    lock_jackpots_open_to(card.operator)
    # With the level left as it is, a raise that waits goes on waiting: only a lowering takes it back.
    if LEVELS[level] < stands:
        card.level, card.next_level, card.next_level_from = LEVELS[level], None, None
    card.expires_on = expires_on
    card.save(update_fields=["level", "next_level", "next_level_from", "expires_on"])
    keys_follow(card.operator)
    after = {"level": level, "expires_on": str(expires_on or "")}
    details = {"card": card.last_four, "before": before, "after": after}
    record(actor=by, act="alter_card", about=objects.person(card.operator.username), details=details)


@transaction.atomic
def block_card(*, card: Card, why: str, by: str) -> None:
    """Blocks a card in one touch; blocking it twice changes nothing. No swipe is under way at that moment."""
    lock_jackpots_open_to(card.operator)
    if Card.objects.filter(id=card.id, blocked_at=None).update(blocked_at=Now()):
        keys_follow(card.operator)
        record(
            actor=by,
            act="block_card",
            about=objects.person(card.operator.username),
            why=why,
            details={"card": card.last_four},
        )


@transaction.atomic
def set_pin(*, card: Card, pin: str, by: str) -> None:
    """A new PIN; the old one is void at once."""
    card.pin_hash = _pin_hash(pin)
    card.save(update_fields=["pin_hash"])
    record(actor=by, act="set_pin", about=objects.person(card.operator.username), details={"card": card.last_four})


def lock_jackpots_open_to(person: Operator) -> None:
    """Every jackpot that a card of theirs may sign at: of their house, or of all where they belong to none."""
    houses = {} if person.premises_id is None else {"premises": person.premises_id}
    lock(list(Jackpot.objects.filter(**houses).values_list("id", flat=True)))


def check_number(number: str) -> None:
    if not (number.isascii() and number.isalnum() and 8 <= len(number) <= 24):
        raise NotUnderstood("A card number is 8 to 24 letters and digits, as the reader sends it.", "number")


def _pin_hash(pin: str) -> str:
    if not pin:
        return ""
    if not (pin.isascii() and pin.isdigit() and 4 <= len(pin) <= 8):
        raise NotUnderstood("A PIN is 4 to 8 digits.", "pin")
    return make_password(pin)


def _roles(codes: Sequence[str]) -> list[Role]:
    roles = {role.code: role for role in Role.objects.filter(code__in=codes)}
    missing = [code for code in codes if code not in roles]
    if missing:
        raise NotFound(f"There is no role {missing[0]}. Known: {', '.join(sorted(_role_codes())) or 'none yet'}.")
    return list(roles.values())


def _role_codes() -> Iterable[str]:
    return Role.objects.values_list("code", flat=True)
