"""What par sheets rest on and are held against: starting hands, decisions, hits of the books, which rate gives what."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from typing import Any, ClassVar

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from jackpot.books.queries import jackpots
from jackpot.web.api.doors import Asked, Door
from tables.games.edge import percent
from tables.par.actions.actual_hits import ActualLine, actual_hits
from tables.par.actions.decisions import decision, starting_hands
from tables.par.actions.rate_search import edge_of, plain_found, which
from tables.par.api.par_sheets import READ_ONLY, RETRY
from tables.rulebook.api.games import GameDoor, understood


class StartingHandText(serializers.Serializer[Any]):
    """One of the 169 starting hands; what each decision is worth in antes, exact."""

    name = serializers.CharField(help_text="AKs, T9o, 77.")
    hands = serializers.IntegerField()
    raise_4x = serializers.CharField()
    raise_3x = serializers.CharField()
    check = serializers.CharField()
    best = serializers.CharField()


class StartingHandsText(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    ready = serializers.BooleanField()
    percent = serializers.IntegerField()
    hands = StartingHandText(many=True)


class DecisionAsked(Asked):
    hole = serializers.CharField(max_length=20, help_text="The player’s two cards, such as “Ah Kd”.")
    board = serializers.CharField(max_length=40, help_text="The three cards of the flop, or all five.")


class DecisionWorthText(serializers.Serializer[Any]):
    action = serializers.CharField()
    worth = serializers.CharField(help_text="In antes on average, exact.")


class DecisionSpotText(serializers.Serializer[Any]):
    """What may be done and what each is worth; with 202 it is still counted."""

    ok = serializers.BooleanField()
    ready = serializers.BooleanField()
    percent = serializers.IntegerField()
    best = serializers.CharField(allow_null=True)
    values = DecisionWorthText(many=True)
    deals = serializers.IntegerField(allow_null=True)
    wins = serializers.IntegerField(allow_null=True, help_text="Of all deals left, if nobody folds.")
    ties = serializers.IntegerField(allow_null=True)
    losses = serializers.IntegerField(allow_null=True)


class ActualAsked(Asked):
    fold = serializers.ChoiceField(choices=["live", "dead"], default="live", help_text="dead: a fold forfeits the bet.")


class ActualLineText(serializers.Serializer[Any]):
    """One line's hits beside what was to be expected."""

    line = serializers.CharField()
    name = serializers.CharField()
    coin_ins = serializers.IntegerField()
    chance = serializers.CharField()
    expected = serializers.CharField(help_text="To two decimals.")
    hits = serializers.IntegerField()
    few = serializers.BooleanField(help_text="Fewer than five expected: the band says little yet.")
    outside = serializers.IntegerField(help_text="The widest band it lies outside of; 0 for none.")
    band_90 = serializers.ListField(child=serializers.IntegerField())
    band_95 = serializers.ListField(child=serializers.IntegerField())
    band_99 = serializers.ListField(child=serializers.IntegerField())
    as_few = serializers.CharField(help_text="The chance of so few or fewer.")
    as_many = serializers.CharField(help_text="The chance of so many or more.")


class ActualText(serializers.Serializer[Any]):
    ok = serializers.BooleanField()
    ready = serializers.BooleanField()
    percent = serializers.IntegerField()
    coin_ins = serializers.IntegerField()
    uncounted_versions = serializers.ListField(child=serializers.IntegerField())
    lines = ActualLineText(many=True)


class WhichAsked(Asked):
    of = serializers.ChoiceField(choices=["rate", "reserve_rate", "seed"], default="rate")
    house_edge = serializers.CharField(max_length=20, help_text="Wanted, in percent: “20” or “12.5”.")


class WhichText(serializers.Serializer[Any]):
    """Solved exactly. Rates are percent of the chip, a seed is an amount."""

    ok = serializers.BooleanField()
    ready = serializers.BooleanField()
    percent = serializers.IntegerField()
    of = serializers.CharField()
    exact = serializers.CharField(allow_null=True)
    settable = serializers.CharField(allow_null=True, help_text="What the terms can hold of it.")
    house_edge = serializers.CharField(allow_null=True, help_text="That this gives, exact.")
    house_edge_percent = serializers.CharField(allow_null=True)
    in_force = serializers.CharField(allow_null=True)
    in_force_edge_percent = serializers.CharField(allow_null=True)


class StartingHands(GameDoor):
    """The 169 starting hands: what raising at once is worth, and what checking is."""

    serializer_class = StartingHandsText
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READ_ONLY

    @extend_schema(responses={200: StartingHandsText, 202: StartingHandsText})
    def get(self, _request: Request, **_: Any) -> Response:
        assert self.asked is not None, "a question that is not understood is refused, not ignored"
        with understood():
            found = starting_hands(self.game())
        body = {"ok": True, "ready": found.ready, "percent": found.percent, "hands": found.rows}
        return Response(body, status=200 if found.ready else 202, headers={} if found.ready else RETRY)


class DecisionDoor(GameDoor):
    """What each decision is worth with these cards: on the flop 2x or check, on the river 1x or fold."""

    serializer_class = DecisionSpotText
    asks = DecisionAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READ_ONLY

    @extend_schema(responses={200: DecisionSpotText, 202: DecisionSpotText})
    def get(self, _request: Request, **_: Any) -> Response:
        asked = self.asked
        with understood():
            job = decision(self.game(), asked["hole"], asked["board"])
        nothing: dict[str, Any] = {
            "best": None,
            "values": [],
            "deals": None,
            "wins": None,
            "ties": None,
            "losses": None,
        }
        ready = job.answer is not None
        body = {"ok": True, "ready": ready, "percent": 100 if ready else job.percent, **(job.answer or nothing)}
        return Response(body, status=200 if ready else 202, headers={} if ready else RETRY)


class ActualHitsDoor(Door):
    """Hits that the books paid, beside what as many coin-ins should bring, with the exact binomial band."""

    serializer_class = ActualText
    asks = ActualAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READ_ONLY

    @extend_schema(responses={200: ActualText, 202: ActualText})
    def get(self, request: Request, code: str) -> Response:
        jackpot = get_object_or_404(jackpots(request.user), code=code)
        with understood():
            found = actual_hits(jackpot, fold=self.asked["fold"])
        ready = found.percent == 100
        body = {
            "ok": True, "ready": ready, "percent": found.percent, "coin_ins": found.coin_ins,
            "uncounted_versions": list(found.uncounted), "lines": [_actual(each) for each in found.lines],
        }  # fmt: skip
        return Response(body, status=200 if ready else 202, headers={} if ready else RETRY)


class WhichRate(Door):
    """Which rate, or which seed, gives the house edge that is wanted."""

    serializer_class = WhichText
    asks = WhichAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = READ_ONLY

    @extend_schema(responses={200: WhichText, 202: WhichText})
    def get(self, request: Request, code: str) -> Response:
        asked, jackpot = self.asked, get_object_or_404(jackpots(request.user), code=code)
        with understood():
            found = which(jackpot, of=asked["of"], edge=edge_of(asked["house_edge"]))
        # A whole number is how far the chances are counted; 202 lets a program ask again and not call it a failure.
        ready = not isinstance(found, int)
        body = {"ok": True, "ready": ready, "percent": 100 if ready else found, **plain_found(asked["of"], found)}
        return Response(body, status=200 if ready else 202, headers={} if ready else RETRY)


def _actual(each: ActualLine) -> dict[str, Any]:
    band = each.band
    return {
        "line": each.line, "name": each.name, "coin_ins": band.coin_ins, "chance": str(band.chance),
        "expected": hundredths(band.expected), "hits": band.seen, "few": band.few, "outside": band.outside,
        **{f"band_{within}": list(between) for within, between in band.bands.items()},
        "as_few": f"{band.as_few:.6g}", "as_many": f"{band.as_many:.6g}",
    }  # fmt: skip


def hundredths(value: Fraction) -> str:
    return percent(value / 100, 2)
