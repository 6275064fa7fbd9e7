"""The tax record of a slip over the API: opened by whom it concerns, and each look a line of the trail."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.payees.actions import SEES, open_record
from jackpot.payees.queries import record_of
from jackpot.payees.rules import PayeeNumber
from jackpot.refusals import NotAllowedNow
from jackpot.web.api.fields import AmountText
from tables.hits.api.slips import BySlip


class RecordWord(serializers.Serializer[Any]):
    why = serializers.CharField(max_length=200, help_text="What it is opened for; the trail keeps it.")


class PayeeText(serializers.Serializer[Any]):
    """One person of the record, as the document says, with the share."""

    name = serializers.CharField(source="facts.name")
    address = serializers.CharField(source="facts.address")
    document = serializers.ChoiceField(source="facts.kind", choices=[kind.value for kind in PayeeNumber])
    document_number = serializers.CharField(source="facts.number")
    gross = AmountText(source="share.gross")
    withheld = AmountText(source="share.withheld")
    net = AmountText(source="share.net")


class TaxRecordText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    slip = serializers.IntegerField()
    form = serializers.CharField(help_text="Empty: kept for the cash report of the day alone.")
    gaming_day = serializers.DateField(help_text="Of the payment.")
    payees = PayeeText(many=True)


class SlipTaxRecord(BySlip):
    """Opens the record of this slip. It is a POST because a look is an act: the trail says who, when and what for."""

    serializer_class = RecordWord
    only_looks = True  # of what stands in it nothing is kept anywhere else
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": (SEES, "pay")}

    @extend_schema(request=RecordWord, responses=TaxRecordText)
    def post(self, request: Request, **_: str) -> Response:
        row, person = record_of(self.win()), request.user
        if row is None:
            why = f"Slip {self.kwargs['slip']} has no tax record: no rule asked for one when it was paid."
            raise NotAllowedNow(why, "no_record")
        reader: Any = person
        payees = open_record(row=row, by=reader, why=self.sent_fields()["why"])
        told = {"slip": row.slip, "form": row.form, "gaming_day": row.gaming_day, "payees": payees}
        return Response(TaxRecordText(told).data)
