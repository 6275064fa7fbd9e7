from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from rest_framework import serializers

from jackpot.web.api.doors import CodedAsked, ListDoor, OneDoor
from jackpot.web.api.fields import AmountText, OneOf
from tables.floor.models.device import DeviceState
from tables.floor.models.table import Bank, Profile, Table, TableState
from tables.floor.rules.link_light import LinkLight, link_light
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries import round_lists

CODE = r"^[A-Z0-9][A-Z0-9-]{0,19}$"


class LevelText(serializers.Serializer[Any]):
    """A jackpot the table feeds."""

    level = serializers.IntegerField()
    jackpot = serializers.CharField(source="jackpot.code")
    meter = AmountText(source="jackpot.meter")


class LastRoundText(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = OneOf("RoundState", RoundState)
    seats = serializers.SerializerMethodField()
    opened_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)

    def get_seats(self, round_: Round) -> list[int]:
        return [int(seat) for seat in round_.seats]


class TableText(serializers.Serializer[Any]):
    """A table as it stands now."""

    code = serializers.CharField()
    name = serializers.CharField()
    premises = serializers.CharField(source="premises.code")
    game = serializers.CharField()
    seats = serializers.IntegerField()
    wager = AmountText()
    profile = OneOf("TableProfile", Profile)
    bank = OneOf("TableBank", Bank)
    games = serializers.ListField(
        child=serializers.CharField(), help_text="Declared beside the progressive, by bet and pay table: trips/UTH-02."
    )
    state = OneOf("TableState", TableState)
    held_why = serializers.CharField()
    link = serializers.SerializerMethodField(help_text="Is its controller heard: up, late, down, or none enrolled.")
    jackpots = LevelText(source="links.all", many=True)
    last_round = serializers.SerializerMethodField()

    def get_link(self, table: Table) -> str:
        return light_of(table).value

    def get_last_round(self, table: Table) -> dict[str, Any] | None:
        last = self.context["last_rounds"].get(table.pk)
        return None if last is None else LastRoundText(last).data


def light_of(table: Any) -> LinkLight:
    heard = [device.last_seen_at for device in table.controllers if device.state == DeviceState.ACTIVE]
    return link_light(heard, timezone.now())


class TablesAsked(CodedAsked):
    state = serializers.ChoiceField(choices=TableState.choices, required=False)
    jackpot = serializers.RegexField(CODE, required=False, help_text="Only tables that feed this jackpot.")


class TableList(ListDoor):
    """All tables: state, jackpots, last round, link."""

    serializer_class = TableText
    asks = TablesAsked

    def get_queryset(self) -> QuerySet[Table]:
        columns = {"state": "state", "jackpot": "links__jackpot__code"}
        wanted = {column: self.asked[word] for word, column in columns.items() if word in self.asked}
        return round_lists.tables_of(self.request.user).filter(**wanted)

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["context"] = {"last_rounds": round_lists.last_rounds(args[0] if args else [])}
        return TableText(*args, **kwargs)


class OneTable(OneDoor):
    """One table."""

    serializer_class = TableText
    lookup_field = "code"

    def get_queryset(self) -> QuerySet[Table]:
        return round_lists.tables_of(self.request.user)

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["context"] = {"last_rounds": round_lists.last_rounds(args[:1])}
        return TableText(*args, **kwargs)
