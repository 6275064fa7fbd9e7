"""The acts on a win by its one public number, the slip: what a window does, and what undoes it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.answers.api import KEY, answer_once
from jackpot.money import NotAnAmount
from jackpot.reading import read_amount
from jackpot.refusals import NotFound, NotUnderstood
from jackpot.web.api.fields import AmountWritten, WholeNumber
from jackpot.wins.actions.receive import NOTHING_CAME, receive_back
from jackpot.wins.models import Win
from tables.hits.api.wins import BackOut, Pay, ReceiptText, ThisWin
from tables.hits.queries import hit_lists


class ReceiptWord(serializers.Serializer[Any]):
    """Money that came back. `number` is the asker's: the same receipt again is harmless, another sum under it loud."""

    number = WholeNumber(min_value=1, max_value=10_000, help_text="1 for the first receipt of this slip, then 2 …")
    amount = AmountWritten(max_length=40, help_text='What came over the window, as text: "15000.00".')
    method = serializers.ChoiceField(
        choices=["cash", "cheque", NOTHING_CAME], default="cash",
        help_text='"none" with "0.00" where the whole payment was withheld: it releases the tax.',
    )  # fmt: skip
    reference = serializers.CharField(
        max_length=40, required=False, default="", allow_blank=True, help_text="Number of the cheque."
    )
    place = serializers.CharField(max_length=40, required=False, default="", allow_blank=True, help_text="The window.")


class ReceiptTakenText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    repeat = serializers.BooleanField(default=False, help_text="true: the stored answer of the same key.")
    receipt = ReceiptText()


class BySlip(ThisWin):
    """A slip is of one house; who belongs to several means that of the first house that has it."""

    def win(self) -> Win:
        number = int(self.kwargs["slip"])
        rows = hit_lists.wins_of(self.request.user).filter(slip=number).order_by("premises_id")
        row: Win | None = rows.first()
        if row is None:
            raise NotFound(f"There is no slip {number} here. GET /api/v1/wins/ lists the wins with their slips.")
        return row


class PaySlip(BySlip, Pay):
    """Pays this slip. A second payment is refused with when, where and by whom it was paid."""


class BackOutSlip(BySlip, BackOut):
    """Undoes a logged win by its exact contra: reason, evidence, and an executive's card as the second person."""


class SlipReceipts(BySlip):
    """Takes back what a window paid for a win that was backed out afterwards, all of it or a part."""

    serializer_class = ReceiptWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("pay",)}

    @extend_schema(request=ReceiptWord, responses={200: ReceiptTakenText}, parameters=[KEY])
    def post(self, request: Request, **_: str) -> Response:
        body, win = dict(self.sent_fields()), self.win()
        taker: Any = request.user
        return answer_once(request, lambda: _received(win, taker, body))


def _received(win: Win, taker: Any, body: dict[str, Any]) -> dict[str, Any]:
    assert win.premises is not None, "a slip is of a house"
    assert win.slip is not None, "it was found by its slip"
    if body["method"] == "cheque" and not body["reference"]:
        raise NotUnderstood("Write the number of the cheque.", "reference")
    try:
        amount = read_amount(body["amount"], "amount that came back", digits=8)
    except NotAnAmount as why:
        raise NotUnderstood(str(why), "amount") from None
    told = {**body, "amount": amount, "slip": win.slip, "taker": taker, "premises": win.premises}
    return {"receipt": ReceiptText(receive_back(**told)).data}
