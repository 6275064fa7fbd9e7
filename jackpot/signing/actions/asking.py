"""One person asks: the request is kept with its preview and told to the trail; nothing moves."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestAct
from jackpot.signing.actions.deciding import check_reason, note
from jackpot.signing.actions.kinds import kind_of


@transaction.atomic
def put_in(
    *, row: Request, by: Operator, findings: Sequence[Mapping[str, str]] = (), preview: Mapping[str, Any] | None = None
) -> None:
    """A request of a kind whose preview is at hand: kept with what was found, for another person to decide."""
    kind = kind_of(row.kind)
    kind.check_person(row, by)
    check_works_here(by)
    if not by.verbs().intersection(kind.may_ask):
        raise NotAllowed(f"{by} may not ask for this. An administrator gives that role.", "role")
    check_reason(row.reason)
    row.asked_by, row.asked_by_name = by, str(by)[:100]
    row.findings, row.preview, row.previewed_at = list(findings), dict(preview or {}), timezone.now()
    move_on(row, RequestAct.PREVIEW)
    row.save()
    note(kind, row, by, "ask", row.reason)
    kind.announce(row)
