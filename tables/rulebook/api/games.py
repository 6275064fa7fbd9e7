"""The games of the house, their bets and their pay tables with owner and licence line."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from typing import Any

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.refusals import NotFound, NotUnderstood
from jackpot.web.api.doors import Door, DoorSchema
from tables.games.game import Game, NotInThisGame
from tables.games.packs import BetTable
from tables.games.registry import find_game, find_games


class LineText(serializers.Serializer[Any]):
    """One printed row; the first that a hand fulfils is the one it wins."""

    hand = serializers.CharField()
    name = serializers.CharField()
    pays = serializers.CharField(help_text="“50 to 1” returns the stake, “250 for 1” does not, “5 %” is of the meter.")


class PayTableText(serializers.Serializer[Any]):
    """One pay table of one bet, sealed: `digest` is the sha-256 of all it says."""

    bet = serializers.CharField()
    code = serializers.CharField()
    title = serializers.CharField()
    owner = serializers.CharField()
    licence = serializers.CharField()
    approval = serializers.CharField()
    status = serializers.ChoiceField(choices=["offered", "withdrawn"], help_text="A withdrawn table cannot be chosen.")
    from_date = serializers.DateField(allow_null=True, help_text="Null where the source prints no date.")
    until_date = serializers.DateField(allow_null=True)
    printed_at = serializers.CharField(source="source", help_text="Document and line of the source.")
    needs = serializers.ListField(child=serializers.CharField(), help_text="What must be bet beside it.")
    digest = serializers.CharField()
    lines = LineText(many=True)


class GameText(serializers.Serializer[Any]):
    """One game."""

    code = serializers.CharField()
    title = serializers.CharField()
    board_cards = serializers.IntegerField()
    hole_cards = serializers.IntegerField()
    bets = serializers.SerializerMethodField()
    pay_tables = PayTableText(source="tables", many=True)

    def get_bets(self, game: Game) -> list[str]:
        return list(game.hands)


class GamesText(serializers.Serializer[Any]):
    results = GameText(many=True)


class GameSchema(DoorSchema):
    """Says which game the path means."""

    def get_override_parameters(self) -> list[Any]:
        here = [OpenApiParameter("game", str, OpenApiParameter.PATH, description="Code of the game, such as uth.")]
        return [*(here if "{game}" in self.path else []), *super().get_override_parameters()]


class GameDoor(Door):
    """A door behind the code of one game."""

    schema = GameSchema()

    def game(self) -> Game:
        try:
            return find_game(self.kwargs["game"])
        except NotInThisGame as unknown:
            raise NotFound(str(unknown)) from None


class Games(Door):
    """All games with their bets and pay tables."""

    serializer_class = GamesText

    @extend_schema(responses=GamesText, operation_id="games_list")
    def get(self, _request: Request) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return Response(GamesText({"results": list(find_games().values())}).data)


class OneGame(GameDoor):
    """One game with its bets and pay tables."""

    serializer_class = GameText

    @extend_schema(responses=GameText)
    def get(self, _request: Request, **_: Any) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        return Response(GameText(self.game()).data)


@contextmanager
def understood() -> Iterator[None]:
    """Cards, bets and amounts refuse in sentences; a program hears the sentence with 400."""
    try:
        yield
    except ValueError as why:
        raise NotUnderstood(str(why)) from None


def tables_in_force(game: Game, codes: Mapping[str, Any]) -> list[BetTable]:
    """The pay tables named, bet by bet; unnamed, the first of each bet."""
    if not isinstance(codes, Mapping):
        raise NotUnderstood("Name the pay tables as bet and code, such as {“progressive”: “PT01”}.")
    if codes:
        return [game.table(str(bet), str(code)) for bet, code in codes.items()]
    first: dict[str, BetTable] = {}
    for table in game.tables:
        first.setdefault(table.bet, table)
    return list(first.values())
