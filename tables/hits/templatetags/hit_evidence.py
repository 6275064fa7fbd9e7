"""What the hits of a round rest on, as the pit, the office and the round's own page show it."""

from __future__ import annotations

from typing import Any

from django import template

from jackpot.evidence.actions.of_round import ADDERS
from jackpot.evidence.queries import evidence_of_round
from jackpot.property.models.property import Property
from jackpot.wins.rules.round_ref import RoundRef
from tables.hits.models.open_case import CaseKind, OpenCase

register = template.Library()


@register.inclusion_tag("tables/hits/evidence.html", takes_context=True)
def hit_evidence(context: Any, code: str, number: int, house: Property, adds: str = "") -> Any:
    """What a late claim named in words, the files with their digests; where `adds` is given, the form that adds one."""
    verbs = context["request"].user.verbs()
    claims = OpenCase.objects.filter(kind=CaseKind.CLAIMED, table__code=code, round_number=number)
    words = "; ".join(claims.values_list("evidence", flat=True))
    return {
        "request": context["request"], "csrf_token": context.get("csrf_token"), "messages": context.get("messages"),
        "code": code, "number": number, "house": house, "words": words,
        "files": evidence_of_round(RoundRef(code, number)),
        "may_add": bool(adds) and not verbs.isdisjoint(ADDERS),
        "may_take": not verbs.isdisjoint({*ADDERS, "read_books"}),
    }  # fmt: skip
