"""Who has to stand by an act before its slips are paid, over the API: who has, who is missing, and one more word."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.property.rules.witness import WitnessPart
from jackpot.refusals import NotAllowedNow
from jackpot.web.api.fields import AmountText
from jackpot.wins.models import Win
from jackpot.wins.queries.witnesses import witnesses_of
from tables.hits.actions.witness import LONGEST_REFERENCE, WitnessProof, stand_by
from tables.hits.api.slips import BySlip
from tables.hits.api.wins import ApprovalWord

PARTS = [part.value for part in WitnessPart]
STANDS_BY = ("pay", "approve", "close_day", "camera", "attend")


class WitnessText(serializers.Serializer[Any]):
    """One line of the house's table of amounts that the act has come to."""

    part = serializers.ChoiceField(choices=PARTS)
    since = AmountText(help_text="From this sum of the act on.")
    met = serializers.BooleanField(help_text="false: no window pays before that.")
    by = serializers.CharField(
        source="note.operator_name", default="", help_text="Empty where a word of the approval serves."
    )
    reference = serializers.CharField(source="note.reference", default="")
    at = serializers.DateTimeField(source="note.at", default=None, allow_null=True)


class ActWitnessesText(serializers.Serializer[Any]):
    """What the table asks of the act of this slip. Without a line nobody has to stand by."""

    ok = serializers.BooleanField(default=True)
    total = AmountText(help_text="Of all awards that were approved together; 0.00 where the house has no table.")
    witnesses = WitnessText(source="lines", many=True)


class WitnessWord(ApprovalWord):
    """A card with its PIN, or the password of whoever is signed in."""

    part = serializers.ChoiceField(choices=PARTS)
    reference = serializers.CharField(
        max_length=LONGEST_REFERENCE, required=False, default="", allow_blank=True,
        help_text="Of an executive who brings the regulator's word: whom of theirs, how and when.",
    )  # fmt: skip


class SlipWitnesses(BySlip):
    """Who stood by the act of this slip, and who is missing; a POST is one witness's own word."""

    serializer_class = WitnessWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("read_books", *STANDS_BY), "POST": STANDS_BY}

    @extend_schema(responses=ActWitnessesText, operation_id="slips_witnesses")
    def get(self, _: Request, **__: str) -> Response:
        """The lines of the table, in its order."""
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return Response(ActWitnessesText(witnesses_of(self._approved())).data)

    @extend_schema(request=WitnessWord, responses=ActWitnessesText, operation_id="slips_stand_by")
    def post(self, request: Request, **_: str) -> Response:
        """Stands by; the answer is the table as it is then."""
        win, body, person = self._approved(), dict(self.sent_fields()), request.user
        part, address = WitnessPart(body.pop("part")), str(request.META.get("REMOTE_ADDR", ""))
        told: Any = person
        stand_by(win=win, part=part, proof=WitnessProof(**body, address=address), by=told)
        return Response(ActWitnessesText(witnesses_of(self._approved())).data)

    def _approved(self) -> Win:
        win = self.win()
        if win.logged_at is None:
            raise NotAllowedNow(f"Slip {win.slip} is not approved yet.", "not_approved")
        return win
