from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from jackpot.books import queries
from jackpot.proof.queries import ProofReport, prove
from jackpot.web.pages.access import needs


@needs("read_books")
def proof(request: HttpRequest, code: str) -> HttpResponse:
    """The books, added and sealed again before your eyes; long ones are proven on the server's own console."""
    jackpot = get_object_or_404(queries.jackpots(request.user), code=code)
    verdict: ProofReport | None = None
    if jackpot.last_seq <= queries.PROVEN_WHILE_YOU_WAIT:
        verdict = prove(jackpot_codes=[code])
    return render(request, "jackpot/proof/proof.html", {"jackpot": jackpot, "tab": "proof", "verdict": verdict})
