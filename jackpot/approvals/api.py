"""Approvals over the API: what was entered of each thing, and one more that somebody asks another person to sign."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.utils import timezone
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.answers.api import KEY, answer_once
from jackpot.approvals.actions import VERBS, EnterApproval
from jackpot.approvals.queries import APPROVAL, asked_by_house, known_approvals
from jackpot.approvals.rules import ApprovalSays, ApprovedThing
from jackpot.people.models import Operator
from jackpot.property.models.property import Property
from jackpot.property.queries import house_of
from jackpot.refusals import NotAllowedNow
from jackpot.signing.actions.asking import put_in
from jackpot.signing.actions.kinds import kind_of
from jackpot.signing.api import RequestAnswer, RequestText
from jackpot.web.api.doors import Door

THINGS = [thing.value for thing in ApprovedThing]
SAYS = [word.value for word in ApprovalSays]


class ApprovalText(serializers.Serializer[Any]):
    """One signed word on one thing."""

    thing = serializers.ChoiceField(source="about.thing", choices=THINGS)
    name = serializers.CharField(source="about.name")
    word = serializers.ChoiceField(choices=SAYS)
    begins = serializers.DateField()
    until = serializers.DateField(allow_null=True)
    counts = serializers.BooleanField(help_text="It is given and counts on this gaming day, unless a later word does.")


class ApprovalsTold(serializers.Serializer[Any]):
    """In the order in which they were signed; the newest that has begun counts."""

    ok = serializers.BooleanField(default=True)
    asked = serializers.ListField(
        child=serializers.ChoiceField(choices=THINGS), help_text="What the house wants approved."
    )
    approvals = ApprovalText(many=True)


class ApprovalToEnter(serializers.Serializer[Any]):
    """What is asked for; another person signs it, not before its document is added as evidence."""

    thing = serializers.ChoiceField(choices=THINGS)
    name = serializers.CharField(max_length=60, help_text="As the house knows it: uth, uth-progressive-01, GRAND.")
    word = serializers.ChoiceField(choices=SAYS, default=ApprovalSays.GIVEN.value)
    by = serializers.CharField(max_length=120)
    reference = serializers.CharField(max_length=120)
    # A text, read as the form's is: what is no day is refused in the same sentence everywhere.
    begins = serializers.CharField(max_length=20, help_text="A day, such as 2026-11-18.")
    until = serializers.CharField(max_length=20, required=False, default="", allow_blank=True)
    reason = serializers.CharField(max_length=200)


class ApprovalsDoor(Door):
    """What regulators and owners approved of what this house plays."""

    serializer_class = ApprovalToEnter
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "GET": ("read_books", *sorted(VERBS)), "POST": tuple(sorted(VERBS)),
    }  # fmt: skip

    @extend_schema(responses=ApprovalsTold, operation_id="approvals_list")
    def get(self, request: Request, **_: str) -> Response:
        """Every signed word, the oldest first."""
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        house = _house(request)
        today = house.gaming_day(timezone.now())
        rows = [
            {
                "about": each.about, "word": each.word, "begins": each.begins, "until": each.until,
                "counts": each.stands(today),
            }
            for each in known_approvals(house)
        ]  # fmt: skip
        return Response(ApprovalsTold({"ok": True, "asked": sorted(asked_by_house(house)), "approvals": rows}).data)

    @extend_schema(request=ApprovalToEnter, responses=RequestAnswer, parameters=[KEY], operation_id="approvals_ask")
    def post(self, request: Request, **_: str) -> Response:
        """Asks; its document goes to /requests/<id>/evidence/, and another person signs at /requests/<id>/approve/."""
        told, house, by = dict(self.sent_fields()), _house(request), request.user
        assert isinstance(by, Operator), "the door lets nobody in who is not signed in"

        def done() -> dict[str, Any]:
            kind = kind_of(APPROVAL)
            assert isinstance(kind, EnterApproval), "an approval is of this kind"
            row = kind.row_of(house, {name: told[name] for name in told if name != "reason"}, told["reason"])
            put_in(row=row, by=by)
            return {"request": RequestText(row).data}

        return answer_once(request, done)


def _house(request: Request) -> Property:
    house = house_of(request.user)
    if house is None:
        raise NotAllowedNow("There is no house here yet. Found one first.", "no_house")
    return house
