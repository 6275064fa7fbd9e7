from __future__ import annotations

from typing import Any

from django.db.models import Q, QuerySet
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jackpot.books.api.entries import EntryText
from jackpot.web.api.doors import ListDoor, OneDoor, PageAsked
from jackpot.web.api.fields import AmountText, CalendarDay, OneOf
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries import round_lists

CODE = r"^[A-Z0-9][A-Z0-9-]{0,19}$"


class RoundText(serializers.Serializer[Any]):
    """One round of one table."""

    table = serializers.CharField(source="table.code")
    number = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="1, or higher when it was counted again.")
    state = OneOf("RoundState", RoundState)
    seats = serializers.SerializerMethodField(help_text="Seats with coin-in.")
    spots = serializers.CharField(help_text="Sensor map as the controller saw it.")
    wager = AmountText()
    coin_in = serializers.SerializerMethodField(help_text="Seats × wager, counted once however many jackpots it feeds.")
    gaming_day = serializers.DateField()
    opened_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    dealer = serializers.CharField(source="dealer.username", default=None, allow_null=True)
    device = serializers.CharField(source="device.code", default=None, allow_null=True)

    def get_seats(self, round_: Round) -> list[int]:
        return [int(seat) for seat in round_.seats]

    @extend_schema_field(AmountText)
    def get_coin_in(self, round_: Round) -> str:
        return AmountText().to_representation(round_.wager * round_.spots_counted)


class RoundEntryText(EntryText):
    """An entry of the books that a round caused."""

    jackpot = serializers.CharField(source="jackpot.code")


class WholeRoundText(RoundText):
    """One round with everything it wrote into the books."""

    entries = serializers.SerializerMethodField()

    @extend_schema_field(RoundEntryText(many=True))
    def get_entries(self, round_: Round) -> Any:
        return RoundEntryText(round_lists.round_entries(round_), many=True).data


class RoundsAsked(PageAsked):
    cursor = serializers.RegexField(
        r"^[A-Z0-9][A-Z0-9-]{0,19}/[1-9][0-9]{0,17}$",
        required=False,
        help_text="Go on behind this round: “UTH-04/118”.",
    )
    order = serializers.ChoiceField(choices=["-number"], default="-number", help_text="Newest first, table by table.")
    table = serializers.RegexField(CODE, required=False)
    day = CalendarDay(required=False, help_text="Gaming day.")
    state = serializers.ChoiceField(choices=RoundState.choices, required=False)


class Rounds(ListDoor):
    """Rounds by table, newest first."""

    serializer_class = RoundText
    asks = RoundsAsked

    def get_queryset(self) -> QuerySet[Round]:
        columns = {"table": "table__code", "day": "gaming_day", "state": "state"}
        wanted = {column: self.asked[word] for word, column in columns.items() if word in self.asked}
        return round_lists.rounds_of(self.request.user).filter(**wanted)

    def ordered(self, rows: QuerySet[Any]) -> QuerySet[Any]:
        return rows.order_by("table__code", "-number")

    def beyond(self, rows: QuerySet[Any], cursor: str) -> QuerySet[Any]:
        code, number = cursor.split("/")
        return rows.filter(Q(table__code__gt=code) | Q(table__code=code, number__lt=int(number)))

    def cursor_of(self, row: Any) -> str:
        return f"{row.table.code}/{row.number}"


class OneRound(OneDoor):
    """One round with its entries: what it added, what took it back, who counted it again."""

    serializer_class = WholeRoundText
    lookup_field = "number"

    def get_queryset(self) -> QuerySet[Round]:
        return round_lists.rounds_of(self.request.user).filter(table__code=self.kwargs["code"])
