from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.db.models import Q, QuerySet
from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.answers.api import KEY, answer_once
from jackpot.books.api.entries import EntryText
from jackpot.people.actions.presence import typed_here
from jackpot.web.api.doors import Door, ListDoor, NumberedAsked, OneDoor, PageAsked
from jackpot.web.api.fields import LARGEST_KEY, AmountText, CalendarDay, OneOf, WholeNumber
from tables.floor.models.outage import Outage
from tables.rounds.actions.kept_back import decide_kept_back, second_at
from tables.rounds.models.further import FurtherCoinIn
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries import round_lists
from tables.rounds.queries.kept_back import KeptAtTable, waiting_at
from tables.rounds.queries.outages import outages
from tables.rounds.queries.played import fetch_further

CODE = r"^[A-Z0-9][A-Z0-9-]{0,19}$"


class FurtherText(serializers.Serializer[Any]):
    """The chips of one further wager in a round."""

    wager = serializers.CharField(help_text="Its code at the table.")
    chip = AmountText()
    seats = serializers.SerializerMethodField(help_text="Seats with a chip of it.")
    coin_in = AmountText(source="total_decimal", help_text="Seats × chip.")

    @extend_schema_field(serializers.ListField(child=serializers.IntegerField()))
    def get_seats(self, played: FurtherCoinIn) -> list[int]:
        return [int(seat) for seat in played.seats]


class RoundText(serializers.Serializer[Any]):
    """One round of one table."""

    table = serializers.CharField(source="table.code")
    number = serializers.IntegerField()
    revision = serializers.IntegerField(help_text="1, or higher when it was counted again.")
    state = OneOf("RoundState", RoundState)
    seats = serializers.SerializerMethodField(help_text="Seats with a chip of the table’s first wager.")
    spots = serializers.CharField(help_text="Sensor map as the controller saw it.")
    wager = AmountText()
    coin_in = serializers.SerializerMethodField(
        help_text="Seats × chip over all its wagers, each counted once however many jackpots it feeds."
    )
    further = FurtherText(many=True, help_text="What was played of further wagers; mostly none.")
    gaming_day = serializers.DateField()
    opened_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    dealer = serializers.CharField(source="dealer.username", default=None, allow_null=True)
    deck_colour = serializers.CharField(help_text="Of the deck whose turn it was; empty where the table names none.")
    device = serializers.CharField(source="device.code", default=None, allow_null=True)

    def get_seats(self, round_: Round) -> list[int]:
        return [int(seat) for seat in round_.seats]

    @extend_schema_field(AmountText)
    def get_coin_in(self, round_: Round) -> str:
        return AmountText().to_representation(round_.coin_in.decimal())


class RoundEntryText(EntryText):
    """An entry of the books that a round caused."""

    jackpot = serializers.CharField(source="jackpot.code")


class WholeRoundText(RoundText):
    """One round with everything it wrote into the books."""

    kept_back = serializers.CharField(help_text="Empty, or what became of its kept-back coin-in: waiting, accepted …")
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
    """Rounds by table, newest first.

    By day or state a page looks through 10,000 rounds and may hold fewer rows than asked for, or none: `next` goes on.
    """

    serializer_class = RoundText
    asks = RoundsAsked

    def get_queryset(self) -> QuerySet[Round]:
        rows, asked = round_lists.rounds_of(self.request.user), self.asked
        if "day" not in asked and "state" not in asked:
            return rows.filter(table__code=asked["table"]) if "table" in asked else rows
        code, _, number = asked.get("cursor", "").partition("/")
        beyond = (code, int(number)) if code else None
        keys, edge = round_lists.look(self.request.user, asked, beyond, asked["limit"] + 1)
        self.edge = None if edge is None else f"{edge[0]}/{edge[1]}"
        return rows.filter(pk__in=keys) if keys else rows.none()

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        if args:
            fetch_further(args[0])
        return super().get_serializer(*args, **kwargs)

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


class KeptAtTableText(serializers.Serializer[Any]):
    """Coin-ins of one table that came faster than it can deal: on their rounds, and on no meter yet."""

    table = serializers.CharField()
    rounds = serializers.IntegerField(help_text="How many rounds wait.")
    chips = serializers.IntegerField()
    total = serializers.SerializerMethodField(help_text="Their chips as money.")
    why = serializers.CharField(help_text="What is not plausible about them.")
    first = serializers.IntegerField(help_text="Number of the first round that waits.")
    last = serializers.IntegerField()
    begun = serializers.DateTimeField(help_text="When the first was played.")
    ended = serializers.DateTimeField()

    def get_total(self, kept: KeptAtTable) -> str:
        return str(kept.total)


class KeptBackText(serializers.Serializer[Any]):
    tables = KeptAtTableText(many=True)


class KeptBackWord(serializers.Serializer[Any]):
    """A supervisor's word on all that waits at a table, or up to a round."""

    accept = serializers.BooleanField(help_text="true: they raise the meters now; false: they never do.")
    why = serializers.CharField(max_length=200, help_text="The reason, for the trail.")
    upto = WholeNumber(min_value=1, max_value=LARGEST_KEY, required=False, help_text="The last round meant.")
    second_card = serializers.CharField(
        required=False,
        max_length=200,
        help_text="A second person's, where more is accepted than the table deals in ten minutes.",
    )
    second_pin = serializers.CharField(required=False, max_length=20)


class DecidedKeptText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    repeat = serializers.BooleanField(default=False, help_text="true: the stored answer of the same key.")
    rounds = serializers.IntegerField()
    total = serializers.CharField()
    left = serializers.IntegerField(help_text="How many still wait there.")


class KeptBackList(Door):
    """What waits for a supervisor: tables, why, how many rounds and how much money."""

    serializer_class = KeptBackText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": ("see",)}

    @extend_schema(responses=KeptBackText)
    def get(self, request: Request) -> Response:
        return Response(KeptBackText({"tables": waiting_at(request.user)}).data)


class DecideKeptBack(Door):
    """Accepts what was kept back at a table, or refuses it, with a reason."""

    serializer_class = KeptBackWord
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"POST": ("run_tables",)}

    @extend_schema(request=KeptBackWord, responses=DecidedKeptText, parameters=[KEY])
    def post(self, request: Request, code: str) -> Response:
        person: Any = request.user
        get_object_or_404(round_lists.tables_of(person), code=code)
        words = dict(self.sent_fields())
        swipe, pin = words.pop("second_card", ""), words.pop("second_pin", "")

        def work() -> dict[str, Any]:
            second = second_at(table_code=code, swipe=swipe, pin=pin, source=typed_here(request))
            done = decide_kept_back(table_code=code, by=person, second=second, **words)
            return {"rounds": done.rounds, "total": str(done.total), "left": done.left}

        return answer_once(request, work)


class OutageText(serializers.Serializer[Any]):
    """A box was not heard: from its last word to its first one after."""

    id = serializers.IntegerField()
    table = serializers.CharField(source="table.code")
    device = serializers.CharField(source="device.code")
    began_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField()
    seconds = serializers.SerializerMethodField()
    table_state = serializers.CharField(help_text="When it was heard again.")
    stored = serializers.IntegerField(help_text="Coin-ins that were played meanwhile and counted afterwards.")

    def get_seconds(self, row: Outage) -> int:
        return int(row.lasted.total_seconds())


class OutagesAsked(NumberedAsked):
    order = serializers.ChoiceField(choices=["id", "-id"], default="-id")
    table = serializers.RegexField(CODE, required=False, help_text="Of this table only.")


class Outages(ListDoor):
    """When boxes of the house were not heard for fifteen seconds or more, newest first. What lasts is an alarm."""

    serializer_class = OutageText
    asks = OutagesAsked
    key = "id"

    def get_queryset(self) -> QuerySet[Outage]:
        rows = outages(self.request.user)
        return rows.filter(table__code=self.asked["table"]) if "table" in self.asked else rows
