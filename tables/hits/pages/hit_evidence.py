"""A file is added to a round's hits on their page, and taken from there."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404
from django.views.decorators.cache import never_cache

from jackpot.evidence.actions.of_round import ADDERS, add_to_round, take_from_round
from jackpot.evidence.pages import uploaded
from jackpot.evidence.printing import evidence_to_take
from jackpot.evidence.queries import one_evidence_of_round
from jackpot.refusals import NotUnderstood
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts
from jackpot.wins.rules.round_ref import RoundRef
from tables.rounds.queries import round_lists

READERS: Final = ("read_books", *sorted(ADDERS))


@posts(*sorted(ADDERS), back_to="hit-page")
def hit_evidence_add(request: HttpRequest, code: str, number: str) -> str:
    person: Any = request.user
    upload = uploaded(request)
    if upload is None:
        raise NotUnderstood("Choose the file that proves it.", "file")
    row = add_to_round(place=_place(request, code, number), upload=upload, by=person)
    return f"{row.name} is kept as evidence."


@never_cache
@needs(*READERS)
def hit_evidence(request: HttpRequest, code: str, number: str, sha256: str) -> HttpResponse:
    person: Any = request.user
    row = one_evidence_of_round(_place(request, code, number), sha256)
    if row is None:
        raise Http404
    # A HEAD takes nothing away, so it is no line of the trail.
    if request.method == "GET":
        take_from_round(row=row, by=person)
    return evidence_to_take(row)


def _place(request: HttpRequest, code: str, number: str) -> RoundRef:
    round_ = get_object_or_404(round_lists.rounds_of(request.user), table__code=code, number=int(number))
    return RoundRef(code, round_.number)
