"""Exact figures of pay tables. What is not calculated yet is begun beside the web and told with how far it is."""

from __future__ import annotations

from fractions import Fraction
from time import monotonic
from typing import Any, Final

from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.money import ZERO, Money
from jackpot.reading import read_amount
from jackpot.refusals import NotUnderstood
from jackpot.web.api.doors import Asked
from jackpot.web.api.fields import AmountWritten
from tables.calculation.desk import IN_A_REQUEST, desk
from tables.games.edge import Analysis, LinePart, MeterNeeded, Published, analyse, percent
from tables.games.game import Game
from tables.games.packs import BetTable
from tables.rulebook.api.games import GameDoor, understood

BASE: Final = "base_game"
DIGITS: Final = 6
RETRY: Final = 2  # seconds


class EdgesAsked(Asked):
    bet = serializers.CharField(
        max_length=40, required=False, help_text="Only this bet; “base_game” for the game itself."
    )
    table = serializers.CharField(max_length=40, required=False, help_text="Only this pay table.")
    meter = AmountWritten(max_length=40, required=False, help_text="For tables that pay parts of a meter.")
    wager = AmountWritten(max_length=40, required=False, help_text="For the same; 1.00 unless given.")


class LineFigures(serializers.Serializer[Any]):
    """One line's part, for one unit of the wager; fractions are exact."""

    hand = serializers.CharField()
    name = serializers.CharField()
    pays = serializers.CharField()
    chance = serializers.CharField()
    one_in = serializers.CharField(allow_null=True)
    returns = serializers.CharField(allow_null=True)
    returns_percent = serializers.CharField(allow_null=True)


class PublishedText(serializers.Serializer[Any]):
    """A printed figure beside ours; where they differ, the explanation."""

    what = serializers.CharField()
    printed = serializers.CharField()
    exact_percent = serializers.CharField()
    reproduces = serializers.BooleanField()
    explanation = serializers.CharField()


class TableFigures(serializers.Serializer[Any]):
    """One pay table. The edge is null where it depends on a meter that was not given; `why` says so."""

    bet = serializers.CharField()
    code = serializers.CharField()
    title = serializers.CharField()
    digest = serializers.CharField()
    house_edge = serializers.CharField(allow_null=True, help_text="Exact fraction of one unit wagered.")
    house_edge_percent = serializers.CharField(allow_null=True)
    hit_frequency = serializers.CharField()
    hit_frequency_percent = serializers.CharField()
    standard_deviation = serializers.FloatField(allow_null=True)
    why = serializers.CharField(allow_null=True)
    lines = LineFigures(many=True)
    published = PublishedText(many=True)


class BaseFigures(serializers.Serializer[Any]):
    """The game itself, played perfectly, in antes."""

    house_edge = serializers.CharField()
    house_edge_percent = serializers.CharField()
    standard_deviation = serializers.FloatField()
    average_wager = serializers.CharField()
    element_of_risk_percent = serializers.CharField()
    published = PublishedText(many=True)


class UnderWay(serializers.Serializer[Any]):
    what = serializers.CharField()
    percent = serializers.IntegerField()


class EdgesText(serializers.Serializer[Any]):
    """All figures that are known; with 202 some are still calculated. Ask again."""

    ok = serializers.BooleanField()
    ready = serializers.BooleanField()
    tables = TableFigures(many=True)
    base_game = BaseFigures(allow_null=True)
    under_way = UnderWay(many=True)


class Edges(GameDoor):
    """Edge, hit frequency, spread and each line's part, exact; printed figures stand beside ours.

    Without a filter all tables are told. The base game takes minutes once, so it is told when it is asked for.
    """

    serializer_class = EdgesText
    asks = EdgesAsked

    @extend_schema(responses={200: EdgesText, 202: EdgesText})
    def get(self, _request: Request, **_: Any) -> Response:
        played, asked = self.game(), self.asked
        with understood():
            told = _base(played) if asked.get("bet") == BASE else _figures(played, asked)
        ready = not told["under_way"]
        headers = {} if ready else {"Retry-After": str(RETRY)}
        return Response({"ok": True, "ready": ready, **told}, status=200 if ready else 202, headers=headers)


def _figures(game: Game, asked: dict[str, Any]) -> dict[str, Any]:
    meter = read_amount(asked["meter"], "meter", digits=8, least=ZERO) if "meter" in asked else None
    wager = read_amount(asked.get("wager", "1.00"), "wager", least=Money.of("0.01"), most=Money.of(1_000_000))
    # One wait for all of them: each might answer just before it is over.
    found, under_way, until = [], [], monotonic() + IN_A_REQUEST
    for table in _chosen(game, asked):
        question = {"do": "chances", "game": game.code, "bet": table.bet, "table": table.code}
        job = desk().ask(question, lane="long", wait=max(0.0, until - monotonic()))
        if job.answer is None:
            under_way.append({"what": table.title, "percent": job.percent})
            continue
        chances = tuple(Fraction(chance) for chance in job.answer["chances"])
        found.append(_table(table, chances, meter, wager, alone="table" in asked))
    return {"tables": found, "base_game": None, "under_way": under_way}


def _chosen(game: Game, asked: dict[str, Any]) -> list[BetTable]:
    if "table" in asked and "bet" in asked:
        return [game.table(asked["bet"], asked["table"])]
    chosen = [
        table
        for table in game.tables
        if asked.get("bet", table.bet) == table.bet and asked.get("table", table.code) == table.code
    ]
    if not chosen:
        raise NotUnderstood(f"{game.title} has no such bet or pay table; see /api/v1/games/{game.code}/.")
    return chosen


def _table(
    table: BetTable, chances: tuple[Fraction, ...], meter: Money | None, wager: Money, *, alone: bool
) -> dict[str, Any]:
    hits = sum(chances, Fraction(0))
    told: dict[str, Any] = {
        "bet": table.bet,
        "code": table.code,
        "title": table.title,
        "digest": table.digest,
        "hit_frequency": str(hits),
        "hit_frequency_percent": percent(hits, DIGITS),
    }
    try:
        return {**told, **_analysed(analyse(table, chances, meter, wager))}
    except MeterNeeded as why:
        # In a list a table without its meter must not hide the others; who asks for this one hears what is missing.
        if alone:
            raise
        lines = [
            _line(LinePart(line.hand, line.name, str(line.pays), chance, Fraction(0), Fraction(0)), known=False)
            for line, chance in zip(table.lines, chances, strict=True)
        ]
        unknown = {"house_edge": None, "house_edge_percent": None, "standard_deviation": None}
        return {**told, **unknown, "why": str(why), "lines": lines, "published": []}


def _analysed(exact: Analysis) -> dict[str, Any]:
    return {
        "house_edge": str(exact.house_edge),
        "house_edge_percent": exact.edge_percent,
        # A root and no fraction: a float for people to read, with which nobody reckons.
        "standard_deviation": round(exact.standard_deviation, 6),
        "why": None,
        "lines": [_line(line, known=True) for line in exact.lines],
        "published": [_published(one) for one in exact.published],
    }


def _line(line: LinePart, *, known: bool) -> dict[str, Any]:
    return {
        "hand": line.hand,
        "name": line.name,
        "pays": line.pays,
        "chance": str(line.chance),
        "one_in": f"{line.chance.denominator / line.chance.numerator:,.2f}" if line.chance else None,
        # Without the meter the chance is known and the return is not: nothing, never a nought.
        "returns": str(line.returns) if known else None,
        "returns_percent": percent(line.returns, DIGITS) if known else None,
    }


def _published(one: Published) -> dict[str, Any]:
    return {
        "what": one.what,
        "printed": one.printed,
        "exact_percent": percent(one.exact, DIGITS),
        "reproduces": one.reproduces,
        "explanation": one.explanation,
    }


def _base(game: Game) -> dict[str, Any]:
    """Tables with the same lines share one solution, so the first blind table speaks for all."""
    table = next((table for table in game.tables if table.bet == "blind"), None)
    if table is None:
        raise NotUnderstood(f"{game.title} has no base game to calculate.")
    # In a process of its own: minutes of counting must not hold up a web process that also answers controllers.
    job = desk().ask({"do": BASE, "game": game.code, "bet": "blind", "table": table.code}, lane="long")
    if job.answer is None:
        way = [{"what": f"The base game, {table.title}", "percent": job.percent}]
        return {"tables": [], "base_game": None, "under_way": way}
    told = job.answer
    edge, risk = Fraction(told["house_edge"]), Fraction(told["element_of_risk"])
    printed = [
        _published(Published(what, text, Fraction(exact), not told["explanation"], told["explanation"]))
        for what, text, exact in told["published"]
    ]
    figures = {
        "house_edge": told["house_edge"],
        "house_edge_percent": percent(edge, DIGITS),
        "standard_deviation": round(told["standard_deviation"], 6),
        "average_wager": told["average_wager"],
        "element_of_risk_percent": percent(risk, DIGITS),
        "published": printed,
    }
    return {"tables": [], "base_game": figures, "under_way": []}
