"""What a request rests on, as every page of a request shows it."""

from __future__ import annotations

from typing import Any

from django import template

from jackpot.evidence.queries import evidence_of_request, lacks_evidence
from jackpot.requests.models import Request
from jackpot.requests.rules.life import ENDED
from jackpot.signing.actions.kinds import kind_of

register = template.Library()


@register.inclusion_tag("jackpot/evidence/evidence.html", takes_context=True)
def evidence(context: Any, row: Request) -> dict[str, Any]:
    """The files with their digests; the one that was asked with stands first and says so."""
    kind, person = kind_of(row.kind), context["request"].user
    files = list(evidence_of_request(row))
    may_add = row.state not in ENDED and not person.verbs().isdisjoint(kind.may_ask | kind.may_sign)
    return {
        "request": context["request"], "csrf_token": context.get("csrf_token"), "row": row, "files": files,
        "only_named": row.file_name if row.file_sha256 not in {each.file_id for each in files} else "",
        "may_add": may_add, "lacks": lacks_evidence(row) and row.state not in ENDED,
    }  # fmt: skip


@register.inclusion_tag("jackpot/evidence/lines.html")
def evidence_lines(row: Request) -> dict[str, Any]:
    """The same in one line a file, for a page that shows many requests."""
    return {
        "row": row,
        "files": list(evidence_of_request(row)),
        "lacks": lacks_evidence(row) and row.state not in ENDED,
    }
