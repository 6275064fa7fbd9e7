"""Who has stood by a large act, on the slip's record and at the window; and the form of whoever stands there."""

from __future__ import annotations

from typing import Any

from django.http import HttpRequest

from accounting.cage.pages.wins_record import STANDS_BY, found
from jackpot.people.models import Operator
from jackpot.property.rules.witness import WITNESS_WORDS, WitnessPart
from jackpot.refusals import NotUnderstood
from jackpot.signing.pages import proof_here
from jackpot.web.pages.posting import posts, word
from tables.hits.actions.witness import LONGEST_REFERENCE, WitnessProof, stand_by


@posts(*STANDS_BY, back_to="office-win")
def win_stand_by(request: HttpRequest, number: str) -> str:
    """One witness's own word: by card and PIN whoever is signed in, by password for oneself."""
    person: Any = request.user
    assert isinstance(person, Operator)
    asked = word(request, "part", 20)
    if asked not in set(WitnessPart):
        raise NotUnderstood("Choose who you stand by as.", "part")
    proof = proof_here(request)
    told = WitnessProof(
        proof.card, proof.pin, proof.password, proof.address, word(request, "reference", LONGEST_REFERENCE)
    )
    row = stand_by(win=found(request, number), part=WitnessPart(asked), proof=told, by=person)
    return f"{row.operator_name} stands by slip {number} as {WITNESS_WORDS[WitnessPart(row.part)]}."
