"""The second signature on a page: what its form carries becomes the person who signs."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from jackpot.requests.models import Request
from jackpot.signing.actions.approver import Proof, SecondPerson, authenticate_approver
from jackpot.signing.actions.kinds import kind_of


def proof_here(request: HttpRequest) -> Proof:
    """What the form carries: a card with its PIN, or a password."""
    return Proof(
        card=request.POST.get("card", "")[:200], pin=request.POST.get("pin", "")[:20],
        password=request.POST.get("password", "")[:200], address=str(request.META.get("REMOTE_ADDR", "")),
    )  # fmt: skip


def approver_here(request: HttpRequest, row: Request) -> SecondPerson:
    """Whoever's card was read, or whoever is signed in and gave the own password."""
    person: Any = request.user
    proof = proof_here(request)
    return authenticate_approver(operator=person, premises=row.premises, proof=proof, verbs=kind_of(row.kind).may_sign)
