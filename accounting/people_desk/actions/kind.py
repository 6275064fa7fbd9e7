"""What gives a person more takes two people: hired, roles given, a card issued, a code for a new password or PIN."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import date, timedelta
from typing import Any, ClassVar, Final, assert_never

from django.db import transaction
from django.utils import timezone

from accounting.people_desk.rules.staff_wish import StaffAct, StaffWish
from jackpot.people.actions.people import LEVELS, hire, issue_card_by_hash
from jackpot.people.models import Card, Operator, Role
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions import RequestKind, SecondPerson
from jackpot.signing.actions.deciding import decided, note
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.trail.actions.trail import record
from jackpot.trail.rules import objects

PEOPLE: Final = "people"


class ChangePeople(RequestKind[Request]):
    """The wish is kept as JSON; no secret is in it, and a card's number only as its keyed hash."""

    code, name, model = PEOPLE, "People", Request
    may_ask: ClassVar[frozenset[str]] = frozenset({"people"})
    may_sign: ClassVar[frozenset[str]] = frozenset({"people"})
    signed_by_card: ClassVar[bool] = True

    @contextmanager
    def lock(self, row: Request) -> Iterator[Operator | None]:
        """The person whom it is about, unless this is how they come; of two such requests one waits for the other."""
        # Without their house, on whose row other acts wait.
        rows = Operator.objects.select_for_update(no_key=True, of=("self",)).select_related("premises")
        with transaction.atomic():
            yield rows.filter(username=row.payload["username"]).first()

    def sign(self, scene: Operator | None, row: Request, approver: SecondPerson, *, seen: bool) -> None:  # noqa: ARG002  each kind takes what it needs
        wish, by = StaffWish.of(row.payload), f"{row.asked_by_name} and {approver.operator}"
        carry_out(wish, row, scene, by)
        decided(row, approver, timezone.now())
        move_on(row, RequestAct.COUNT)
        row.save()
        note(self, row, approver.operator, "approve", row.reason)

    def check_signer(self, row: Request, approver: SecondPerson) -> None:
        # An executive's card signs too, where only one person of a small house gives roles.
        if approver.card is None and not approver.operator.verbs().intersection(self.may_sign):
            raise NotAllowed(
                f"{approver.operator} may not sign this. Another person, who gives roles, signs it.", "role"
            )
        # By user name, for who is hired by this has no key yet; a user name never changes.
        if approver.operator.username == row.payload["username"]:
            raise NotAllowed("Nobody signs what is about themselves. Another person signs this.", "same_person")

    def compared(self, row: Request) -> list[ComparedValue]:
        return [ComparedValue(*each) for each in StaffWish.of(row.payload).compared()]

    def phrase(self, row: Request) -> str:
        return StaffWish.of(row.payload).sentence()

    def subject(self, row: Request) -> str:
        return str(row.payload["username"])

    def plain(self, row: Request) -> dict[str, Any]:
        return {"request": row.pk, "what": StaffWish.of(row.payload).sentence()}


def carry_out(wish: StaffWish, row: Request, person: Operator | None, by: str) -> None:
    """Two people signed: it counts, or a sentence says why it no longer fits."""
    match wish.act:
        case StaffAct.HIRE:
            hire(premises=row.premises, username=wish.username, name=wish.name, roles=wish.roles, by=by)
        case StaffAct.GIVE_ROLES:
            _give_roles(_working(wish, person), wish, by)
        case StaffAct.ISSUE_CARD:
            _issue(_working(wish, person), wish, by)
        case StaffAct.NEW_PASSWORD:
            _working(wish, person)  # the code is made when it is shown, so that nothing keeps it
        case StaffAct.NEW_PIN:
            card_of(_working(wish, person), wish)
        case _:
            assert_never(wish.act)


def card_of(person: Operator, wish: StaffWish) -> Card:
    """The card whose PIN is chosen anew."""
    card: Card | None = person.cards.filter(pk=wish.card, blocked_at=None).first()
    if card is None:
        raise NotAllowedNow(f"{person} has no such card that works. Issue another one.", "no_card")
    return card


def _working(wish: StaffWish, person: Operator | None) -> Operator:
    if person is None:
        raise NotFound(f"There is no person {wish.username} here.", "no_person")
    if not person.is_active:
        raise NotAllowedNow(f"{person} is dismissed. Nothing is given to them.", "dismissed")
    return person


def _give_roles(person: Operator, wish: StaffWish, by: str) -> None:
    roles = list(Role.objects.filter(code__in=wish.roles))
    # All of them or none: what two people signed is not given in part.
    gone = set(wish.roles) - {role.code for role in roles}
    if gone:
        raise NotAllowedNow(f"There is no role {min(gone)} any more. Ask for it anew.", "stale")
    person.roles.add(*roles)
    record(actor=by, act="give_roles", about=objects.person(person.username), details={"roles": sorted(wish.roles)})


def _issue(person: Operator, wish: StaffWish, by: str) -> None:
    """As every raise the level counts from the next gaming day on; until then it is a dealer's card."""
    card = issue_card_by_hash(
        operator=person, number_hash=bytes.fromhex(wish.number_hash), last_four=wish.last_four, level="dealer", by=by,
        expires_on=date.fromisoformat(wish.expires_on) if wish.expires_on else None,
    )  # fmt: skip
    if LEVELS[wish.level] > card.level:
        card.next_level, card.next_level_from = LEVELS[wish.level], card.day_at(timezone.now()) + timedelta(days=1)
        card.save(update_fields=["next_level", "next_level_from"])
