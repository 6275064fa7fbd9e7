"""The cards of a hit's round over the API: entered and judged, followed by the mark, or overridden by two people."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.evidence.api import JsonWithFile, file_told
from jackpot.people.models import Operator
from jackpot.refusals import NotUnderstood
from jackpot.web.api.fields import WholeNumber
from jackpot.wins.rules.award_record import HandProof
from tables.hits.actions.hand_entry import EnteredCards, enter_cards, say_seen
from tables.hits.actions.hand_override import follow_cards, override_cards
from tables.hits.api.wins import OverrideWord, ThisWin, by_two
from tables.rulebook.api.games_cards import SeatCards

WHOLE_ROUND = {
    "board": "Ah Kh Qh As Kd",
    "seats": [{"seat": 3, "cards": "Jh Th"}, {"seat": 6, "cards": "Ac 7c"}],
}


class HandAsked(serializers.Serializer[Any]):
    """The cards of the round: board, seats, dealer; or `cards`, the seven of this hit's seat; or `seen` alone."""

    cards = serializers.JSONField(required=False, help_text="This hit's seat: hole cards, flop, turn, river.")
    board = serializers.JSONField(required=False, help_text="In dealing order; once entered it serves every seat.")
    seats = SeatCards(many=True, required=False)
    dealer = serializers.JSONField(required=False, help_text="Only where a line is decided against the dealer.")
    seen = serializers.BooleanField(
        required=False, help_text="“Cards seen” of every hit of the round for which that is enough."
    )
    revision = WholeNumber(
        min_value=0, required=False, help_text="The cards you looked at; refused when somebody entered others since."
    )
    as_it_lies = serializers.BooleanField(
        default=False, help_text="A card really lies twice: kept so, and the hits are held for an executive."
    )


class JudgedHit(serializers.Serializer[Any]):
    """What the cards say of one hit."""

    id = serializers.IntegerField()
    jackpot = serializers.CharField()
    hand = serializers.CharField(help_text="The line that was marked.")
    name = serializers.CharField()
    proof = serializers.ChoiceField(choices=[proof.value for proof in HandProof])
    proves = serializers.CharField(allow_null=True, help_text="The line that the cards win.")
    five = serializers.ListField(child=serializers.CharField())
    why = serializers.CharField()
    overridden = serializers.BooleanField()


class SeatOfRound(serializers.Serializer[Any]):
    seat = serializers.IntegerField()
    cards = serializers.CharField(help_text="Hole cards; empty: not entered.")
    seen = serializers.CharField(help_text="Who said “cards seen”; empty: nobody.")
    hits = JudgedHit(many=True)


class HandText(serializers.Serializer[Any]):
    """The round's cards as they stand, and what is still missing before a card may approve."""

    ok = serializers.BooleanField(default=True)
    repeat = serializers.BooleanField(help_text="true: they stood so already, nothing was written.")
    revision = serializers.IntegerField()
    board = serializers.CharField()
    dealer = serializers.CharField()
    by = serializers.CharField(allow_null=True)
    seats = SeatOfRound(many=True)
    missing = serializers.ListField(child=serializers.CharField())


class FollowedText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    changed = serializers.IntegerField()
    marks = serializers.ListField(child=serializers.DictField())


class OverriddenText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    overridden = serializers.IntegerField()


class VerifyHand(ThisWin):
    """The cards of this hit's round, before it is approved. What cannot lie on a felt is refused and not kept."""

    serializer_class = HandAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("verify", "approve")}

    @extend_schema(
        request=HandAsked, responses=HandText, examples=[OpenApiExample("two seats", WHOLE_ROUND, request_only=True)]
    )
    def post(self, request: Request, **_: str) -> Response:
        body, place, by = self.sent_fields(), self.place(), request.user
        assert isinstance(by, Operator), "the door lets nobody in who is not signed in"
        # A serializer drops what it does not know: cards under a misspelt word would be lost, and the answer “ok”.
        unknown = sorted(set(request.data) - set(HandAsked().fields))
        if unknown:
            raise NotUnderstood(f"“{unknown[0][:40]}” is not asked here. Known: {', '.join(HandAsked().fields)}.")
        if body.get("seen"):
            return Response({"ok": True, **say_seen(**place, by=by)})
        return Response({"ok": True, **enter_cards(**place, entered=_entered(body, self.win().seat), by=by)})


class Follow(ThisWin):
    """Every mark that its cards disprove becomes the line they prove, or is taken back."""

    serializer_class = FollowedText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("verify",)}

    @extend_schema(request=None, responses=FollowedText)
    def post(self, request: Request, **_: str) -> Response:
        person: Any = request.user
        return Response({"ok": True, **follow_cards(**self.place(), by=person)})


class Override(ThisWin):
    """Has held hits paid in spite of their cards: an executive and a second person, with the reason."""

    serializer_class = OverrideWord
    parser_classes = [JsonWithFile]
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("approve",)}

    @extend_schema(request=OverrideWord, responses=OverriddenText)
    def post(self, request: Request, **__: str) -> Response:
        body = dict(self.sent_fields())
        file = file_told(body)
        return Response({"ok": True, **override_cards(**self.place(), **by_two(request, body), file=file)})


def _entered(body: Mapping[str, Any], own_seat: int) -> EnteredCards:
    """The words as the act takes them."""
    as_it_lies, revision = body["as_it_lies"], body.get("revision")
    if "cards" in body:
        if {"board", "seats"} & body.keys():
            raise NotUnderstood("Give either the seven cards of this hit's seat or a board and its seats.")
        whole = (own_seat, _written(body["cards"], "the cards"))
        return EnteredCards(whole=whole, dealer=_dealer(body), revision=revision, as_it_lies=as_it_lies)
    if not {"board", "seats", "dealer"} & body.keys():
        raise NotUnderstood("Give the board, the seats' cards, the seven cards of this hit's seat, or say “seen”.")
    board = _written(body["board"], "the board") if "board" in body else None
    seats = {each["seat"]: _written(each["cards"], f"seat {each['seat']}") for each in body.get("seats", ())}
    if len(seats) < len(body.get("seats", ())):
        raise NotUnderstood("A seat stands in it twice.")
    return EnteredCards(board, seats, _dealer(body), revision=revision, as_it_lies=as_it_lies)


def _dealer(body: Mapping[str, Any]) -> str | list[str] | None:
    return _written(body["dealer"], "the dealer's hand") if "dealer" in body else None


def _written(value: Any, whose: str) -> str | list[str]:
    """A text, or a list of texts; both bounded, for nobody holds more than a deck."""
    if isinstance(value, str) and len(value) <= 200:
        return value
    if isinstance(value, list) and len(value) <= 52 and all(isinstance(card, str) for card in value):
        return value
    raise NotUnderstood(f"Write {whose} as text such as “Ah Kd” or as a list of cards.")
