from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers

from jackpot.web.api.doors import CodedAsked, ListDoor, OneDoor
from jackpot.web.api.fields import AmountText, OneOf
from tables.floor.models.device import DeviceState
from tables.floor.models.table import Bank, FurtherWager, Profile, Table, TableState
from tables.floor.rules.link_light import LinkLight, link_light
from tables.rounds.models.round import Round, RoundState
from tables.rounds.queries import round_lists

CODE = r"^[A-Z0-9][A-Z0-9-]{0,19}$"


class LevelText(serializers.Serializer[Any]):
    """A jackpot the table feeds."""

    level = serializers.IntegerField()
    jackpot = serializers.CharField(source="jackpot.code")
    meter = AmountText(source="jackpot.meter")


class TableWagerText(serializers.Serializer[Any]):
    """A wager that a table takes beside its first, on sensors of its own."""

    code = serializers.CharField(help_text="As its controller and a round name it.")
    name = serializers.CharField(source="shown", help_text="As people call it.")
    chip = AmountText()
    jackpots = serializers.SerializerMethodField(help_text="Those that its chips raise, by level.")

    @extend_schema_field(serializers.ListField(child=serializers.CharField()))
    def get_jackpots(self, wager: FurtherWager) -> list[str]:
        links = sorted(wager.table.links.all(), key=lambda each: each.level)
        return [link.jackpot.code for link in links if link.wager == wager.place]


class LastRoundText(serializers.Serializer[Any]):
    number = serializers.IntegerField()
    state = OneOf("RoundState", RoundState)
    seats = serializers.SerializerMethodField(help_text="Seats with a chip of the table’s first wager.")
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
    wager = AmountText(help_text="A chip of its first wager.")
    wager_name = serializers.CharField(help_text="Of the first of several wagers; empty where there is one.")
    further = TableWagerText(
        source="further_wagers.all", many=True, help_text="The wagers beside its first; mostly none."
    )
    profile = OneOf("TableProfile", Profile)
    bank = OneOf("TableBank", Bank)
    games = serializers.ListField(
        child=serializers.CharField(), help_text="Declared beside the progressive, by bet and pay table: trips/UTH-02."
    )
    shuffler = serializers.CharField(help_text="By the key of its game's procedure; empty where none is named.")
    deck_colours = serializers.ListField(child=serializers.CharField(), help_text="Of its decks, which go in turn.")
    drop_box = serializers.CharField()
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


def _tables_of(person: Any) -> QuerySet[Table]:
    """With their further wagers, asked for once for all tables of a page."""
    return round_lists.tables_of(person).prefetch_related("further_wagers")


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
        return _tables_of(self.request.user).filter(**wanted)

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        # For the whole page at once: a table's last round is a question of its own.
        kwargs["context"] = {"last_rounds": round_lists.last_rounds(args[0] if args else [])}
        return TableText(*args, **kwargs)


class OneTable(OneDoor):
    """One table."""

    serializer_class = TableText
    lookup_field = "code"

    def get_queryset(self) -> QuerySet[Table]:
        return _tables_of(self.request.user)

    def get_serializer(self, *args: Any, **kwargs: Any) -> Any:
        kwargs["context"] = {"last_rounds": round_lists.last_rounds(args[:1])}
        return TableText(*args, **kwargs)
