"""Supervisor keys: a number on a ring, and a register that says who had it when."""

from __future__ import annotations

from django.db import transaction
from django.utils import timezone

from jackpot.people.actions.presence import hold_card
from jackpot.people.models import Card, KeyRegister, Operator
from jackpot.people.queries import as_they_speak, best_level
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow
from jackpot.trail.actions.trail import record
from jackpot.trail.rules.objects import ObjectKind, ObjectRef


@transaction.atomic
def sign_key_out(
    *, premises: Property, number: str, operator: Operator, by: str, level: Card.Level = Card.Level.SUPERVISOR,
    card: Card | None = None,
) -> KeyRegister:  # fmt: skip
    """From now on this key speaks for this person, at the level of the card that was read for it."""
    if card is not None:
        hold_card(card, Card.Level.DEALER, card.day_at(timezone.now()))
    out = KeyRegister.objects.select_for_update().filter(premises=premises, number=number, back_at=None).first()
    if out is not None:
        raise NotAllowedNow(f"Key {number} is out with {out.operator}. It must be signed back first.", "key_out")
    row = KeyRegister.objects.create(
        premises=premises, number=number, operator=operator, level=level, out_at=timezone.now()
    )
    record(actor=by, act="key_out", about=ObjectRef(ObjectKind.KEY, number, premises.pk), details={"to": str(operator)})
    return row


@transaction.atomic
def sign_key_back(*, premises: Property, number: str, by: str) -> None:
    """The key is back on its hook and speaks for nobody."""
    row = KeyRegister.objects.select_for_update().filter(premises=premises, number=number, back_at=None).first()
    if row is None:
        raise NotAllowedNow(f"Key {number} is not out.", "key_in")
    row.back_at = timezone.now()
    row.save(update_fields=["back_at"])
    record(actor=by, act="key_back", about=ObjectRef(ObjectKind.KEY, number, premises.pk))


def key_holder(*, premises: Property, number: str) -> KeyRegister:
    """The person a key speaks for now."""
    rows = KeyRegister.objects.filter(premises=premises, number=number, back_at=None)
    out = rows.select_related("operator__premises").first()
    if out is None or not out.operator.is_active:
        raise NotAllowed(
            f"Key {number} is not signed out to anybody. Sign it out on the pit page first.", "key_unknown"
        )
    return as_they_speak([out])[0]


def keys_follow(operator: Operator) -> None:
    """Keys that are out with a person never speak above the best card that still works: authority that went is gone."""
    # Read anew: the card that this is about was altered a moment ago.
    best = best_level(operator, list(Card.objects.filter(operator=operator)))
    KeyRegister.objects.filter(operator=operator, back_at=None, level__gt=best).update(level=best)
