"""The second signature over the API: a card with its PIN, or the own password of who is signed in."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request as HttpRequest

from jackpot.property.models.property import Property
from jackpot.signing.actions.approver import Approver, Proof, authenticate_approver
from jackpot.signing.actions.kinds import kind_of


class ProofText(serializers.Serializer[Any]):
    """Proof of presence: an executive's card with its PIN, or the own password of who is signed in."""

    card = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    password = serializers.CharField(max_length=200, required=False, default="", allow_blank=True)


def approver_of(request: HttpRequest, proof: Mapping[str, Any], kind: str, premises: Property) -> Approver:
    """Whoever proves to be there, for a request of this kind."""
    person: Any = request.user
    address = str(request.META.get("REMOTE_ADDR", ""))
    given = Proof(proof["card"], proof["pin"], proof["password"], address)
    return authenticate_approver(operator=person, premises=premises, proof=given, verbs=kind_of(kind).may_sign)
