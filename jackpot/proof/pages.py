from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, render

from jackpot.books import queries
from jackpot.books.models.jackpot import Jackpot
from jackpot.books.models.went_back import WentBack
from jackpot.people.models import Operator
from jackpot.proof.actions.accept_books import ASKS, SIGNS, accept_books, ask_to_accept
from jackpot.proof.queries import ProofReport, prove
from jackpot.signing.pages import proof_here
from jackpot.web.pages.access import needs
from jackpot.web.pages.posting import posts, word


@needs("read_books")
def proof(request: HttpRequest, code: str) -> HttpResponse:
    """The books, added and sealed again before your eyes; long ones are proven on the server's own console."""
    jackpot = _jackpot(request, code)
    verdict: ProofReport | None = None
    if jackpot.last_seq <= queries.PROVEN_WHILE_YOU_WAIT:
        verdict = prove(jackpot_codes=[code])
    back = WentBack.objects.select_related("asked_by").filter(jackpot=jackpot, accepted_at=None).first()
    shown = {"jackpot": jackpot, "tab": "proof", "verdict": verdict, "back": back}
    return render(request, "jackpot/proof/proof.html", shown)


@posts(ASKS, back_to="proof")
def went_back_ask(request: HttpRequest, *, code: str) -> str:
    """The first person says what happened and how what is missing is made good."""
    person = request.user
    assert isinstance(person, Operator), "the door let nobody else in"
    ask_to_accept(jackpot=_jackpot(request, code), by=person, why=word(request, "why"))
    return "Asked. A second person accepts the books here, with a card and PIN or a password."


@posts(ASKS, SIGNS, back_to="proof")
def went_back_accept(request: HttpRequest, *, code: str) -> str:
    """The second person proves to be there; the jackpot plays on from where its books stand."""
    person = request.user
    assert isinstance(person, Operator), "the door let nobody else in"
    done = accept_books(jackpot=_jackpot(request, code), by=person, proof=proof_here(request))
    return f"Accepted. {code} plays on from entry {done.found_seq}."


def _jackpot(request: HttpRequest, code: str) -> Jackpot:
    return get_object_or_404(queries.jackpots(request.user), code=code)
