"""Par sheets over the API: exact rows, bands, digest and signature; and whether a printed sheet is one of ours."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.books.queries import jackpots
from jackpot.money import Money
from jackpot.refusals import NotFound
from jackpot.web.api.doors import Asked, Door
from jackpot.web.api.fields import AmountWritten, WholeNumber
from tables.games.game import Game, NotInThisGame
from tables.games.par_sheet import LARGEST_COIN_INS, ParSheet
from tables.par.actions.own_tables import own_table_of, own_tables, value_of
from tables.par.actions.par_sheets import (
    LOOKED_AT,
    SheetAnswer,
    SheetQuestion,
    find_sheet,
    is_signed_here,
    meter_of,
    question_of_jackpot,
    sign,
)
from tables.rulebook.api.games import GameDoor, understood

READS: Final = ("read_books", "configure")
READ_ONLY: Final[Mapping[str, tuple[str, ...]]] = {"GET": READS}
RETRY: Final = {"Retry-After": "2"}
COIN_INS: Final = 100_000


class SheetAsked(Asked):
    fold = serializers.ChoiceField(choices=["live", "dead"], default="live", help_text="dead: a fold forfeits the bet.")
    coin_ins = WholeNumber(
        min_value=1, max_value=LARGEST_COIN_INS, default=COIN_INS, help_text="For the bands of the hold."
    )
    meter = AmountWritten(max_length=20, required=False, help_text="For parts of a meter.")


class ParRowText(serializers.Serializer[Any]):
    hand = serializers.CharField()
    name = serializers.CharField()
    pays = serializers.CharField()
    combinations = serializers.CharField(help_text="A whole number, exact.")
    chance = serializers.CharField(help_text="Exact fraction.")
    chance_percent = serializers.CharField()
    one_in = serializers.CharField(allow_blank=True)
    net = serializers.CharField(help_text="Exact, for one unit of the wager.")
    returns = serializers.CharField(help_text="Its part of the return, exact.")
    returns_percent = serializers.CharField()


class HoldBandText(serializers.Serializer[Any]):
    within = serializers.IntegerField(help_text="Of a hundred such stretches so many lie between the two.")
    least_percent = serializers.CharField()
    most_percent = serializers.CharField()


class ParSheetText(serializers.Serializer[Any]):
    """All that is sealed. `digest` is the sha-256 of its canonical JSON; `signature` is of this house's file key."""

    kind = serializers.CharField()
    game = serializers.CharField()
    bet = serializers.CharField()
    pay_table = serializers.CharField()
    title = serializers.CharField()
    pay_table_digest = serializers.CharField()
    program = serializers.CharField()
    unit = serializers.CharField(help_text="What one unit is: the wager, or an ante of the base game.")
    rules = serializers.DictField(child=serializers.CharField())
    combinations = serializers.CharField()
    lost = serializers.CharField()
    rows = ParRowText(many=True)
    paid = ParRowText(many=True)
    hit_frequency = serializers.CharField()
    player_return = serializers.CharField()
    house_edge = serializers.CharField()
    house_edge_percent = serializers.CharField()
    variance = serializers.CharField()
    standard_deviation = serializers.CharField()
    volatility_index = serializers.CharField()
    notes = serializers.ListField(child=serializers.CharField())


class SheetText(serializers.Serializer[Any]):
    """The sheet, or with 202 how far its counting is. Ask again."""

    ok = serializers.BooleanField()
    ready = serializers.BooleanField()
    percent = serializers.IntegerField()
    sheet = ParSheetText(allow_null=True)
    digest = serializers.CharField(allow_null=True)
    signature = serializers.CharField(allow_null=True)
    coin_ins = serializers.IntegerField()
    bands = HoldBandText(many=True, help_text="By the normal curve; not sealed.")
    rare = serializers.ListField(child=serializers.CharField(), help_text="Expected fewer than five times: see bands.")


class SheetEntryText(serializers.Serializer[Any]):
    bet = serializers.CharField()
    code = serializers.CharField()
    title = serializers.CharField()
    digest = serializers.CharField()
    state = serializers.CharField(help_text="published, or draft, ready, withdrawn of the house’s own.")


class SheetEntriesText(serializers.Serializer[Any]):
    results = SheetEntryText(many=True)


class VerifyAsked(Asked):
    digest = serializers.RegexField("^[0-9a-f]{64}$", help_text="As printed at the foot of the sheet.")
    signature = serializers.RegexField("^[0-9a-f]{64}$")


class SheetVerdictText(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    genuine = serializers.BooleanField()
    why = serializers.CharField()


class ParSheets(GameDoor):
    """Every pay table that has a par sheet: the published ones, and the house's own."""

    serializer_class = SheetEntriesText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READ_ONLY

    @extend_schema(responses=SheetEntriesText, operation_id="par_sheets_list")
    def get(self, request: Request, **_: Any) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        game = self.game()
        listed = [(table.bet, table.code, table.title, table.digest, "published") for table in game.tables]
        mine = own_tables(request.user).filter(game=game.code)
        listed += [(row.bet, row.code, row.title, row.digest, row.state) for row in mine]
        names = ("bet", "code", "title", "digest", "state")
        return Response(SheetEntriesText({"results": [dict(zip(names, each, strict=True)) for each in listed]}).data)


class OneParSheet(GameDoor):
    """The par sheet of one pay table; a Blind table's is the base game's, played perfectly."""

    serializer_class = SheetText
    asks = SheetAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READ_ONLY

    @extend_schema(responses={200: SheetText, 202: SheetText})
    def get(self, request: Request, bet: str, code: str, **_: Any) -> Response:
        asked = self.asked
        with understood():
            meter = meter_of(asked["meter"]) if "meter" in asked else LOOKED_AT
            question = question_of(request.user, self.game(), bet, code, fold=asked["fold"], meter=meter)
            return sheet_response(find_sheet(question), asked["coin_ins"])


class JackpotParSheet(Door):
    """The par sheet of a jackpot's terms in force, at its seed unless another meter is asked for."""

    serializer_class = SheetText
    asks = SheetAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READ_ONLY

    @extend_schema(responses={200: SheetText, 202: SheetText})
    def get(self, request: Request, code: str) -> Response:
        asked = self.asked
        jackpot = get_object_or_404(jackpots(request.user), code=code)
        with understood():
            meter = meter_of(asked["meter"]) if "meter" in asked else None
            return sheet_response(
                find_sheet(question_of_jackpot(jackpot, fold=asked["fold"], meter=meter)), asked["coin_ins"]
            )


class VerifySheet(Door):
    """Whether a printed digest was signed with this house's file key."""

    serializer_class = SheetVerdictText
    asks = VerifyAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READ_ONLY

    @extend_schema(responses=SheetVerdictText)
    def get(self, _request: Request) -> Response:
        genuine = is_signed_here(self.asked["digest"], self.asked["signature"])
        return Response({"ok": True, "genuine": genuine, "why": spoken(genuine)})


def spoken(genuine: bool) -> str:
    if genuine:
        return (
            "This digest was signed here. Compare it with the digest of the sheet made again: the same figures give it."
        )
    return "This digest was not signed with the file key of this house. Compare both with the paper, letter by letter."


def question_of(person: Any, game: Game, bet: str, code: str, *, fold: Any, meter: Money) -> SheetQuestion:
    """A published table by its code, else the house's own."""
    try:
        return SheetQuestion(game, game.table(bet, code), fold=fold, meter=meter)
    except NotInThisGame as unknown:
        try:
            # Second, as a house's own table can never have a published code.
            table = value_of(own_table_of(person, game.code, bet, code))
        except NotFound:
            raise NotFound(str(unknown), "no_table") from None
        return SheetQuestion(game, table, own=True, fold=fold, meter=meter)


def sheet_response(answer: SheetAnswer, coin_ins: int) -> Response:
    sheet = answer.sheet
    body = {"ok": True, "ready": sheet is not None, "percent": answer.percent, "coin_ins": coin_ins}
    if sheet is None:
        empty: dict[str, Any] = {"sheet": None, "digest": None, "signature": None, "bands": [], "rare": []}
        return Response({**body, **empty}, status=202, headers=RETRY)
    found = {"sheet": sheet.plain, "digest": sheet.digest, "signature": sign(sheet.digest)}
    rare = [row.name for row in sheet.rare(coin_ins)]
    return Response({**body, **found, "bands": bands_of(sheet, coin_ins), "rare": rare})


def bands_of(sheet: ParSheet, coin_ins: int) -> list[dict[str, Any]]:
    return [
        # By the normal curve, so binary floats will do: no money is reckoned from a band.
        {"within": each.within, "least_percent": f"{each.least:.4%}"[:-1], "most_percent": f"{each.most:.4%}"[:-1]}
        for each in sheet.bands(coin_ins)
    ]
