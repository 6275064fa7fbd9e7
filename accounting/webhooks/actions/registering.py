"""A webhook is registered by two people; one administrator pauses, resumes and retires it, with a reason."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import timedelta
from typing import Any, ClassVar

from django.db import transaction
from django.utils import timezone

from accounting.feed.queries import last_number
from accounting.programs.rules.token import LONGEST_NAME
from accounting.ways_out.actions import WayOut, held_to_fetch
from accounting.webhooks.actions.secret import sealed_secret
from accounting.webhooks.models import Webhook
from accounting.webhooks.rules.address import LONGEST_ADDRESS, address_refusal
from accounting.webhooks.rules.event_kinds import KINDS, in_turn, kinds_refusal
from accounting.webhooks.rules.signing import MOST_GRACE, new_secret
from jackpot.money import NotAnAmount
from jackpot.people.actions.dismissing import check_why, check_works_here
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.reading import read_whole
from jackpot.refusals import NotAllowed, NotAllowedNow, NotFound, NotUnderstood
from jackpot.requests.models import Request
from jackpot.signing.actions.kinds import ComparedValue
from jackpot.signing.rules import AskField, FieldLook
from jackpot.trail.actions.trail import record
from jackpot.web.api.fields import LARGEST_KEY


@dataclass(frozen=True, slots=True)
class RegisteredWebhook:
    """The row that is kept and the secret that is shown this once."""

    row: Webhook
    secret: str


class SendEvents(WayOut):
    """Which events, and whereto; the address hears the first one when one of the two has fetched its secret."""

    code, name = "webhook", "Webhook"
    lead = "Events are sent to an address, in order, until it is retired."
    fields: ClassVar[tuple[AskField, ...]] = (
        AskField("name", "Program", longest=LONGEST_NAME),
        AskField("address", "Address (https, or http within the house)", longest=LONGEST_ADDRESS),
        AskField("kinds", "Events", FieldLook.TICKS, options=[(each, each) for each in KINDS]),
        AskField("after", "Begin behind number (empty: from now on)", required=False, longest=19),
    )

    def check(self, premises: Property, payload: Mapping[str, Any]) -> None:
        for field, refusal in (
            ("name", _name_refusal(payload["name"])), ("address", address_refusal(payload["address"])),
            ("kinds", kinds_refusal(payload["kinds"])),
        ):  # fmt: skip
            if refusal:
                raise NotUnderstood(refusal, field)
        _begins(payload, premises)

    def compared(self, row: Request) -> list[ComparedValue]:
        told = row.payload
        return [
            ComparedValue("Program", "hears nothing", told["name"]), ComparedValue("Address", "", told["address"]),
            ComparedValue("Events", "", ", ".join(in_turn(told["kinds"]))),
            ComparedValue("Begins behind number", "", str(told["after"]) or "the last one by then"),
        ]  # fmt: skip

    def phrase(self, row: Request) -> str:
        told = row.payload
        return f"{', '.join(in_turn(told['kinds']))} to {told['name']} at {told['address']}"


@transaction.atomic
def fetch_webhook(*, row: Request, by: Operator) -> RegisteredWebhook:
    """The secret is shown this once, to one of the two who asked and signed; from now on events are sent."""
    held = held_to_fetch(row, by)
    if Webhook.objects.filter(request=held).exists():
        raise NotAllowedNow("Its secret was shown already. Change the secret on the webhook’s page.", "shown")
    told, secret = held.payload, new_secret()
    made = Webhook.objects.create(
        premises=held.premises, name=told["name"], address=told["address"], kinds=in_turn(told["kinds"]),
        secret_sealed=sealed_secret(secret), registered_by=held.asked_by, request=held,
        last_number=_begins(told, held.premises),
    )  # fmt: skip
    details = {"name": made.name, "address": made.address, "kinds": made.kinds, "after": made.last_number,
               "request": held.pk}  # fmt: skip
    record(actor=by, act="register_webhook", subject=made.trail_name, why=held.reason, details=details)
    return RegisteredWebhook(made, secret)


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


def _begins(payload: Mapping[str, Any], premises: Property) -> int:
    newest, typed = last_number(premises), str(payload["after"])
    try:
        return _known_number(read_whole(typed, "number of the event", 0, LARGEST_KEY), newest) if typed else newest
    except NotAnAmount as why:
        raise NotUnderstood(str(why), "after") from None


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
