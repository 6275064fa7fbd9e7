from __future__ import annotations

import base64
from collections.abc import Mapping
from typing import Any, ClassVar

from django.http import Http404, HttpResponse
from drf_spectacular.types import OpenApiTypes
from drf_spectacular.utils import extend_schema, extend_schema_view
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.paper.actions.copies import LONGEST_REASON
from accounting.paper.printing.press import file_copy, preview, print_page
from accounting.paper.printing.returned import returned_paper
from accounting.paper.rules.copies import Form, paper_of
from accounting.register import queries
from jackpot.trail.actions.trail import note_look
from jackpot.trail.rules import objects
from jackpot.web.api.doors import AsItComes, Asked, Door
from jackpot.wins.models import Win

READERS = ("read_books", "pay", "approve", "close_day")
PRINTERS = ("pay", "approve", "close_day")


class PaperAsked(Asked):
    form = serializers.ChoiceField(choices=["letter", "a4"], default="letter")


class PrintWord(serializers.Serializer[Any]):
    """Which paper, else the sheet of the house's land; and from the second copy on, why."""

    form = serializers.ChoiceField(choices=[form.value for form in Form], required=False)
    reason = serializers.CharField(max_length=LONGEST_REASON, required=False, default="", allow_blank=True)


class CopyText(serializers.Serializer[Any]):
    """A copy that was printed: its bytes are told once, to who printed it."""

    ok = serializers.BooleanField(default=True)
    slip = serializers.IntegerField()
    number = serializers.IntegerField(help_text="0 is the original.")
    copy = serializers.CharField(help_text="ORIGINAL, REPRINT 1, VOID …")
    printer = serializers.CharField()
    state = serializers.CharField(help_text="queued, sent, or failed: then it is tried again.")
    sha256 = serializers.CharField()
    media_type = serializers.CharField()
    content = serializers.CharField(help_text="The bytes, in base 64.")


class OfWin(Door):
    """A door behind one win that has a slip."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": READERS}
    serializer_class = PrintWord

    def win(self) -> Win:
        win = queries.wins(self.request.user).filter(id=int(self.kwargs["id"])).first()
        if win is None:
            raise Http404("This hit has no page. Pages are there from the approval on.")
        return win


class OfSlip(OfWin):
    """The same by the one public number of a win."""

    def win(self) -> Win:
        win = queries.win_of_slip(self.request.user, int(self.kwargs["slip"]))
        if win is None:
            raise Http404("There is no such slip here. GET /api/v1/wins/ lists the wins with their slips.")
        return win


class Page(OfWin):
    """The win page as it stands now, marked FILE COPY: a tagged PDF. What is printed goes to a printer."""

    content_negotiation_class = AsItComes
    asks = PaperAsked

    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY}, operation_id="wins_page")
    def get(self, request: Request, **_: str) -> HttpResponse:
        win = self.win()
        note_look(by=request.user, about=objects.slip(win.slip, win.premises_id))
        pdf = file_copy(win, Form(self.asked["form"]))
        named = {"Content-Disposition": f'inline; filename="slip-{win.slip}.pdf"'}
        return HttpResponse(pdf, content_type="application/pdf", headers=named)


class ReturnedPaper(OfSlip):
    """The paper of money that was paid in error for this slip and came back: a tagged PDF, from the sealed record."""

    content_negotiation_class = AsItComes
    asks = PaperAsked

    @extend_schema(responses={(200, "application/pdf"): OpenApiTypes.BINARY}, operation_id="slips_returned_paper")
    def get(self, request: Request, **_: str) -> HttpResponse:
        win, number = self.win(), int(self.kwargs["receipt"])
        pdf = returned_paper(win, number, Form(self.asked["form"]), by=request.user)
        if pdf is None:
            raise Http404(f"There is no receipt {number} for slip {win.slip}.")
        named = {"Content-Disposition": f'inline; filename="slip-{win.slip}-receipt-{number}.pdf"'}
        return HttpResponse(pdf, content_type="application/pdf", headers=named)


class Receipt(OfWin):
    """The receipt as it stands now, marked FILE COPY: a picture 72 mm wide, for a screen."""

    content_negotiation_class = AsItComes

    @extend_schema(responses={(200, "image/png"): OpenApiTypes.BINARY}, operation_id="wins_receipt")
    def get(self, request: Request, **_: str) -> HttpResponse:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        win = self.win()
        note_look(by=request.user, about=objects.slip(win.slip, win.premises_id))
        return HttpResponse(preview(win, Form.RECEIPT), content_type="image/png")


class Copies(OfWin):
    """Prints a copy: the original once, then reprints with a reason, VOID for a win that was backed out."""

    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": PRINTERS}
    tells_once = ("content",)

    @extend_schema(request=PrintWord, responses={201: CopyText}, operation_id="wins_print")
    def post(self, request: Request, **_: str) -> Response:
        body = self.sent_fields()
        person: Any = request.user
        win = self.win()
        form = Form(body["form"]) if "form" in body else paper_of(win.jackpot.premises.locale)
        printed = print_page(win=win, form=form, by=person, reason=body["reason"])
        copy, job = printed.copy, printed.job
        answer = {
            "ok": True, "slip": copy.page.slip, "number": copy.number, "copy": copy.stamp.word,
            "printer": job.printer.code, "state": job.state, "sha256": copy.sha256, "media_type": copy.media_type,
            "content": base64.b64encode(bytes(copy.content)).decode("ascii"),
        }  # fmt: skip
        return Response(answer, status=201)


@extend_schema_view(get=extend_schema(operation_id="slips_page"))
class SlipPage(OfSlip, Page):
    """The page of this slip as it stands now, marked FILE COPY: a tagged PDF. What is printed goes to a printer."""


@extend_schema_view(get=extend_schema(operation_id="slips_receipt"))
class SlipReceipt(OfSlip, Receipt):
    """The receipt of this slip as it stands now, marked FILE COPY: a picture 72 mm wide, for a screen."""


@extend_schema_view(post=extend_schema(operation_id="slips_print"))
class SlipCopies(OfSlip, Copies):
    """Prints a copy of this slip: the original once, then reprints with a reason, VOID for one that was backed out."""
