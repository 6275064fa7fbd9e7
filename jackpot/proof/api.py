from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.books.api.jackpots import ThisJackpot
from jackpot.books.models.went_back import WentBack
from jackpot.books.queries import PROVEN_WHILE_YOU_WAIT
from jackpot.proof.actions.accept_books import ASKS, SIGNS, accept_books, ask_to_accept
from jackpot.proof.queries import prove
from jackpot.refusals import NotAllowedNow
from jackpot.signing.api import ProofText, proof_of
from jackpot.web.api.fields import AmountText, HexText


class ProvenText(serializers.Serializer[Any]):
    """One jackpot's books, read to their end."""

    jackpot = serializers.CharField()
    entries = serializers.IntegerField()
    last_seq = serializers.IntegerField()
    seal = HexText()
    meter = AmountText()
    findings = serializers.IntegerField()


class FindingText(serializers.Serializer[Any]):
    """A row that disagrees."""

    kind = serializers.CharField()
    where = serializers.CharField()
    what = serializers.CharField()
    expected = serializers.CharField()
    found = serializers.CharField()


class VerdictText(serializers.Serializer[Any]):
    """What a proof found. `holds` is true when every entry adds up, is sealed and agrees with all it rests on."""

    holds = serializers.BooleanField()
    jackpots = ProvenText(many=True)
    findings = FindingText(many=True)


class ProofOfBooks(ThisJackpot):
    """Re-adds and re-seals every entry of the books, here and now. Large books are proven by `manage.py prove`."""

    serializer_class = VerdictText

    def get(self, _: Request, code: str) -> Response:
        jackpot = self.jackpot()
        if jackpot.last_seq > PROVEN_WHILE_YOU_WAIT:
            why = f"The books of {code} are too long to wait for: {jackpot.last_seq} entries. Run manage.py prove."
            raise NotAllowedNow(why, "too_long")
        verdict = prove(jackpot_codes=[code]).plain()
        return Response({word: verdict[word] for word in ("holds", "jackpots", "findings")})


class WentBackText(serializers.Serializer[Any]):
    """Books that went back: from which number to which, and how far two people are with it."""

    jackpot = serializers.CharField(source="jackpot.code")
    known_entry = serializers.IntegerField(source="known_seq", help_text="The highest entry that was seen.")
    found_entry = serializers.IntegerField(source="found_seq", help_text="Where the books stand.")
    why = serializers.CharField()
    told_by = serializers.CharField(help_text="Who remembered: a node, published heads, a device.")
    at = serializers.DateTimeField()
    asked_by = serializers.CharField(source="asked_by.username", default=None, allow_null=True)
    asked_entry = serializers.IntegerField(
        source="asked_seq", allow_null=True,
        help_text="What was seen when it was asked for; where more is known by now, one person asks anew.",
    )  # fmt: skip
    accepted_by = serializers.CharField(source="accepted_by.username", default=None, allow_null=True)


class WentBackWord(serializers.Serializer[Any]):
    why = serializers.CharField(max_length=200, help_text="What happened, and how what is missing is made good.")


class BooksWentBack(ThisJackpot):
    """What is known of books that went back, newest first; and the first person's word that they are accepted."""

    serializer_class = WentBackWord
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"GET": ("read_books",), "POST": (ASKS,)}

    @extend_schema(responses=WentBackText(many=True))
    def get(self, _: Request, **__: str) -> Response:
        rows = WentBack.objects.select_related("jackpot", "asked_by", "accepted_by").filter(jackpot=self.jackpot())
        return Response(WentBackText(rows[:100], many=True).data)

    @extend_schema(request=WentBackWord, responses=WentBackText)
    def post(self, request: Request, **_: str) -> Response:
        person: Any = request.user
        return Response(WentBackText(ask_to_accept(jackpot=self.jackpot(), by=person, **self.sent_fields())).data)


class AcceptBooks(ThisJackpot):
    """The second person accepts the books as they are, with a card and PIN or the own password."""

    serializer_class = ProofText
    # The first person's own session will do: whoever signs second proves to be there, whoever is signed in.
    verbs: ClassVar[dict[str, tuple[str, ...]]] = {"POST": (ASKS, SIGNS)}

    @extend_schema(request=ProofText, responses=WentBackText)
    def post(self, request: Request, **_: str) -> Response:
        person: Any = request.user
        given = proof_of(request, self.sent_fields())
        return Response(WentBackText(accept_books(jackpot=self.jackpot(), by=person, proof=given)).data)
