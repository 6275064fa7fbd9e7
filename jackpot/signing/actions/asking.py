"""One person asks: the request is kept with its preview and told to the trail; nothing moves."""

from __future__ import annotations

import logging
from collections.abc import Mapping, Sequence
from typing import Any

from django.db import transaction
from django.utils import timezone

from jackpot.people.actions.dismissing import check_works_here
from jackpot.people.models import Operator
from jackpot.refusals import NotAllowed, Refused
from jackpot.requests.actions.life import move_on
from jackpot.requests.models import Request
from jackpot.requests.rules.life import RequestAct, RequestState
from jackpot.signing.actions.deciding import check_reason, note
from jackpot.signing.actions.kinds import READY, kind_of

log = logging.getLogger(__name__)


@transaction.atomic
def put_in(
    *,
    row: Request,
    by: Operator,
    findings: Sequence[Mapping[str, str]] = (),
    preview: Mapping[str, Any] | None = None,
    still_to_come: bool = False,
) -> None:
    """Kept with what was found, for another person to decide; or, where a part of the preview is `still_to_come`, until
    that is there (`keep_preview`)."""
    kind = kind_of(row.kind)
    kind.check_person(row, by)
    check_works_here(by)
    if not by.verbs().intersection(kind.may_ask):
        raise NotAllowed(f"{by} may not ask for this. An administrator gives that role.", "role")
    check_reason(row.reason)
    row.asked_by, row.asked_by_name = by, str(by)[:100]
    row.findings, row.preview = list(findings), dict(preview or {})
    if not still_to_come:
        row.previewed_at = timezone.now()
        move_on(row, RequestAct.PREVIEW)
    row.save()
    note(kind, row, by, "ask", row.reason)
    kind.announce(row)


@transaction.atomic
def keep_preview(
    *,
    request_id: int,
    findings: Sequence[Mapping[str, str]],
    preview: Mapping[str, Any],
    by: Operator | None = None,
) -> Request:
    """What came late is frozen with the request: the second person signs what was seen. Without `by` nobody watched
    it; the worker saw it to its end."""
    row = Request.objects.select_for_update(no_key=True, of=("self",)).get(pk=request_id)
    kind = kind_of(row.kind)
    move_on(row, RequestAct.PREVIEW)
    row.findings, row.preview, row.previewed_at = list(findings), dict(preview), timezone.now()
    row.save(update_fields=["state", "findings", "preview", "previewed_at"])
    found = [finding["code"] for finding in findings]
    note(kind, row, by, "preview", findings=found, digest=preview.get("digest", ""))
    kind.announce(row)
    return row


def finish_previews() -> int:
    """Every preview that somebody asked for and that is not there yet is looked for again, watched or not; those that
    have come are kept with their requests. Says how many."""
    come = 0
    for pk, code in Request.objects.filter(state=RequestState.ASKED).order_by("id").values_list("id", "kind"):
        try:
            kind = kind_of(code)
            # Nobody waits here: what is not ready yet is looked for at the next round.
            come += kind.finish(kind.rows().get(pk=pk), None, wait=0) == READY
        except Refused as why:  # decided or previewed a moment ago: nothing is left to do
            log.info("the preview of request %s: %s", pk, why.why)
    return come
