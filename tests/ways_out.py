"""Tokens, webhooks and mailboxes as two people open them."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from typing import Any

from accounting.feed.models import UnnumberedEvent
from accounting.programs.actions.tokens import GivenToken, GiveToken, fetch_token
from accounting.reports.actions.mailboxes import AllowMailbox
from accounting.reports.models import ReportMailbox
from accounting.ways_out.actions import WayOut, ask_way_out
from accounting.webhooks.actions.registering import RegisteredWebhook, SendEvents, fetch_webhook
from jackpot.people.models import Operator, Role
from jackpot.property.models.property import Property
from jackpot.requests.models import Request
from jackpot.signing.actions import SecondPerson, sign
from tests.builders import a_person


def cosigner(premises: Property) -> Operator:
    """Another administrator of the house."""
    name = f"second-{premises.pk}"
    known = Operator.objects.filter(username=name).first()
    if known is not None:
        return known
    # In a whole house by its own role: the lists of who may what name every role that there is.
    if Role.objects.filter(code="administrator").exists():
        return a_person(name, roles=["administrator"], premises=premises)
    return a_person(name, may=("see", "people"), premises=premises)


def signed_way_out(kind: WayOut, *, premises: Property, by: Operator, reason: str, **told: Any) -> Request:
    """Asked for by one, signed by another; its own two steps are no events of the scene."""
    row = ask_way_out(kind=kind, premises=premises, payload=told, reason=reason, by=by)
    signed: Request = sign(request_id=row.pk, approver=SecondPerson(cosigner(premises)))
    UnnumberedEvent.objects.filter(about="requests", source=row.pk).delete()
    return signed


def a_given_token(
    *, premises: Property, name: str, scopes: Sequence[str], last_day: date, reason: str, by: Operator
) -> GivenToken:
    row = signed_way_out(
        GiveToken(), premises=premises, by=by, reason=reason, name=name, scopes=list(scopes),
        last_day=last_day.isoformat(),
    )  # fmt: skip
    return fetch_token(row=row, by=by)


def a_registered_webhook(
    *, premises: Property, name: str, address: str, kinds: Sequence[str], after: int | None, reason: str, by: Operator
) -> RegisteredWebhook:
    row = signed_way_out(
        SendEvents(), premises=premises, by=by, reason=reason, name=name, address=address, kinds=list(kinds),
        after="" if after is None else str(after),
    )  # fmt: skip
    return fetch_webhook(row=row, by=by)


def an_allowed_mailbox(*, premises: Property, name: str, address: str, by: Operator) -> ReportMailbox:
    row = signed_way_out(AllowMailbox(), premises=premises, by=by, reason="Nightly figures", name=name, address=address)
    return ReportMailbox.objects.get(request=row)
