"""Notices over the API: what is due, to whom, by when; and that it was done."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.notices import queries
from jackpot.notices.actions.finishing import LONGEST_NOTE, finish_notice
from jackpot.notices.models import Notice
from jackpot.property.rules.notice import NoticeAbout, NoticeState
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked

SEES: Final = ("read_books", "close_day", "adjust", "sign_adjustments", "configure", "people", "pay")
FINISHES: Final = ("close_day", "adjust", "sign_adjustments", "configure", "people", "pay")
NOTICE_STATES: Final = [state.value for state in NoticeState]
NOTICE_ABOUTS: Final = [about.value for about in NoticeAbout]


class NoticeText(serializers.Serializer[Any]):
    """Somebody has to be told of something."""

    id = serializers.IntegerField()
    about = serializers.ChoiceField(choices=NOTICE_ABOUTS)
    state = serializers.SerializerMethodField()
    words = serializers.CharField(help_text="What is to be done.")
    subject = serializers.CharField(help_text="What it is about.")
    to = serializers.CharField()
    owner = serializers.CharField(help_text="Code of the role that tells them; empty: cage or accountant.")
    request = serializers.IntegerField(source="request_id", allow_null=True)
    slip = serializers.IntegerField(source="win.slip", default=None, allow_null=True)
    raised_at = serializers.DateTimeField()
    due_at = serializers.DateTimeField()
    done_by = serializers.CharField(source="done_by_name")
    done_at = serializers.DateTimeField(allow_null=True)
    note = serializers.CharField()

    @extend_schema_field(serializers.ChoiceField(choices=NOTICE_STATES))
    def get_state(self, row: Notice) -> str:
        return row.state(timezone.now()).value


class NoticesAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")
    state = serializers.ChoiceField(choices=NOTICE_STATES, required=False)
    about = serializers.ChoiceField(choices=NOTICE_ABOUTS, required=False)


class NoticeNote(serializers.Serializer[Any]):
    note = serializers.CharField(max_length=LONGEST_NOTE, help_text="How they were told: a letter, its number, a call.")


class NoticeAnswer(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    notice = NoticeText()


class Notices(ListDoor):
    """Whom the house has to tell of what, newest first."""

    serializer_class = NoticeText
    asks = NoticesAsked
    key = "id"
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": SEES}

    def get_queryset(self) -> QuerySet[Notice]:
        rows = queries.notices(self.request.user)
        if "about" in self.asked:
            rows = rows.filter(about=self.asked["about"])
        if "state" in self.asked:
            rows = queries.in_state(rows, NoticeState(self.asked["state"]), timezone.now())
        return rows


class FinishNotice(Door):
    """They were told; it is written once, by somebody of the role that the rule names."""

    serializer_class = NoticeNote
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": FINISHES}

    @extend_schema(request=NoticeNote, responses=NoticeAnswer, operation_id="notices_finish")
    def post(self, request: Request, **_: str) -> Response:
        person: Any = request.user
        row = finish_notice(notice_id=int(self.kwargs["id"]), by=person, note=self.sent_fields()["note"])
        return Response({"ok": True, "notice": NoticeText(row).data})
