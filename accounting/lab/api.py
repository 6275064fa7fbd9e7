"""The laboratory over the API: what a setting will do, asked and asked again at one address, and taken back there."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar, Final

from django.shortcuts import get_object_or_404
from drf_spectacular.utils import OpenApiExample, extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from accounting.lab.actions.questions import (
    Ground,
    LabQuestion,
    ask_all,
    asked_of,
    ground_of,
    take_back,
    under_way,
    values_of,
)
from jackpot.books.queries import jackpots
from jackpot.web.api.doors import Asked, Door
from tables.calculation.desk import IN_A_REQUEST
from tables.rounds.queries.round_lists import tables_of

OPERATES: Final = ("read_books", "configure")
RETRY: Final = 1  # seconds
SIDES: Final = (
    ("rate", "To the meter, in percent of the chip."),
    ("reserve", "To the reserve, in percent of the chip."),
    ("seed", "The seed."),
    ("limit", "The limit; empty for none."),
    ("wager", "The wager."),
    ("table", "“live” or the code of a pack's pay table."),
    ("fixed", "as_it_is, tray or meter: where fixed awards come from."),
)
PLAYED: Final = (
    ("seats", "Seats a round, 1 to 7."),
    ("coin_ins", "Coin-ins a day."),
    ("days", "Days to look ahead."),
    ("paths", "Lives of the meter to play, 20 to 20,000; 20,000 tell 2 % from 1.5 %."),
    ("meter", "The first meter to look at."),
)


def _text(words: str) -> Any:
    return serializers.CharField(max_length=40, required=False, allow_blank=True, help_text=words)


class LaboratoryAsked(Asked):
    """What is not given is taken from the jackpot's live terms; with `compare` the b_ names are a second side."""

    jackpot = _text("Code of the jackpot whose live terms and switches it starts from; the first of the house.")
    compare = serializers.ChoiceField(choices=["on"], required=False, help_text="A second configuration beside it.")

    def get_fields(self) -> dict[str, Any]:
        sides = {f"{side}_{name}": words for side in "ab" for name, words in SIDES}
        return {**super().get_fields(), **{name: _text(words) for name, words in {**sides, **dict(PLAYED)}.items()}}


class ConfigurationText(serializers.Serializer[Any]):
    """One side: how it was asked, and every figure. Exact ones are fractions as text; the others carry their error."""

    setting = serializers.DictField()
    question = serializers.DictField()
    answer = serializers.DictField()


class LaboratoryText(serializers.Serializer[Any]):
    """`ready` false (202): ask again at the same address; DELETE there takes the question back."""

    ok = serializers.BooleanField(default=True)
    ready = serializers.BooleanField()
    percent = serializers.IntegerField()
    waits_for = serializers.IntegerField(help_text="Questions of others that are before it.")
    seconds_left = serializers.IntegerField(allow_null=True, help_text="About so long; null while that is not known.")
    configurations = ConfigurationText(many=True)


class TakenBackText(serializers.Serializer[Any]):
    ok = serializers.BooleanField(default=True)
    was_under_way = serializers.BooleanField(help_text="false: it was answered already, or never asked.")


UNDER_WAY: Final = {
    "ok": True, "ready": False, "percent": 37, "waits_for": 0, "seconds_left": 12, "configurations": [],
}  # fmt: skip
ANSWERED: Final = {
    "ok": True, "ready": True, "percent": 100, "waits_for": 0, "seconds_left": None,
    "configurations": [{
        "setting": {"wager": "1.00", "rate": "7/10", "reserve_rate": "1/20", "seed": "10000.00", "limit": None},
        "question": {"seats": 7, "coin_ins_a_day": 4000, "days": 180, "paths": 200, "meters": ["20000.00"]},
        "answer": {
            "house_edge": "30487/129948", "break_even_meter": "101401400/611",
            "long_run_meter": {"mean": 87813.05, "standard_error": 25.2, "how": "simulated"},
            "seats_run_dry": {"chance": 0.025, "standard_error": 0.011, "paths": 200},
        },
    }],
}  # fmt: skip


class Laboratory(Door):
    """What a setting will do: house edge, return, meters, running dry, the worst round, findings, what is left out.

    The same question of two people is calculated once. Nothing here changes a jackpot.
    """

    serializer_class = LaboratoryText
    asks = LaboratoryAsked
    verbs: ClassVar[Mapping[str, tuple[str, ...]]] = {"GET": OPERATES, "DELETE": OPERATES}

    @extend_schema(
        operation_id="laboratory_ask",
        responses={200: LaboratoryText, 202: LaboratoryText},
        examples=[
            OpenApiExample("answered", ANSWERED, response_only=True, status_codes=["200"]),
            OpenApiExample("under way", UNDER_WAY, response_only=True, status_codes=["202"]),
        ],
    )
    def get(self, request: Request) -> Response:
        configurations = self._configurations(request)
        # A token has no key of a person: its name stands for it, so that two programs are two askers.
        jobs = ask_all(configurations, by=str(request.user.pk or request.user), wait=IN_A_REQUEST)
        if any(job.answer is None for job in jobs):
            told = {"ok": True, "ready": False, **under_way(jobs), "configurations": []}
            return Response(told, status=202, headers={"Retry-After": str(RETRY)})
        sides = [{**one.plain, "answer": job.answer} for one, job in zip(configurations, jobs, strict=True)]
        finished = {"ok": True, "ready": True, "percent": 100, "waits_for": 0, "seconds_left": None}
        return Response({**finished, "configurations": sides})

    @extend_schema(operation_id="laboratory_take_back", parameters=[LaboratoryAsked], responses=TakenBackText)
    def delete(self, request: Request) -> Response:
        """Takes the question back. Its calculation ends when nobody else asked the same."""
        taken = take_back(self._configurations(request), by=str(request.user.pk))
        return Response({"ok": True, "was_under_way": taken})

    def _configurations(self, request: Request) -> list[LabQuestion]:
        typed = self.asked
        ground = _ground(request, typed.get("jackpot", ""))
        return asked_of(ground, values_of(ground, typed), ("a", "b") if "compare" in typed else ("a",))


def _ground(request: Request, code: str) -> Ground:
    rows: Any = jackpots(request.user).order_by("code")
    jackpot = get_object_or_404(rows, code=code) if code else rows.first()
    table = None if jackpot is None else tables_of(request.user).filter(links__jackpot=jackpot).first()
    return ground_of(jackpot, table.game if table else "", min(table.seats, 7) if table else 7)
