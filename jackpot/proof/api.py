from __future__ import annotations

from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.books.api.jackpots import ThisJackpot
from jackpot.books.queries import PROVEN_WHILE_YOU_WAIT
from jackpot.proof.queries import prove
from jackpot.refusals import NotAllowedNow
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
