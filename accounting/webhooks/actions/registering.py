"""A webhook is registered, paused, resumed, told events again, and retired: by one administrator, with a reason."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from django.db import transaction
from django.utils import timezone

from accounting.feed.queries import last_number
from accounting.programs.rules.token import LONGEST_NAME
from accounting.webhooks.actions.secret import sealed_secret
from accounting.webhooks.models import Webhook
from accounting.webhooks.rules.address import address_refusal
from accounting.webhooks.rules.event_kinds import in_turn, kinds_refusal
from accounting.webhooks.rules.signing import MOST_GRACE, new_secret
from jackpot.people.actions.dismissing import check_why, check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.trail.actions.trail import record


@dataclass(frozen=True, slots=True)
class RegisteredWebhook:
    """The row that is kept and the secret that is shown this once."""

    row: Webhook
    secret: str


@transaction.atomic
def register_webhook(
    *, premises: Property, name: str, address: str, kinds: Sequence[str], after: int | None, reason: str, by: Operator
) -> RegisteredWebhook:
    """From number `after` on, or from now on: what happens later is sent to the address until it is retired."""
    _check_may_register(premises, by)
    why = check_why(reason, "Say why events are sent there")
    name, address = name.strip(), address.strip()
    for field, refusal in (
        ("name", _name_refusal(name)), ("address", address_refusal(address)), ("kinds", kinds_refusal(kinds)),
    ):  # fmt: skip
        if refusal:
            raise NotUnderstood(refusal, field)
    newest, secret = last_number(premises), new_secret()
    begins = newest if after is None else _known_number(after, newest)
    row = Webhook.objects.create(
        premises=premises, name=name, address=address, kinds=in_turn(kinds), secret_sealed=sealed_secret(secret),
        registered_by=by, last_number=begins,
    )  # fmt: skip
    details = {"name": name, "address": address, "kinds": row.kinds, "after": begins}
    record(actor=by, act="register_webhook", subject=row.trail_name, why=why, details=details)
    return RegisteredWebhook(row, secret)


@transaction.atomic
def pause_webhook(*, row: Webhook, reason: str, by: Operator) -> Webhook:
    """Nothing is sent until it is resumed; a delivery under way may still arrive."""
    why = check_why(reason, "Say why nothing is sent for now")
    held = _held(row, by)
    if held.paused_at is not None:
        raise NotAllowedNow(f"{_called(held)} is paused already. Resume it when the address listens again.", "paused")
    held.paused_at, held.paused_by = timezone.now(), by
    held.save(update_fields=["paused_at", "paused_by"])
    record(actor=by, act="pause_webhook", subject=held.trail_name, why=why, details={"after": held.last_number})
    return held


@transaction.atomic
def resume_webhook(*, row: Webhook, reason: str, by: Operator) -> Webhook:
    """It goes on where it stopped, at once, and its failures are counted anew."""
    why = check_why(reason, "Say why it goes on")
    held = _held(row, by)
    if held.paused_at is None:
        raise NotAllowedNow(f"{_called(held)} is not paused. It needs no resuming.", "not_paused")
    held.paused_at = held.paused_by = None
    _begin_anew(held)
    record(actor=by, act="resume_webhook", subject=held.trail_name, why=why, details={"after": held.last_number})
    return held


@transaction.atomic
def replay_webhook(*, row: Webhook, after: int, reason: str, by: Operator) -> Webhook:
    """Everything behind this number is sent again, at once; whoever listens knows the numbers that it has."""
    why = check_why(reason, "Say why events are sent again")
    held = _held(row, by)
    before = held.last_number
    held.last_number = _known_number(after, last_number(held.premises))
    _begin_anew(held)
    details = {"after": held.last_number, "was": before}
    record(actor=by, act="replay_webhook", subject=held.trail_name, why=why, details=details)
    return held


@transaction.atomic
def renew_secret(*, row: Webhook, grace_hours: int, reason: str, by: Operator) -> RegisteredWebhook:
    """Another secret in its place, shown this once; the one before it signs beside it for these hours.

    With no hours at all the earlier one ends at once: somebody else may know it.
    """
    why = check_why(reason, "Say why the secret is changed")
    held = _held(row, by)
    if not 0 <= grace_hours <= MOST_GRACE:
        raise NotUnderstood(f"The earlier secret signs beside it for 0 to {MOST_GRACE} hours.", "grace_hours")
    secret, now = new_secret(), timezone.now()
    # The one before stays for a while: a receiver changes its secret at another moment than we do.
    held.earlier_sealed, held.earlier_until = held.secret_sealed, now + timedelta(hours=grace_hours)
    held.secret_sealed = sealed_secret(secret)
    held.save(update_fields=["secret_sealed", "earlier_sealed", "earlier_until"])
    details = {"earlier_until": held.earlier_until.isoformat()}
    record(actor=by, act="renew_webhook_secret", subject=held.trail_name, why=why, details=details)
    return RegisteredWebhook(held, secret)


@transaction.atomic
def retire_webhook(*, row: Webhook, reason: str, by: Operator) -> Webhook:
    """For good: the address hears nothing more. Another registration may begin at the number where this one ended."""
    why = check_why(reason, "Say why nothing more is sent there")
    held = _held(row, by)
    held.retired_at, held.retired_by = timezone.now(), by
    held.save(update_fields=["retired_at", "retired_by"])
    record(actor=by, act="retire_webhook", subject=held.trail_name, why=why, details={"after": held.last_number})
    return held


def _held(row: Webhook, by: Operator) -> Webhook:
    _check_may_register(row.premises, by)
    held = Webhook.objects.select_for_update(no_key=True).select_related(None).get(pk=row.pk)
    if held.retired_at is not None:
        raise NotAllowedNow(f"{_called(held)} is retired. Register the address anew, from number {held.last_number}.")
    return held


def _begin_anew(held: Webhook) -> None:
    """Tried at once. Whoever is sending meanwhile has an old claim, so its outcome moves nothing."""
    held.tries, held.failing_since, held.alarmed_at, held.claimed_until = 0, None, None, None
    held.next_try_at = timezone.now()
    held.claim += 1
    held.save()


def _called(row: Webhook) -> str:
    return f"The webhook of {row.name} (number {row.pk})"


def _known_number(after: int, newest: int) -> int:
    if not 0 <= after <= newest:
        raise NotUnderstood(f"The last event has number {newest}. Write a number from 0 to {newest}.", "after")
    return after


def _name_refusal(name: str) -> str:
    if not 0 < len(name) <= LONGEST_NAME or not name.isprintable():
        return f"Name the program behind the address, in 1 to {LONGEST_NAME} characters."
    return ""


def _check_may_register(premises: Property, by: Operator) -> None:
    check_works_here(by)
    if not by.may("people"):
        raise NotAllowed(f"{by} may not send events to programs. An administrator does.", "role")
    if by.premises_id not in (None, premises.pk):
        raise NotFound("There is no such webhook in your house.", "no_webhook")
