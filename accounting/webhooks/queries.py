"""Which webhooks a house has, which of them are due, and what each of them has not heard yet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final

from django.db.models import Exists, F, OuterRef, Q, QuerySet, Subquery
from django.db.models.functions import Coalesce, Greatest

from accounting.feed.models import FeedEvent, FeedHead
from accounting.feed.queries import events_after
from accounting.people_desk.queries import ReviewedRights
from accounting.people_desk.rules.rights_digest import HeldRights
from accounting.webhooks.models import Webhook
from accounting.webhooks.rules.delivery_life import LEASE, LONGEST_PAUSE
from accounting.webhooks.rules.event_kinds import wants
from jackpot.errands.queries import due_by
from jackpot.property.models.property import Property
from jackpot.property.queries import of_house

AT_MOST: Final = 100  # events of one delivery
LOOKED_AT: Final = 1_000  # events of the feed that one delivery looks through for wanted ones


@dataclass(frozen=True, slots=True)
class EventParcel:
    """What one delivery carries: the wanted events behind a number, and the number that all of it reaches."""

    after: int
    up_to: int
    events: Sequence[FeedEvent]


def webhooks(person: Any) -> QuerySet[Webhook]:
    """Every webhook of the house of whoever looks, newest first, with how many events it has still before it."""
    rows = Webhook.objects.select_related("premises", "registered_by", "paused_by", "retired_by")
    heads = FeedHead.objects.filter(premises=OuterRef("premises")).values("last_number")
    return of_house(
        rows.annotate(behind=Greatest(Coalesce(Subquery(heads), 0) - F("last_number"), 0)).order_by("-id"), person
    )


def due_webhooks(now: datetime) -> QuerySet[Webhook]:
    """What may be sent to now, has something before it, and nobody is at."""
    newer = FeedHead.objects.filter(premises=OuterRef("premises"), last_number__gt=OuterRef("last_number"))
    free = Q(claimed_until=None) | due_by("claimed_until", now, LEASE)
    due = due_by("next_try_at", now, LONGEST_PAUSE)
    rows = Webhook.objects.filter(free, due, retired_at=None, paused_at=None)
    return rows.filter(Exists(newer)).order_by("next_try_at", "id")


def parcel_for(webhook: Webhook) -> EventParcel:
    """The next delivery; what it does not want is passed over, so a rare kind does not look at everything again."""
    seen = list(events_after(webhook.premises, webhook.last_number)[:LOOKED_AT])
    wanted = [each for each in seen if wants(webhook.kinds, each.about, each.act)]
    # Only up to the last event that is sent: those behind it are still to come.
    if len(wanted) > AT_MOST:
        wanted = wanted[:AT_MOST]
        return EventParcel(webhook.last_number, wanted[-1].number, wanted)
    return EventParcel(webhook.last_number, seen[-1].number if seen else webhook.last_number, wanted)


def event_facts(event: FeedEvent) -> Mapping[str, Any]:
    """An event as it is sent: the words of the feed."""
    at = event.at.isoformat()
    return {
        "number": event.number, "about": event.about, "act": event.act, "subject": event.subject,
        "at": at.removesuffix("+00:00") + "Z" if at.endswith("+00:00") else at, "facts": event.facts,
    }  # fmt: skip


def webhooks_in_review(house: Property) -> list[ReviewedRights]:
    """Where events of the house go stands in the review that two people sign, as tokens do."""
    rows = Webhook.objects.filter(premises=house, retired_at=None).select_related("registered_by").order_by("id")
    return [_rights_of_address(row) for row in rows]


def _rights_of_address(row: Webhook) -> ReviewedRights:
    by = row.registered_by.name if row.registered_by.is_active else f"{row.registered_by.name}, who is dismissed"
    paused = ", paused" if row.paused_at is not None else ""
    state = f"webhook to {row.address}{paused}, registered by {by}"
    return ReviewedRights(HeldRights(row.trail_name, row.name, state, (), tuple(row.kinds), ()), row.delivered_at)
