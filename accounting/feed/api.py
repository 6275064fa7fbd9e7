"""The feed for programs: read on from the number that was read last, as often and from as far back as one likes."""

from __future__ import annotations

from typing import Any, ClassVar

from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.feed.queries import LONGEST_WAIT, WAITS_HEADER, FeedWait, events_after, last_number
from accounting.feed.rules.occurrence import EventTopic
from jackpot.property.queries import house_of
from jackpot.refusals import NotFound
from jackpot.web.api.doors import Door, PageAsked
from jackpot.web.api.fields import LARGEST_KEY, OneOf, WholeNumber

AWARD = {
    "last": 42, "after": 42, "results": [{
        "number": 42, "about": "books", "act": "award", "subject": "GRAND", "at": "2026-11-18T21:04:11.052Z",
        "facts": {"jackpot": "GRAND", "seq": 88213, "why": "An award of round 118 at UTH-04.", "win": 17,
                  "table": "UTH-04", "round": 118, "meter": "-2408.44", "winners": "2408.44",
                  "meter_after": "20001.40"},
    }],
}  # fmt: skip


class FeedEventText(serializers.Serializer[Any]):
    """One thing that happened. What stands in `facts` depends on what it is about."""

    number = serializers.IntegerField(help_text="1, 2, 3 … per house, without a gap.")
    about = OneOf("EventTopic", EventTopic)
    act = serializers.CharField(help_text="Of books the kind of the entry; asked, signed, refused …; close, reopen …")
    subject = serializers.CharField(help_text="Code of the jackpot, number of the request, or gaming day.")
    at = serializers.DateTimeField(help_text="When it happened; numbers follow the order of numbering.")
    facts = serializers.DictField()


class FeedText(serializers.Serializer[Any]):
    last = serializers.IntegerField(help_text="The last number of the house, as of this answer.")
    after = serializers.IntegerField(help_text="What to ask with next: the last number of this page.")
    results = FeedEventText(many=True)


class FeedAsked(PageAsked):
    after = WholeNumber(min_value=0, max_value=LARGEST_KEY, default=0, help_text="The last number that you have.")
    wait = WholeNumber(
        min_value=0, max_value=LONGEST_WAIT, default=0,
        help_text="Seconds that the answer may wait for something new, if there is nothing yet.",
    )  # fmt: skip


class Feed(Door):
    """What happened, from any number on: acts in the books, requests of two people, days closed.

    Coin-ins are not events; the entries of the jackpot tell them. What was committed late has a later number. With
    `wait` an answer without events comes only after so many seconds; with the first event it comes at once.
    """

    serializer_class = FeedText
    verbs: ClassVar = {"GET": ("read_events", "read_books")}
    asks = FeedAsked

    @extend_schema(
        responses=FeedText, operation_id="feed_list", examples=[OpenApiExample("An award", value=AWARD)],
    )  # fmt: skip
    def get(self, request: Request) -> Response:
        asked, house = self.asked, house_of(request.user)
        if house is None:
            raise NotFound("There is no house here yet. Load a casino file first.")
        # The head first: what is numbered meanwhile may make the page newer than it, never older.
        last, rows = last_number(house), list(events_after(house, asked["after"])[: asked["limit"]])
        after = rows[-1].number if rows else asked["after"]
        told = {"last": max(last, after if rows else 0), "after": after, "results": rows}
        waits = FeedWait(house.pk, max(last, after), asked["wait"]) if asked["wait"] and not rows else None
        return Response(FeedText(told).data, headers={WAITS_HEADER: str(waits)} if waits else None)
