"""What one person who gives roles may do at once about somebody's way in: it gives nobody more than they had."""

from __future__ import annotations

from django.db import transaction

from jackpot.people.actions.dismissing import check_may_change, check_why
from jackpot.people.actions.people import block_card
from jackpot.people.actions.sessions import end_sessions
from jackpot.people.actions.sign_in import unlock_name
from jackpot.people.actions.unlock import unlock_card
from jackpot.people.models import Card, Operator
from jackpot.requests.models import Request
from jackpot.signing.actions import withdraw


@transaction.atomic
def end_sessions_of(*, person: Operator, why: str, by: Operator, name: str = "") -> int:
    """Signed out everywhere, or in the one session of that name."""
    check_may_change(person, by)
    reason = check_why(why, f"Say why {person} is signed out")
    return end_sessions(person=person, by=str(by), name=name, why=reason)


@transaction.atomic
def unlock_name_of(*, person: Operator, why: str, by: Operator) -> None:
    """Five wrong passwords are forgotten; nobody unlocks a name of their own."""
    check_may_change(person, by)
    unlock_name(person=person, why=check_why(why, f"Say why the name {person.username} is unlocked"), by=by)


def block_card_of(*, card: Card, why: str, by: Operator) -> None:
    """One touch; the card answers nothing from this moment on."""
    check_may_change(card.operator, by)
    block_card(card=card, why=check_why(why, f"Say why card •••• {card.last_four} is blocked"), by=str(by))


def unlock_card_of(*, card: Card, why: str, by: Operator) -> None:
    """After three wrong PINs; the PIN stays what it was."""
    check_may_change(card.operator, by)
    unlock_card(card=card, why=check_why(why, f"Say why card •••• {card.last_four} is unlocked"), by=by)


def withdraw_left_open(*, row: Request, by: Operator) -> None:
    """What a dismissed person left undecided is taken back under the name of whoever does it."""
    withdraw(request_id=row.pk, reason=f"{row.asked_by_name} is dismissed"[:200], by=by)
