"""What the pit does with a round's hits besides approving them: seats of a lit key, parking, a late claim."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.evidence.api import EvidenceWord, JsonWithFile, file_told
from jackpot.people.actions.presence import typed_here
from jackpot.web.api.doors import Door
from jackpot.web.api.fields import WholeNumber
from tables.hits.actions import late_claim, lit_keys
from tables.hits.actions.park import park
from tables.hits.actions.taking_back import signers
from tables.hits.actions.undo import void_round
from tables.rounds.queries import round_lists


class SeatsWord(serializers.Serializer[Any]):
    hand = serializers.CharField(max_length=40, help_text="The hand whose key is lit.")
    seats = serializers.ListField(child=WholeNumber(min_value=1, max_value=9), min_length=1, max_length=9)


class SwipedCard(serializers.Serializer[Any]):
    """A card as its reader sends it or a person types it."""

    card = serializers.CharField(max_length=200)
    pin = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)


class ParkWord(SwipedCard):
    """An executive's card, and why."""

    reason = serializers.CharField(max_length=200)


class ClaimWord(serializers.Serializer[Any]):
    """What is claimed, where it can be seen, and the cards of an executive and a second person."""

    seat = WholeNumber(min_value=1, max_value=9)
    hand = serializers.CharField(max_length=40)
    reason = serializers.CharField(max_length=200)
    evidence = serializers.CharField(max_length=200)
    cards = serializers.ListField(child=SwipedCard(), min_length=2, max_length=2)
    file = EvidenceWord(required=False, help_text="A picture or a scan; its digest is sealed with the claim.")


class VoidWord(serializers.Serializer[Any]):
    """Why a round is void, and the card of a supervisor; of an earlier gaming day also a second person's."""

    reason = serializers.CharField(max_length=200)
    cards = serializers.ListField(child=SwipedCard(), min_length=1, max_length=2)


class VoidText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    round = serializers.IntegerField()
    state = serializers.CharField()
    meters = serializers.DictField(child=serializers.CharField())
    repeat = serializers.BooleanField()


class HitsText(serializers.Serializer[Any]):
    """The round's marks, or the closed list once it is asked for."""

    ok = serializers.BooleanField(default=True)
    marks = serializers.ListField(child=serializers.DictField(), required=False)
    hits = serializers.ListField(child=serializers.DictField(), required=False)
    total = serializers.CharField(required=False)
    card = serializers.CharField(required=False, help_text="Level of the card that approves.")
    people = serializers.IntegerField(required=False)


class ParkedText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    parked = serializers.CharField(help_text="The hits that stay open, in words.")
    state = serializers.CharField()
    next_round = serializers.IntegerField()
    repeat = serializers.BooleanField()


class ThisRound(Door):
    """A door behind one round; a table of another house is not there."""

    def place(self) -> dict[str, Any]:
        code, number = self.kwargs["code"], int(self.kwargs["number"])
        get_object_or_404(round_lists.tables_of(self.request.user), code=code)
        return {"table_code": code, "round_number": number}


class LitSeats(ThisRound):
    """Says which seats hold a lit hand. With the key at JPH they are asked for at once."""

    serializer_class = SeatsWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("verify",)}

    @extend_schema(request=SeatsWord, responses=HitsText)
    def post(self, request: Request, **_: str) -> Response:
        person: Any = request.user
        return Response({"ok": True, **lit_keys.assign(**self.place(), **self.sent_fields(), by=person)})


class Park(ThisRound):
    """An executive parks the round's open hits: the table plays on, they are settled later."""

    serializer_class = ParkWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("approve", "verify")}

    @extend_schema(request=ParkWord, responses=ParkedText)
    def post(self, request: Request, **__: str) -> Response:
        return Response({"ok": True, **park(**self.place(), **self.sent_fields(), source=typed_here(request))})


class Claim(ThisRound):
    """Opens a hit on a round that is over: evidence, an executive and a second person. Frozen from now on."""

    serializer_class = ClaimWord
    parser_classes = [JsonWithFile]
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("approve", "verify")}

    @extend_schema(request=ClaimWord, responses=HitsText)
    def post(self, request: Request, **_: str) -> Response:
        person: Any = request.user
        body = dict(self.sent_fields())
        cards = [(each["card"], each["pin"]) for each in body.pop("cards")]
        file = file_told(body)
        told: dict[str, Any] = {"cards": cards, "by": person, "source": typed_here(request), "file": file}
        return Response({"ok": True, **late_claim.claim(**self.place(), **body, **told)})


class Void(ThisRound):
    """Every hand of the round is void, its contributions are taken back; an open late claim is settled first."""

    serializer_class = VoidWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("void",)}

    @extend_schema(request=VoidWord, responses=VoidText)
    def post(self, request: Request, **__: str) -> Response:
        body, place = self.sent_fields(), self.place()
        first, second = [*((each["card"], each["pin"]) for each in body["cards"]), ("", "")][:2]
        signed = signers(place["table_code"], first=first, second=second, source=typed_here(request))
        return Response({"ok": True, **void_round(**place, reason=body["reason"], **signed._asdict())})
