"""Events go out: taken from the database by whoever comes by first, in order, at least once, never given up."""

from __future__ import annotations

import json
import logging
import time
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from typing import Final

from cryptography.fernet import InvalidToken
from django.db import connection, transaction
from django.utils import timezone

from accounting.webhooks.actions.secret import earlier_behind, secret_behind
from accounting.webhooks.actions.wire import PostAnswer, post_events
from accounting.webhooks.models import Webhook
from accounting.webhooks.queries import EventParcel, due_webhooks, event_facts, parcel_for
from accounting.webhooks.rules.delivery_life import LEASE, is_alarming, next_try
from accounting.webhooks.rules.signing import SIGNATURE_HEADER, WEBHOOK_HEADER, signature
from jackpot.errands.actions import SERVER
from jackpot.trail.actions.trail import record

AT_ONCE: Final = 8  # addresses that are sent to side by side, so that one that hangs holds up nobody else
SPELL: Final = 20.0  # seconds after which a worker looks up; what is left is due again at once
log = logging.getLogger(__name__)
# Neither address nor secret: the worker’s role may not write them.
WHAT_CAME_OF_IT: Final = (
    "last_tried_at", "last_answer", "last_number", "delivered_at", "next_try_at", "deliveries", "tries",
    "failing_since", "alarmed_at", "claimed_until",
)  # fmt: skip
Post = Callable[[str, bytes, Mapping[str, str]], PostAnswer]


def deliver_due(post: Post = post_events) -> int:
    """Every webhook that is due, some side by side; returns how many deliveries were taken."""
    taken, until = 0, time.monotonic() + SPELL
    while time.monotonic() < until and (claimed := _claimed()):
        # One alone needs no thread, and so no connection of its own.
        if len(claimed) == 1:
            taken += _delivered(claimed[0], post, until)
            continue
        with ThreadPoolExecutor(len(claimed), thread_name_prefix="webhook") as threads:
            taken += sum(threads.map(lambda row: _in_a_thread(row, post, until), claimed))
    return taken


@transaction.atomic
def _claimed() -> list[Webhook]:
    """Taken for a while: no lock is held while a strange program takes its time, and no two workers send the same."""
    now = timezone.now()
    rows = due_webhooks(now).select_for_update(skip_locked=True, no_key=True, of=("self",)).select_related("premises")
    claimed = list(rows[:AT_ONCE])
    for row in claimed:
        # Counted and not only timed: who comes back after the lease is told apart from who has it then.
        row.claim += 1
        row.claimed_until = now + LEASE
        row.save(update_fields=["claim", "claimed_until"])
    return claimed


def _in_a_thread(row: Webhook, post: Post, until: float) -> int:
    try:
        return _delivered(row, post, until)
    finally:
        # A thread has a connection of its own, and this one ends here.
        connection.close()


def _delivered(row: Webhook, post: Post, until: float) -> int:
    """One delivery after another until it has everything, refuses one, or the worker must look up."""
    taken, going = 0, row
    while True:
        parcel = parcel_for(going)
        answer = _sent(going, parcel, post) if parcel.events else None
        # Events that nobody here wanted are passed over without a POST: they move the number, and count as no delivery.
        taken += answer is not None and answer.taken
        refused = answer is not None and not answer.taken
        more = parcel.up_to > parcel.after and not refused and time.monotonic() < until
        held = _note(going, parcel, answer, more=more)
        if held is None:
            return taken
        going = held


def _sent(row: Webhook, parcel: EventParcel, post: Post) -> PostAnswer:
    body = json.dumps(
        {
            "house": row.premises.code, "webhook": row.pk, "after": parcel.after, "up_to": parcel.up_to,
            "events": [event_facts(each) for each in parcel.events],
        }, ensure_ascii=False, separators=(",", ":"),
    ).encode()  # fmt: skip
    now = timezone.now()
    sent_at = int(now.timestamp())
    try:
        secret, before = secret_behind(row), earlier_behind(row, now)
    except InvalidToken:  # restored beside another file key: the list must say so, and nothing is sent unsigned
        return PostAnswer(False, "The file key of this machine does not open its secret. Retire it and register anew.")
    headers = {
        "Content-Type": "application/json", "User-Agent": "Fairmeter", "Connection": "close",
        WEBHOOK_HEADER: str(row.pk), SIGNATURE_HEADER: signature(secret, sent_at, body, before=before),
    }  # fmt: skip
    return post(row.address, body, headers)


@transaction.atomic
def _note(row: Webhook, parcel: EventParcel, answer: PostAnswer | None, *, more: bool) -> Webhook | None:
    """What came of it; nothing where somebody else took the webhook meanwhile, or it is to begin elsewhere."""
    rows = Webhook.objects.select_for_update(no_key=True, of=("self",)).select_related("premises")
    # By the claim: a delivery that came back too late may not move the number behind a replay.
    held = rows.filter(pk=row.pk, claim=row.claim).first()
    if held is None:
        log.warning("%s was taken by another worker, or told to begin anew; this delivery counts nothing", row)
        return None
    now = timezone.now()
    if answer is not None:
        held.last_tried_at, held.last_answer = now, answer.why[:200]
    if answer is None or answer.taken:
        # What was refused does not move on: the same events are sent again until somebody answers 2xx.
        held.last_number = parcel.up_to
    if answer is not None and answer.taken:
        _note_taken(held)
    elif answer is not None:
        _note_failed(held, answer.why)
    goes_on = more and held.paused_at is None and held.retired_at is None
    held.claimed_until = now + LEASE if goes_on else None
    held.save(update_fields=WHAT_CAME_OF_IT)
    return held if goes_on else None


def _note_taken(held: Webhook) -> None:
    now = timezone.now()
    if held.alarmed_at is not None and held.failing_since is not None:
        # Only where people were told that it fails: a failure of seconds is nobody's business.
        minutes = int((now - held.failing_since).total_seconds() // 60)
        record(actor=SERVER, act="webhook recovered", subject=held.trail_name, why=f"It failed for {minutes} minutes.")
    held.delivered_at, held.next_try_at = now, now
    held.deliveries += 1
    held.tries, held.failing_since, held.alarmed_at = 0, None, None


def _note_failed(held: Webhook, why: str) -> None:
    now = timezone.now()
    held.tries += 1
    held.failing_since = held.failing_since or now
    held.next_try_at = next_try(now, held.tries)
    if held.alarmed_at is None and is_alarming(held.failing_since, now):
        held.alarmed_at = now
        words = f"{held.name} takes no events since {held.failing_since:%Y-%m-%d %H:%M} UTC. {why}"
        record(actor=SERVER, act="webhook failing", subject=held.trail_name, outcome="alarm", why=words)
