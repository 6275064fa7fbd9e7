from __future__ import annotations

from decimal import Decimal
from typing import Any, Final

from django.db import transaction
from django.utils import timezone
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from proving.bench.naive.models import NaiveMeter, NaiveRound, NaiveTable

PART: Final = Decimal("0.70")


class NaiveMessages(APIView):
    """Answers the same messages with the same words as the product."""

    def post(self, request: Request, code: str) -> Response:
        said: Any = request.data
        match said["do"]:
            case "coin_in":
                return Response(coin_in(code, said))
            case "end":
                return Response(end(code, said))
            case _:
                return Response(hello(code, said))


def hello(code: str, said: dict[str, Any]) -> dict[str, Any]:
    last = NaiveRound.objects.filter(table__code=code).order_by("-number").first()
    still_open = last is not None and last.ended_at is None
    number = last.number if last else 0
    answer = {"id": said["id"], "ok": True, "next_round": number + 1}
    return answer | {"open_round": number if still_open else None}


def coin_in(code: str, said: dict[str, Any]) -> dict[str, Any]:
    with transaction.atomic():
        table = NaiveTable.objects.get(code=code)
        meter = NaiveMeter.objects.select_for_update().get(pk=table.meter_id)
        amount = PART * len(said["seats"])
        meter.amount += amount
        meter.save()
        NaiveRound.objects.create(
            table=table, number=said["round"], seats="".join(map(str, said["seats"])), spots=said["spots"],
            amount=amount, meter_after=meter.amount,
        )  # fmt: skip
    return {"id": said["id"], "ok": True, "round": said["round"], "meters": {"GRAND": str(meter.amount)}}


def end(code: str, said: dict[str, Any]) -> dict[str, Any]:
    with transaction.atomic():
        round_ = NaiveRound.objects.select_for_update().get(table__code=code, number=said["round"])
        round_.ended_at = timezone.now()
        round_.save()
    return {"id": said["id"], "ok": True, "round": said["round"], "next_round": said["round"] + 1}
