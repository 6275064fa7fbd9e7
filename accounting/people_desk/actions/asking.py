"""One person asks for more authority of another; roles are taken away by one person, at once."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction

from accounting.people_desk.actions.kind import PEOPLE, card_of
from accounting.people_desk.rules.staff_wish import StaffAct, StaffWish
from jackpot.books.actions.post import lock
from jackpot.books.models.jackpot import Jackpot
from jackpot.people.actions.dismissing import check_may_change, check_why
from jackpot.people.actions.own_secrets import make_code
from jackpot.people.actions.people import LEVELS, check_number
from jackpot.people.actions.presence import card_numbered, number_hash, number_on
from jackpot.people.models import Operator, Role
from jackpot.people.rules.user_name import user_name_refusal
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestState
from jackpot.signing.actions.asking import put_in
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects


def ask_hire(
    *, premises: Property, username: str, name: str, roles: Sequence[str], reason: str, by: Operator
) -> Request:
    return _ask(premises, hire_wish(username, name, roles), reason, by)


def hire_wish(username: str, name: str, roles: Sequence[str]) -> StaffWish:
    """A person who is not here yet. The password is the person's own to choose, by a one-time code."""
    wrong = user_name_refusal(username, name)
    if wrong:
        raise NotUnderstood(wrong, "username")
    # Whatever the case: “Anna” and “anna” on two records would be taken for one person.
    if Operator.objects.filter(username__iexact=username).exists():
        raise NotAllowedNow(f"There is already a person {username}. Choose another user name.", "exists")
    return StaffWish(StaffAct.HIRE, username, name=name.strip(), roles=_known(roles))


def ask_roles(*, person: Operator, roles: Sequence[str], reason: str, by: Operator) -> Request:
    return _ask_about(person, roles_wish(person, roles), reason, by)


def roles_wish(person: Operator, roles: Sequence[str]) -> StaffWish:
    """Roles that the person does not have yet."""
    has = set(person.roles.values_list("code", flat=True))
    new = tuple(code for code in _known(roles) if code not in has)
    if not new:
        raise NotAllowedNow(f"{person} has these roles already. Nothing is asked for.", "no_change")
    return StaffWish(StaffAct.GIVE_ROLES, person.username, roles=new)


def ask_card(*, person: Operator, number: str, level: str, reason: str, by: Operator, expires_on: str = "") -> Request:
    return _ask_about(person, card_wish(person, number, level, expires_on), reason, by)


def card_wish(person: Operator, number: str, level: str, expires_on: str = "") -> StaffWish:
    """A card as it was read; its number is kept as a keyed hash from here on."""
    digits = number_on(number)
    check_number(digits)
    if level not in LEVELS:
        raise NotUnderstood(f"“{level[:20]}” is no card level. Choose one of: {', '.join(LEVELS)}.", "level")
    # Also a blocked one: a number never passes to another person, for records name it by its last four.
    if card_numbered(digits) is not None:
        raise NotAllowedNow(f"Card •••• {digits[-4:]} is already issued. Every card belongs to one person.", "exists")
    return StaffWish(
        StaffAct.ISSUE_CARD, person.username, number_hash=number_hash(digits).hex(), last_four=digits[-4:],
        level=level, expires_on=expires_on,
    )  # fmt: skip


def ask_code(*, person: Operator, card_id: int | None, reason: str, by: Operator) -> Request:
    return _ask_about(person, code_wish(person, card_id), reason, by)


def code_wish(person: Operator, card_id: int | None) -> StaffWish:
    """For a new password, or for the PIN of one card."""
    if card_id is None:
        return StaffWish(StaffAct.NEW_PASSWORD, person.username)
    card = card_of(person, StaffWish(StaffAct.NEW_PIN, person.username, card=card_id))
    return StaffWish(StaffAct.NEW_PIN, person.username, card=card.pk, last_four=card.last_four)


@transaction.atomic
def take_roles(*, person: Operator, roles: Sequence[str], why: str, by: Operator) -> None:
    """At once, by one person; no act of the house's money is under way meanwhile."""
    check_may_change(person, by)
    reason = check_why(why, f"Say why {person} loses these roles")
    held = set(person.roles.values_list("code", flat=True))
    taken = [code for code in _known(roles) if code in held]
    if not taken:
        raise NotAllowedNow(f"{person} has none of these roles. Nothing was taken.", "no_change")
    lock(list(Jackpot.objects.filter(premises=person.premises_id).values_list("id", flat=True)))
    person.roles.remove(*Role.objects.filter(code__in=taken))
    record(
        actor=by, act="take_roles", about=objects.person(person.username), why=reason, details={"roles": sorted(taken)}
    )


@transaction.atomic
def show_code(*, row: Request, by: Operator) -> str:
    """To one of the two who asked and signed, once; they hand it to the person, who alone chooses the secret."""
    wish = StaffWish.of(row.payload)
    if row.state != RequestState.IN_FORCE or not wish.gives_code:
        raise NotAllowedNow("There is no code to show: two people sign first.", "not_signed")
    # Only the two whose names stand for it: anybody who saw the code could choose the secret in the person's place.
    if by.pk not in (row.asked_by_id, row.decided_by_id):
        raise NotAllowed(f"The code is shown to {row.asked_by_name} or {row.decided_by_name}.", "not_yours")
    person = Operator.objects.filter(username=wish.username, is_active=True).first()
    if person is None:
        raise NotAllowedNow(f"{wish.username} is dismissed. There is no code to show.", "dismissed")
    card = card_of(person, wish) if wish.act == StaffAct.NEW_PIN else None
    return make_code(request=row, person=person, card=card, by=by)


def _ask_about(person: Operator, wish: StaffWish, reason: str, by: Operator) -> Request:
    check_may_change(person, by)
    # Asked here and again at the signature: neither of the two is whom it is about.
    if person.pk == by.pk:
        raise NotAllowed("Nobody asks for more authority of their own. Let another person ask.", "same_person")
    if not person.is_active:
        raise NotAllowedNow(f"{person} is dismissed. Nothing is given to them.", "dismissed")
    if person.premises is None:
        raise NotAllowedNow(f"{person} belongs to no house. The casino file gives a house.", "no_house")
    return _ask(person.premises, wish, reason, by)


def _ask(premises: Property, wish: StaffWish, reason: str, by: Operator) -> Request:
    row = Request(kind=PEOPLE, premises=premises, payload=wish.plain(), reason=reason.strip())
    put_in(row=row, by=by, preview={"what": wish.sentence()})
    return row


def _known(codes: Sequence[str]) -> tuple[str, ...]:
    known = set(Role.objects.values_list("code", flat=True))
    unknown = sorted(set(codes) - known)
    if unknown:
        raise NotFound(f"There is no role {unknown[0][:20]}. Known: {', '.join(sorted(known))}.", "no_role")
    if not codes:
        raise NotUnderstood("Choose at least one role.", "roles")
    return tuple(sorted(set(codes)))
